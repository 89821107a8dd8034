"""Lines of C that a reader need not scroll: what is longer than 120 columns goes on below."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

COLUMNS = 120
"""How long a line of emitted C is at most."""
COMMENT = 100
"""How long a line of a comment is at most, where it is broken at all."""
NAMED = 12
"""How many things are named in a comment at most."""
_BREAK = re.compile(r"(?<=[,;]) | (?=(?:[-+*/%<>?:]|<=|>=|==|!=|&&|\|\|) )")
"""The spaces at which a line may end: behind a comma, before an operator."""

_TIGHTER = ("|?:", "&", "<>=!", "+-", "*/%")
"""How operators begin, from the loosest on."""


def wrapped(text: str) -> str:
    """The same C with no line over :data:`COLUMNS`, as far as it has places to break it."""
    lines = (_shorter(x) if len(x) > COLUMNS else [x] for x in text.split("\n"))
    return "\n".join(line for found in lines for line in found)


def _shorter(line: str) -> list[str]:
    words = line.lstrip()
    indent = " " * (len(line) - len(words))
    if words.startswith(("#", "//")):
        return [line]
    if words.startswith("/*"):
        # "add #3" is one word.
        joined = comment(words.replace(" #", "\0#"), indent, indent + "   ")
        return [line.replace("\0", " ") for line in joined]
    code, mark, remark = line.partition("; /* ")
    if mark:
        # What is said of a statement stands before it then.
        return [f"{indent}/* {remark}", *wrapped(f"{code};").split("\n")]
    found: list[str] = []
    depth = 0
    while len(line) > COLUMNS and (at := _place(line, len(indent) + 4, depth)):
        depth += sum((c in "([{") - (c in ")]}") for c in line[:at])
        found.append(line[:at].rstrip())
        line = indent + "    " + line[at:].lstrip()
    return [*found, line]


def comment(text: str, indent: str, more: str) -> list[str]:
    """Words in lines, the first of which starts with ``indent``, the others with ``more``."""
    return textwrap.wrap(
        text,
        COMMENT,
        initial_indent=indent,
        subsequent_indent=more,
        break_long_words=False,
        break_on_hyphens=False,
    )


def listed(words: Sequence[str]) -> str:
    """Words with commas, of many the first ones."""
    return ", ".join(words[:NAMED]) + (f", ... {len(words) - NAMED} more" * (len(words) > NAMED))


def _place(line: str, start: int, depth: int) -> int:
    """Where to break a line; 0 if nowhere.

    That is outside of as many parentheses as possible, then at the loosest operator, then late.
    """
    places: list[tuple[int, int, int]] = []
    at = start
    for found in _BREAK.finditer(line, start, COLUMNS + 1):
        depth += sum((c in "([{") - (c in ")]}") for c in line[at : found.start()])
        at = found.start()
        tightness = next((k for k, first in enumerate(_TIGHTER) if line[at + 1] in first), 0)
        places.append((depth, tightness, -at))
    late = [place for place in places if -place[2] > (COLUMNS + start) // 2] or places
    return -min(late)[2] if late else 0

"""Lines of emitted C and of its comments, broken where they are long."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

COLUMNS = 120
"""How long a line of emitted C is at most."""
COMMENT = 100
"""How long a line of a comment is at most, where it is broken."""
NAMED = 12
"""How many words a comment lists at most."""
_BREAK = re.compile(r"(?<=[,;]) | (?=(?:[-+*/%<>?:]|<=|>=|==|!=|&&|\|\|) )")
"""The spaces at which a line may end: after a comma, before an operator."""

_TIGHTER = ("|?:", "&", "<>=!", "+-", "*/%")
"""How operators begin, from the loosest on."""


def wrapped(text: str) -> str:
    """The same C with no line over :data:`COLUMNS`, as far as lines can be broken."""
    lines = (_shorter(x) if len(x) > COLUMNS else [x] for x in text.split("\n"))
    return "\n".join(line for pieces in lines for line in pieces)


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
        return [f"{indent}/* {remark}", *wrapped(f"{code};").split("\n")]
    lines: list[str] = []
    depth = 0
    while len(line) > COLUMNS and (at := _break_at(line, len(indent) + 4, depth)):
        depth += sum((c in "([{") - (c in ")]}") for c in line[:at])
        lines.append(line[:at].rstrip())
        line = indent + "    " + line[at:].lstrip()
    return [*lines, line]


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
    """Words with commas; of many, the first ones."""
    return ", ".join(words[:NAMED]) + (f", ... {len(words) - NAMED} more" * (len(words) > NAMED))


def _break_at(line: str, start: int, depth: int) -> int:
    """Where to break a line: in few parentheses, at a loose operator, late; 0 for nowhere."""
    breaks: list[tuple[int, int, int]] = []
    at = start
    for match in _BREAK.finditer(line, start, COLUMNS + 1):
        depth += sum((c in "([{") - (c in ")]}") for c in line[at : match.start()])
        at = match.start()
        tightness = next((k for k, first in enumerate(_TIGHTER) if line[at + 1] in first), 0)
        breaks.append((depth, tightness, -at))
    late = [option for option in breaks if -option[2] > (COLUMNS + start) // 2] or breaks
    return -min(late)[2] if late else 0

"""The translation units of a C file: one for each different nest, and one for all else.

``P_run`` and what it needs, then C texts of one nest each.  Compiled apart and linked, they are the
file.  A nest's text has no name of the function that it comes from: values are numbered from 0 in
the order of the text, the helpers are those it mentions, and its function is named by a digest of
all that.  So equal nests of other models, and of this one after an edit elsewhere, have the same
text, and their objects are found in the cache.

A nest whose function calls the thread pool stays with ``P_run``: the pool has state.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from opc.support.target import TOGETHER, UNIT

from .ctext import PREDEFINED

_HIDDEN = '__attribute__((visibility("hidden")))'
_VALUE = re.compile(r"\b([a-z]+)([0-9]+)\b(?!\()")
"""A name that the emitter gave; what is called is a helper, and types have an underscore."""
_HELPER = re.compile(r"\b(?:opc_|OPC_)\w+")
"""What a helper may define."""
_INTRINSIC = re.compile(r"\b_(?:mm|cvt)\w+\(")
_COMMENT = re.compile(r"\A/\*.*?\*/\n", re.S)
"""The comment in front of a function."""
_CONSTANT = re.compile(r"\bconstant[0-9]+\b")


@dataclass(frozen=True)
class Nest:
    """The C function of an outermost loop."""

    name: str
    inner: tuple[str, ...]
    """The texts of the functions that it alone calls."""
    text: str
    """Its own text, as it stands in the file."""
    code: str
    """The same without the comment."""

    @property
    def is_alone(self) -> bool:
        """Whether it can be compiled apart from the rest."""
        return not any("opc_share" in text for text in (*self.inner, self.code))

    def head(self, name: str) -> str:
        """Its declaration under another name."""
        _, _, rest = self.code.partition(f"static void {self.name}(")
        return f"void {name}({rest.partition(') {')[0]})"


INTRINSICS = "intrinsics"
"""The text that includes the header of a compiler's own functions."""


class Needs:
    """Which texts of a preamble some code needs."""

    def __init__(self, preamble: Mapping[str, str], known: Iterable[str]) -> None:
        """A text defines the names that it is the first to mention, apart from those ``known``."""
        self._preamble = preamble
        self._mentioned = {key: set(_HELPER.findall(text)) for key, text in preamble.items()}
        self._first = dict.fromkeys(known, "")
        for key, names in self._mentioned.items():
            for name in names:
                self._first.setdefault(name, key)
        self._with_header = {k for k, text in preamble.items() if _INTRINSIC.search(text)}

    def of(self, code: Iterable[str]) -> list[str]:
        """The keys of the texts that some code needs, in order."""
        keys, words = set[str](), set[str]()
        rest: list[Iterable[str]] = [_HELPER.findall(text) for text in code]
        while rest:
            fresh = set(rest.pop()) - words
            words |= fresh
            for key in {self._first.get(name, "") for name in fresh} - keys - {""}:
                keys.add(key)
                rest.append(self._mentioned[key])
        if not keys.isdisjoint(self._with_header):
            keys.add(INTRINSICS)
        return [key for key in self._preamble if key in keys]


@dataclass(frozen=True)
class Apart:
    """A nest with names of its own."""

    nest: Nest
    name: str
    """The name of its function: a digest of the text."""
    text: str
    constants: dict[str, str]
    """The definitions of the constants that it reads, by name."""


def apart(nest: Nest, constants: Mapping[str, str]) -> Apart:
    """A nest with names of its own; ``constants`` are all definitions in the file, by name."""
    # Comments name nodes, which differ from layer to layer.
    text = "\n".join([*(_COMMENT.sub("", inner) for inner in nest.inner), nest.code])
    read: dict[str, str] = {}
    for name in dict.fromkeys(_CONSTANT.findall(text)):
        defined = constants[name].replace(name, "@", 1)
        own = f"constant_{_digest(defined)}"
        read[own] = defined.replace("@", own, 1)
        text = re.sub(rf"\b{name}\b", own, text)
    counts: dict[str, int] = {}
    values: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        while match[0] not in values:
            name = f"{match[1]}{counts.setdefault(match[1], 0)}"
            counts[match[1]] += 1
            if name not in PREDEFINED:
                values[match[0]] = name
        return values[match[0]]

    text = _VALUE.sub(value, text).replace(f"static void {nest.name}(", f"{_HIDDEN} void @(", 1)
    stem = nest.name.rpartition("_loop")[0]
    for number, name in enumerate(dict.fromkeys(re.findall(rf"\b{stem}_loop[0-9]+\b", text))):
        text = re.sub(rf"\b{name}\b", f"@_{number}", text)
    name = f"nest_{_digest(text)}"
    return Apart(nest, name, text.replace("@", name), read)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def grouped(nests: Iterable[Apart], needs: Needs) -> list[list[Apart]]:
    """Different nests, in groups of some size.

    The text of a nest decides whether a group ends with it, so that an edit changes one group.
    Those with the header of a compiler's own functions, which gcc reads in a tenth of a second, are
    in groups of their own.
    """
    both: tuple[list[list[Apart]], list[list[Apart]]] = [[]], [[]]
    for nest in {nest.name: nest for nest in nests}.values():
        groups = both[INTRINSICS in needs.of([nest.text])]
        groups[-1].append(nest)
        size = sum(len(n.text) for n in groups[-1])
        if size >= UNIT or int(nest.name[-4:], 16) % TOGETHER == 0:
            groups.append([])
    return [group for groups in both for group in groups if group]


def callers(nests: Sequence[Apart], functions: Sequence[str]) -> list[str]:
    """The functions of a file without those of nests, which are declared."""
    inner = {text for a in nests for text in a.nest.inner}
    kept = [text for text in functions if text not in inner]
    for a in nests:
        text = a.nest.text
        declared = f"#define {a.nest.name} {a.name}\n{_HIDDEN} {a.nest.head(a.name)};\n"
        kept = [declared + f[len(text) :] if f.startswith(text) else f for f in kept]
    return kept

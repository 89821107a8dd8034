"""Folds arithmetic on extents in messages: ``atleast(6 - min(4, 6), 1)`` becomes 1."""

from __future__ import annotations

import re
from collections.abc import Callable

FILLED = "\x01"
"""The mark before a number that was filled in."""
_UNARY: dict[str, Callable[[int], int]] = {
    "nonunit": lambda a: int(a != 1),
    "pow2": lambda a: 1 << max(a, 1).bit_length() - 1,
}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "bcast": lambda a, b: b if a == 1 else a,
    "atleast": lambda a, b: int(a >= b),
}
FUNCTIONS: dict[str, Callable[..., int]] = {**_UNARY, **_BINARY, "min": min, "max": max}
"""The functions of extents, by name; a test compares them with ``dialects/polynomial.py``."""


def folded(text: str) -> str:
    """A message with expressions over filled in extents folded: ``6 - min(4, 6)`` becomes 2.

    Numbers that were filled in, and results over them, have a mark; other numbers of the text are
    not folded.
    """
    last = ""
    while text != last:
        last = text
        for pattern, fold in _FOLDS:
            text, times = pattern.subn(lambda m, fold=fold: f"{FILLED}{fold(m)}", text, 1)
            if times:
                break
    return text.replace(FILLED, "")


def _sum(match: re.Match[str]) -> int:
    a, b = _number(match[1]), _number(match[3])
    return a + b if match[2] == "+" else a - b


def _number(text: str) -> int:
    return int(text.replace(FILLED, ""))


_ANY = rf"{FILLED}?-?[0-9]+"
_OPERANDS = rf"(?=[^()]*{FILLED})({_ANY}(?:, {_ANY})*)"
_WITH_ONE = rf"(?={FILLED}|{_ANY}(?:\*| [-+] ){FILLED})"
_FOLDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], int]], ...] = (
    (re.compile(rf"(?<![\w)])-{FILLED}(-?[0-9]+)"), lambda m: -int(m[1])),
    (
        re.compile(rf"\b({'|'.join(FUNCTIONS)})\({_OPERANDS}\)"),
        lambda m: FUNCTIONS[m[1]](*map(_number, m[2].split(","))),
    ),
    (
        re.compile(rf"(?<![\w)*{FILLED}]){_WITH_ONE}({_ANY})\*({_ANY})(?![\w(])"),
        lambda m: _number(m[1]) * _number(m[2]),
    ),
    (
        re.compile(rf"(?<![\w)*{FILLED}])(?<![-+] ){_WITH_ONE}({_ANY}) ([-+]) ({_ANY})(?![\w(*])"),
        _sum,
    ),
)
"""The folds by precedence: products come before sums."""

"""Extents as text for messages: short, in names that a reader of the model knows.

A short extent is shown as in IR, ``floordiv(min(s1, 100) + 1, 2)``; a long one as *an extent
computed from s1*.  A symbol that the compiler named is shown by its place, *input 'x' axis 2*.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from . import expr as ex
from .bounds import greatest
from .budgets import BudgetExceeded

LONGEST = 60
"""Characters of an extent that is shown in full, at most."""
_SYMBOLS = 3
"""Symbols that are named for a longer one, at most."""
_MOST = 1 << 48
"""No extent exceeds this: ``MAX_SIZE`` of ``shape.py``."""
_WORD = re.compile(r"[A-Za-z_]\w*")

_NAMES: ContextVar[Mapping[str, str]] = ContextVar("names")


@contextmanager
def shown_as(names: Mapping[str, str]) -> Generator[None]:
    """Names of symbols in messages, in the ``with`` statement and this thread."""
    token = _NAMES.set({**_NAMES.get({}), **names})
    try:
        yield
    finally:
        _NAMES.reset(token)


def extent_text(extent: ex.Expr) -> str:
    """An extent for a message: ``2*N``, *input 'x' axis 2*, *an extent computed from N*."""
    extent = _simplified(extent)
    names = _NAMES.get({})
    text = _WORD.sub(lambda word: names.get(word[0], word[0]), str(extent))
    if len(text) <= LONGEST or extent.symbol() is not None:
        return text
    symbols = [names.get(name, name) for name in sorted(extent.symbols())]
    if len(symbols) > _SYMBOLS:
        symbols[_SYMBOLS:] = [f"{len(symbols) - _SYMBOLS} others"]
    *first, last = symbols
    return f"an extent computed from {', '.join(first)}{' and ' if first else ''}{last}"


def shape_text(shape: Iterable[ex.Expr]) -> str:
    """``[4, N]``."""
    return f"[{', '.join(map(extent_text, shape))}]"


def _simplified(extent: ex.Expr) -> ex.Expr:
    """Simplified by bounds: ``min(N, 9223372036854775807)  -->  N``."""
    total = ex.const(0)
    try:
        for factors, c in extent.terms:
            term = ex.const(c)
            for atom in factors:
                term = term * _of_atom(atom)
            total = total + term
    except BudgetExceeded:
        return extent
    bounds = _bounds(total)
    return ex.const(bounds[0]) if bounds is not None and bounds[0] == bounds[1] else total


def _of_atom(atom: ex.Atom) -> ex.Expr:
    if atom.kind in ("sym", "dim"):
        return ex.Expr({(atom,): 1})
    args = [_simplified(a) for a in atom.args]
    if atom.kind in ("min", "max"):
        first, second = map(_bounds, args)
        if first is not None and second is not None:
            if first[1] <= second[0]:
                return args[0] if atom.kind == "min" else args[1]
            if second[1] <= first[0]:
                return args[1] if atom.kind == "min" else args[0]
    return ex.CALL[atom.kind](*args)


def _bounds(extent: ex.Expr) -> tuple[int, int] | None:
    """The least and the greatest value of an extent, None if unknown."""
    least, most = greatest(-extent, _MOST), greatest(extent, _MOST)
    return None if least is None or most is None else (-least, most)

"""Upper bounds of extents, without data-dependent symbols or as numbers; intervals in bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from . import body
from . import expr as ex
from .element import ElementType, element_of

Bounds = Mapping[str, ex.Expr]
"""The upper bound of each data-dependent symbol, in symbols that are not."""


def at_most(e: ex.Expr, bounds: Bounds) -> ex.Expr:
    """An upper bound of an extent, without the data-dependent symbols in ``bounds``.

    Atoms are never negative.  So a term with such a symbol counts as its bound if it is added, and
    as 0 if it is subtracted: for ``k0`` of at most ``N``, ``4*k0`` is at most ``4*N`` and
    ``N - k0`` at most ``N``.
    """
    if e.symbols().isdisjoint(bounds):
        return e
    total = ex.const(0)
    for factors, c in e.terms:
        term = ex.Expr({factors: c})
        if not term.symbols().isdisjoint(bounds):
            term = ex.const(max(c, 0))
            for atom in factors:
                term = term * _atom(atom, bounds)
        total = total + term
    return total


def _atom(atom: ex.Atom, bounds: Bounds) -> ex.Expr:
    if atom.kind == "sym":
        return bounds.get(str(atom.args[0]), ex.Expr({(atom,): 1}))
    args = [at_most(a, bounds) for a in atom.args]
    match atom.kind:
        case "floordiv" | "mod":
            # A divisor is 1 at least, and a remainder at most the dividend.
            known = atom.kind == "floordiv" and atom.args[1].symbols().isdisjoint(bounds)
            return ex.floordiv(args[0], args[1]) if known else args[0]
        case "min":
            return ex.minimum(*args)
        case "max" | "bcast":
            return ex.maximum(*args)
        case _:
            return ex.const(1)


def greatest(e: ex.Expr) -> int | None:
    """A number that an extent never exceeds, for all values of its symbols; None if unknown.

    A minimum that is added is at most any of its arguments; one that is subtracted equals one of
    them: ``min(1, N)`` is at most 1, and so is ``N - min(N - min(1, N), N)``.
    """
    extremes = [(f, c) for f, c in e.terms if len(f) == 1 and f[0].kind in ("min", "max")]
    # Terms that equal one of their arguments come first: each argument may need another bound.
    for factors, c in sorted(extremes, key=lambda term: _is_least(*term)):
        rest = e - ex.Expr({factors: c})
        bounds = [greatest(rest + arg * c) for arg in factors[0].args]
        known = [bound for bound in bounds if bound is not None]
        if _is_least(factors, c):
            return min(known, default=None)
        return max(known) if len(known) == len(bounds) else None
    terms = [_greatest_term(factors, c) for factors, c in e.terms]
    known = [bound for bound in terms if bound is not None]
    return sum(known) if len(known) == len(terms) else None


def _is_least(factors: ex.Factors, c: int) -> bool:
    """Whether the term is smallest for its arguments: an added minimum, a subtracted maximum."""
    return (factors[0].kind == "min") == (c > 0)


def _greatest_term(factors: ex.Factors, c: int) -> int | None:
    """As ``greatest``, for a term."""
    if not factors:
        return c
    if c < 0:
        return 0
    atom = ex.Expr({factors: 1}).atom()
    if atom is None:
        return None
    if atom.kind in ("nonunit", "atleast"):
        return c
    divisor = atom.args[1].constant if atom.kind in ("floordiv", "mod") else None
    if divisor is None:
        return None
    if atom.kind == "mod":
        return c * (divisor - 1)
    bound = greatest(atom.args[0])
    return None if bound is None else c * (bound // divisor)


def is_extent(e: ex.Expr) -> bool:
    """Whether an expression is certainly not negative, as ``4 - mod(N, 4)``."""
    most = greatest(-e)
    return most is not None and most <= 0


Interval: TypeAlias = "tuple[int, int]"
"""The least and the greatest value."""


def is_within(interval: Interval | None, type: ElementType) -> bool:
    """Whether an integer type holds all values of a known interval."""
    return interval is not None and type.lowest <= interval[0] and interval[1] <= type.highest


def intervals(ops: Iterable[Operation]) -> dict[SSAValue, Interval]:
    """The interval of each integer that the operations compute; that of its type at worst."""
    known: dict[SSAValue, Interval] = {}
    for op in ops:
        for result in op.results:
            type = element_of(result.type)
            if type is None or not type.is_integer:
                continue
            interval = _of(op, known)
            if interval is None or not is_within(interval, type):
                # It may wrap, or an operand is unknown.
                interval = int(type.lowest), int(type.highest)
            known[result] = interval
    return known


def _of(op: Operation, known: dict[SSAValue, Interval]) -> Interval | None:
    if isinstance(op, body.ConstantOp):
        return int(op.number), int(op.number)
    if not isinstance(op, body.ApplyOp) or any(a not in known for a in op.args):
        return None
    low, high = zip(*(known[a] for a in op.args), strict=True)
    match op.function.data:
        case "cast":
            return low[0], high[0]
        case "add":
            return low[0] + low[1], high[0] + high[1]
        case "sub":
            return low[0] - high[1], high[0] - low[1]
        case _:
            return None

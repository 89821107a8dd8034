"""Upper bounds of extents, without data-dependent symbols or as numbers."""

from __future__ import annotations

from collections.abc import Mapping

from . import expr as ex

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


def greatest(e: ex.Expr, most: int | None = None) -> int | None:
    """A number that an extent never exceeds, for all values of its symbols; None if unknown.

    ``most`` is the greatest value of a symbol.  A minimum that is added is at most any of its
    arguments; one that is subtracted equals one of them: ``min(1, N)`` is at most 1, and so is
    ``N - min(N - min(1, N), N)``.  A quotient times its divisor is at most the dividend:
    ``2 * ((N + 1) / 2) - N`` is at most 1.
    """
    extremes = [(f, c) for f, c in e.terms if len(f) == 1 and f[0].kind in ("min", "max")]
    # Terms that equal one of their arguments come first: each argument may need another bound.
    for factors, c in sorted(extremes, key=lambda term: _is_least(*term)):
        rest = e - ex.Expr({factors: c})
        bounds = [greatest(rest + arg * c, most) for arg in factors[0].args]
        known = [bound for bound in bounds if bound is not None]
        if _is_least(factors, c):
            return min(known, default=None)
        return max(known) if len(known) == len(bounds) else None
    total = _term_by_term(e, most)
    if total is not None:
        return total
    for factors, c in e.terms:
        divisor = factors[0].args[1].constant if _is_quotient(factors) else None
        if c > 0 and divisor and c % divisor == 0:
            rest = e - ex.Expr({factors: c})
            return greatest(rest + factors[0].args[0] * (c // divisor), most)
    return None


def _term_by_term(e: ex.Expr, most: int | None) -> int | None:
    """The sum of what each term is at most."""
    total = 0
    for factors, c in e.terms:
        # Atoms are never negative.
        for atom in factors if c > 0 else ():
            bound = _greatest_atom(atom, most)
            if bound is None:
                return None
            c *= bound
        total += c if c > 0 or not factors else 0
    return total


def _is_quotient(factors: ex.Factors) -> bool:
    return len(factors) == 1 and factors[0].kind == "floordiv"


def _is_least(factors: ex.Factors, c: int) -> bool:
    """Whether the term is smallest for its arguments: an added minimum, a subtracted maximum."""
    return (factors[0].kind == "min") == (c > 0)


def _greatest_atom(atom: ex.Atom, most: int | None) -> int | None:
    """As ``greatest``, for an atom."""
    match atom.kind:
        case "sym":
            return most
        case "nonunit" | "atleast":
            return 1
        case "bcast" | "pow2":
            bounds = [greatest(arg, most) for arg in atom.args]
            known = [bound for bound in bounds if bound is not None]
            return max(1, *known) if len(known) == len(bounds) else None
        case "floordiv" | "mod" if (divisor := atom.args[1].constant) is not None:
            if atom.kind == "mod":
                return divisor - 1
            bound = greatest(atom.args[0], most)
            return None if bound is None else bound // divisor
        case _:
            return None


def is_extent(e: ex.Expr) -> bool:
    """Whether an expression is certainly not negative, as ``4 - mod(N, 4)``."""
    most = greatest(-e)
    return most is not None and most <= 0

"""The check that no extent is negative and that no size exceeds what C can compute.

A size is bounded by a polynomial over the extents that is evaluated in double, where nothing
overflows.  Every factor counts as at least 1: strides of empty arrays are computed, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from opc.dialects import expr as ex
from opc.support.interface import IMPOSSIBLE

Bound = dict[tuple[str, ...], Fraction]
"""Coefficients of products of symbols."""

LEAST_IS_CONSTANT = 4096
"""The largest number that bounds the minimum of itself and an extent."""


def bound(e: ex.Expr) -> Bound:
    """An upper bound of an expression and of each product in it, without negative coefficients.

    An atom is bounded by its arguments.
    """
    total: Bound = {}
    for factors, c in e.terms:
        term: Bound = {(): Fraction(abs(c))}
        for atom in factors:
            term = _times(term, _atom(atom))
        _add(total, term)
    return total


def _atom(atom: ex.Atom) -> Bound:
    match atom.kind:
        case "sym":
            return {(str(atom.args[0]),): Fraction(1)}
        case "floordiv":
            divisor = Fraction(atom.args[1].constant or 1)
            return {names: c / divisor for names, c in bound(atom.args[0]).items()}
        case "mod":
            return bound(atom.args[1] if atom.args[1].constant is not None else atom.args[0])
        case "min" | "max" | "bcast":
            known = [a.constant for a in atom.args if a.constant is not None]
            if known and atom.kind == "min" and min(known) <= LEAST_IS_CONSTANT:
                return {(): Fraction(min(known))}
            total: Bound = {}
            for argument in atom.args:
                if atom.kind == "min" and argument.constant is not None:
                    continue  # the end of a slice to 2^31 - 1, a weaker bound than the extent
                _add(total, bound(argument))
            return total
        case "pow2":
            total = {(): Fraction(1)}
            _add(total, bound(atom.args[0]))
            return total
        case _:
            return {(): Fraction(1)}


def _times(a: Bound, b: Bound) -> Bound:
    total: Bound = {}
    for x, c in a.items():
        for y, d in b.items():
            _add(total, {tuple(sorted((*x, *y))): c * d})
    return total


def _add(total: Bound, other: Bound) -> None:
    for names, c in other.items():
        total[names] = total.get(names, Fraction(0)) + c


def _greatest(size: Bound) -> tuple[int, Fraction]:
    return max(((len(names), c) for names, c in size.items()), default=(0, Fraction(0)))


def _is_less(names: tuple[str, ...], c: Fraction, most: Bound) -> bool:
    """Whether some product of ``most`` is never less: no factor is less than 1."""
    return any(c <= d and not Counter(names) - Counter(others) for others, d in most.items())


def check(sizes: Iterable[ex.Expr], symbols: Mapping[str, str]) -> list[str]:
    """The statement that returns if one of the sizes, in bytes, is too large; none for constants.

    It calls ``opc_extent``, which is infinite for a negative extent.
    """
    bounds = [{names: c for names, c in bound(size).items() if names} for size in sizes]
    most: Bound = {}
    for size in sorted(bounds, key=_greatest, reverse=True):
        if len(size) > 1 or not all(_is_less(names, c, most) for names, c in size.items()):
            for names, c in size.items():
                most[names] = max(most.get(names, c), c)
    named = {
        tuple(sorted((symbols[n] for n in names), key=lambda n: (len(n), n))): c
        for names, c in most.items()
    }
    terms = [
        " * ".join([f"{math.ceil(c)}.0", *(f"opc_extent({n})" for n in names)])
        for names, c in sorted(named.items())
    ]
    if not terms:
        return []
    total = " + ".join(terms)
    return [f"  if ({total} > (double)(PTRDIFF_MAX / 2)) {{", f"    return {IMPOSSIBLE};", "  }"]

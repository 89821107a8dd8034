"""Integer expressions over loop dimensions and symbolic extents.

One class serves tensor extents (``N``, ``4*N``, ``bcast(N, M)``), index maps (``d0*4 + d1``) and
buffer offsets.  An expression is a polynomial with integer coefficients in normal form, so equal
polynomials are equal objects: ``N*M == M*N``.  Its factors are atoms:

======================  ==============================================================
``d3``                  loop dimension 3 of the surrounding iteration space
``N``                   a symbolic extent, an integer >= 0 known at run time
``floordiv(a, b)``      a divided by b, rounded down (b > 0)
``mod(a, b)``           the remainder, >= 0
``bcast(a, b)``         the extent of two broadcast axes: b if a is 1, else a
``nonunit(a)``          0 if a is 1, else 1: the index step of an axis that may be broadcast
``min(a, b)``           the lesser: the end of a tile
``max(a, b)``           the greater: the start of a tail
``atleast(a, b)``       1 if a >= b, else 0: a choice between versions of a loop
``pow2(a)``             the greatest power of two <= a, at least 1
======================  ==============================================================
(xDSL's ``AffineExpr`` has no products of symbols, such as the strides of a ``?x?x?`` tensor.)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from .polynomial import CALL, EVALUATE, Atom, Expr, Factors, Ranges, applied, const, total_of

DIM = re.compile(r"d[0-9]+\Z")
SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
FUNCTIONS = frozenset(EVALUATE)


@lru_cache(maxsize=1 << 10)
def dim(k: int) -> Expr:
    """Loop dimension k."""
    return Expr({(Atom("dim", (k,)),): 1})


def sym(name: str) -> Expr:
    """A symbolic extent."""
    return Expr({(Atom("sym", (name,)),): 1})


def is_nonnegative(e: Expr) -> bool:
    """Whether e >= 0 is certain: atoms are never negative, so the coefficients decide."""
    return all(c >= 0 for _, c in e.terms)


def upper_bound(e: Expr, ranges: Ranges) -> Expr | None:
    """An upper bound of e without dimensions, None if unknown."""
    for factors, c in e.terms:
        if c > 0 and len(factors) == 1 and factors[0].kind == "min":
            # Any argument bounds the minimum; for some, other terms cancel.
            rest = e - Expr({factors: c})
            least = _least_bound([rest + arg * c for arg in factors[0].args], ranges)
            return None if least is None else const(least)
    bounds: list[Expr] = []
    for factors, c in e.terms:
        term = Expr({(): c})
        for atom in factors:
            if atom.kind == "dim":
                extent = ranges.get(atom.args[0])
                if c < 0 or extent is None:
                    return None
                term = term * (extent - 1)
            elif atom.kind == "mod":
                if c < 0 or atom.args[1].dims():
                    return None
                term = term * (atom.args[1] - 1)
            elif atom.kind == "floordiv":
                most, d = upper_bound(atom.args[0], ranges), atom.args[1].constant
                if c < 0 or most is None or most.constant is None or d is None:
                    return None
                term = term * (most.constant // d)
            elif atom.kind in ("nonunit", "atleast") and c > 0:
                continue
            elif atom.kind == "sym":
                term = term * Expr({(atom,): 1})
            elif atom.kind == "min" and c > 0:
                if (least := _least_bound(atom.args, ranges)) is None:
                    return None
                term = term * least
            else:
                return None
        bounds.append(term)
    return total_of(bounds)


def _least_bound(es: Iterable[Expr], ranges: Ranges) -> int | None:
    """The least known bound of some expressions, None if unknown or negative."""
    bounds = (upper_bound(e, ranges) for e in es)
    known = [b.constant for b in bounds if b is not None and b.constant is not None]
    return min(known) if known and min(known) >= 0 else None


def parts(e: Expr, kind: str) -> list[Expr]:
    """The arguments of nested calls of a function, a, b, c for f(a, f(b, c)); others themselves."""
    atom = e.atom()
    if atom is None or atom.kind != kind:
        return [e]
    return [part for arg in atom.args for part in parts(arg, kind)]


def least_of(e: Expr) -> list[Expr]:
    """The arguments of nested minima, or e itself."""
    return parts(e, "min")


def _divide_exactly(e: Expr, d: Expr) -> tuple[Expr, Expr]:
    """Split e into (quotient, rest), e = quotient*d + rest, term by term, for d of one term."""
    if len(d.terms) != 1:
        return (const(1), const(0)) if e == d else (const(0), e)
    divisor, c = d.terms[0]
    quotient: dict[Factors, int] = {}
    rest: dict[Factors, int] = {}
    for factors, coefficient in e.terms:
        left = list(factors)
        for atom in divisor:
            if atom in left:
                left.remove(atom)
            else:
                break
        else:
            q, r = divmod(coefficient, c)
            if q and r and factors:
                # The term would be in the quotient and in the rest.
                q, r = 0, coefficient
            if q:
                quotient[tuple(left)] = quotient.get(tuple(left), 0) + q
            if r:
                rest[factors] = r
            continue
        rest[factors] = coefficient
    return Expr(quotient), Expr(rest)


def _split(e: Expr, d: Expr, ranges: Ranges) -> tuple[Expr, Expr, bool]:
    """(quotient, rest, whether 0 <= rest < d is certain) with e = quotient*d + rest."""
    quotient, rest = _divide_exactly(e, d)
    bound = upper_bound(rest, ranges)
    certain = bound is not None and is_nonnegative(rest) and is_nonnegative(d - 1 - bound)
    if rest.constant is not None and d.constant is not None:
        certain = 0 <= rest.constant < d.constant
    return quotient, rest, certain


def _coarser(e: Expr, d: Expr, ranges: Ranges) -> tuple[Expr, Expr, Expr] | None:
    """(s, g, rest) with e = s*g + rest, d a multiple of g > 1 and 0 <= rest < g; None if unknown.

    For ``d0*12 + d1`` with d1 < 12, divided by 48: ``d0``, 12 and ``d1``.  Indices only.
    """
    for factors, coefficient in e.terms if len(d.terms) == 1 and e.dims() else ():
        shared = (Counter(d.terms[0][0]) & Counter(factors)).elements()
        g = Expr({tuple(shared): math.gcd(coefficient, d.terms[0][1])})
        if g not in (1, d):
            quotient, rest, certain = _split(e, g, ranges)
            if certain:
                return quotient, g, rest
    return None


def floordiv(e: int | Expr, d: int | Expr, ranges: Ranges | None = None) -> Expr:
    """e divided by d > 0, rounded down.

    Unless e may be negative, no part of the result divides a negative number, which C rounds up.
    """
    e, d = Expr.of(e), Expr.of(d)
    if d == 0:
        return const(0)  # an index into an array without elements, never evaluated
    if e.constant is not None and d.constant is not None:
        return const(e.constant // d.constant)
    quotient, rest, certain = _split(e, d, ranges or {})
    if certain or rest == 0:
        return quotient
    quotient, rest = (quotient, rest) if is_nonnegative(rest) else (const(0), e)
    if (coarser := _coarser(rest, d, ranges or {})) is not None:
        coarse, g, _ = coarser
        return quotient + floordiv(coarse, _divide_exactly(d, g)[0], ranges)
    inner = rest.atom()
    if inner is not None and inner.kind == "floordiv":
        return quotient + floordiv(inner.args[0], inner.args[1] * d, ranges)
    return quotient + applied("floordiv", rest, d)


def mod(e: int | Expr, d: int | Expr, ranges: Ranges | None = None) -> Expr:
    """The remainder of e divided by d > 0."""
    e, d = Expr.of(e), Expr.of(d)
    if d == 0:
        return const(0)
    if e.constant is not None and d.constant is not None:
        return const(e.constant % d.constant)
    _, rest, certain = _split(e, d, ranges or {})
    if certain or rest == 0:
        return rest
    rest = rest if is_nonnegative(rest) else e
    if (coarser := _coarser(rest, d, ranges or {})) is not None:
        coarse, g, fine = coarser
        return mod(coarse, _divide_exactly(d, g)[0], ranges) * g + fine
    return applied("mod", rest, d)


def is_cut(a: Expr, b: Expr) -> bool:
    """Whether a is min(b, n) for numbers n > 1: if such extents broadcast, they are equal.

    Slices of a table of positions have such extents: the number of tokens, cut at the table's end.
    """
    least = least_of(a)
    others = [e.constant or 0 for e in least if e != b]
    return b in least and len(others) > 0 and min(others) > 1


def broadcast(a: int | Expr, b: int | Expr) -> Expr:
    """The extent of two axes broadcast against each other, which must fit."""
    a, b = Expr.of(a), Expr.of(b)
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if fixed := [e for e in (a, b) if e.constant is not None]:
        return fixed[0]
    # For extents that fit, bcast is associative, commutative and idempotent: sort its arguments.
    fitting = {*parts(a, "bcast"), *parts(b, "bcast")}
    kept = {e for e in fitting if not any(is_cut(e, other) for other in fitting)}
    total, *rest = sorted(kept, key=str)
    for part in rest:
        total = applied("bcast", total, part)
    return total


def nonunit(a: int | Expr) -> Expr:
    """0 if a is 1, else 1."""
    known = Expr.of(a).constant
    return applied("nonunit", Expr.of(a)) if known is None else const(int(known != 1))


def minimum(a: int | Expr, b: int | Expr) -> Expr:
    """The lesser of two."""
    a, b = Expr.of(a), Expr.of(b)
    difference = (a - b).constant
    if difference is not None:
        return a if difference < 0 else b
    if b in least_of(a) or is_nonnegative(b - a):
        return a
    if a in least_of(b) or is_nonnegative(a - b):
        return b
    return applied("min", a, b)


def maximum(a: int | Expr, b: int | Expr) -> Expr:
    """The greater of two."""
    a, b = Expr.of(a), Expr.of(b)
    difference = (a - b).constant
    if difference is not None:
        return b if difference < 0 else a
    if is_nonnegative(a - b):
        return a
    return b if is_nonnegative(b - a) else applied("max", a, b)


def atleast(a: int | Expr, b: int | Expr) -> Expr:
    """1 if a >= b, else 0."""
    a, b = Expr.of(a), Expr.of(b)
    known = (a - b).constant
    return applied("atleast", a, b) if known is None else const(int(known >= 0))


def pow2(a: int | Expr) -> Expr:
    """The greatest power of two <= a, at least 1."""
    a = Expr.of(a)
    return applied("pow2", a) if a.constant is None else const(EVALUATE["pow2"](a.constant))


CALL.update(
    {"floordiv": floordiv, "mod": mod, "bcast": broadcast},
    nonunit=nonunit,
    min=minimum,
    max=maximum,
    atleast=atleast,
    pow2=pow2,
)


def product(extents: Iterable[int | Expr]) -> Expr:
    """The product, 1 for none."""
    total = const(1)
    for extent in extents:
        total = total * extent
    return total

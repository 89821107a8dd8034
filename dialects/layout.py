"""Row-major layout: from an index to an offset and back."""

from __future__ import annotations

from collections.abc import Iterable

from .expr import Expr, Ranges, const, floordiv, mod, product


def recombine(e: Expr) -> Expr:
    """Undo a division: ``floordiv(x, c)*c + mod(x, c)  -->  x``, as often as it occurs."""
    for factors, c in e.terms:
        for atom in factors:
            if atom.kind != "mod":
                continue
            x, d = atom.args
            rest = Expr({tuple(a for a in factors if a is not atom): c})
            whole = floordiv(x, d) * d * rest
            have = dict(e.terms)
            if all(have.get(f) == n for f, n in whole.terms):
                return recombine(e - whole - Expr({factors: c}) + x * rest)
    return e


def linearize(index: Iterable[Expr], shape: Iterable[Expr]) -> Expr:
    """Row-major offset of an index into an array of that shape."""
    total = const(0)
    for i, extent in zip(index, shape, strict=True):
        total = total if extent == 1 else total * extent + i
    return recombine(total)


def delinearize(offset: Expr, shape: tuple[Expr, ...], ranges: Ranges) -> tuple[Expr, ...]:
    """Index into an array of that shape from its row-major offset."""
    index: list[Expr] = []
    for axis, extent in enumerate(shape):
        stride = product(shape[axis + 1 :])
        quotient = floordiv(offset, stride, ranges)
        index.append(quotient if axis == 0 else mod(quotient, extent, ranges))
    return tuple(const(0) if shape[k] == 1 else e for k, e in enumerate(index))

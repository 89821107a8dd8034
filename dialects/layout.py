"""Row-major layout: offsets of indices, and indices of offsets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from .expr import Expr, Ranges, const, floordiv, mod, product


def recombine(e: Expr) -> Expr:
    """Undo divisions: ``floordiv(x, c)*c + mod(x, c)  -->  x``."""
    for factors, c in e.terms:
        for atom in factors:
            if atom.kind != "mod":
                continue
            x, d = atom.args
            rest = Expr({tuple(a for a in factors if a is not atom): c})
            multiple = floordiv(x, d) * d * rest
            have = dict(e.terms)
            if all(have.get(f) == n for f, n in multiple.terms):
                return recombine(e - multiple - Expr({factors: c}) + x * rest)
    return e


def linearize(index: Iterable[Expr], shape: Iterable[Expr]) -> Expr:
    """The row-major offset of an index into an array of a shape."""
    return _linearized(tuple(index), tuple(shape))


@lru_cache(maxsize=1 << 12)
def _linearized(index: tuple[Expr, ...], shape: tuple[Expr, ...]) -> Expr:
    total = const(0)
    for i, extent in zip(index, shape, strict=True):
        total = total if extent == 1 else total * extent + i
    return recombine(total)


def delinearize(offset: Expr, shape: tuple[Expr, ...], ranges: Ranges) -> tuple[Expr, ...]:
    """The index into an array of a shape for a row-major offset."""
    index: list[Expr] = []
    for axis, extent in enumerate(shape):
        stride = product(shape[axis + 1 :])
        quotient = floordiv(offset, stride, ranges)
        index.append(quotient if axis == 0 else mod(quotient, extent, ranges))
    return tuple(const(0) if shape[k] == 1 else e for k, e in enumerate(index))


def before_reshape(
    index: tuple[Expr, ...], shape: tuple[Expr, ...], before: tuple[Expr, ...], ranges: Ranges
) -> tuple[Expr, ...]:
    """The index into an array of shape ``before`` for an index into it reshaped to ``shape``.

    Groups of axes with equally many elements in both are converted separately: ``[h, 2, w, 2]``
    from ``[h*2, w*2]`` needs no division by unknown extents.
    """
    before = _as_in(shape, before)
    result: list[Expr] = []
    first = own = 0
    for last, end in _ends(shape, before):
        offset = linearize(index[first:last], shape[first:last])
        result += delinearize(offset, before[own:end], ranges)
        first, own = last, end
    return tuple(result)


def _as_in(shape: tuple[Expr, ...], before: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The extents before a reshape, with that of ``shape`` where all but one are equal.

    It is then equal, too, since the numbers of elements are: ``[n, min(k, m)]`` to ``[n, 1, k]``.
    """
    pairs = [[(axis, e) for axis, e in enumerate(s) if e != 1] for s in (shape, before)]
    if len(pairs[0]) != len(pairs[1]) or any("?" in e.symbols() for e in (*shape, *before)):
        return before
    unequal = [(k, e) for (_, e), (k, other) in zip(*pairs, strict=True) if e != other]
    if len(unequal) != 1:
        return before
    ((axis, extent),) = unequal
    return (*before[:axis], extent, *before[axis + 1 :])


def _ends(shape: tuple[Expr, ...], before: tuple[Expr, ...]) -> list[tuple[int, int]]:
    """The ends, in both shapes, of the smallest groups of axes with equally many elements."""
    all_axes = len(shape), len(before)
    if any(e == 0 or "?" in e.symbols() for e in (*shape, *before)):
        return [all_axes]
    ends: list[tuple[int, int]] = []
    products = [product(before[:end]) for end in range(len(before) + 1)]
    end = 0
    for last in range(1, len(shape) + 1):
        size = product(shape[:last])
        same = next((k for k in range(end + 1, len(before) + 1) if products[k] == size), None)
        if same is not None:
            end = same
            ends.append((last, end))
    # Axes of extent 1 may follow the last group.
    return [*ends[:-1], all_axes]

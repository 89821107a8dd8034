"""Matrices as factors, and systems of equations; axes before the last two are a batch."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.reduction import ReduceSumOp

from .bodies import Arrays, scan
from .traced import gathered, lined, reversed_along


def solve_triangular(
    a: Any, rhs: Any, *, left: bool, lower: bool, unit: bool, transposed: bool
) -> Any:
    """x of a x = b, or of x a = b, row by row; only one triangle of a is read."""
    rank = a.ndim
    last, before = rank - 1, rank - 2
    if transposed == left:
        a, lower = onp.swapaxes(a, -1, -2), not lower
    x = rhs if left else onp.swapaxes(rhs, -1, -2)
    if not lower:
        a, x = reversed_along(a, (-2, -1)), reversed_along(x, (-2,))
    rows, right = (onp.moveaxis(v, -2, 0) for v in (a, x))
    start = a.trace.full(x.extents, 0, x.element)

    def step(index: Any, solved: Any, row: Any, value: Any) -> tuple[Arrays, Arrays]:
        trace, (*batch, n) = solved.trace, row.extents
        places = trace.positions(n)
        known = onp.where(places < index, row, 0).reshape([*batch, 1, n])
        new = value - trace.emit(MatmulOp, known, solved).reshape(value.extents)
        here = places == index
        if not unit:
            diagonal = onp.where(here, row, 0)
            new = new / trace.emit(ReduceSumOp, diagonal, axes=(-1,), keepdims=True)
        new = new.reshape([*solved.extents[:-2], 1, solved.extents[-1]])
        return [onp.where(lined(here, before, rank), new, solved)], []

    (x,), _ = scan(a.extents[last], [start], [rows, right], [], step, has_index=True)
    x = x if lower else reversed_along(x, (-2,))
    return x if left else onp.swapaxes(x, -1, -2)


def _at(x: Any, axis: int, index: Any) -> Any:
    """The elements at an index of an axis, counted from the end."""
    return gathered(x, [x.ndim + axis], index)


def cholesky(a: Any) -> Any:
    """The lower triangle of which the square is a, by the lower triangle of a.

    NaN from the first column on that would need a root of a negative number.
    """

    def step(index: Any, low: Any, column: Any) -> tuple[Arrays, Arrays]:
        places = low.trace.positions(low.extents[-1])
        row = onp.expand_dims(_at(low, -2, index), -1)
        rest = column - onp.matmul(low, row).reshape(column.extents)
        root = onp.expand_dims(onp.sqrt(_at(rest, -1, index)), -1)
        new = onp.expand_dims(onp.where(places >= index, rest / root, 0), -1)
        return [onp.where(places == index, new, low)], []

    start = a.trace.full(a.extents, 0, a.element)
    columns = onp.moveaxis(a, -1, 0)
    (low,), _ = scan(a.extents[-1], [start], [columns], [], step, has_index=True)
    return low


def lu(a: Any) -> tuple[Any, Any]:
    """Both triangles of a in one array, and the row, i64, with which each row changed places."""

    def step(index: Any, x: Any) -> tuple[Arrays, Arrays]:
        rows, columns = (x.trace.positions(n) for n in x.extents[-2:])
        size = onp.where(rows >= index, onp.abs(_at(x, -1, index)), -1)
        best = onp.argmax(size, axis=-1).astype(el.I64)
        other = onp.expand_dims(best, -1)
        place = onp.where(rows == index, other, onp.where(rows == other, index, rows))
        place = onp.broadcast_to(onp.expand_dims(place, -1), x.extents)
        x = onp.take_along_axis(x, place, axis=-2)
        column, row = _at(x, -1, index), _at(x, -2, index)
        pivot = onp.expand_dims(_at(column, -1, index), -1)
        below = rows > index
        factors = onp.where(below, column / onp.where(pivot == 0, 1, pivot), 0)
        factors = onp.expand_dims(factors, -1)
        x = x - factors * onp.expand_dims(onp.where(columns > index, row, 0), -2)
        here = onp.expand_dims(below, -1) & (columns == index)
        return [onp.where(here, factors, x)], [best]

    count = ex.minimum(*a.extents[-2:])
    (x,), (pivots,) = scan(count, [a], [], [], step, has_index=True)
    return x, onp.moveaxis(pivots, 0, -1)


def householder(a: Any) -> tuple[Any, Any]:
    """R of a = Q R with the vectors of its reflections below the diagonal, and their factors."""

    def step(index: Any, x: Any) -> tuple[Arrays, Arrays]:
        rows, columns = (x.trace.positions(n) for n in x.extents[-2:])
        column, below = _at(x, -1, index), rows > index
        first = onp.expand_dims(_at(column, -1, index), -1)
        rest = onp.where(below, column, 0)
        square = onp.sum(rest * rest, axis=-1, keepdims=True)
        size = onp.sqrt(first * first + square)
        is_done = square == 0
        end = onp.where(is_done, first, onp.where(first < 0, size, -size))
        factor = onp.where(is_done, 0, (end - first) / onp.where(is_done, 1, end))
        vector = rest / onp.where(is_done, 1, first - end)
        own = onp.where(rows == index, end, onp.where(below, vector, column))
        vector = onp.where(rows == index, 1, vector)
        new = onp.where(columns > index, reflected(x, vector, factor), x)
        new = onp.where(columns == index, onp.expand_dims(own, -1), new)
        return [new], [factor.reshape(factor.extents[:-1])]

    count = ex.minimum(*a.extents[-2:])
    (x,), (factors,) = scan(count, [a], [], [], step, has_index=True)
    return x, onp.moveaxis(factors, 0, -1)


def reflected(x: Any, vector: Any, factor: Any) -> Any:
    """x - factor * vector * (vector' x)."""
    line, factor = onp.expand_dims(vector, -2), onp.expand_dims(factor, -1)
    return x - factor * onp.expand_dims(vector, -1) * onp.matmul(line, x)


def product_of_reflections(a: Any, factors: Any) -> Any:
    """The first columns of Q of what :func:`householder` gives, as many as a has."""
    (m, n), trace = a.extents[-2:], a.trace
    rows, columns = (trace.positions(e) for e in (m, n))
    eye = onp.where(onp.expand_dims(rows, -1) == columns, trace.constant(1, a.element), 0)

    def step(index: Any, x: Any, column: Any, factor: Any) -> tuple[Arrays, Arrays]:
        places, last = x.trace.positions(m), x.trace.number(factors.extents[-1] - 1)
        here = last - index
        vector = onp.where(places == here, 1, onp.where(places > here, column, 0))
        return [reflected(x, vector, onp.expand_dims(factor, -1))], []

    count = factors.extents[-1]
    vectors = onp.moveaxis(a, -1, 0)[: trace.size(count)]
    over = [reversed_along(v, (0,)) for v in (vectors, onp.moveaxis(factors, -1, 0))]
    (x,), _ = scan(count, [onp.broadcast_to(eye, a.extents)], over, [], step, has_index=True)
    return x

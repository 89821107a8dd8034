"""Meaning of loop operations on blocks: copies, packs, transposes, reductions of lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop, scalar
from opc.dialects.matrix_ops import BESIDE
from opc.dialects.scalar import REDUCTIONS, SCALARS

from .memory import Memory
from .precision import Array

Meaning: TypeAlias = "Callable[[Any, list[Any], list[int]], None]"
"""The operation, its buffers (or scalars) and the values of its index."""

LINE = 64
"""Bytes of a cache line."""


def _span(start: int, count: int) -> Array:
    return np.arange(start, start + max(count, 0))


def combine(op: loop.CombineOp, lanes: Memory) -> Any:
    """The lanes reduced pairwise, halving."""
    name = REDUCTIONS[op.reduction.data].combine
    values = lanes.read(op, _span(0, lanes.data.size))
    while values.size > 1:
        half = values.size // 2
        values = np.asarray(SCALARS[name].numpy(values[:half], values[half:]))
    return values[0]


def _cascade(op: loop.CascadeOp, buffers: list[Any], index: list[int]) -> None:
    lanes, levels, counter = buffers
    count = int(counter.read(op, 0))
    width = index[0] if index else lanes.data.size
    span, at = _span(0, width), 0

    def add() -> None:
        held = levels.read(op, span + at)
        combine = np.multiply if op.reduction.data == "prod" else np.add
        lanes.write(op, span, combine(held, lanes.read(op, span)))

    if op.step.data == "finish":
        count -= 1
        while count > 0:
            if count & 1:
                add()
            count, at = count >> 1, at + width
        return
    if count > 0:
        count -= 1
        while count & 1:
            add()
            count, at = count >> 1, at + width
        levels.write(op, span + at, lanes.read(op, span))
        neutral = int(op.reduction.data == "prod")
        lanes.write(op, span, np.full(width, neutral, lanes.data.dtype))


def _group(op: loop.GroupOp, buffers: list[Any], index: list[int]) -> None:
    source, lanes = buffers
    start, count = index
    row = REDUCTIONS[op.reduction.data]
    combine, width = SCALARS[row.combine].numpy, lanes.data.size
    vectors = [
        source.read(op, start + _span(at, min(width, count - at))) for at in range(0, count, width)
    ]
    while len(vectors) > 1:
        pairs: list[Array] = []
        for one, other in zip(vectors[::2], vectors[1::2], strict=False):
            both = one.copy()
            both[: other.size] = combine(one[: other.size], other)
            pairs.append(both)
        vectors = pairs + vectors[len(vectors) & ~1 :]
    for values in vectors:
        span = _span(0, values.size)
        lanes.write(op, span, combine(lanes.read(op, span), values))


def _transpose(op: loop.TransposeOp, buffers: list[Any], index: list[int]) -> None:
    source, target = buffers
    start, stride, to, width, rows, columns = index
    r, c = np.arange(rows)[:, None], np.arange(columns)[None, :]
    target.write(op, to + c * width + r, source.read(op, start + r * stride + c))


def _non_temporal(op: loop.NonTemporalOp, buffers: list[Any], index: list[int]) -> None:
    source, target = buffers
    start, to, count, length = index
    target.write(op, _span(to, count), source.read(op, _span(start, count)))
    if count > 0 and start + count < length:
        # A part may end where a cache line does, with elements that belong to the next one.
        more = min(LINE // source.data.itemsize - 1, length - start - count)
        source.read(op, _span(start + count, more))


def _look_up(op: loop.LookUpOp, buffers: list[Any], index: list[int]) -> None:
    source, table, target = buffers
    start, to, count = index
    entries = source.read(op, _span(start, count)).astype(np.int64) - op.lowest
    target.write(op, _span(to, count), table.read(op, entries))


def _widen(op: loop.WidenOp, buffers: list[Any], index: list[int]) -> None:
    source, wide = buffers
    start, count = index
    taken = source.read(op, _span(start, count))
    wide.write(op, _span(0, count), scalar.convert(taken, wide.data.dtype))


def _narrow(op: loop.NarrowOp, buffers: list[Any], index: list[int]) -> None:
    wide, target = buffers
    start, count = index
    taken = wide.read(op, _span(0, count))
    target.write(op, _span(start, count), scalar.convert(taken, target.data.dtype))


def _round(op: loop.RoundOp, buffers: list[Any], index: list[int]) -> None:
    (wide,) = buffers
    span = _span(0, index[0])
    rounded = scalar.convert(wide.read(op, span), op.type.dtype)
    wide.write(op, span, scalar.convert(rounded, wide.data.dtype))


def _matrix_clear(op: loop.MatrixClearOp, buffers: list[Any], index: list[int]) -> None:
    (sums,) = buffers
    sums.write(op, _span(0, sums.data.size), np.zeros(sums.data.size, np.int32))


def _matrix_multiply(op: loop.MatrixMultiplyOp, buffers: list[Any], index: list[int]) -> None:
    left, right, sums = buffers
    start, step, behind = index
    rows, columns, *_ = op.shape
    r, k = np.arange(rows)[:, None], np.arange(op.products)[None, :]
    a = left.read(op, start + r * step + k).astype(np.int64)
    at = (k // BESIDE * columns + np.arange(columns)[:, None]) * BESIDE + k % BESIDE
    b = right.read(op, behind + at).astype(np.int64)
    span = _span(0, rows * columns)
    total = sums.read(op, span).astype(np.int64) + (a @ b.T).reshape(-1)
    sums.write(op, span, total.astype(np.int32))


def _nothing(op: Operation, buffers: list[Any], index: list[int]) -> None:
    pass


MEANINGS: dict[type[Operation], Meaning] = {
    loop.CascadeOp: _cascade,
    loop.GroupOp: _group,
    loop.TransposeOp: _transpose,
    loop.NonTemporalOp: _non_temporal,
    loop.LookUpOp: _look_up,
    loop.WidenOp: _widen,
    loop.NarrowOp: _narrow,
    loop.RoundOp: _round,
    loop.MatrixBeginOp: _nothing,
    loop.MatrixClearOp: _matrix_clear,
    loop.MatrixMultiplyOp: _matrix_multiply,
    loop.MatrixStoreOp: _nothing,
    loop.MatrixEndOp: _nothing,
}


def parts(op: Operation) -> tuple[Meaning, list[SSAValue], Sequence[ex.Expr], list[SSAValue]]:
    """Of an operation: its meaning, its operands, its index, and the dimensions in the index."""
    dims = list[SSAValue](getattr(op, "dims", ()))
    index = getattr(op, "index", None)
    buffers = list(op.operands)[: len(op.operands) - len(dims)]
    return MEANINGS[type(op)], buffers, () if index is None else index.data, dims

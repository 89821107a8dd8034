"""Sums of embedding rows by bag or segment, SegmentMax, and rows of sparse matrices.

Rows of one bag are added in the order of their indices, by ``opc.scatter``.
"""

from __future__ import annotations

import math
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterElementsOp, ScatterOp
from opc.frontend.models.compaction import kept
from opc.frontend.models.order import ordered
from opc.frontend.models.traced import NodeTrace, gathered, value
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino

LOWEST = {
    "f64": float.fromhex("-0x1.fffffffffffffp1023"),
    "f32": float.fromhex("-0x1.fffffep127"),
    "f16": -65504.0,
    "bf16": float.fromhex("-0x1.fep127"),
}
"""The least finite numbers."""


def _lined(x: Any, count: int) -> Any:
    """x with ``count`` more trailing axes of extent 1."""
    return x.reshape(*x.shape, *[1] * count)


def _collected(rows: Any, places: Any, count: ex.Expr, start: float, reduction: str) -> Any:
    """Rows reduced into ``count`` places; all others are dropped."""
    trace: NodeTrace = rows.trace
    last = trace.number(count)
    places = onp.where(onp.less(-1, places) & (places < last), places, last)
    room = trace.full((count + 1, *rows.extents[1:]), start, rows.element)
    how: dict[str, Any] = {"axes": (0,), "reduction": reduction, "from_end": False}
    return trace.emit(ScatterOp, room, rows, places, **how)[: trace.size(count)]


def _sizes(layer: Layer, places: Any, count: ex.Expr) -> Any:
    """The number of rows at each place."""
    return _collected(layer.trace.full(layer.shape(1), 1, el.I64), places, count, 0, "add")


def _rows(layer: Layer, weights: int) -> tuple[Any, Any, bool]:
    """The table, its indexed rows times their weights, and whether bags are means of them."""
    table: Any = widened(layer.traced(0))
    is_mean = layer.schema.has("reduction") and layer.attr("reduction") == "mean"
    rows = gathered(table, (0,), layer.traced(1, el.I64))
    if layer.has(weights):
        if is_mean:
            raise layer.error("weights are for sums only")
        rows = rows * _lined(layer.traced(weights).astype(table.element), table.ndim - 1)
    return table, rows, is_mean


def _bags(layer: Layer, places: Any, count: ex.Expr, default: int, weights: int) -> Any:
    """Sums of indexed rows in ``count`` bags; an empty bag is the default row, or zeros."""
    trace: NodeTrace = places.trace
    table, rows, is_mean = _rows(layer, weights)
    total = _collected(rows, places, count, 0, "add")
    sizes = _sizes(layer, places, count)
    if is_mean:
        total = total / _lined(onp.maximum(sizes, 1).astype(table.element), table.ndim - 1)
    if layer.has(default):
        number = layer.scalar(default, el.I64)
        last = trace.number(layer.shape()[0] - 1)
        row = gathered(table, (0,), onp.minimum(onp.maximum(number, 0), last))
        empty = (sizes == 0) & onp.less(-1, number)
        total = onp.where(_lined(empty, table.ndim - 1), row, total)
    return value(layer, total)


@openvino("EmbeddingBagOffsetsSum", 3)
@openvino("EmbeddingBagOffsets", 15)
def of_offsets(layer: Layer) -> Any:
    """EmbeddingBagOffsetsSum-3, EmbeddingBagOffsets-15: a bag begins at each offset."""
    length, count = layer.dims("*", "L", "B")
    # The bag of an index is the last one that begins at or before it.
    offsets = layer.traced(2, el.I64).reshape(1, -1)
    begun = offsets <= layer.trace.positions(length).reshape(-1, 1)
    return _bags(layer, onp.sum(begun.astype(el.I64), axis=1) - 1, count, 3, 4)


@openvino("EmbeddingSegmentsSum", 3)
def of_segments(layer: Layer) -> Any:
    """EmbeddingSegmentsSum-3: each index says its segment."""
    (count,) = layer.extents(3)
    return _bags(layer, layer.traced(2, el.I64), count, 4, 5)


@openvino("EmbeddingBagPackedSum", 3)
@openvino("EmbeddingBagPacked", 15)
def packed(layer: Layer) -> Any:
    """EmbeddingBagPackedSum-3, EmbeddingBagPacked-15: bags are the rows of the indices."""
    _, count = layer.dims("*", "N K")
    table, rows, is_mean = _rows(layer, 2)
    total = onp.sum(rows, axis=1)
    if is_mean:
        total = total / table.trace.number(count).astype(table.element)
    return value(layer, total)


@openvino("SegmentMax", 16)
def segment_max(layer: Layer) -> Any:
    """SegmentMax-16: the maximum of each segment; an empty one is 0 or the least value."""
    trace, type = layer.trace, layer.element()
    x: Any = layer.traced(0)
    places = layer.traced(1, el.I64)
    if not layer.has(2):
        raise layer.unsupported("without num_segments the last segment decides the extent")
    (count,) = layer.extents(2)
    least = -math.inf if type.is_float else type.lowest
    greatest = _collected(x, places, count, least, "max")
    empty = _lined(_sizes(layer, places, count) == 0, x.ndim - 1)
    fill = 0 if layer.attr("fill_mode") == "zero" else LOWEST.get(type.name, least)
    return onp.where(empty, trace.constant(fill, type), greatest)


@openvino("SparseFillEmptyRows", 16)
def fill_empty_rows(layer: Layer) -> tuple[Any, ...]:
    """SparseFillEmptyRows-16 --> indices [M, 2], values [M], and whether each row was empty.

    They are sorted by row and column.
    """
    (count,) = layer.dims("M", "*", "M 2")
    known = layer.known_list(1) or layer.read_value("plain", layer.cast(layer[1], el.I64))
    if len(known) != 2:
        raise layer.error(f"{len(known)} extents, expected 2")
    trace, rows = layer.trace, known[0]
    entries = layer.traced(2, el.I64)
    empty, full = trace.full((rows,), True, el.I1), trace.full((count,), False, el.I1)
    marks = trace.emit(ScatterElementsOp, empty, full, entries[:, 0], axis=0, from_end=False)
    fill = onp.broadcast_to(layer.scalar(3), (rows,))
    columns = trace.full((rows,), 0, el.I64)
    pairs = ((entries[:, 0], trace.line(rows)), (entries[:, 1], columns), (layer.traced(0), fill))
    here = trace.full((count,), True, el.I1)
    places = kept(onp.concatenate([here, marks]))
    parts = [onp.concatenate(pair).take(places) for pair in pairs]
    # Sorting is stable.
    for k in (1, 0):
        _, at = ordered(parts[k], 0, places.extents[0], largest=False)
        parts = [v.take(at) for v in parts]
    return onp.stack(parts[:2], axis=1).astype(layer.element(2)), parts[2], marks

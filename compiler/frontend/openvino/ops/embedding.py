"""Sums of embedding rows by bag or segment, and SegmentMax.

Rows of one bag are added in the order of their indices, by ``opc.scatter``.
"""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.dialects.shape import shape_text
from opc.frontend.models.traced import NodeTrace, traced, value

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


def _rows(table: Any, numbers: Any) -> Any:
    return table.trace.emit(GatherOp, table, numbers, axes=(0,), from_end=False)


def _collected(rows: Any, places: Any, count: ex.Expr, start: float, reduction: str) -> Any:
    """Rows reduced into ``count`` places; all others are dropped."""
    trace: NodeTrace = rows.trace
    last = trace.number(count)
    places = onp.where(onp.less(-1, places) & (places < last), places, last)
    room = onp.broadcast_to(
        trace.constant(start, rows.element), (trace.size(count + 1), *rows.shape[1:])
    )
    how: dict[str, Any] = {"axes": (0,), "reduction": reduction, "from_end": False}
    return trace.emit(ScatterOp, room, rows, places, **how)[: trace.size(count)]


def _sizes(layer: Layer, places: Any, count: ex.Expr) -> Any:
    """The number of rows at each place."""
    one = layer.broadcast(places.trace.number(1).value, layer.shape(1))
    return _collected(places.trace.array(one), places, count, 0, "add")


def _bags(layer: Layer, places: Any, count: ex.Expr, default: int, weights: int) -> SSAValue:
    """Sums of indexed rows in ``count`` bags; an empty bag is the default row, or zeros."""
    trace: NodeTrace = places.trace
    table: Any = trace.array(layer.widened(layer[0]))
    rows = _rows(table, trace.array(layer[1]).astype(el.I64))
    if layer.has(weights):
        rows = rows * _lined(trace.array(layer[weights]).astype(table.element), table.ndim - 1)
    total = _collected(rows, places, count, 0, "add")
    sizes = _sizes(layer, places, count)
    if layer.operator == "EmbeddingBagOffsets" and layer.attr("reduction") == "mean":
        total = total / _lined(onp.maximum(sizes, 1).astype(table.element), table.ndim - 1)
    if layer.has(default):
        number: Any = trace.array(layer.scalar(default)).astype(el.I64)
        last = trace.number(layer.shape()[0] - 1)
        row = _rows(table, onp.minimum(onp.maximum(number, 0), last))
        empty = (sizes == 0) & onp.less(-1, number)
        total = onp.where(_lined(empty, table.ndim - 1), row, total)
    return value(layer, total)


@openvino("EmbeddingBagOffsetsSum", 3)
@openvino("EmbeddingBagOffsets", 15)
def of_offsets(layer: Layer) -> SSAValue:
    """EmbeddingBagOffsetsSum-3, EmbeddingBagOffsets-15: a bag begins at each offset."""
    (length,), (count,) = layer.shape(1), layer.shape(2)
    is_mean = layer.operator == "EmbeddingBagOffsets" and layer.attr("reduction") != "sum"
    if layer.has(4) and is_mean:
        raise layer.error("weights are for sums only")
    # The bag of an index is the last one that begins at or before it.
    trace = NodeTrace(layer)
    offsets: Any = trace.array(layer[2]).astype(el.I64)
    begun = offsets.reshape(1, -1) <= trace.positions(length).reshape(-1, 1)
    return _bags(layer, onp.sum(begun.astype(el.I64), axis=1) - 1, count, 3, 4)


@openvino("EmbeddingSegmentsSum", 3)
def of_segments(layer: Layer) -> SSAValue:
    """EmbeddingSegmentsSum-3: each index says its segment."""
    (count,) = layer.extents(3)
    places = NodeTrace(layer).array(layer[2]).astype("i64")
    return _bags(layer, places, count, 4, 5)


@openvino("EmbeddingBagPackedSum", 3)
@openvino("EmbeddingBagPacked", 15)
def packed(layer: Layer) -> SSAValue:
    """EmbeddingBagPackedSum-3, EmbeddingBagPacked-15: bags are the rows of the indices."""
    if layer.rank(1) != 2:
        raise layer.error(f"indices {shape_text(layer.shape(1))}")
    table, _, *more = traced(layer)
    is_mean = layer.operator == "EmbeddingBagPacked" and layer.attr("reduction") == "mean"
    rows = _rows(table, table.trace.array(layer[1]).astype(el.I64))
    if layer.has(2):
        if is_mean:
            raise layer.error("weights are for sums only")
        rows = rows * _lined(more[0].astype(table.element), table.ndim - 1)
    total = onp.sum(rows, axis=1)
    if is_mean:
        total = total / table.trace.number(layer.shape(1)[1]).astype(table.element)
    return value(layer, total)


@openvino("SegmentMax", 16)
def segment_max(layer: Layer) -> SSAValue:
    """SegmentMax-16: the maximum of each segment; an empty one is 0 or the least value."""
    trace, type = NodeTrace(layer), layer.element()
    x: Any = trace.array(layer[0])
    places = trace.array(layer[1]).astype("i64")
    if not layer.has(2):
        raise layer.unsupported("without num_segments the last segment decides the extent")
    (count,) = layer.extents(2)
    least = -math.inf if type.is_float else type.lowest
    greatest = _collected(x, places, count, least, "max")
    empty = _lined(_sizes(layer, places, count) == 0, x.ndim - 1)
    fill = 0 if layer.attr("fill_mode") == "zero" else LOWEST.get(type.name, least)
    return onp.where(empty, trace.constant(fill, type), greatest).value

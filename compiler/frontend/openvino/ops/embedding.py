"""Sums of embedding rows by bag or segment, and SegmentMax.

Rows of one bag are added in the order of their indices, by ``opc.scatter``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.parts import sliced

from .schema import openvino

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


LOWEST = {
    "f64": float.fromhex("-0x1.fffffffffffffp1023"),
    "f32": float.fromhex("-0x1.fffffep127"),
    "f16": -65504.0,
    "bf16": float.fromhex("-0x1.fep127"),
}
"""The least finite numbers."""


def _index(layer: Layer, position: int) -> SSAValue:
    return layer.cast(layer[position], el.I64)


def _lined(layer: Layer, values: SSAValue, count: int) -> SSAValue:
    """``values`` with ``more`` trailing axes of extent 1."""
    return layer.reshape(values, (*shape_of(tensor_of(values)), *[1] * count))


def _collected(
    layer: Layer, rows: SSAValue, places: SSAValue, count: ex.Expr, start: float, reduction: str
) -> SSAValue:
    """Rows reduced into ``count`` places; rows at place ``count`` are dropped."""
    shape = shape_of(tensor_of(rows))
    room = (count + 1, *shape[1:])
    collected = layer.broadcast(layer.constant(start, element(tensor_of(rows))), room)
    collected = layer.add(
        ScatterOp(collected, rows, places, axes=(0,), reduction=reduction, from_end=False)
    )
    kept = sliced(layer, collected, [0], [(0, count, 1)])
    return layer.reshape(kept, (count, *shape[1:]))


def _known_places(layer: Layer, places: SSAValue, count: ex.Expr) -> SSAValue:
    """Places, or ``count`` for those outside of 0, 1, ..., count - 1."""
    n = Numbers(layer)
    inside = n.apply(b.AndOp, n.less(-1, places), n.less(places, count))
    return n.where(inside, places, count)


def _bags(layer: Layer, places: SSAValue, count: ex.Expr, default: int, weights: int) -> SSAValue:
    """Sums of indexed rows in ``count`` bags; an empty bag is the default row, or zeros."""
    table, result_type = layer.widened(layer[0]), layer.element()
    indices, type = _index(layer, 1), element(tensor_of(table))
    rank = layer.rank()
    rows = layer.add(GatherOp(table, indices, axes=(0,), from_end=False))
    if layer.has(weights):
        scale = layer.cast(layer[weights], type)
        rows = layer.binary("mul", rows, _lined(layer, scale, rank - 1))
    places = _known_places(layer, places, count)
    total = _collected(layer, rows, places, count, 0, "add")
    n = Numbers(layer)
    one = layer.broadcast(n.of(1), layer.shape(1))
    sizes = _collected(layer, one, places, count, 0, "add")
    if layer.schema.type == "EmbeddingBagOffsets" and layer.attr("reduction") == "mean":
        least = layer.cast(n.most(sizes, 1), type)
        total = layer.binary("div", total, _lined(layer, least, rank - 1))
    if layer.has(default):
        number = layer.cast(layer.scalar(default), el.I64)
        extent = layer.shape()[0]
        row = layer.add(GatherOp(table, n.clamp(number, 0, extent - 1), axes=(0,), from_end=False))
        empty = n.apply(b.AndOp, n.apply(b.EqualOp, sizes, 0), n.less(-1, number))
        total = layer.add(b.WhereOp(_lined(layer, empty, rank - 1), row, total))
    return layer.cast(total, result_type)


@openvino("EmbeddingBagOffsetsSum", 3)
@openvino("EmbeddingBagOffsets", 15)
def of_offsets(layer: Layer) -> SSAValue:
    """EmbeddingBagOffsetsSum-3, EmbeddingBagOffsets-15: a bag begins at each offset."""
    (length,), (count,) = layer.shape(1), layer.shape(2)
    if (
        layer.has(4)
        and layer.schema.type == "EmbeddingBagOffsets"
        and layer.attr("reduction") != "sum"
    ):
        raise layer.error("weights are for sums only")
    # The bag of an index is the last one that begins at or before it.
    offsets = layer.reshape(_index(layer, 2), (1, count))
    at = layer.reshape(layer.add(IotaOp.of(length)), (length, 1))
    begun = layer.cast(layer.add(b.LessEqualOp(offsets, at)), el.I64)
    n = Numbers(layer)
    place = n.sub(layer.add(ReduceSumOp(begun, axes=(1,))), 1)
    return _bags(layer, place, count, 3, 4)


@openvino("EmbeddingSegmentsSum", 3)
def of_segments(layer: Layer) -> SSAValue:
    """EmbeddingSegmentsSum-3: each index says its segment."""
    (count,) = layer.extents(3)
    return _bags(layer, _index(layer, 2), count, 4, 5)


@openvino("EmbeddingBagPackedSum", 3)
@openvino("EmbeddingBagPacked", 15)
def packed(layer: Layer) -> SSAValue:
    """EmbeddingBagPackedSum-3, EmbeddingBagPacked-15: bags are the rows of the indices."""
    if layer.rank(1) != 2:
        raise layer.error(f"indices {shape_text(layer.shape(1))}")
    table = layer.widened(layer[0])
    is_mean = layer.schema.type == "EmbeddingBagPacked" and layer.attr("reduction") == "mean"
    rows = layer.add(GatherOp(table, _index(layer, 1), axes=(0,), from_end=False))
    if layer.has(2):
        if is_mean:
            raise layer.error("weights are for sums only")
        scale = layer.cast(layer[2], element(tensor_of(table)))
        rows = layer.binary("mul", rows, _lined(layer, scale, layer.rank() - 1))
    total = layer.add(ReduceSumOp(rows, axes=(1,)))
    if is_mean:
        count = layer.cast(Numbers(layer).of(layer.shape(1)[1]), element(tensor_of(table)))
        total = layer.binary("div", total, count)
    return layer.cast(total, layer.element())


@openvino("SegmentMax", 16)
def segment_max(layer: Layer) -> SSAValue:
    """SegmentMax-16: the maximum of each segment; an empty one is 0 or the least value."""
    ids, x, type = _index(layer, 1), layer[0], layer.element()
    if not layer.has(2):
        raise layer.unsupported("without num_segments the last segment decides the extent")
    (count,) = layer.extents(2)
    least = -math.inf if type.is_float else type.lowest
    low = LOWEST.get(type.name, least)
    places = _known_places(layer, ids, count)
    greatest = _collected(layer, x, places, count, least, "max")
    n = Numbers(layer)
    one = layer.broadcast(n.of(1), layer.shape(1))
    sizes = _collected(layer, one, places, count, 0, "add")
    empty = _lined(layer, n.apply(b.EqualOp, sizes, 0), layer.rank() - 1)
    fill = layer.constant(0 if layer.attr("fill_mode") == "zero" else low, type)
    return layer.add(b.WhereOp(empty, fill, greatest))

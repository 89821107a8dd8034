"""Gather, scatter and search layers, sequences of a beam search, and sums of embedding rows.

Rows of one bag are added in the order of their indices, by ``opc.scatter``.
"""

from __future__ import annotations

import math
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp, ScatterElementsOp, ScatterOp
from opc.dialects.shape import shape_text
from opc.frontend.models import indirect
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.compaction import kept
from opc.frontend.models.indirect import is_numeric
from opc.frontend.models.order import ordered
from opc.frontend.models.traced import gathered

from .layer import Data, Extents, Layer, Long, Number, Scalar, Wide
from .schema import openvino

REDUCTIONS = {
    "none": "none",
    "mean": "",
    "sum": "add",
    "sub": "add",
    "prod": "mul",
    "max": "max",
    "min": "min",
}
"""OpenVINO's reductions --> those of opc.scatter; sub adds -x."""
LOWEST = {
    "f64": float.fromhex("-0x1.fffffffffffffp1023"),
    "f32": float.fromhex("-0x1.fffffep127"),
    "f16": -65504.0,
    "bf16": float.fromhex("-0x1.fep127"),
}
"""The least finite numbers."""


@openvino("Gather", 1, 7, 8)
def gather(layer: Layer, data: Data, indices: Data, axis: Number, *, batch_dims: int = 0) -> Any:
    """Gather-1, -7 and -8 --> opc.gather.

    Negative indices count from the end in Gather-8; of shapes, as in OpenVINO, in each version.
    """
    axis, rank = layer.axis(axis, data.ndim), indices.ndim
    batch = batch_dims + rank if batch_dims < 0 else batch_dims
    if not 0 <= batch <= min(axis, rank):
        raise layer.error(
            f"attribute batch_dims is {batch} for axis {axis} and indices of rank {rank}"
        )
    from_end = layer.schema.since >= 8 or layer.known(0) is not None
    return data.trace.emit(GatherOp, data, indices, axes=[axis], batch=batch, from_end=from_end)


@openvino("GatherElements", 6)
def gather_elements(layer: Layer, data: Data, indices: Data, *, axis: int) -> Any:
    """GatherElements-6 --> opc.gather_elements."""
    return data.trace.emit(GatherElementsOp, data, indices, axis=layer.axis(axis, data.ndim))


@openvino("GatherND", 5, 8)
def gather_nd(layer: Layer, *, batch_dims: int) -> Any:
    """GatherND-5 and -8 --> opc.gather; GatherND-5 merges the axes in common."""
    result = indirect.gather_nd(layer, batch_dims)
    if layer.schema.since >= 8 or batch_dims < 2:
        return result
    return result.reshape((ex.product(result.extents[:batch_dims]), *result.extents[batch_dims:]))


@openvino("ScatterUpdate", 3)
def scatter_update(layer: Layer, data: Data, indices: Data, updates: Data, axis: Number) -> Any:
    """ScatterUpdate-3 --> opc.scatter."""
    axes = [layer.axis(axis, data.ndim)]
    return data.trace.emit(ScatterOp, data, updates, indices, axes=axes)


def _check_reduction(layer: Layer, name: str) -> None:
    if name == "mean" or (name != "none" and not is_numeric(layer)):
        raise layer.unsupported(f"reduction {name} of {layer.element()}")


@openvino("ScatterElementsUpdate", 3, 12)
def scatter_elements(
    layer: Layer, *inputs: Data, reduction: str = "none", use_init_val: bool = True
) -> Any:
    """ScatterElementsUpdate-3 and -12 --> opc.scatter_elements.

    Without ``use_init_val``, updated elements start as the neutral element.
    """
    (x, indices, updates, _), trace = inputs, layer.trace
    axis, how = layer.axis(layer.one_number(3), x.ndim), REDUCTIONS[reduction]
    _check_reduction(layer, reduction)
    if reduction != "none" and not use_init_val:
        neutral = trace.full(updates.extents, _neutral(reduction, x.element), x.element)
        x = trace.emit(ScatterElementsOp, x, neutral, indices, axis=axis)
    return trace.emit(ScatterElementsOp, x, updates, indices, axis=axis, reduction=how)


def _neutral(name: str, type: el.ElementType) -> int | float:
    """The neutral element of a reduction; of add it is -0, since -0 + -0 is -0."""
    if name in ("max", "min"):
        return type.lowest if name == "max" else type.highest
    return 1 if name == "prod" else -0.0 if type.is_float else 0


@openvino("ScatterNDUpdate", 3, 15)
def scatter_nd(layer: Layer, updates: Data, *, reduction: str = "none") -> Any:
    """ScatterNDUpdate-3 and -15 --> opc.scatter along the first axes."""
    _check_reduction(layer, reduction)
    changes = -updates if reduction == "sub" else updates
    return indirect.scatter_nd(layer, changes, REDUCTIONS[reduction])


def _compared(*arrays: Any) -> list[Any]:
    """Arrays in a type that compares them exactly: f64 if one is a float, else i64."""
    types = {x.element for x in arrays}
    wide = el.F64 if any(type.is_float for type in types) else el.I64
    return [x if len(types) == 1 else x.astype(wide) for x in arrays]


def _counted(marks: Any) -> Any:
    """The number of marked elements along the last axis."""
    return onp.sum(marks.astype(el.I64), axis=-1)


@openvino("Bucketize", 3)
def bucketize(layer: Layer, data: Data, buckets: Data, *, with_right_bound: bool) -> Any:
    """Bucketize-3 --> the number of bounds < x, or <= x."""
    layer.dims("*", "B")
    x, bounds = _compared(data, buckets)
    column = onp.expand_dims(x, -1)
    return _counted(bounds < column if with_right_bound else bounds <= column)


@openvino("SearchSorted", 15)
def search_sorted(layer: Layer, sorted_sequence: Data, values: Data, *, right_mode: bool) -> Any:
    """SearchSorted-15 --> the number of elements of the row < x, or <= x."""
    row, places = sorted_sequence.extents, values.extents
    if len(row) != 1 and len(row) != len(places):
        raise layer.error(f"rows {shape_text(row)} for values {shape_text(places)}")
    for a, c in zip(row[:-1], places, strict=False):
        layer.require("equal", a, c, "rows and values differ")
    rows, x = _compared(sorted_sequence, values)
    if len(row) != 1:
        rows = onp.expand_dims(rows, -2)
    column = onp.expand_dims(x, -1)
    return _counted(rows <= column if right_mode else rows < column)


@openvino("GatherTree", 1)
def gather_tree(
    layer: Layer, step_ids: Data, parent_idx: Long, max_seq_len: Long, end_token: Scalar
) -> Any:
    """GatherTree-1: the full sequences [T, B, W] of a beam search, from steps and parents.

    A scan follows parents from the last step back; a second one overwrites what follows the first
    end token.
    """
    times, batch, beams = layer.dims("T B W", "T B W", "B")
    lengths = max_seq_len.reshape((batch, 1))
    own = onp.broadcast_to(layer.trace.positions(beams), (batch, beams))

    def back(
        number: Any, beam: Any, step: Any, parent: Any, lengths: Any, end: Any, last: Any
    ) -> tuple[Arrays, Arrays]:
        # The scan is reversed, but ``number`` counts from 0.
        here = last - number < lengths
        token, above = (
            beam.trace.emit(GatherElementsOp, v, beam, axis=1, from_end=False)
            for v in (step, parent)
        )
        return [onp.where(here, above, beam)], [onp.where(here, token, end)]

    captured = [lengths, end_token, layer.trace.number(times - 1)]
    _, (sequences,) = scan(
        times, [own], [step_ids, parent_idx], captured, back, is_reversed=True, has_index=True
    )

    def forth(is_over: Any, step: Any, end: Any) -> tuple[Arrays, Arrays]:
        return [is_over | (step == end)], [onp.where(is_over, end, step)]

    none = layer.trace.full((batch, beams), False, el.I1)
    _, (sequences,) = scan(times, [none], [sequences], [end_token], forth)
    return sequences


def _lined(x: Any, count: int) -> Any:
    """x with ``count`` more trailing axes of extent 1."""
    return x.reshape(*x.shape, *[1] * count)


def _collected(rows: Any, places: Any, count: ex.Expr, start: float, reduction: str) -> Any:
    """Rows reduced into ``count`` places; all others are dropped."""
    trace = rows.trace
    last = trace.number(count)
    places = onp.where(onp.less(-1, places) & (places < last), places, last)
    room = trace.full((count + 1, *rows.extents[1:]), start, rows.element)
    how: dict[str, Any] = {"axes": (0,), "reduction": reduction, "from_end": False}
    return trace.emit(ScatterOp, room, rows, places, **how)[: trace.size(count)]


def _sizes(places: Any, count: ex.Expr) -> Any:
    """The number of rows at each place."""
    ones = places.trace.full(places.extents, 1, el.I64)
    return _collected(ones, places, count, 0, "add")


def _rows(layer: Layer, table: Any, weights: int, is_mean: bool) -> Any:
    """The indexed rows of a table times their weights, which are an input."""
    rows = gathered(table, (0,), layer.traced(1, el.I64))
    if not layer.has(weights):
        return rows
    if is_mean:
        raise layer.error("weights are for sums only")
    return rows * _lined(layer.traced(weights, table.element), table.ndim - 1)


def _bags(
    layer: Layer, table: Any, places: Any, count: ex.Expr, default: int, is_mean: bool = False
) -> Any:
    """Sums of indexed rows in ``count`` bags; an empty bag is the default row, or zeros.

    The number of the default row is an input; the weights follow it.
    """
    total = _collected(_rows(layer, table, default + 1, is_mean), places, count, 0, "add")
    sizes = _sizes(places, count)
    if is_mean:
        total = total / _lined(onp.maximum(sizes, 1).astype(table.element), table.ndim - 1)
    if not layer.has(default):
        return total
    number = layer.scalar(default, el.I64)
    last = layer.trace.number(table.extents[0] - 1)
    row = gathered(table, (0,), onp.minimum(onp.maximum(number, 0), last))
    empty = (sizes == 0) & onp.less(-1, number)
    return onp.where(_lined(empty, table.ndim - 1), row, total)


@openvino("EmbeddingBagOffsetsSum EmbeddingBagOffsets")
def of_offsets(layer: Layer, emb_table: Wide, offsets: Long, *, reduction: str = "sum") -> Any:
    """EmbeddingBagOffsetsSum-3, EmbeddingBagOffsets-15: a bag begins at each offset."""
    length, count = layer.dims("*", "L", "B")
    # The bag of an index is the last one that begins at or before it.
    begun = offsets.reshape(1, -1) <= layer.trace.positions(length).reshape(-1, 1)
    places = onp.sum(begun.astype(el.I64), axis=1) - 1
    return _bags(layer, emb_table, places, count, 3, reduction == "mean")


@openvino("EmbeddingSegmentsSum", 3)
def of_segments(layer: Layer, emb_table: Wide, segment_ids: Long, num_segments: Extents) -> Any:
    """EmbeddingSegmentsSum-3: each index says its segment."""
    return _bags(layer, emb_table, segment_ids, num_segments[0], 4)


@openvino("EmbeddingBagPackedSum EmbeddingBagPacked")
def packed(layer: Layer, emb_table: Wide, *, reduction: str = "sum") -> Any:
    """EmbeddingBagPackedSum-3, EmbeddingBagPacked-15: bags are the rows of the indices."""
    (_, count), is_mean = layer.dims("*", "N K"), reduction == "mean"
    total = onp.sum(_rows(layer, emb_table, 2, is_mean), axis=1)
    return total / layer.trace.number(count).astype(total.element) if is_mean else total


@openvino("SegmentMax", 16)
def segment_max(
    layer: Layer, data: Data, segment_ids: Long, num_segments: Extents | None, *, fill_mode: str
) -> Any:
    """SegmentMax-16: the maximum of each segment; an empty one is 0 or the least value."""
    if num_segments is None:
        raise layer.unsupported("without num_segments the last segment decides the extent")
    (count,), type = num_segments, data.element
    least = -math.inf if type.is_float else type.lowest
    greatest = _collected(data, segment_ids, count, least, "max")
    empty = _lined(_sizes(segment_ids, count) == 0, data.ndim - 1)
    fill = 0 if fill_mode == "zero" else LOWEST.get(type.name, least)
    return onp.where(empty, layer.trace.constant(fill, type), greatest)


@openvino("SparseFillEmptyRows", 16)
def fill_empty_rows(
    layer: Layer, values: Data, dense_shape: Long, indices: Long, default_value: Scalar
) -> tuple[Any, ...]:
    """SparseFillEmptyRows-16 --> indices [M, 2], values [M], and whether each row was empty.

    They are sorted by row and column.
    """
    (count,) = layer.dims("M", "*", "M 2")
    known = layer.known_list(1) or layer.read_value("plain", dense_shape.value)
    if len(known) != 2:
        raise layer.error(f"{len(known)} extents, expected 2")
    trace, rows = layer.trace, known[0]
    empty, full = trace.full((rows,), True, el.I1), trace.full((count,), False, el.I1)
    own = [indices[:, k] for k in range(2)]
    marks = trace.emit(ScatterElementsOp, empty, full, own[0], axis=0, from_end=False)
    others = [
        trace.line(rows),
        trace.full((rows,), 0, el.I64),
        onp.broadcast_to(default_value, (rows,)),
    ]
    places = kept(onp.concatenate([trace.full((count,), True, el.I1), marks]))
    pairs = zip((*own, values), others, strict=True)
    parts = [onp.concatenate(pair).take(places) for pair in pairs]
    # Sorting is stable.
    for k in (1, 0):
        _, at = ordered(parts[k], 0, places.extents[0], largest=False)
        parts = [v.take(at) for v in parts]
    return onp.stack(parts[:2], axis=1), parts[2], marks

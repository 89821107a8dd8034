"""Layers with data-dependent extents: NonZero, Unique, NonMaxSuppression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.compaction import nonzero
from opc.frontend.models.indirect import columns
from opc.frontend.models.order import ordered
from opc.frontend.models.rotated_boxes import numbers_of, overlap_rotated
from opc.frontend.models.suppression import CENTRED, UPRIGHT, Kind, Limits, Selected, select
from opc.frontend.models.traced import gathered
from opc.frontend.models.unique import different

from .layer import Layer
from .schema import openvino


def over_union(
    mine: Sequence[Any],
    other: Sequence[Any],
    offset: float = 0,
    *,
    touching: bool = False,
    solid: bool = False,
) -> Any:
    """Intersection over union of boxes (x, y, x, y), 0 if they are disjoint.

    Sides are ``offset`` longer: with 1, corners are centres of pixels.  ``touching`` ignores the
    offset when it tests for disjoint boxes; ``solid`` gives 0 for boxes without an area.
    """
    sides = [
        onp.maximum(
            onp.minimum(mine[k + 2], other[k + 2]) - onp.maximum(mine[k], other[k]) + offset, 0.0
        )
        for k in range(2)
    ]
    shared = sides[0] * sides[1]
    areas = [(v[2] - v[0] + offset) * (v[3] - v[1] + offset) for v in (mine, other)]
    is_some = (sides[0] > 0.0) & (sides[1] > 0.0)
    if touching:
        for k in range(2):
            is_some = is_some & (mine[k] <= other[k + 2]) & (other[k] <= mine[k + 2])
    if solid:
        is_some = is_some & (areas[0] > 0.0) & (areas[1] > 0.0)
    return onp.where(is_some, shared / (areas[0] + areas[1] - shared), np.float32(0))


@openvino("NonZero", 3)
def non_zero(layer: Layer) -> Any:
    """NonZero-3 --> the indices of nonzero elements, [rank, count]."""
    return nonzero(layer.traced(0)).astype(layer.attr("output_type"))


@openvino("Unique", 10)
def unique(layer: Layer) -> tuple[Any, ...]:
    """Unique-10 --> different elements, first positions, inverse indices, counts."""
    axis = None
    if len(layer.inputs) > 1:
        axis = layer.axis(layer.one_number(1), layer.rank())
    part, distinct = different(layer.traced(0), axis, layer.attr("sorted"))
    index = layer.attr("index_element_type")
    return (
        part,
        distinct.first.astype(index),
        distinct.inverse.astype(index),
        distinct.counts.astype(layer.attr("count_element_type")),
    )


@openvino("NonMaxSuppression", 5, 9)
def non_max_suppression(layer: Layer) -> tuple[Any, ...]:
    """NonMaxSuppression-9 --> (batch, class, box), (batch, class, score) of kept boxes, count."""
    return _suppressed(layer, 4, CENTRED if layer.attr("box_encoding") == "center" else UPRIGHT)


@openvino("NMSRotated", 13)
def rotated_boxes(layer: Layer) -> tuple[Any, ...]:
    """NMSRotated-13: as NonMaxSuppression, for boxes with an angle."""
    values = partial(numbers_of, clockwise=layer.attr("clockwise"))
    return _suppressed(layer, 5, Kind(columns, values, overlap_rotated))


def _suppressed(layer: Layer, numbers: int, kind: Kind) -> tuple[Any, ...]:
    """Non-maximum suppression of boxes [N, M, numbers]."""
    layer.dims(f"N M {numbers}", "N C M")
    type = layer.element()
    known = layer.number(2) if len(layer.inputs) > 2 else 0
    limits = Limits(
        _scalar(layer, 2, el.I64),
        None if known is None else int(known),
        _scalar(layer, 3, type),
        _scalar(layer, 4, type),
        _scalar(layer, 5, type) if len(layer.inputs) > 5 and layer.number(5) != 0 else None,
    )
    selected = select(layer.traced(0), layer.traced(1), limits, kind)
    best = selected.scores(layer.traced(1))
    if layer.attr("sort_result_descending"):
        best, order = ordered(best, 0, best.extents[0])
        parts = (selected.batch, selected.label, selected.box)
        selected = Selected(*(gathered(v, [0], order) for v in parts))
    pairs = [v.astype(el.F32) for v in (selected.batch, selected.label, best)]
    output = el.I64 if layer.schema.since < 3 else layer.attr("output_type")
    count = layer.trace.number(best.extents[0])
    return (
        selected.triples().astype(output),
        onp.stack(pairs, 1),
        count.reshape((1,)).astype(output),
    )


@openvino("NonMaxSuppression", 1, 3, 4)
def non_max_suppression_1(layer: Layer) -> Any:
    """NonMaxSuppression-1, -3 and -4 --> (batch, class, box) of kept boxes."""
    return non_max_suppression(layer)[0]


def _scalar(layer: Layer, position: int, type: el.ElementType) -> Any:
    """An input of one element as an array of rank 0; 0 if it is absent."""
    if position >= len(layer.inputs):
        return layer.trace.constant(0, type)
    return layer.scalar(position, type)

"""Search layers: Bucketize, SearchSorted and GatherTree."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.shape import shape_text, type_text
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.moving import positions
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .schema import openvino


def _compared(layer: Layer, *positions: int) -> list[Any]:
    """Two inputs in a type that compares them exactly: f64 if one is a float, else i64."""
    types = [layer.element(k) for k in positions]
    wide = el.F64 if any(t.is_float for t in types) else el.I64
    if len(set(types)) == 1:
        wide = types[0]
    trace = NodeTrace(layer)
    return [trace.array(layer.cast(layer[k], wide)) for k in positions]


def _counted(layer: Layer, marks: Any) -> SSAValue:
    """The number of marked elements along the last axis."""
    return onp.sum(marks.astype("i64"), axis=-1).astype(layer.attr("output_type").name).value


@openvino("Bucketize", 3)
def bucketize(layer: Layer) -> SSAValue:
    """Bucketize-3 --> the number of bounds < x, or <= x."""
    if layer.rank(1) != 1:
        raise layer.error(f"buckets are {type_text(layer[1].type)}")
    x, bounds = _compared(layer, 0, 1)
    column = onp.expand_dims(x, -1)
    return _counted(layer, bounds < column if layer.attr("with_right_bound") else bounds <= column)


@openvino("SearchSorted", 15)
def search_sorted(layer: Layer) -> SSAValue:
    """SearchSorted-15 --> the number of elements of the row < x, or <= x."""
    row, values = layer.shape(), layer.shape(1)
    if len(row) != 1 and len(row) != len(values):
        raise layer.error(f"rows {shape_text(row)} for values {shape_text(values)}")
    for a, c in zip(row[:-1], values, strict=False):
        layer.require("equal", a, c, "rows and values differ")
    rows, x = _compared(layer, 0, 1)
    if len(row) != 1:
        rows = onp.expand_dims(rows, -2)
    column = onp.expand_dims(x, -1)
    return _counted(layer, rows <= column if layer.attr("right_mode") else rows < column)


@openvino("GatherTree", 1)
def gather_tree(layer: Layer) -> SSAValue:
    """GatherTree-1: the full sequences [T, B, W] of a beam search, from steps and parents.

    A scan follows parents from the last step back; a second one overwrites what follows the first
    end token.
    """
    shape = layer.shape()
    if len(shape) != 3 or layer.rank(1) != 3:
        raise layer.error(f"steps {shape_text(shape)}")
    for a, c in zip(shape, layer.shape(1), strict=True):
        layer.require("equal", a, c, "steps and parents differ")
    times, batch, beams = shape
    steps, end = layer[0], layer.scalar(3)
    parents = layer.cast(layer[1], el.I64)
    lengths = layer.reshape(layer.cast(layer[2], el.I64), (batch, 1))
    n = Numbers(layer)
    own = layer.broadcast(positions(layer, beams, 1, 2), (batch, beams))

    def back(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        number, beam, step, parent, lengths, end, last = arguments
        m = Numbers(inner)
        # The scan is reversed, but ``number`` counts from 0.
        here = m.less(m.sub(last, number), lengths)
        token = inner.add(GatherElementsOp(step, beam, axis=1, from_end=False))
        above = inner.add(GatherElementsOp(parent, beam, axis=1, from_end=False))
        return [m.where(here, above, beam)], [inner.add(b.WhereOp(here, token, end))]

    last = n.of(times - 1)
    _, (sequences,) = scan(
        layer,
        layer.op,
        times,
        ([own], [steps, parents], [lengths, end, last]),
        back,
        is_reversed=True,
        has_index=True,
    )

    def forth(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        is_over, step, end = arguments
        value = inner.add(b.WhereOp(is_over, end, step))
        return [inner.add(b.OrOp(is_over, inner.add(b.EqualOp(step, end))))], [value]

    none = layer.broadcast(layer.constant(False, el.I1), (batch, beams))
    _, (sequences,) = scan(layer, layer.op, times, ([none], [sequences], [end]), forth)
    return sequences

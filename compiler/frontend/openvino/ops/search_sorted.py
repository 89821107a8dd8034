"""Layers that look for places: Bucketize, SearchSorted, and GatherTree, which goes back by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def _compared(layer: Layer, *positions: int) -> list[Any]:
    """Inputs in one type that compares them exactly: f64 if one is a float, else i64."""
    types = [layer.element(k) for k in positions]
    wide = el.F64 if any(t.is_float for t in types) else el.I64
    if len(set(types)) == 1:
        wide = types[0]
    trace = NodeTrace(layer)
    return [trace.array(layer.cast(layer[k], wide)) for k in positions]


def _counted(layer: Layer, marks: Any) -> SSAValue:
    """How many are marked along the last axis."""
    return onp.sum(marks.astype("i64"), axis=-1).astype(layer.attr("output_type").name).value


def bucketize(layer: Layer) -> SSAValue:
    """Bucketize-3 --> how many bounds are less than each element, or not greater than it."""
    if layer.rank(1) != 1:
        raise layer.error(f"buckets are {type_text(layer[1].type)}")
    x, bounds = _compared(layer, 0, 1)
    each = onp.expand_dims(x, -1)
    return _counted(layer, bounds < each if layer.attr("with_right_bound") else bounds <= each)


def search_sorted(layer: Layer) -> SSAValue:
    """SearchSorted-15 --> how many of the elements of a row are less, or not greater."""
    row, values = layer.shape(), layer.shape(1)
    if len(row) != 1 and len(row) != len(values):
        raise layer.error(f"rows {shape_text(row)} for values {shape_text(values)}")
    for a, c in zip(row[:-1], values, strict=False):
        layer.require("equal", a, c, "rows and values differ")
    rows, x = _compared(layer, 0, 1)
    if len(row) != 1:
        rows = onp.expand_dims(rows, -2)
    each = onp.expand_dims(x, -1)
    return _counted(layer, rows <= each if layer.attr("right_mode") else rows < each)


def gather_tree(layer: Layer) -> SSAValue:
    """GatherTree-1: the sequences [T, B, W] that beams, each step of which names its parent, are.

    From the last step of a batch back to the first; what follows the first end of a sequence is the
    end, too.
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
        # Steps are gone over from the last one, and counted from 0.
        here = m.less(m.sub(last, number), lengths)
        found = inner.add(GatherElementsOp(step, beam, axis=1, from_end=False))
        above = inner.add(GatherElementsOp(parent, beam, axis=1, from_end=False))
        return [m.where(here, above, beam)], [inner.add(b.WhereOp(here, found, end))]

    last = n.of(times - 1)
    _, (found,) = scan(
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
    _, (found,) = scan(layer, layer.op, times, ([none], [found], [end]), forth)
    return found


_TYPES = {"T": el.NUMERIC, "U": el.NUMERIC}
_OUTPUT = "output_type:type=i64"
add("Bucketize", 3, "data:T buckets:U", _TYPES, bucketize, f"{_OUTPUT} with_right_bound:bool=true")
add(
    "SearchSorted",
    15,
    "sorted_sequence:T values:T",
    _TYPES,
    search_sorted,
    f"right_mode:bool=false {_OUTPUT}",
)
_TREE = {**dict.fromkeys("TU", el.NUMERIC), "V": el.NUMERIC}
add("GatherTree", 1, "step_ids:T parent_idx:U max_seq_len:V end_token:T", _TREE, gather_tree)

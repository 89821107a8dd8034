"""Gather, scatter and search layers, and the sequences of a beam search."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp, ScatterElementsOp, ScatterOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.models import indirect
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.indirect import is_numeric

from .layer import Layer
from .schema import openvino

REDUCTIONS = {"none": "none", "sum": "add", "sub": "add", "prod": "mul", "max": "max", "min": "min"}
"""OpenVINO's reductions --> those of opc.scatter; sub adds -x."""


@openvino("Gather", 1, 7, 8)
def gather(layer: Layer) -> SSAValue:
    """Gather-1, -7 and -8 --> opc.gather.

    Negative indices count from the end in Gather-8; of shapes, as in OpenVINO, in each version.
    """
    rank, indices = layer.rank(0), layer.rank(1)
    axis = layer.axis(layer.one_number(2), rank)
    batch = layer.attr("batch_dims") if layer.schema.since >= 7 else 0
    batch = batch + indices if batch < 0 else batch
    if not 0 <= batch <= min(axis, indices):
        raise layer.error(
            f"attribute batch_dims is {batch} for axis {axis} and indices of rank {indices}"
        )
    from_end = layer.schema.since >= 8 or layer.known(0) is not None
    return layer.add(GatherOp(layer[0], layer[1], axes=[axis], batch=batch, from_end=from_end))


@openvino("GatherElements", 6)
def gather_elements(layer: Layer) -> SSAValue:
    """GatherElements-6 --> opc.gather_elements."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    return layer.add(GatherElementsOp(layer[0], layer[1], axis=axis))


@openvino("GatherND", 5, 8)
def gather_nd(layer: Layer) -> Any:
    """GatherND-5 and -8 --> opc.gather; GatherND-5 merges the axes in common."""
    batch = layer.attr("batch_dims")
    result = indirect.gather_nd(layer, batch)
    if layer.schema.since >= 8 or batch < 2:
        return result
    return result.reshape((ex.product(result.extents[:batch]), *result.extents[batch:]))


@openvino("ScatterUpdate", 3)
def scatter_update(layer: Layer) -> SSAValue:
    """ScatterUpdate-3 --> opc.scatter."""
    axis = layer.axis(layer.one_number(3), layer.rank())
    return layer.add(ScatterOp(layer[0], layer[2], layer[1], axes=[axis]))


def _reduction(layer: Layer) -> str:
    """OpenVINO's name of the layer's reduction."""
    name = str(layer.attr("reduction")) if layer.schema.has("reduction") else "none"
    if name == "mean" or (name != "none" and not is_numeric(layer)):
        raise layer.unsupported(f"reduction {name} of {layer.element()}")
    return name


@openvino("ScatterElementsUpdate", 3, 12)
def scatter_elements(layer: Layer) -> SSAValue:
    """ScatterElementsUpdate-3 and -12 --> opc.scatter_elements.

    Without ``use_init_val``, updated elements start as the neutral element.
    """
    axis, name = layer.axis(layer.one_number(3), layer.rank()), _reduction(layer)
    x, indices, updates = (layer[k] for k in range(3))
    if name != "none" and not layer.attr("use_init_val"):
        neutral = layer.constant(_neutral(name, layer.element()), layer.element())
        shape = shape_of(tensor_of(updates))
        x = layer.add(ScatterElementsOp(x, layer.broadcast(neutral, shape), indices, axis=axis))
    reduction = REDUCTIONS[name]
    return layer.add(ScatterElementsOp(x, updates, indices, axis=axis, reduction=reduction))


def _neutral(name: str, type: el.ElementType) -> int | float:
    """The neutral element of a reduction; of add it is -0, since -0 + -0 is -0."""
    if name in ("max", "min"):
        return type.lowest if name == "max" else type.highest
    return 1 if name == "prod" else -0.0 if type.is_float else 0


@openvino("ScatterNDUpdate", 3, 15)
def scatter_nd(layer: Layer) -> Any:
    """ScatterNDUpdate-3 and -15 --> opc.scatter along the first axes."""
    name, updates = _reduction(layer), layer.traced(2)
    return indirect.scatter_nd(layer, -updates if name == "sub" else updates, REDUCTIONS[name])


def _compared(layer: Layer, *positions: int) -> list[Any]:
    """Two inputs in a type that compares them exactly: f64 if one is a float, else i64."""
    types = [layer.element(k) for k in positions]
    wide = el.F64 if any(t.is_float for t in types) else el.I64
    if len(set(types)) == 1:
        wide = types[0]
    return [layer.traced(k, wide) for k in positions]


def _counted(layer: Layer, marks: Any) -> Any:
    """The number of marked elements along the last axis."""
    return onp.sum(marks.astype(el.I64), axis=-1).astype(layer.attr("output_type"))


@openvino("Bucketize", 3)
def bucketize(layer: Layer) -> Any:
    """Bucketize-3 --> the number of bounds < x, or <= x."""
    layer.dims("*", "B")
    x, bounds = _compared(layer, 0, 1)
    column = onp.expand_dims(x, -1)
    return _counted(layer, bounds < column if layer.attr("with_right_bound") else bounds <= column)


@openvino("SearchSorted", 15)
def search_sorted(layer: Layer) -> Any:
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
def gather_tree(layer: Layer) -> Any:
    """GatherTree-1: the full sequences [T, B, W] of a beam search, from steps and parents.

    A scan follows parents from the last step back; a second one overwrites what follows the first
    end token.
    """
    times, batch, beams = layer.dims("T B W", "T B W", "B")
    steps, end = layer.traced(0), layer.scalar(3)
    parents, lengths = layer.traced(1, el.I64), layer.traced(2, el.I64).reshape((batch, 1))
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

    captured = [lengths, end, layer.trace.number(times - 1)]
    _, (sequences,) = scan(
        times, [own], [steps, parents], captured, back, is_reversed=True, has_index=True
    )

    def forth(is_over: Any, step: Any, end: Any) -> tuple[Arrays, Arrays]:
        return [is_over | (step == end)], [onp.where(is_over, end, step)]

    none = layer.trace.full((batch, beams), False, el.I1)
    _, (sequences,) = scan(times, [none], [sequences], [end], forth)
    return sequences

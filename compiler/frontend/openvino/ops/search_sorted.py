"""Search layers: Bucketize, SearchSorted and GatherTree."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.bodies import Arrays, scan

from .layer import Layer
from .schema import openvino


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

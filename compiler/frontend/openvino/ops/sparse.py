"""SparseFillEmptyRows: a default value in each empty row of a sparse matrix."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .overlaps import in_order
from .schema import openvino


@openvino("SparseFillEmptyRows", 16)
def fill_empty_rows(layer: Layer) -> tuple[SSAValue, ...]:
    """SparseFillEmptyRows-16 --> indices [M, 2], values [M], and whether each row was empty.

    They are sorted by row and column.
    """
    (count, *more), indices = layer.shape(), layer.shape(2)
    if more or len(indices) != 2 or indices[1] != 2:
        raise layer.error(f"values {shape_text(layer.shape())}, indices {shape_text(indices)}")
    layer.require("equal", indices[0], count, "values and indices differ")
    known = layer.known_list(1) or layer.read_value("plain", layer.cast(layer[1], el.I64))
    if len(known) != 2:
        raise layer.error(f"{len(known)} extents, expected 2")
    trace, rows = NodeTrace(layer), known[0]
    entries = trace.array(layer.cast(layer[2], el.I64))
    empty = layer.broadcast(layer.constant(True, el.I1), (rows,))
    full = layer.broadcast(layer.constant(False, el.I1), (count,))
    marks = layer.add(ScatterElementsOp(empty, full, entries[:, 0].value, axis=0, from_end=False))
    number: Any = trace.given(trace.numbers(rows), el.I64)
    fill = layer.broadcast(layer.scalar(3), (rows,))
    here = layer.broadcast(layer.constant(True, el.I1), (count,))
    columns = layer.broadcast(layer.constant(0, el.I64), (rows,))
    pairs = ((entries[:, 0].value, number.value), (entries[:, 1].value, columns), (layer[0], fill))
    parts = [trace.array(layer.add(ConcatOp(*pair, axis=0))) for pair in pairs]
    places = trace.array(kept(layer, layer.add(ConcatOp(here, marks, axis=0))))
    parts = [v.take(places) for v in parts]
    (total,) = places.extents
    # Sorting is stable.
    for k in (1, 0):
        _, at = in_order(layer, parts[k], 0, total, largest=False)
        parts = [v.take(at) for v in parts]
    table = onp.stack(parts[:2], axis=1)
    return layer.cast(table.value, layer.element(2)), parts[2].value, marks

"""SparseFillEmptyRows: a default value in each empty row of a sparse matrix."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.frontend.models.compaction import kept
from opc.frontend.models.order import ordered

from .layer import Layer
from .schema import openvino


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

"""Triangular systems of equations."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.traced import lined
from opc.frontend.stablehlo.node import Node, operation

from .shaping import reversed_along


@operation("triangular_solve")
def triangular_solve(
    a: Any,
    rhs: Any,
    *,
    node: Node,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: str,
) -> Any:
    """x of a x = b, or of x a = b, row by row; only one triangle of a is read."""
    rank = a.ndim
    last, before = rank - 1, rank - 2
    swapped = [*range(before), last, before]
    if (transpose_a != "NO_TRANSPOSE") == left_side:
        a = a.transpose(swapped)
        lower = not lower
    x = rhs if left_side else rhs.transpose(swapped)
    if not lower:
        a, x = reversed_along(a, [before, last]), reversed_along(x, [before])
    front = [before, *range(before), last]
    rows, right = (v.transpose(front) for v in (a, x))
    start = node.trace.full(x.extents, 0, x.element)
    extent = a.extents[last]

    def step(index: Any, solved: Any, row: Any, value: Any) -> tuple[Arrays, Arrays]:
        trace, (*batch, n) = solved.trace, row.extents
        places = trace.positions(n)
        known = onp.where(places < index, row, 0).reshape([*batch, 1, n])
        new = value - trace.emit(MatmulOp, known, solved).reshape(value.extents)
        here = places == index
        if not unit_diagonal:
            diagonal = onp.where(here, row, 0)
            new = new / trace.emit(ReduceSumOp, diagonal, axes=(-1,), keepdims=True)
        new = new.reshape([*solved.extents[:-2], 1, solved.extents[-1]])
        return [onp.where(lined(here, rank - 2, rank), new, solved)], []

    (x,), _ = scan(extent, [start], [rows, right], [], step, has_index=True)
    if not lower:
        x = reversed_along(x, [before])
    return x if left_side else x.transpose(swapped)

"""Triangular systems of equations."""

from __future__ import annotations

from typing import Any

from opc.dialects.opc import binary as b
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.moving import along
from opc.frontend.models.op_builder import Builder
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
        a = node.permuted(a, swapped)
        lower = not lower
    x = rhs if left_side else node.permuted(rhs, swapped)
    if not lower:
        a, x = reversed_along(a, [before, last]), reversed_along(x, [before])
    front = [before, *range(before), last]
    rows, right = (node.permuted(v, front).value for v in (a, x))
    start = node.stretched(node.constant_of(0, x.element), x.extents).value
    extent = a.extents[last]

    def step(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        index, solved, row, value = arguments
        own, shape = shape_of(tensor_of(row)), shape_of(tensor_of(solved))
        places = inner.add(IotaOp.of(own[-1]))
        zero = inner.constant(0, x.element)
        earlier = inner.add(b.LessOp(places, index))
        known = inner.add(b.WhereOp(earlier, row, zero))
        product = inner.add(MatmulOp(inner.reshape(known, [*own[:-1], 1, own[-1]]), solved))
        product = inner.reshape(product, shape_of(tensor_of(value)))
        new = inner.add(b.SubOp(value, product))
        here = inner.add(b.EqualOp(places, index))
        if not unit_diagonal:
            diagonal = inner.add(b.WhereOp(here, row, zero))
            pivot = inner.add(ReduceSumOp(diagonal, axes=(-1,), keepdims=True))
            new = inner.add(b.DivOp(new, pivot))
        new = inner.reshape(new, [*shape[:-2], 1, shape[-1]])
        chosen = along(inner, here, len(shape) - 2, len(shape))
        return [inner.add(b.WhereOp(chosen, new, solved))], []

    (result,), _ = scan(node, node.op, extent, ([start], [rows, right], []), step, has_index=True)
    x = node.trace.array(result)
    if not lower:
        x = reversed_along(x, [before])
    return x if left_side else node.permuted(x, swapped)

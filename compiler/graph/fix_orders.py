"""Gives each sum and product of floats its order, and each reduction one run of adjacent axes.

A reduction over several runs of adjacent axes becomes one reduction for each, innermost first::

    reduce_sum(x) {axes = [0, 2, 3]}
      -->  reduce_sum (reduce_sum(x) {axes = [2, 3]}) {axes = [0]}

    reduce_sum(x) {axes = [1]} of tensor<8x100x16xf32>
      -->  reduce_sum(x) {axes = [1], order = #opc.order<lanes 4>}

The order follows from the shape and the element type (``dialects/order.py``).  Extents of 1 count
like all others, since an unknown extent may be 1 at run time.  Runs after decompose, so f16 and
bf16 are computed in f32 throughout and rounded once at the end.
"""

from __future__ import annotations

from opc.dialects import order
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import element, shape_of, tensor_of

from .rewriting import REDUCTIONS, Builder, OperatorPass


class FixOrdersPass(OperatorPass):
    """reduce over several runs of axes  -->  reduce over each run, with its order."""

    name = "fix-orders"

    def rewrite(self, op: OpcOp) -> None:
        """Split a reduction into runs of axes; set the order of each, if it has one."""
        if not isinstance(op, tuple(REDUCTIONS.values())):
            return
        builder, value = Builder(op), op.operands[0]
        axes = op.axes(len(shape_of(tensor_of(value))), op.values())
        for run in reversed(order.runs(axes)):
            type, params = tensor_of(value), {}
            if order.is_ordered(op.reduction, element(type)):
                params["order"] = order.lanes(order.kept_behind(shape_of(type), run), element(type))
            value = builder.reduce(op.reduction, value, run, **params)
        builder.replace(value)

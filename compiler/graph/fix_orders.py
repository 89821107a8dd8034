"""Give every sum and product of floats its order, and every reduction one run of axes.

A reduction over several runs of neighbouring axes goes run by run, always the innermost first::

    reduce_sum(x) {axes = [0, 2, 3]}
      -->  reduce_sum (reduce_sum(x) {axes = [2, 3]}) {axes = [0]}

    reduce_sum(x) {axes = [1]} of tensor<8x100x16xf32>
      -->  reduce_sum(x) {axes = [1], order = #opc.order<lanes 4>}

What ``order`` says of it follows from the shape and the element type (``dialects/order.py``).
Extents of 1 count like all others: one that only a run knows may turn out to be 1.  Runs after
decompose, so f16 and bf16 are f32 by now, between two runs as well, and rounded once at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from opc.dialects import order
from opc.dialects.opc.reduction import Reduction
from opc.dialects.shape import element, shape_of, tensor_of

from .rewriting import REDUCTIONS, Builder, functions, operators


def fix(op: Reduction) -> None:
    """Split a reduction into its runs; write the order of each, if it has one."""
    builder, value = Builder(op), op.operands[0]
    axes = op.axes(len(shape_of(tensor_of(value))), op.values())
    for run in reversed(order.runs(axes)):
        type, params = tensor_of(value), {}
        if order.is_ordered(op.reduction, element(type)):
            params["order"] = order.lanes(order.kept_behind(shape_of(type), run), element(type))
        value = builder.reduce(op.reduction, value, run, **params)
    builder.replace(value)


@dataclass(frozen=True)
class FixOrdersPass(ModulePass):
    """See the module's docstring."""

    name = "fix-orders"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function."""
        for _, block in functions(op):
            for operator in operators(block):
                if isinstance(operator, tuple(REDUCTIONS.values())):
                    fix(operator)

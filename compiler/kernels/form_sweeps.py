"""Turns the axis of a ``kernel.prefix`` into a sweep.

::

    kernel.nest [16, 512, 64] { load x[d0, d1, d2]; prefix sum along d1; store [d0, d1, d2] }
      -->
    kernel.nest [16, 64] { sweep [512] { load x[d0, d2, d1]; prefix sum; store [d0, d2, d1] } }

The whole body moves into the sweep.  Runs after fuse-kernels, which fuses prefixes like elementwise
operations.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.shape import DimsAttr, IndexAttr
from opc.passes.function_pass import FunctionPass


class FormSweepsPass(FunctionPass):
    """nest {prefix along d1}  -->  nest {sweep {prefix}}."""

    name = "form-sweeps"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite each nest that has a prefix."""
        for nest in list(function.body.block.ops):
            if isinstance(nest, kernel.NestOp) and (prefixes := kernel.prefixes_of(nest)):
                _sweep(nest, prefixes[0].dim)


def _sweep(nest: kernel.NestOp, axis: int) -> None:
    """Move the body of a nest into a sweep over one of its dimensions."""
    extents = nest.extents.data
    order = [*(k for k in range(len(extents)) if k != axis), axis]
    dims = {k: ex.dim(n) for n, k in enumerate(order)}
    ranges = dict(enumerate(extents[k] for k in order))
    inside = Block()
    for op in list(nest.body.block.ops):
        op.detach()
        inside.add_op(op)
        if isinstance(op, kernel.LoadOp | kernel.StoreOp | body.IndexOp):
            index = tuple(e.substitute(dims, ranges) for e in op.index.data)
            op.properties["index"] = IndexAttr(index)
        elif isinstance(op, kernel.PrefixOp):
            del op.properties["along"]
    inside.add_op(kernel.YieldOp(operands=[[]]))
    nest.properties["extents"] = DimsAttr(tuple(extents[k] for k in order[:-1]))
    nest.body.block.add_op(kernel.SweepOp.of((extents[axis],), [], inside))

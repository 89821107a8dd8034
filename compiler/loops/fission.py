"""Split loops whose points take several expensive functions in a row into a loop for each function.

A processor looks ahead over some hundred instructions.  With functions in a row these are a few
points, and each waits for itself.  So a block of points goes through the first function, then
through the second, with arrays in the first-level cache between them::

    for i = 0 to n { y[i] = tanh(exp(x[i])) }
      -->
    for b = 0 to n step 512
      for k = 0 to min(512, n - b) { a[k] = exp(x[b + k]) }
      for k = 0 to min(512, n - b) { y[b + k] = tanh(a[k]) }

Where there are no functions, many simple operations that wait for each other count as one.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import BUFFERED, FUNCTION, ONE_BUFFER, SHORT

from .loop_parts import PLAIN, block_of, insert, part_of
from .split_loops import Stages, split


class Chain(Stages):
    """Stages of one expensive function each, or of part of a long chain of simple operations."""

    def __init__(self, op: loop.ForOp) -> None:
        super().__init__(op)
        self.depths: dict[SSAValue, int] = {}
        """How many functions in a row give a value, with its own; operations if there are none."""
        applied = [o for o in self.ops if isinstance(o, body.ApplyOp)]
        self.has_functions = any(o.is_expensive for o in applied)
        for o in applied:
            before = max((self.depths.get(a, 0) for a in o.args), default=0)
            self.depths[o.result] = before + (o.is_expensive or not self.has_functions)
        most = max(self.depths.values(), default=0)
        per_stage = 1 if self.has_functions else -(-most // max(round(most / FUNCTION), 1))
        for o in self.ops:
            if isinstance(o, body.ApplyOp | loop.StoreOp):
                depth = self.depths.get(o.result if isinstance(o, body.ApplyOp) else o.value, 0)
                self.stages[o] = max(-(-depth // max(per_stage, 1)), 1)
        self.settle()

    def is_late(self, op: Operation) -> bool:
        """See the base; also values that need no function, or no other operation."""
        least = 0 if self.has_functions else 1
        return super().is_late(op) or (
            isinstance(op, body.ApplyOp) and self.depths[op.result] <= least
        )


def cut(op: loop.ForOp) -> None:
    """Split a loop, if it pays."""
    ops = list(op.body.block.ops)
    if op.kind.data != "vector" or op.bounds[2] != 1:
        return
    if not all(isinstance(o, PLAIN) for o in ops):
        return
    chain = Chain(op)
    span, dims = op.bounds[1] - op.bounds[0], list(op.dims)
    if chain.count == 1 or not chain.is_safe():
        return
    if span.constant is not None and span.constant < SHORT:
        return
    most = ex.upper_bound(span, {})
    if most is not None and most.constant is not None and most.constant <= ONE_BUFFER:
        length = most.constant
        insert(part := part_of(op, (op.bounds[0], dims), (span, dims)), op)
    else:
        length, is_whole = BUFFERED, span.constant is not None and span.constant % BUFFERED == 0
        part = block_of(op, op.bounds[1], BUFFERED, is_whole)
    split(part, length, Chain(part), {})
    Rewriter.erase_op(op)


class FissionPass(FunctionPass):
    """for i { tanh(exp(x[i])) }  -->  for b step 512 { for k { exp }; for k { tanh } }."""

    name = "fission"

    def rewrite(self, function: FuncOp) -> None:
        """See the base."""
        for inner in list(walk(function)):
            if isinstance(inner, loop.ForOp):
                cut(inner)

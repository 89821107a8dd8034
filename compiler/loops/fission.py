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

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, loop
from opc.support.target import BUFFERED, FUNCTION, ONE_BUFFER, SHORT

from .loop_parts import PlainLoopsPass, block_of, from_zero, most_points
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


class FissionPass(PlainLoopsPass):
    """for i { tanh(exp(x[i])) }  -->  for b step 512 { for k { exp }; for k { tanh } }."""

    name = "fission"

    def rewrite_loop(self, op: loop.ForOp) -> None:
        """Split a loop, if it pays."""
        chain, count = Chain(op), (op.bounds[1] - op.bounds[0]).constant
        if chain.count == 1 or not chain.is_safe() or (count is not None and count < SHORT):
            return
        length = most_points(op)
        if length is not None and length <= ONE_BUFFER:
            part = from_zero(op)
        else:
            length, is_whole = BUFFERED, count is not None and count % BUFFERED == 0
            part = block_of(op, op.bounds[1], BUFFERED, is_whole)
        split(part, length, Chain(part), {})
        Rewriter.erase_op(op)

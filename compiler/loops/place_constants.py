"""Decides which constants are weights, which callers pass, and which are in the C text.

::

    %w = loop.constant dense<...> to memref<4096xf32>
      -->
    %w = loop.constant weight dense<...> to memref<4096xf32>

A constant of more than 4 KiB is a weight.  Where a function would have more than 16 KiB of them in
its text, as a network with its biases does, those of more than a cache line are weights, too.  Runs
on the last constants, which lower-schedules writes.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp

from opc.dialects import loop
from opc.dialects.buffer import bytes_of
from opc.passes.function_pass import FunctionPass
from opc.support.target import LINE

MOST = 4096
"""Bytes of the largest constant in the text."""
MOST_IN_ALL = 4 * MOST
"""Bytes of all constants in the text of a function that has them up to that size."""


class PlaceConstantsPass(FunctionPass):
    """loop.constant dense<...>  -->  loop.constant weight dense<...>."""

    name = "place-constants"

    def rewrite(self, function: FuncOp) -> None:
        """Place the constants of one function."""
        constants = [op for op in function.body.block.ops if isinstance(op, loop.ConstantOp)]
        sizes = [bytes_of(op.result).constant or 0 for op in constants]
        most = MOST if sum(n for n in sizes if n <= MOST) <= MOST_IN_ALL else LINE
        for op, size in zip(constants, sizes, strict=True):
            if size > most:
                op.weight = UnitAttr()

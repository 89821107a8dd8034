"""Marks what C compilers must do with loops, or must not.

::

    for i = 0 to 14 vector { y[i] = x[i] }
      -->
    for i = 0 to 14 vector marks [rolled] { y[i] = x[i] }

``unroll`` is on loops over sums in registers, and on those around them, so that each sum has its
register; on a machine without vectors also on loops over single sums.  ``few`` is on loops that are
``rolled``, and on those over the steps of tiles that fill the registers.  The other marks are for
faults of compilers, each in a file of [compiler/loops/workarounds](../compiler/loops/workarounds):
``rolled``, ``no_vectors``, and on C functions ``as_it_stands`` and ``in_order``.  Runs last: marks
depend on which loops are functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp

from opc.dialects import loop
from opc.dialects.buffer import SCALARS
from opc.dialects.registers import array_in, is_of_sums, touches_registers
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .workarounds.divided_indices import divides
from .workarounds.load_order import reads_in_order
from .workarounds.reversed_loads import reads_behind
from .workarounds.unrolling import mixes_badly, stays_rolled


class MarkLoopsPass(FunctionPass):
    """loop.for vector { ... }  -->  loop.for vector marks [rolled] { ... }."""

    name = "mark-loops"

    def rewrite(self, function: FuncOp) -> None:
        """Mark the loops of one function."""
        has_vectors = SCALARS not in function.attributes
        for op in walk(function):
            if isinstance(op, loop.ForOp):
                op.mark(*_marks(op, has_vectors))


def _marks(op: loop.ForOp, has_vectors: bool) -> Iterator[str]:
    """The marks of a loop."""
    if op.function is not None and divides(op):
        yield "as_it_stands"
    if op.function is not None and reads_in_order(op):
        yield "in_order"
    if array_in(op) is not None:
        yield "unroll"
        return
    if (op.kind.data == "unroll" and touches_registers(op)) or (not has_vectors and is_of_sums(op)):
        yield "unroll"
    if has_vectors and (op.kind.data == "rolled" or mixes_badly(op)):
        yield "few"
    if has_vectors and stays_rolled(op):
        yield "rolled"
    if reads_behind(op):
        yield "no_vectors"

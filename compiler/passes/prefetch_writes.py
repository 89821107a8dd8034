"""Ask for memory that the next loop writes while computing what it waits for.

A store to memory that no cache holds waits until that has been read.  Where a row is reduced before
it is written, the sweep before asks for it, bit by bit::

    for i { for j step 64 { sum of 64 squares };  for j { y[i, j] = x[i, j] / norm } }
      -->
    for i { for j step 64 { sum of 64 squares;  ask for 64 of y };  for j { ... } }

Not where that sweep writes to the same buffer itself: to ask for the next row takes longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.dialects.strip import NARROW

from .loop_parts import has_functions
from .prefetching import ask_for, innermost_steps, one_of_each


def _agree(before: loop.ForOp, op: loop.ForOp, step: int) -> bool:
    """Whether a sweep in steps goes as far as a loop, or as full steps do."""
    end, (start, other, one) = before.bounds[1], op.bounds
    if start != 0 or one != 1 or before.dims or op.dims:
        return False
    left = (other - end).constant
    rest = ex.mod(other, ex.const(step))
    return other - end == rest or (left is not None and abs(left) < step)


def _reads_ahead(op: loop.ForOp) -> bool:
    """Whether a sweep asks for memory already."""
    return any(isinstance(o, loop.PrefetchOp) for o in op.walk())


def ask(sweeps: Sequence[loop.ForOp], op: loop.ForOp, row: SSAValue) -> None:
    """Let the last of the sweeps before a loop ask for what that writes.

    It must have time to: not if it waits for memory itself, or still for what other sweeps read.
    """
    found = (
        (o, steps)
        for o in reversed(sweeps)
        if (steps := innermost_steps(o)) is not None and _agree(o, op, steps.bounds[2])
    )
    before, steps = next(found, (op, None))
    if steps is None or _reads_ahead(before):
        return
    if not has_functions([before]) and not any(map(_reads_ahead, sweeps)):
        return
    written = {o.target for o in before.walk() if isinstance(o, loop.StoreOp)}
    for store in one_of_each(o for o in op.body.block.ops if isinstance(o, loop.StoreOp)):
        # Conversions take longer than memory.
        if element_in(store.target) not in NARROW and store.target not in written:
            ask_for(store, op, steps, row, (ex.dim(0), [row]))


@dataclass(frozen=True)
class PrefetchWritesPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "prefetch-writes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if not isinstance(function, FuncOp) or function.is_declaration:
                continue
            for around in list(function.walk()):
                if isinstance(around, loop.ForOp):
                    sweeps = [o for o in around.body.block.ops if isinstance(o, loop.ForOp)]
                    for k in range(1, len(sweeps)):
                        ask(sweeps[:k], sweeps[k], around.variable)

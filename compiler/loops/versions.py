"""Versions of the loops of a nest, of which an extent chooses one when the function runs."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import index_of


def only_if(condition: ex.Expr, before: Operation | None, block: Block) -> None:
    """Let the loops behind an operation have no rounds unless a condition is 1."""
    if condition == 1:
        return
    written = before.next_op if before else block.first_op
    while written is not None:
        assert isinstance(written, loop.ForOp)
        written.properties["upper"] = index_of(written.bounds[1] * condition)
        written = written.next_op

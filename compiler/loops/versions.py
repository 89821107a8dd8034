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
    first = before.next_op if before else block.first_op
    written = list[Operation]()
    while first is not None:
        written.append(first)
        first = first.next_op
    if not all(isinstance(op, loop.ForOp) for op in written):
        # Of a block of all points there is no loop.
        around = loop.ForOp.of(ex.const(0), condition, [], "serial")
        for op in written:
            op.detach()
        around.body.block.add_ops(written)
        block.add_op(around)
        return
    for op in written:
        assert isinstance(op, loop.ForOp)
        op.properties["upper"] = index_of(op.bounds[1] * condition)

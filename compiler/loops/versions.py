"""Versions of the loops of a nest, of which an extent chooses one when the function runs.

``loop.if <c> { loops } else { other loops }``
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from opc.dialects import expr as ex
from opc.dialects import loop


def only_if(condition: ex.Expr, before: Operation | None, block: Block) -> None:
    """Let what stands behind an operation run only if a condition on extents is 1.

    Where that operation is what runs if it is 0, both become one choice.
    """
    assert not condition.dims()
    if condition == 1:
        return
    written = list(block.ops)
    written = written[written.index(before) + 1 if before is not None else 0 :]
    inside = Block()
    for op in written:
        op.detach()
        inside.add_op(op)
    if (
        not isinstance(before, loop.IfOp)
        or before.otherwise is not None
        or before.holds != 1 - condition
    ):
        block.add_op(loop.IfOp.of(condition, [], inside))
        return
    other = before.then.detach_block(0)
    before.detach()
    before.erase()
    if loop.is_negated(condition):
        block.add_op(loop.IfOp.of(1 - condition, [], other, inside))
    else:
        block.add_op(loop.IfOp.of(condition, [], inside, other))

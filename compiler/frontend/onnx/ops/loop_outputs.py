"""Loops that end by a condition and stack a data-dependent number of results."""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import shape_of, tensor_type
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.outlined import Outlined
from opc.frontend.models.parts import beginning

from .node import Node


def run_while(
    node: Node, body: Outlined, carried: list[SSAValue], most: ex.Expr | None
) -> list[Result]:
    """Results of a loop of at most ``most`` iterations; the first carried value is the condition.

    The loop also carries the number of iterations, a data-dependent extent that ends the stacked
    results.  Without an upper bound a capacity bounds the iterations; it is too small if the
    condition is still true at the end.
    """
    name = None
    if most is None:
        most, name = node.capacity()
    count = len(carried)
    _count_iterations(body, count)
    zero = node.constant(0, el.I64)
    stacked = [tensor_type(t.element_type, (most, *shape_of(t))) for t in body.types[count:]]
    op = ScanOp.of(
        body.name,
        most,
        [*carried, zero],
        [],
        body.captured,
        [*(v.type for v in (*carried, zero)), *stacked],
        has_index=True,
        has_condition=True,
    )
    node.insert(op)
    going, done = op.outputs[0], op.outputs[count]
    if name is not None:
        more = node.binary("add", done, node.cast(going, el.I64))
        most = node.data_extent_within(more, most, name)
    end = node.data_extent(done, most)
    stacks = op.outputs[count + 1 :]
    return [*op.outputs[1:count], *(beginning(node, stack, {0: end}) for stack in stacks)]


def _count_iterations(body: Outlined, position: int) -> None:
    """Let a body carry the number of iterations, behind ``position`` values."""
    block = body.body.body.block
    back = block.last_op
    assert isinstance(back, ReturnOp)

    def insert(op: Operation) -> None:
        op.location = back.location
        block.insert_op_before(op, back)

    builder, values = Builder(insert), list(back.operands)
    block.insert_arg(tensor_type(el.I64, ()), 1 + position)
    values.insert(position, builder.binary("add", block.args[0], builder.constant(1, el.I64)))
    insert(ReturnOp(*values))
    block.erase_op(back)
    body.body.update_function_type()

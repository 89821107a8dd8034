"""Loops that a condition ends, and that stack results: how many there are is found on the way."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.choice import IfOp
from opc.dialects.opc.control import Binding
from opc.dialects.opc.functions import add_body
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.frontend.models.bodies import Symbols
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.outlined import Outlined
from opc.frontend.models.parts import beginning

from .node import Node


def run_while(
    node: Node, body: Outlined, carried: list[SSAValue], most: ex.Expr | None
) -> list[Result]:
    """Results of a loop of at most so many iterations; the first carried value is the condition.

    It goes round as often as it can, but does nothing once the condition is false; what it counts
    until then is a late extent, up to which what is stacked is a result.  Where nothing bounds the
    iterations, there are as many as a capacity, which is too small if the condition is true then.
    """
    name = None
    if most is None:
        most, name = node.capacity()
    symbols, zero = Symbols(), node.constant(0, el.I64)
    given = [zero, *carried, *body.captured]
    index = tensor_type(el.I64, ())
    block = Block(arg_types=[index, *(symbols.type(tensor_of(v)) for v in given)])
    block.add_op(ReturnOp(*_step(node.op, body, block, len(carried))))
    stacked = body.types[len(carried) :]
    types = [tensor_type(t.element_type, (most, *shape_of(t))) for t in stacked]
    op = ScanOp.of(
        add_body(node.op, "while", block),
        most,
        given[: 1 + len(carried)],
        [],
        body.captured,
        [index, *(v.type for v in carried), *types],
        has_index=True,
    )
    node.insert(op)
    if name is not None:
        more = node.binary("add", op.outputs[0], node.cast(op.outputs[1], el.I64))
        most = node.late_within(more, most, name)
    count = node.late(op.outputs[0], most)
    found: list[Result] = list(op.outputs[2 : 1 + len(carried)])
    for whole in op.outputs[1 + len(carried) :]:
        found.append(beginning(node, whole, {0: count}))
    return found


def _step(at: Operation, body: Outlined, block: Block, count: int) -> Sequence[SSAValue]:
    """One iteration: the body if the condition holds, else what was carried, and zeros."""
    number, done, *values = block.args
    builder, binding = Builder(block.add_op), Binding()
    arguments = [number, *values]
    for wanted, value in zip(body.arguments, arguments, strict=True):
        binding.argument(wanted, tensor_of(value))
    types = [binding.result(t) for t in body.results]
    callees = (body.name, _idle(at, body, count))
    op = IfOp.of(values[0], callees, (arguments, arguments), types)
    builder.insert(op)
    return [builder.binary("add", done, builder.cast(values[0], el.I64)), *op.outputs]


def _idle(at: Operation, body: Outlined, count: int) -> str:
    """A body of the same form that gives what is carried, and zeros; its name."""
    block = Block(arg_types=body.arguments)
    builder = Builder(block.add_op)
    zeros = [
        builder.broadcast(builder.constant(0, element(t)), shape_of(t))
        for t in body.results[count:]
    ]
    block.add_op(ReturnOp(*block.args[1 : 1 + count], *zeros))
    return add_body(at, "idle", block)

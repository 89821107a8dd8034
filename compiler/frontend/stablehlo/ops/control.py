"""Control flow, and orders: while, if, case, sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.control import IfOp
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.dialects.stablehlo import NodeOp, YieldOp
from opc.frontend.legalize_graphs import write
from opc.frontend.models.bodies import Arrays
from opc.frontend.models.order import ordered, sorted_by
from opc.frontend.stablehlo.node import Node, operation

from .elementwise import total_order


def copied(node: Node, number: int) -> Block:
    """A copy of a body."""
    return node.op.bodies[number].clone().detach_block(0)


def ended(block: Block) -> list[SSAValue]:
    """The results of a block, whose end is removed."""
    end = block.last_op
    assert end is not None
    values = list(end.operands)
    block.erase_op(end)
    return values


def written(node: Node, block: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """The results of a block that is written before its operation."""
    return [node.tensor(v) for v in write(node.into, node.op, block, arguments)]


@operation("while")
def while_(*arrays: Any, node: Node) -> list[Any]:
    """Values that a body changes as long as a condition on them holds."""
    values = [x.value for x in arrays]
    (going,) = written(node, copied(node, 0), values)
    block, test = copied(node, 1), copied(node, 0)
    block.insert_arg(tensor_type(el.I1, ()), 0)
    results = ended(block)
    for argument, value in zip(test.args, results, strict=True):
        argument.replace_all_uses_with(value)
    condition = ended(test)
    Rewriter.inline_block(test, InsertPoint.at_end(block))
    block.add_op(YieldOp(operands=[[*condition, *results]]))
    types = [tensor_of(v) for v in (going, *values)]
    body = node.into.outlined(node.op, block, types)
    loop = ScanOp.of(body.name, 0, [going, *values], [], body.captured, types, has_condition=True)
    node.insert(loop)
    return [node.trace.array(v) for v in loop.outputs[1:]]


@operation("chlo.scan")
def scan(
    *arrays: Any, node: Node, dimension: int, input_count: int, is_reverse: bool = False
) -> list[Any]:
    """Stacked results and the last carried values of a body for each part along an axis."""
    over = [onp.moveaxis(x, dimension, 0).value for x in arrays[:input_count]]
    carried, block = [x.value for x in arrays[input_count:]], copied(node, 0)
    # Here carried values come first.
    for argument in block.args[:input_count]:
        argument.replace_all_uses_with(block.insert_arg(argument.type, len(block.args)))
        block.erase_arg(argument)
    yielded = ended(block)
    outputs = len(yielded) - len(carried)
    block.add_op(YieldOp(operands=[[*yielded[outputs:], *yielded[:outputs]]]))
    (extent, *_) = shape_of(tensor_of(over[0]))
    parts = [tensor_type(element(t), shape_of(t)[1:]) for t in map(tensor_of, over)]
    body = node.into.outlined(node.op, block, [*map(tensor_of, carried), *parts])
    values = body.scan(
        node,
        extent,
        carried,
        over,
        reversed_inputs=range(len(over)) if is_reverse else (),
        reversed_outputs=range(outputs) if is_reverse else (),
    )
    results = [node.trace.array(v) for v in values]
    last, stacked = results[: len(carried)], results[len(carried) :]
    return [*(onp.moveaxis(v, 0, dimension) for v in stacked), *last]


@operation("if", "case")
def case(index: Any, *, node: Node, first: int = 0) -> list[Any]:
    """The results of the body with a number; the last one is for all numbers that have none."""
    bodies = len(node.op.bodies)
    if index.element is el.I1:
        index = onp.where(index, node.trace.constant(0, el.I64), node.trace.constant(1, el.I64))
    elif first == 0:
        index = index.astype("i64")
        outside = (index < 0) | (index >= bodies)
        index = onp.where(outside, node.trace.constant(bodies - 1, el.I64), index)
    if bodies == 1:
        return [node.trace.array(v) for v in written(node, copied(node, 0), [])]
    if bodies == 2:
        other = copied(node, 1)
    else:
        other = Block()
        rest = [region.clone() for region in list(node.op.bodies)[1:]]
        inner = NodeOp.of(node.operator, [index.value], {"first": first + 1}, node.types, rest)
        inner.location = node.op.location
        other.add_op(inner)
        other.add_op(YieldOp(operands=[list(inner.outputs)]))
    arms = [node.into.outlined(node.op, block, []) for block in (copied(node, 0), other)]
    names, captured = (arms[0].name, arms[1].name), (arms[0].captured, arms[1].captured)
    choice = IfOp.of((index == first).value, names, captured, arms[0].types)
    node.insert(choice)
    return [node.trace.array(v) for v in choice.outputs]


@operation("optimization_barrier")
def optimization_barrier(*arrays: Any) -> list[Any]:
    """The operands."""
    return list(arrays)


@operation("chlo.top_k")
def top_k(x: Any, *, k: int, node: Node) -> list[Any]:
    """The greatest elements of the last axis, and their indices."""
    keys = total_order(x) if x.element.is_float else x.astype("i8") if x.element is el.I1 else x
    axis = x.ndim - 1
    _, places = ordered(keys, axis, ex.const(k))
    values = node.trace.emit(GatherElementsOp, x, places, axis=axis, from_end=False)
    return [values, places.astype("i32")]


@operation("sort")
def sort(*arrays: Any, node: Node, dimension: int = -1) -> list[Any]:
    """Arrays with the elements of an axis in the order of a comparison, a network of exchanges.

    Equal elements keep their order.
    """
    axis = node.axis(dimension, arrays[0].ndim)
    if (arrays[0].extents[axis].constant or 2) < 2:
        return list(arrays)

    def is_less(mine: Arrays, other: Arrays) -> Any:
        def before(xs: Arrays, ys: Arrays) -> Any:
            pairs = [v for pair in zip(xs[:-1], ys[:-1], strict=True) for v in pair]
            return node.body(0, pairs)[0]

        less, more = before(mine, other), before(other, mine)
        # Without an order between them, the one that stood first stays first.
        return onp.where(less == more, mine[-1] < other[-1], less)

    *results, _ = sorted_by([onp.moveaxis(x, axis, 0) for x in arrays], is_less)
    return [onp.moveaxis(v, 0, axis) for v in results]


@operation("ApproxTopK")
def approximate_top_k(*arrays: Any, node: Node) -> list[Any]:
    """The first elements of an axis in the order of a comparison, as many as the result has.

    XLA may miss some of them, and opc finds all.  The second half of the operands, which fills
    results of too few elements, is not used.
    """
    axis = node.axis(node.attr("mhlo.backend_config")["reduction_dim"], arrays[0].ndim)
    every = sort(*arrays[: len(arrays) // 2], node=node, dimension=axis)
    count = node.trace.size(node.result_shape[axis])
    return [x[(*[slice(None)] * axis, slice(count))] for x in every]

"""Control flow, and orders: while, if, case, sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Block, SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.control import IfOp
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import tensor_of, tensor_type
from opc.dialects.stablehlo import NodeOp, YieldOp
from opc.frontend.legalize_graphs import write
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.order import ordered
from opc.frontend.models.traced import gathered, lined
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
    for op in list(test.ops):
        op.detach()
        block.add_op(op)
    block.add_op(YieldOp(operands=[[*condition, *results]]))
    types = [tensor_of(v) for v in (going, *values)]
    body = node.into.outlined(node.op, block, types)
    loop = ScanOp.of(body.name, 0, [going, *values], [], body.captured, types, has_condition=True)
    node.insert(loop)
    return [node.trace.array(v) for v in loop.outputs[1:]]


@operation("if", "case")
def case(index: Any, *, node: Node, first: int = 0) -> list[Any]:
    """The results of the body with a number; the last one is for all numbers that have none."""
    bodies = len(node.op.bodies)
    if index.element is el.I1:
        index = onp.where(index, node.constant_of(0, el.I64), node.constant_of(1, el.I64))
    elif first == 0:
        index = index.astype("i64")
        outside = (index < 0) | (index >= bodies)
        index = onp.where(outside, node.constant_of(bodies - 1, el.I64), index)
    if bodies == 1:
        return [node.trace.array(v) for v in written(node, copied(node, 0), [])]
    other = copied(node, 1)
    if bodies > 2:
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
    values = node.emit(GatherElementsOp, x, places, axis=axis, from_end=False)
    return [values, places.astype("i32")]


@operation("sort")
def sort(*arrays: Any, node: Node, dimension: int = -1) -> list[Any]:
    """Arrays with the elements of an axis in the order of a comparison, a network of exchanges.

    Equal elements keep their order.
    """
    axis, rank = node.axis(dimension, arrays[0].ndim), arrays[0].ndim
    extent = arrays[0].extents[axis]
    if extent.constant is None:
        raise node.refused("an axis whose extent is not known when compiling")
    if extent.constant < 2:
        return list(arrays)
    front = [axis, *(k for k in range(rank) if k != axis)]
    lines = [node.permuted(x, front) for x in arrays]
    places = node.stretched(along_first(node, extent, rank), lines[0].extents)
    levels = range((extent.constant - 1).bit_length())
    masks = [m for k in levels for m in ((2 << k) - 1, *(1 << d for d in reversed(range(k))))]

    def stage(*arguments: Any) -> tuple[Arrays, Arrays]:
        *values, mask = arguments
        line = mask.trace.positions(extent)
        other = line ^ mask
        other = onp.where(other < extent, other, line)
        others = [gathered(v, [0], other) for v in values]

        def before(xs: Arrays, ys: Arrays) -> Any:
            pairs = [v for pair in zip(xs[:-1], ys[:-1], strict=True) for v in pair]
            return node.body(0, pairs)[0]

        less, more = before(values, others), before(others, values)
        # Without an order between them, the one that stood first stays first.
        is_less = onp.where(less == more, values[-1] < others[-1], less)
        stays = is_less == lined(line < other, 0, rank)
        return [onp.where(stays, v, o) for v, o in zip(values, others, strict=True)], []

    steps = node.constant_of(np.array(masks), el.I64)
    results, _ = scan(ex.const(len(masks)), [*lines, places], [steps], [], stage)
    back = np.argsort(front).tolist()
    return [node.permuted(v, back) for v in results[:-1]]


def along_first(node: Node, extent: ex.Expr, rank: int) -> Any:
    """0, 1, 2, ... along the first axis of a rank."""
    line = node.trace.positions(extent).astype("i32")
    return node.shaped(line, [extent, *[1] * (rank - 1)])

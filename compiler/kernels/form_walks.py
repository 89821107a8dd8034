"""Forms the kernel of ``opc.walk``: a ``kernel.repeat`` for each row and each root.

::

    kernel.nest [N, 3] {
      load roots[d1]
      repeat { gather nodes[%k]; gather x[d0, %feature]; gather nodes[%k + 1]; le;
               gather nodes[%k + %side + 2]; next }
      gather nodes[%end + 2]; gather values; store
    }

The table gets a node for each value behind all others.  A walk that reaches it stays there for any
x: one side leads back to the node, the other has the number of the value.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Block, SSAValue

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.walk import FEATURE, LEFT, RIGHT, SPLIT, WIDTHS, Array, WalkOp, longest
from opc.dialects.shape import element, shape_of, tensor_of
from opc.errors import UnsupportedError

from .kernel_forms import cast, compute, finish, load


def walks(op: OpcOp) -> kernel.NestOp:
    """The nest over rows, roots, and the other axes of values."""
    assert isinstance(op, WalkOp)
    block, values = Block(), op.operands[3]
    table, roots = op.table()
    kind, leaves = WIDTHS[element(tensor_of(op.x))], shape_of(tensor_of(values))[0].constant
    assert leaves is not None
    if 4 * (len(table) + leaves) > np.iinfo(kind.dtype).max:
        raise UnsupportedError(
            f"{op.name}: {len(table)} nodes are too many for {kind.name} indices"
        )
    most, missing = longest(table, roots), table[:, FEATURE] < 0
    if most:
        is_number = ~np.isnan(np.ascontiguousarray(table[:, SPLIT]).view(f"f{table.itemsize}"))
        is_all = bool((missing & is_number).all())
        nodes = _constant(op, _with_leaves(table, leaves, LEFT if is_all else RIGHT), kind)
        starts = _constant(op, _offsets(roots, len(table)), kind)
        at = cast(block, load(block, starts, (ex.dim(1),)), el.I64)
        block.add_op(repeat := kernel.RepeatOp.of(at, most))
        _step(op, nodes, repeat, bool(missing.any()), is_all)
        block.add_op(number := body.ConstantOp.of(RIGHT if is_all else LEFT, el.I64))
        at = compute(block, "add", repeat.result, number.result)
        block.add_op(leaf := kernel.GatherOp.of(nodes, {0: at}, (ex.const(0),)))
        at = cast(block, leaf.result, el.I64)
    else:
        at = cast(block, load(block, _constant(op, ~roots, kind), (ex.dim(1),)), el.I64)
    rank = len(shape_of(tensor_of(values)))
    index = (ex.const(0), *(ex.dim(k + 1) for k in range(1, rank)))
    block.add_op(value := kernel.GatherOp.of(values, {0: at}, index))
    return finish(op, block, value.result)


def _offsets(ends: Array, count: int) -> Array:
    """The offsets of the nodes that ends name, four numbers each; values follow ``count`` nodes."""
    return (4 * np.where(ends < 0, count + ~ends, ends)).astype(ends.dtype)


def _with_leaves(table: Array, leaves: int, side: int) -> Array:
    """The table, flattened, with a node for each value, which always leads to ``side``.

    Where NaN goes left in all nodes, it does in these.
    """
    count = len(table)
    ends = np.zeros((leaves, 4), table.dtype)
    ends[:, FEATURE] = -1 if side == LEFT else 0
    # Comparisons with NaN are false.
    ends[:, SPLIT] = np.full(leaves, np.nan, f"f{table.itemsize}").view(table.dtype)
    ends[:, LEFT + RIGHT - side], ends[:, side] = np.arange(leaves), 4 * (count + np.arange(leaves))
    table = table.copy()
    table[:, LEFT:] = _offsets(table[:, LEFT:], count)
    return np.concatenate([table, ends]).reshape(-1)


def _constant(op: OpcOp, array: Array, kind: el.ElementType) -> SSAValue:
    """Insert a constant before an operator."""
    constant, block = ConstantOp.of(array, kind), op.parent_block()
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.result


def _step(op: WalkOp, nodes: SSAValue, repeat: kernel.RepeatOp, some: bool, all: bool) -> None:
    """Write a step; NaN goes left in some nodes, or in all of them, whose splits are numbers."""
    block, x = repeat.body.block, op.operands[0]

    def column(k: int) -> SSAValue:
        at = compute(block, "add", repeat.index, constant(k)) if k else repeat.index
        block.add_op(element := kernel.GatherOp.of(nodes, {0: at}, (ex.const(0),)))
        return element.result

    def constant(number: int) -> SSAValue:
        block.add_op(op := body.ConstantOp.of(number, el.I64))
        return op.result

    feature = cast(block, column(FEATURE), el.I64)
    goes_left = None
    if all:
        feature = compute(block, "bitwise_xor", feature, constant(-1))
    elif some:
        goes_left = compute(block, "lt", feature, constant(0))
        turned = compute(block, "bitwise_xor", feature, constant(-1))
        feature = compute(block, "select", goes_left, turned, feature)
    block.add_op(seen := kernel.GatherOp.of(x, {1: feature}, (ex.dim(0), ex.const(0))))
    block.add_op(split := body.ApplyOp.of("bitcast", [column(SPLIT)], element(tensor_of(x))))
    if all:
        left = compute(block, "not", compute(block, "gt", seen.result, split.result))
    else:
        left = compute(block, "le", seen.result, split.result)
    if goes_left is not None:
        is_nan = compute(block, "ne", seen.result, seen.result)
        left = compute(block, "or", left, compute(block, "and", is_nan, goes_left))
    # A load at a computed index replaces a branch.
    side = cast(block, compute(block, "not", left), el.I64)
    side = compute(block, "add", compute(block, "add", repeat.index, side), constant(LEFT))
    block.add_op(end := kernel.GatherOp.of(nodes, {0: side}, (ex.const(0),)))
    block.add_op(kernel.NextOp(operands=[cast(block, end.result, el.I64)]))

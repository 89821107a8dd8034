"""The kernel of ``opc.walk``: a repetition for each row and each root.

::

    kernel.nest [N, 3] {
      load roots[d1]
      repeat { gather nodes[%k, 0]; gather x[d0, %feature]; gather nodes[%k, 1]; le; select; next }
      gather values[~%end]; store
    }
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Block, SSAValue

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.walk import FEATURE, LEFT, SPLIT, WalkOp, longest
from opc.dialects.shape import element, shape_of, tensor_of

from .kernel_forms import cast, compute, finish, load


def walks(op: OpcOp) -> kernel.NestOp:
    """The nest over rows, roots, and what a value has besides."""
    assert isinstance(op, WalkOp)
    block, values = Block(), op.operands[3]
    nodes, roots = op.table()
    at = cast(block, load(block, op.operands[2], (ex.dim(1),)), el.I64)
    most = longest(nodes, roots)
    if most:
        block.add_op(repeat := kernel.RepeatOp.of(at, most))
        missing = nodes[:, FEATURE] < 0
        is_number = ~np.isnan(nodes[:, SPLIT].astype(nodes.dtype).view(f"f{nodes.itemsize}"))
        _step(op, repeat, bool(missing.any()), bool((missing & is_number).all()))
        at = repeat.result
    block.add_op(ones := body.ConstantOp.of(-1, el.I64))
    at = compute(block, "bitwise_xor", at, ones.result)
    rank = len(shape_of(tensor_of(values)))
    places = (ex.const(0), *(ex.dim(k + 1) for k in range(1, rank)))
    found = kernel.GatherOp.of(values, {0: at}, places)
    block.add_op(found)
    return finish(op, block, found.result)


def _step(op: WalkOp, repeat: kernel.RepeatOp, some: bool, all: bool) -> None:
    """One step; NaN goes left from some nodes, or from all of them, whose splits are numbers."""
    block, (x, nodes) = repeat.body.block, op.operands[:2]

    def column(k: int) -> SSAValue:
        found = kernel.GatherOp.of(nodes, {0: repeat.index}, (ex.const(0), ex.const(k)))
        block.add_op(found)
        return found.result

    def constant(number: int) -> SSAValue:
        block.add_op(made := body.ConstantOp.of(number, el.I64))
        return made.result

    feature = cast(block, column(FEATURE), el.I64)
    goes_left = None
    if some:
        turned = compute(block, "bitwise_xor", feature, constant(-1))
        goes_left = None if all else compute(block, "lt", feature, constant(0))
        feature = (
            turned if goes_left is None else compute(block, "select", goes_left, turned, feature)
        )
    block.add_op(seen := kernel.GatherOp.of(x, {1: feature}, (ex.dim(0), ex.const(0))))
    block.add_op(split := body.ApplyOp.of("bitcast", [column(SPLIT)], element(tensor_of(x))))
    if some and goes_left is None:
        left = compute(block, "not", compute(block, "gt", seen.result, split.result))
    else:
        left = compute(block, "le", seen.result, split.result)
    if goes_left is not None:
        is_nan = compute(block, "ne", seen.result, seen.result)
        left = compute(block, "or", left, compute(block, "and", is_nan, goes_left))
    # One load, at a place that is computed: no branch.
    side = cast(block, compute(block, "not", left), el.I64)
    side = compute(block, "add", side, constant(LEFT))
    end = kernel.GatherOp.of(nodes, {0: repeat.index, 1: side}, (ex.const(0), ex.const(0)))
    block.add_op(end)
    block.add_op(kernel.NextOp(operands=[cast(block, end.result, el.I64)]))

"""SplitToSequence, with constant or data-dependent lengths or number of parts."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import BroadcastOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.known import Held, Ragged, Stacked
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import filled, sliced

from .node import Node
from .schema import onnx


@onnx("SplitToSequence", 11, 24)
def split(node: Node) -> Result:
    """SplitToSequence(x, lengths) --> an opc.slice for each part."""
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    extent = shape[axis]
    if not node.has(1):
        if extent.constant is None:
            return _one_by_one(node, axis, bool(node.attr("keepdims")))
        lengths, keeps = _equal_parts(node, extent, ex.const(1)), bool(node.attr("keepdims"))
    else:
        if _is_ones(node.value(1)):
            node.require("equal", node.shape(1)[0], extent, "the lengths do not sum up")
            return _one_by_one(node, axis, True)
        known, keeps = node.known_list(1), True
        if node.shape(1):
            count = node.shape(1)[0].constant
            if known is None and count is not None:
                return Held.of([None] * count, node.element())
        if known is None:
            raise node.unsupported("the lengths are not known when compiling")
        length = None if node.shape(1) else known[0].constant
        if extent.constant is None and length is not None and length > 0:
            return _as_many_parts(node, axis, length)
        lengths = known if node.shape(1) else _equal_parts(node, extent, known[0])
    node.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    parts: list[SSAValue] = []
    start = ex.const(0)
    for length in lengths:
        part = sliced(node, node[0], [axis], [(start, start + length, 1)])
        kept = [e for k, e in enumerate(shape_of(tensor_of(part))) if k != axis]
        parts.append(part if keeps else node.reshape(part, kept))
        start += length
    return Held.of(parts, node.element())


def _is_ones(value: Result) -> bool:
    """Whether a value is a vector of ones of unknown length."""
    if not isinstance(value, SSAValue) or not isinstance(value.owner, BroadcastOp):
        return False
    one = kn.constant(value.owner.operands[0])
    return len(shape_of(value.type)) == 1 and one is not None and one.constants() == [1]


def _one_by_one(node: Node, axis: int, keeps: bool) -> Stacked:
    """The elements along an axis of unknown extent."""
    shape = node.shape()
    order = [axis, *(k for k in range(len(shape)) if k != axis)]
    stack, rest = node.transpose(node[0], order), [e for k, e in enumerate(shape) if k != axis]
    if keeps:
        rest.insert(axis, ex.const(1))
    stack = node.reshape(stack, (shape[axis], *rest))
    return Stacked(np.empty(0, object), node.element(), (), stack)


def _as_many_parts(node: Node, axis: int, length: int) -> Ragged:
    """Parts of equal length of an axis of unknown extent; the last may be shorter.

    x [N, 3] in parts of 2 --> x padded to [floordiv(N + 1, 2), 2, 3], and the length of each part
    """
    shape = node.shape()
    extent = shape[axis]
    count = ex.floordiv(extent + (length - 1), length)
    zero = node.constant(0, node.element())
    x = filled(node, node[0], axis, 0, count * length - extent, zero)
    x = node.reshape(x, (*shape[:axis], count, length, *shape[axis + 1 :]))
    rank = len(shape) + 1
    stack = node.transpose(x, [axis, *(k for k in range(rank) if k != axis)])
    begin = node.trace.positions(count) * length
    sizes = onp.minimum(node.trace.number(extent) - begin, length)
    return Ragged(np.empty(0, object), node.element(), (), stack, sizes.value, axis)


def _equal_parts(node: Node, extent: ex.Expr, size: ex.Expr) -> list[ex.Expr]:
    """The lengths of equal parts, of which the last may be shorter."""
    if extent.constant is None or size.constant is None or size.constant < 1:
        raise node.unsupported(f"parts of {extent_text(size)} of an axis of {extent_text(extent)}")
    count, rest = divmod(extent.constant, size.constant)
    check("a sequence", "parts", count)
    return [size] * count + [ex.const(rest)] * (rest > 0)

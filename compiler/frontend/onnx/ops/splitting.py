"""SplitToSequence: parts of an axis, whose lengths or number may be known to a run only."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import BroadcastOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.known import Held, Ragged, Stacked
from opc.frontend.models.moving import positions
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import filled, sliced

from .node import Node
from .schema import BF16, CLASSIC, INDEX, add
from .shapes import extents_in


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
        found, keeps = extents_in(node, 1), True
        if node.shape(1):
            count = node.shape(1)[0].constant
            if found is None and count is not None:
                return Held.of([None] * count, node.element())
        if found is None:
            raise node.unsupported("the lengths are not known when compiling")
        each = None if node.shape(1) else found[0].constant
        if extent.constant is None and each is not None and each > 0:
            return _as_many_parts(node, axis, each)
        lengths = found if node.shape(1) else _equal_parts(node, extent, found[0])
    node.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    parts: list[SSAValue] = []
    start = ex.const(0)
    for each in lengths:
        part = sliced(node, node[0], [axis], [(start, start + each, 1)])
        kept = [e for k, e in enumerate(shape_of(tensor_of(part))) if k != axis]
        parts.append(part if keeps else node.reshape(part, kept))
        start += each
    return Held.of(parts, node.element())


def _is_ones(value: Result) -> bool:
    """Whether a value is as many times 1 as only a run knows."""
    if not isinstance(value, SSAValue) or not isinstance(value.owner, BroadcastOp):
        return False
    one = kn.constant(value.owner.operands[0])
    return len(shape_of(value.type)) == 1 and one is not None and one.constants() == [1]


def _one_by_one(node: Node, axis: int, keeps: bool) -> Stacked:
    """The elements along an axis of which only a run knows how many there are."""
    shape = node.shape()
    order = [axis, *(k for k in range(len(shape)) if k != axis)]
    whole, rest = node.transpose(node[0], order), [e for k, e in enumerate(shape) if k != axis]
    if keeps:
        rest.insert(axis, ex.const(1))
    whole = node.reshape(whole, (shape[axis], *rest))
    return Stacked(np.empty(0, object), node.element(), (), whole)


def _as_many_parts(node: Node, axis: int, each: int) -> Ragged:
    """Parts of a length of an axis of which only a run knows the extent: the last may be shorter.

    x [N, 3] in parts of 2 --> [floordiv(N + 1, 2), 2, 3] of x among zeros, and how long each is
    """
    shape, n = node.shape(), Numbers(node)
    extent = shape[axis]
    count = ex.floordiv(extent + (each - 1), each)
    zero = node.constant(0, node.element())
    x = filled(node, node[0], axis, 0, count * each - extent, zero)
    x = node.reshape(x, (*shape[:axis], count, each, *shape[axis + 1 :]))
    rank = len(shape) + 1
    whole = node.transpose(x, [axis, *(k for k in range(rank) if k != axis)])
    begin = n.mul(positions(node, count, 0, 1), each)
    sizes = n.least(n.sub(extent, begin), each)
    return Ragged(np.empty(0, object), node.element(), (), whole, sizes, axis)


def _equal_parts(node: Node, extent: ex.Expr, each: ex.Expr) -> list[ex.Expr]:
    """Parts of one length, of which the last may be shorter."""
    if extent.constant is None or each.constant is None or each.constant < 1:
        raise node.unsupported(f"parts of {extent_text(each)} of an axis of {extent_text(extent)}")
    whole, rest = divmod(extent.constant, each.constant)
    check("a sequence", "parts", whole)
    return [each] * whole + [ex.const(rest)] * (rest > 0)


for _since, _each in ((11, CLASSIC), (24, CLASSIC | BF16)):
    add(
        "SplitToSequence",
        _since,
        "input:T split?:I -> output_sequence:S",
        {"S": frozenset[str](), "T": _each, "I": INDEX},
        split,
        "axis:int=0 keepdims:int=1",
    )

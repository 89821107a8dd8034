"""TopK: the rank of an element is how many others come before it."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherElementsOp, ScatterElementsOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.opc.unary import IsNanOp, NotOp
from opc.dialects.shape import shape_text
from opc.frontend.models.indexed import gathered
from opc.frontend.models.moving import positions
from opc.frontend.models.op_builder import Result

from .node import Node
from .normalization import wide
from .row import BF16, FLOAT, INT64, NUMERIC, add
from .shapes import extents_in


def _count(node: Node, most: ex.Expr) -> ex.Expr:
    """How many are asked for, of so many."""
    if node.since == 1:
        found = ex.const(node.attr("k"))
    elif node.shape(1) != (1,):
        raise node.error(f"input K is {shape_text(node.shape(1))}, expected [1]")
    else:
        known = extents_in(node, 1)
        (found,) = node.read("plain", 1, (), (most,)) if known is None else known
    if found.constant is not None and found.constant < 0:
        raise node.error(f"k is {found}")
    return found


def _before(node: Node, x: SSAValue, axis: int, largest: bool) -> SSAValue:
    """Whether the element of axis + 1 comes before that of an axis, for every pair of x.

    NaN is greater than all numbers, as NumPy sorts; of those that are equal the first is before.
    """
    shape = node.shape()
    one, n = ex.const(1), shape[axis]
    mine = node.reshape(x, (*shape[:axis], n, one, *shape[axis + 1 :]))
    other = node.reshape(x, (*shape[:axis], one, n, *shape[axis + 1 :]))
    low, high = (mine, other) if largest else (other, mine)
    better, same = node.add(b.LessOp(low, high)), node.add(b.EqualOp(mine, other))
    if node.element().is_float:
        low_nan, high_nan = node.add(IsNanOp(low)), node.add(IsNanOp(high))
        above = node.add(b.AndOp(high_nan, node.add(NotOp(low_nan))))
        better = node.add(b.OrOp(better, above))
        same = node.add(b.OrOp(same, node.add(b.AndOp(low_nan, high_nan))))
    rank = len(shape) + 1
    places = [positions(node, n, k, rank) for k in (axis, axis + 1)]
    first = node.add(b.LessOp(places[1], places[0]))
    return node.add(b.OrOp(better, node.add(b.AndOp(same, first))))


def top_k(node: Node) -> tuple[Result, Result]:
    """TopK(x, k) {axis, largest} --> opc.scatter_elements of positions by their ranks.

    The result is sorted, also where it need not be.
    """
    shape = node.shape()
    rank = len(shape)
    axis = node.axis(node.attr("axis"), rank)
    count = _count(node, shape[axis])
    node.require("equal", ex.minimum(shape[axis], count), count, "k is more than there are")
    x = node.cast(node[0], wide(node.element()))
    before = _before(node, x, axis, node.since < 11 or bool(node.attr("largest")))
    ranks = node.add(ReduceSumOp(node.cast(before, el.I64), axes=(axis + 1,)))
    zeros = node.broadcast(node.constant(0, el.I64), shape)
    each = node.broadcast(positions(node, shape[axis], axis, rank), shape)
    order = node.add(ScatterElementsOp(zeros, each, ranks, axis=axis, from_end=False))
    indices = gathered(node, order, axis, node.add(IotaOp.of(count)))
    return node.add(GatherElementsOp(node[0], indices, axis=axis, from_end=False)), indices


add("TopK", 1, "X:T -> Values:T Indices:I", {"T": FLOAT, "I": INT64}, top_k, "axis:int=-1 k:int!")
add("TopK", 10, "X:T K:int64 -> Values:T Indices:I", {"T": FLOAT, "I": INT64}, top_k, "axis:int=-1")
for _since, _types in ((11, NUMERIC), (24, NUMERIC | BF16)):
    add(
        "TopK",
        _since,
        "X:T K:int64 -> Values:T Indices:I",
        {"T": _types, "I": INT64},
        top_k,
        "axis:int=-1 largest:int=1 sorted:int=1",
    )

"""TopK: the first elements of an axis in order."""

from __future__ import annotations

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.order import ordered

from .node import Node
from .schema import onnx


def _count(node: Node, most: ex.Expr) -> ex.Expr:
    """The number k, of at most ``most`` elements."""
    if node.since == 1:
        count = ex.const(node.attr("k"))
    elif len(node.shape(1)) != 1 or node.shape(1)[0].constant not in (None, 1):
        raise node.error(f"input K is {shape_text(node.shape(1))}, expected [1]")
    else:
        known = node.known_list(1)
        (count,) = node.read("plain", 1, (), (most,), 1) if known is None else known
    if count.constant is not None and count.constant < 0:
        raise node.error(f"k is {extent_text(count)}")
    return count


@onnx("TopK", 1, 10, 11, 24)
def top_k(node: Node) -> tuple[Result, Result]:
    """TopK(x, k) {axis, largest} --> the k greatest or least elements.

    The result is sorted, even with sorted = 0.
    """
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    count = _count(node, shape[axis])
    node.require("equal", ex.minimum(shape[axis], count), count, "k is more than there are")
    largest = node.since < 11 or bool(node.attr("largest"))
    values, places = ordered(node.traced(0), axis, count, largest=largest)
    return values.value, places.value

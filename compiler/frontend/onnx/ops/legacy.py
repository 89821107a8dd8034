"""Broadcasting before opset 7, of the right operand to the left one."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of

from .node import Node


def equal_shapes(node: Node, a: SSAValue, b: SSAValue) -> SSAValue:
    """The first input, which must have the shape of the second."""
    _require_equal(node, shape_of(tensor_of(a)), shape_of(tensor_of(b)), "shapes differ")
    return a


def broadcast_to_left(node: Node) -> SSAValue:
    """The second input, reshaped to broadcast to the first as in NumPy.

    With ``broadcast = 1`` it has one element, or its extents match consecutive extents of the first
    input: the last ones, or those from ``axis`` on.  An extent of 1 broadcasts, as in the official
    tests but not in the specification.  Without ``broadcast`` the shapes are equal.
    """
    a, b = shape_of(tensor_of(node[0])), shape_of(tensor_of(node[1]))
    if not node.attr("broadcast"):
        _require_equal(node, a, b, "shapes differ, and broadcast is not set")
        return node[1]
    if len(b) > len(a):
        raise node.error(f"{shape_text(b)} has more axes than {shape_text(a)} to broadcast to")
    if all(e == 1 for e in b):
        return node.reshape(node[1], ())
    axis = node.attr("axis")
    first = len(a) - len(b) if axis is None else axis
    if not 0 <= first <= len(a) - len(b):
        raise node.error(
            f"axis {axis} leaves no room for {len(b)} axes in {shape_text(a)}: "
            f"expected 0 to {len(a) - len(b)}"
        )
    run = a[first : first + len(b)]
    what = f"{shape_text(b)} is not a run of extents of {shape_text(a)}, from axis {first} on"
    for x, y in zip(b, run, strict=True):
        if None not in (x.constant, y.constant) and x not in (1, y):
            raise node.error(what)
        node.require("stretch", x, y, what)
    return node.reshape(node[1], (*b, *[ex.const(1)] * (len(a) - first - len(b))))


def slope_of_channels(node: Node) -> SSAValue:
    """The slope of PRelu before opset 7: scalar, or per channel (axis 1)."""
    x, slope = shape_of(tensor_of(node[0])), shape_of(tensor_of(node[1]))
    if all(e == 1 for e in slope):
        return node.reshape(node[1], ())
    if slope == x:
        return node[1]
    channel = min(1, len(x) - 1)
    if len(slope) != 1 or not x:
        text = shape_text(slope)
        raise node.error(f"slope {text}: expected one element, or one for each channel")
    node.require("equal", slope[0], x[channel], "the slope does not fit the channels")
    return node.reshape(node[1], (slope[0], *[ex.const(1)] * (len(x) - 1 - channel)))


def _require_equal(node: Node, a: Shape, b: Shape, what: str) -> None:
    if len(a) != len(b):
        raise node.error(f"{what}: {shape_text(a)} and {shape_text(b)}")
    for x, y in zip(a, b, strict=True):
        if None not in (x.constant, y.constant) and x != y:
            raise node.error(f"{what}: {shape_text(a)} and {shape_text(b)}")
        node.require("equal", x, y, what)

"""Operations that move elements to places that are known when compiling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.parts import SliceOp
from opc.dialects.shape import UNKNOWN, Shape
from opc.frontend.models import pads
from opc.frontend.models.parts import IntExpr, filled, sliced
from opc.frontend.models.traced import lined, reversed_along
from opc.frontend.stablehlo.node import Node, operation


@operation("reshape", "dynamic_reshape", "chlo.dynamic_reshape")
def reshape(x: Any, shape: Any = None, *, node: Node) -> Any:
    """The same elements in another shape."""
    return x.reshape(wanted_shape(node, 1))


def wanted_shape(node: Node, position: int) -> Shape:
    """The shape of the result, of which an operand has the extents that the text leaves open."""
    shape = node.result_shape
    if UNKNOWN not in shape:
        return shape
    if not node.has(position):
        raise node.unsupported("the text leaves the shape of the result open")
    read = node.extents(position)
    return tuple(r if e == UNKNOWN else e for e, r in zip(shape, read, strict=True))


@operation("transpose")
def transpose(x: Any, *, node: Node) -> Any:
    """Axes in another order."""
    order = node.attributes.get("dims") or node.attributes.get("permutation", [])
    if sorted(order) != list(range(x.ndim)):
        raise node.error(f"dims {list(order)} are no order of {x.ndim} axes")
    return x.transpose(order)


@operation("broadcast_in_dim", "dynamic_broadcast_in_dim")
def broadcast_in_dim(x: Any, shape: Any = None, *, node: Node) -> Any:
    """x with its axes at places of the result, stretched along all others."""
    dims: list[int] = node.attributes.get("dims", node.attributes.get("broadcast_dimensions", []))
    return placed(node, x, dims, wanted_shape(node, 1))


def placed(node: Node, x: Any, dims: Sequence[int], shape: Shape) -> Any:
    """x stretched to a shape, its axes at these places."""
    if len(dims) != x.ndim or any(not 0 <= d < len(shape) for d in dims):
        raise node.error(f"dims {list(dims)} do not place {x!r} in rank {len(shape)}")
    order = sorted(range(len(dims)), key=lambda k: dims[k])
    x = x.transpose(order)
    extents = [ex.const(1)] * len(shape)
    for k, axis in enumerate(order):
        extents[dims[axis]] = x.extents[k]
    return onp.broadcast_to(x.reshape(extents), shape)


@operation("set_dimension_size")
def set_dimension_size(x: Any, size: Any, *, node: Node) -> Any:
    """x with fewer elements along an axis."""
    axis = dimension(node)
    (extent,) = node.extents(1)
    return node.trace.array(sliced(node, x.value, [axis], [(0, extent, 1)]))


def dimension(node: Node) -> int:
    """The axis that ``dim`` or ``dimension`` names."""
    return int(node.attributes["dim"] if "dim" in node.attributes else node.attr("dimension"))


@operation("get_dimension_size")
def get_dimension_size(x: Any, *, node: Node) -> Any:
    """The extent of an axis."""
    return node.trace.number(x.extents[dimension(node)]).astype(node.kind)


@operation("iota", "dynamic_iota")
def iota(shape: Any = None, *, node: Node) -> Any:
    """The index along an axis."""
    extents, name = wanted_shape(node, 0), "iota_dimension"
    axis = node.attributes[name] if name in node.attributes else dimension(node)
    line = node.trace.positions(extents[axis]).astype(node.kind)
    return onp.broadcast_to(lined(line, axis, len(extents)), extents)


@operation("concatenate")
def concatenate(*arrays: Any, node: Node) -> Any:
    """Arrays one after the other along an axis."""
    axis = dimension(node)
    return arrays[0] if len(arrays) == 1 else onp.concatenate(arrays, axis=axis)


@operation("slice")
def slice_(
    x: Any, *, start_indices: list[int], limit_indices: list[int], strides: list[int], node: Node
) -> Any:
    """Every stride-th element from a start to before a limit."""
    return node.trace.emit(SliceOp, x, starts=start_indices, stops=limit_indices, steps=strides)


@operation("real_dynamic_slice")
def real_dynamic_slice(x: Any, start: Any, limit: Any, strides: Any, *, node: Node) -> Any:
    """As ``slice``; starts and limits are known when the function starts."""
    starts, limits, steps = node.extents(1), node.extents(2), node.numbers(3)
    return node.trace.emit(SliceOp, x, starts=starts, stops=limits, steps=steps)


@operation("reverse")
def reverse(x: Any, *, node: Node) -> Any:
    """Elements in the opposite order along some axes."""
    return reversed_along(x, node.attributes.get("dims", node.attributes.get("dimensions", [])))


@operation("pad", "dynamic_pad")
def pad(x: Any, value: Any, *lists: Any, node: Node) -> Any:
    """x with a value before, after and between its elements."""
    names = [("low", "edge_padding_low"), ("high", "edge_padding_high")]
    names.append(("interior", "interior_padding"))
    if lists:
        low, high = (as_numbers(node.extents(2 + k)) for k in range(2))
        interior = node.numbers(4)
    else:
        attributes = node.attributes
        low, high, interior = (attributes.get(a, attributes.get(b)) for a, b in names)
    if low is None or high is None or interior is None:
        raise node.error("low, high or interior is missing")
    return padded(node, x, value, low, high, interior)


def as_numbers(extents: Iterable[ex.Expr]) -> list[IntExpr]:
    """Extents; those that are known as numbers."""
    return [e if e.constant is None else e.constant for e in extents]


def padded(
    node: Node,
    x: Any,
    value: Any,
    low: Sequence[IntExpr],
    high: Sequence[IntExpr],
    interior: Sequence[int] | None = None,
) -> Any:
    """x with a value around it, negative numbers cut, and so many values between elements."""
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        between = interior[axis] if interior is not None else 0
        v, shape = x.value, x.extents
        for pad in (before, after):
            if isinstance(pad, ex.Expr):
                node.require("equal", ex.maximum(pad, 0), pad, f"axis {axis} has a pad below 0")
        if between:
            v = node.reshape(v, [*shape[: axis + 1], 1, *shape[axis + 1 :]])
            v = filled(node, v, axis + 1, 0, between, value.value)
            spread = shape[axis] * (between + 1)
            v = node.reshape(v, [*shape[:axis], spread, *shape[axis + 1 :]])
            v = sliced(node, v, [axis], [(0, ex.maximum(spread - between, 0), 1)])
        x = pads.padded(node.trace.array(v), axis, before, after, value)
    return x

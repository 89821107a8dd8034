"""Constants, shapes and operators that move data: Reshape, Squeeze, Expand and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import BlobAttr
from opc.dialects.budgets import limit
from opc.dialects.extent_text import extent_text
from opc.dialects.onnx import CHOSEN, YieldOp
from opc.dialects.opc.movement import ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.shape import (
    UNKNOWN,
    Shape,
    Tensor,
    broadcast_shapes,
    element,
    shape_of,
    shape_text,
    tensor_of,
    tensor_type,
    type_text,
)
from opc.frontend.models import known as kn
from opc.frontend.models.known import Known
from opc.frontend.models.labels import Labels
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import onnx
from .squeezing import ones


@onnx("Constant", 1, 9, 11, 12, 13, 19, 21, 23, 24, 25)
def constant(node: Node) -> Result:
    """Constant {value} --> opc.constant."""
    forms = [a.name for a in node.schema.attributes if node.given(a.name)]
    if len(forms) != 1:
        names = ", ".join(forms) or "none"
        raise node.error(f"expected one of the forms of a value, found {names}")
    name = forms[0]
    if name not in (
        "value",
        "sparse_value",
        "value_int",
        "value_ints",
        "value_float",
        "value_floats",
        "value_strings",
    ):
        raise node.unsupported(f"attribute {name} is not supported")
    if name in ("value", "sparse_value"):
        attr = node.op.attributes[name]
        assert isinstance(attr, DenseIntOrFPElementsAttr | BlobAttr)
        return node.add(ConstantOp(value=attr))
    value = node.attr(name)
    if name == "value_strings":
        return Labels.at(node.constant(np.arange(len(value)), el.I64), value)
    return node.constant(np.array(value), el.I64 if "int" in name else el.F32)


@onnx("Shape", 1, 13, 15, 19, 21, 23, 24, 25)
def shape(node: Node) -> Result:
    """Shape(x) --> the extents, from ``start`` to ``end``."""
    extents = node.shape()
    if node.since < 15:
        return kn.vector(extents)
    return kn.vector(extents[slice(node.attr("start"), node.attr("end"))])


@onnx("Size", 1, 13, 19, 21, 23, 24, 25)
def size(node: Node) -> Result:
    """Size(x) --> the product of the extents."""
    return kn.of([ex.product(node.shape())], ())


def extents_in(node: Node, position: int) -> list[ex.Expr] | None:
    """The extents that an input holds; None if unknown at compile time."""
    known = node.known(position)
    if len(node.shape(position)) > 1:
        raise node.error(f"the shape must be 1-D, found {type_text(node[position].type)}")
    return None if known is None else list(known.exprs)


def held_extents(node: Node, position: int) -> Shape:
    """The extents that an input holds, read at run time if unknown."""
    extents = extents_in(node, position)
    return node.read("plain", position) if extents is None else tuple(extents)


def checked(node: Node, extents: Sequence[ex.Expr]) -> Shape:
    """The extents.  InputError if one is negative."""
    for e in extents:
        if e.constant is not None and e.constant < 0:
            raise node.error(f"extent {extent_text(e)} is negative")
    return tuple(extents)


@onnx("ConstantOfShape", 9, 20, 21, 23, 24, 25)
def constant_of_shape(node: Node) -> Result:
    """ConstantOfShape(shape) {value} --> opc.broadcast (opc.constant value)."""
    known = extents_in(node, 0)
    extents = node.read("plain", 0) if known is None else checked(node, known)
    type, value = el.F32, np.zeros((), np.float32)
    if node.given("value"):
        value = node.attr("value").reshape(-1)
        if value.size != 1:
            raise node.error(f"attribute value has {value.size} elements, expected 1")
        attr = node.op.attributes["value"]
        assert isinstance(attr, DenseIntOrFPElementsAttr | BlobAttr)
        type = element(cast(Tensor, attr.type))  # pyright: ignore[reportUnknownMemberType]
        value = value[0]
    count = ex.product(extents).constant
    if (
        (type.is_integer or type is el.I1)
        and len(extents) <= 1
        and count is not None
        and count <= limit("elements")
    ):
        return kn.of([int(value)] * count, (count,) * len(extents), type)
    return node.broadcast(node.constant(value, type), extents)


@onnx("Reshape", 1, 5, 13, 14, 19, 21, 23, 24, 25)
def reshape(node: Node) -> Result:
    """Reshape(x, shape) --> opc.reshape x; 0 keeps an extent, -1 is inferred."""
    if node.since < 5:
        if not node.given("shape"):
            raise node.error("attribute shape is missing")
        wanted = [ex.const(n) for n in node.attr("shape")]
    else:
        wanted = extents_in(node, 1)
    source, target = node.shape(), list[ex.Expr]()
    keep = node.since < 14 or not node.attr("allowzero")
    if wanted is None:
        rule = "reshape" if keep else "reshape_allowzero"
        return _reshaped(node, node.read(rule, 1, source))
    for k, e in enumerate(wanted):
        if e == 0 and keep:
            if k >= len(source):
                raise node.error(f"extent 0 at axis {k} keeps none of {shape_text(source)}")
            target.append(source[k])
        elif e == -1:
            target.append(UNKNOWN)
        else:
            target.append(e)
    if target.count(UNKNOWN) > 1:
        raise node.error("-1 is given more than once")
    if UNKNOWN in target and not keep and 0 in target:
        raise node.error("0 and -1 cannot be together where allowzero is set")
    checked(node, [e for e in target if e != UNKNOWN])
    if UNKNOWN in target:
        k = target.index(UNKNOWN)
        rest, full = list(target[:k] + target[k + 1 :]), list(source)
        # Cancel common extents instead of dividing: a product of symbols may be 0.
        for e in list(rest):
            if e in full:
                rest.remove(e)
                full.remove(e)
        if ex.product(rest) == 1:
            target[k] = ex.product(full)
        elif ex.product(rest) == 0:
            raise node.error("-1 cannot be inferred beside an extent of 0")
        else:
            # Also beside an extent of 0; the verifier checks that the type fits.
            count, others = ex.product(full).constant, ex.product(rest).constant
            if count is not None and others is not None and count % others == 0:
                target[k] = ex.const(count // others)
    return _reshaped(node, target)


def _reshaped(node: Node, extents: Sequence[ex.Expr]) -> Result:
    value = node.wrapped(0)
    if value is not None:
        fixed = [e.constant for e in extents]
        rest = [n for n in fixed if n is not None]
        if len(rest) == len(fixed):
            if int(np.prod(rest, dtype=object)) != value.array.size:
                raise node.error(f"{shape_text(node.shape())} does not fill {shape_text(extents)}")
            return Known(value.array.reshape(rest), value.type)
    source = tensor_of(node[0])
    if tuple(extents) == shape_of(source):
        return node[0]
    type = ReshapeOp.infer([source], {"result_type": tensor_type(source.element_type, extents)})
    return node.add(ReshapeOp(node[0], result_type=type))


@onnx("Flatten", 1, 9, 11, 13, 21, 23, 24, 25)
def flatten(node: Node) -> Result:
    """Flatten(x) {axis} --> opc.reshape x to [extents before the axis, extents from it on]."""
    extents, axis = node.shape(), node.attr("axis")
    # Versions before 11 exclude negative axes.
    least = -len(extents) if node.since >= 11 else 0
    if not least <= axis <= len(extents):
        raise node.error(f"axis {axis} is outside [{least}, {len(extents)}]")
    axis += len(extents) if axis < 0 else 0
    return _reshaped(node, (ex.product(extents[:axis]), ex.product(extents[axis:])))


def axes_in(node: Node, rank: int) -> tuple[int, ...] | None:
    """The axes of Squeeze and Unsqueeze; None if absent or unknown."""
    if node.since < 13:
        axes = node.attr("axes")
        return None if axes is None else node.axes(axes, rank)
    if not node.has(1):
        return None
    numbers = node.known_numbers(1)
    return None if numbers is None else node.axes(numbers, rank)


@onnx("Squeeze", 1, 11, 13, 21, 23, 24, 25)
def squeeze(node: Node) -> Result | tuple[Result | None, ...]:
    """Squeeze(x, axes) --> opc.reshape x without these axes, by default all of extent 1."""
    extents = node.shape()
    axes = axes_in(node, len(extents))
    if axes is None and node.has(1):
        return _reshaped(node, node.read("squeeze", 1, extents))
    if axes is None:
        chosen = ones(node, node.op, CHOSEN, YieldOp, range(len(extents)))
        if isinstance(chosen, tuple):
            return chosen
        axes = tuple(chosen)
    for k in axes:
        if extents[k].constant not in (None, 1):
            raise node.error(f"axis {k} has extent {extent_text(extents[k])}, expected 1")
        node.require("equal", extents[k], ex.const(1), f"axis {k} is not 1")
    return _reshaped(node, [e for k, e in enumerate(extents) if k not in axes])


@onnx("Unsqueeze", 1, 11, 13, 21, 23, 24, 25)
def unsqueeze(node: Node) -> Result:
    """Unsqueeze(x, axes) --> opc.reshape x with axes of extent 1 at these indices of the result."""
    extents = list(node.shape())
    chosen = node.attr("axes") if node.since < 13 else None
    known = node.known(1) if chosen is None and node.has(1) else None
    count = len(chosen) if chosen is not None else known.array.size if known is not None else 0
    if chosen is None and known is None:
        return _reshaped(node, node.read("unsqueeze", 1, tuple(extents)))
    axes = axes_in(node, len(extents) + count)
    for k in sorted(axes or ()):
        extents.insert(k, ex.const(1))
    return _reshaped(node, extents)


@onnx("Expand", 8, 13)
def expand(node: Node) -> Result:
    """Expand(x, shape) --> opc.broadcast x to the common shape."""
    known, source = extents_in(node, 1), node.shape()
    if known is None:
        return node.broadcast(node[0], node.read("expand", 1, source))
    wanted = checked(node, known)
    rank = max(len(wanted), len(source))
    a, b = ((ex.const(1),) * (rank - len(s)) + tuple(s) for s in (source, wanted))
    for x, y in zip(a, b, strict=True):
        node.require("broadcast", x, y, "shapes do not broadcast")
    extents = broadcast_shapes([source, wanted])
    return node.value(0) if extents == source else node.broadcast(node[0], extents)


@onnx("Transpose", 1, 13, 21, 23, 24, 25)
def transpose(node: Node) -> Result:
    """Transpose(x) {perm} --> opc.transpose x; the axes are reversed by default."""
    rank = len(node.shape())
    order = node.attr("perm")
    if order is None:
        order = tuple(reversed(range(rank)))
    # No version defines negative axes here.
    return node.add(TransposeOp(node[0], permutation=order))

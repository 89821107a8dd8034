"""Tile, DepthToSpace, Trilu, EyeLike, OneHot and other layout operators."""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import type_text
from opc.frontend.models import moving
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import onnx


@onnx("Tile", 1, 6, 13)
def tile(node: Node) -> Result:
    """Tile(x, repeats) --> opc.broadcast of x with more axes, and opc.reshape."""
    shape = node.shape()
    if node.since < 6:
        repeats = [ex.const(1)] * len(shape)
        count, axis = (_number(node, k) for k in (1, 2))
        repeats[node.axis(axis, len(shape))] = ex.const(count)
    else:
        repeats = list(node.extents(1))
    if len(repeats) != len(shape):
        raise node.error(f"{len(repeats)} repeats for rank {len(shape)}")
    return moving.tiled(node, node.traced(0), repeats).value


def _number(node: Node, position: int) -> int:
    """The one element of an input of any type as an integer."""
    value = node[position].owner
    if not isinstance(value, ConstantOp):
        raise node.unsupported(f"input {position} is not known when compiling")
    array = value.array().reshape(-1)
    if array.size != 1 or int(array[0]) != array[0]:
        raise node.error(f"input {position} is {array[:4].tolist()}, expected one integer")
    return int(array[0])


def _blocks(node: Node) -> tuple[int, bool]:
    """The block extent, and whether the channel axis precedes the block axes."""
    node.ranked(0, 4)
    block = node.at_least("blocksize", 1)
    return block, node.schema.has("mode") and node.choice("mode", "DCR", "CRD") == "CRD"


@onnx("DepthToSpace", 1, 11, 13, 28)
def depth_to_space(node: Node) -> Result:
    """DepthToSpace(x) {blocksize, mode} --> reshape, transpose, reshape."""
    return moving.depth_to_space(node, *_blocks(node)).value


@onnx("SpaceToDepth", 1, 13, 28)
def space_to_depth(node: Node) -> Result:
    """SpaceToDepth(x) {blocksize, mode} --> reshape, transpose, reshape."""
    return moving.space_to_depth(node, node.traced(0), *_blocks(node)).value


@onnx("Trilu", 14)
def trilu(node: Node) -> Result:
    """Trilu(x, k) {upper} --> x on and above, or on and below, diagonal k; else 0."""
    node.ranked(0, least=2)
    diagonal = node.traced(1).reshape(()) if node.has(1) else node.trace.number(0)
    return moving.band(node.traced(0), diagonal, bool(node.attr("upper"))).value


@onnx("EyeLike", 9, 22)
def eye_like(node: Node) -> Result:
    """EyeLike(x) {dtype, k} --> ones where column = row + k."""
    rows, columns = node.ranked(0, 2)
    type = node.type_in("dtype", lambda t: t.is_integer or t.is_float or t is el.I1, node.element())
    return moving.eye(rows, columns, node.trace.number(node.attr("k")), type).value


@onnx("OneHot", 9, 11, 28)
def one_hot(node: Node) -> Result:
    """OneHot(indices, depth, values) {axis} --> where(index == position, on, off)."""
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape) + 1)
    depth, (count,) = _depth(node), node.ranked(2, 1)
    what = f"the values are {type_text(node[2].type)}, expected two in a line"
    node.require("equal", count, ex.const(2), what)
    off, on = (node.traced(2)[k] for k in range(2))
    return moving.one_hot(node.traced(0, el.I64), depth, on, off, axis, node.since >= 11).value


def _depth(node: Node) -> ex.Expr:
    known = node.known(1)
    value = node[1]
    if known is None and isinstance(value.owner, ConstantOp):
        return ex.const(_number(node, 1))
    if known is None:
        value = node.cast(node.reshape(value, ()), el.I64)
        (extent,) = node.read_value("plain", value)
        return extent
    if known.array.size != 1:
        raise node.error(f"the depth has {known.array.size} elements, expected one")
    (extent,) = known.exprs
    if extent.constant is not None and extent.constant < 0:
        raise node.error(f"the depth {extent_text(extent)} is negative")
    return extent


@onnx("CenterCropPad", 18)
def center_crop_pad(node: Node) -> Result:
    """CenterCropPad(x, shape) {axes} --> x cropped or zero-padded on both sides."""
    source, chosen = node.shape(), node.attr("axes")
    axes = range(len(source)) if chosen is None else node.axes(chosen, len(source))
    wanted = node.extents(1)
    if len(wanted) != len(axes):
        raise node.error(f"{len(wanted)} extents for {len(axes)} axes")
    x = node.traced(0)
    for axis, extent in zip(axes, wanted, strict=True):
        x = moving.centred(x, axis, extent)
    return x.value

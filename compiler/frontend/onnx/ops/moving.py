"""Operators that move elements: Slice, Split, Concat, Gather, Pad, Tile, OneHot and others."""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import type_text
from opc.frontend.models import moving, shaping
from opc.frontend.models.shaping import (
    are_pads,
    beside,
    elements,
    range_of,
    scalars,
    slice_by,
)
from opc.frontend.models.traced import evenly

from .node import Node
from .schema import Result, onnx


@onnx("Slice", 1, 10, 11, 13)
def slice_parts(node: Node) -> Result:
    """Slice(x, starts, ends, axes, steps) --> opc.slice, or opc.gather along each axis."""
    return slice_by(node, 1, 2, 4, 3).value


@onnx("Split", 1, 2, 11, 13, 18)
def split(node: Node) -> tuple[Result, ...]:
    """Split(x, lengths) {axis} --> an opc.slice for each output."""
    count, shape = len(node.op.outputs), node.shape()
    axis = node.axis(node.attr("axis") or 0, len(shape))
    extent = shape[axis]
    lengths = node.extents(1) if node.has(1) else None
    wanted = node.attr("num_outputs")
    if wanted is not None and (lengths is not None or wanted != count):
        raise node.error(f"num_outputs {wanted} beside {count} outputs or a list of lengths")
    if lengths is None:
        if node.since < 18:
            node.require("divides", extent, ex.const(count), "the parts are not equal")
        # Since version 18 the last part may be smaller.
        lengths = (ex.floordiv(extent + (count - 1), count),) * count
    elif len(lengths) != count:
        raise node.error(f"{len(lengths)} lengths for {count} outputs")
    elif any((n := e.constant) is not None and n < 0 for e in lengths):
        raise node.error("a length is negative")
    else:
        node.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    return shaping.split(node, axis, lengths)


@onnx("Concat", 1, 4, 11, 13)
def concat(node: Node) -> Result:
    """Concat(x, y, ...) {axis} --> opc.concat."""
    axis = node.attr("axis")
    axis = node.axis(1 if axis is None else axis, len(node.shape()))
    return node.add(ConcatOp(*node.tensors(), axis=axis))


@onnx("Gather", 1, 11, 13)
def gather(node: Node) -> Result:
    """Gather(x, indices) {axis} --> opc.gather; opc.slice for known indices evenly spaced."""
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    known = node.known(1)
    numbers = None if known is None else known.constants()
    if known is None or numbers is None:
        return _gathered(node, axis)
    flat = [int(n) for n in numbers]
    extent = shape[axis]
    if extent.constant is None and flat and min(flat) < 0 <= max(flat):
        return _gathered(node, axis)
    if extent.constant is not None:
        n = extent.constant
        if any(not -n <= k < n for k in flat):
            raise node.error(f"an index of {flat} is outside of axis {axis}, which has {n}")
        flat = [k % n for k in flat]
    elif flat:
        least = max(*(k + 1 for k in flat), *(-k for k in flat), 1)
        node.require("equal", ex.minimum(extent, least), ex.const(least), "an index is outside")
    run = evenly(flat)
    if run is None:
        return _gathered(node, axis)
    part = node.traced(0)[(*[slice(None)] * axis, run)]
    return part.reshape([*shape[:axis], *known.shape, *shape[axis + 1 :]])


def _gathered(node: Node, axis: int) -> Result:
    return node.add(GatherOp(node[0], node[1], axes=[axis]))


@onnx("Range", 11, 27)
def range_(node: Node) -> Result:
    """Range(start, limit, delta) --> start + position * delta; known numbers give constants."""
    for k in range(3):
        node.ranked(k, 0, 1)
    known = [k.exprs[0] if (k := node.known(n)) and k.array.size == 1 else None for n in range(3)]
    if known[2] == 0:
        raise node.error("the delta is 0, expected another number")
    return range_of(node, node.element(), known).value


MODES = ("constant", "reflect", "edge", "wrap")


@onnx("Pad", 1, 2, 11, 13, 18, 19, 21, 23, 24, 25)
def pad(node: Node) -> Result:
    """Pad(x, pads, value, axes) {mode} --> opc.concat along each axis, and opc.slice.

    Pads of unknown value or sign --> an opc.gather along each axis.
    """
    # Mode wrap is new in version 19, but PyTorch's exporter writes it for 18 and onnxruntime
    # accepts it.
    mode = node.choice("mode", *(MODES if node.since >= 18 else MODES[:-1]))
    rank, axes = node.rank(), node.known_numbers(3) if node.has(3) else range(node.rank())
    pads = node.known_list(1) if node.since > 1 else [*map(ex.const, node.attr("paddings"))]
    value = node.trace.constant(node.attr("value"), node.element())
    value = node.traced(2).reshape(()) if node.has(2) else value
    if pads is not None and axes is not None and are_pads(pads):
        axes, half = node.axes(axes, rank), (len(pads) + 1) // 2
        return shaping.pad(node, axes, pads[:half], pads[half:], value, mode).value
    line = elements(node, 1, None)
    half = (line.shape[0] + 1) // 2
    if axes is not None:
        before, after = scalars(line[:half]), scalars(line[half:])
        return shaping.pad(node, node.axes(axes, rank), before, after, value, mode).value
    named, halves = elements(node, 3, half), line.reshape(2, half)
    (befores, fits), (afters, _) = (beside(named, halves[k], rank, 0) for k in range(2))
    return shaping.pad(node, range(rank), befores, afters, value, mode, fits=fits).value


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
    return block, node.choice("mode", "DCR", "CRD") == "CRD"


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
    is_real = isinstance(node[1].owner, ConstantOp) and node.element(1).is_float
    depth = ex.const(_number(node, 1)) if is_real else node.extent_in(1)
    (count,) = node.ranked(2, 1)
    what = f"the values are {type_text(node[2].type)}, expected two in a line"
    node.require("equal", count, ex.const(2), what)
    off, on = (node.traced(2)[k] for k in range(2))
    return moving.one_hot(node.traced(0, el.I64), depth, on, off, axis, node.since >= 11).value


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

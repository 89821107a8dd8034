"""Layers that move elements: Tile, DepthToSpace, OneHot, Roll, SpaceToBatch and others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import shape_text
from opc.frontend.models import moving
from opc.frontend.models.op_builder import Result
from opc.frontend.models.shaping import slice_bounds
from opc.frontend.models.traced import extended, gathered, lined, not_empty, quotient, value
from opc.frontend.models.windows import integers, same_pads
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino


@openvino("Tile", 1)
def tile(layer: Layer) -> Any:
    """Tile-1: copies of x along each axis; missing repeats or axes are leading ones."""
    shape = layer.shape()
    repeats = list(layer.extents(1))
    ones = [ex.const(1)] * max(len(shape), len(repeats))
    x = layer.traced(0).reshape([*ones[len(shape) :], *shape])
    return moving.tiled(layer, x, [*ones[len(repeats) :], *repeats])


def _blocks(layer: Layer) -> tuple[int, bool]:
    block = layer.attr("block_size")
    if block < 1 or layer.rank() < 3:
        raise layer.error(f"attribute block_size is {block}, for {shape_text(layer.shape())}")
    return block, layer.attr("mode") == "depth_first"


@openvino("DepthToSpace", 1)
def depth_to_space(layer: Layer) -> Any:
    """DepthToSpace-1."""
    return moving.depth_to_space(layer, *_blocks(layer))


@openvino("SpaceToDepth", 1)
def space_to_depth(layer: Layer) -> Any:
    """SpaceToDepth-1."""
    return moving.space_to_depth(layer, layer.traced(0), *_blocks(layer))


@openvino("OneHot", 1, 16)
def one_hot(layer: Layer) -> Any:
    """OneHot-1 and -16: ``on`` where the position equals the index.

    A negative index matches nothing, or counts from the end with negative_indices_mode normalize.
    """
    axis = layer.axis(layer.attr("axis"), layer.rank() + 1)
    depth = layer.one_number(1)
    if depth < 0:
        raise layer.error(f"the depth {depth} is negative")
    on, off = layer.scalar(2), layer.scalar(3)
    wraps = layer.schema.since >= 16 and layer.attr("negative_indices_mode") == "normalize"
    return moving.one_hot(layer.traced(0, el.I64), ex.const(depth), on, off, axis, wraps)


@openvino("Eye", 9)
def eye(layer: Layer) -> Any:
    """Eye-9: ones in a diagonal, in each matrix of a batch."""
    lists = [layer.extents(k) for k in ((0, 1, 3) if layer.has(3) else (0, 1))]
    if any(len(numbers) != 1 for numbers in lists[:2]):
        raise layer.error(f"{len(lists[0])} and {len(lists[1])} numbers of rows and of columns")
    ((rows,), (columns,)), batch = lists[:2], lists[2] if lists[2:] else ()
    if any((e.constant or 0) < 0 for e in (rows, columns, *batch)):
        raise layer.error(f"extents {shape_text([*batch, rows, columns])}: one is negative")
    result = moving.eye(rows, columns, layer.scalar(2, el.I64), layer.attr("output_type"))
    return onp.broadcast_to(result, (*batch, rows, columns))


@openvino("LRN", 1)
def lrn(layer: Layer) -> Any:
    """LRN-1: x / (bias + alpha / size**axes * sum of neighbouring squares)**beta."""
    axes, size = layer.axes(layer.numbers(1), layer.rank()), layer.attr("size")
    if size < 1 or not axes:
        raise layer.error(f"attribute size is {size}, for axes {list(axes)}")
    x, half = widened(layer.traced(0)), (size - 1) // 2
    squares = moving.sums_around(x * x, axes, half, half)
    norm = squares * (layer.attr("alpha") / size ** len(axes)) + layer.attr("bias")
    power = norm.trace.emit(PowOp, norm, norm.trace.constant(layer.attr("beta"), norm.element))
    return value(layer, x / power)


@openvino("ShuffleChannels", 1)
def shuffle_channels(layer: Layer) -> Any:
    """ShuffleChannels-1: the axis as [group, size], transposed."""
    shape, group = layer.shape(), layer.attr("group")
    axis = layer.axis(layer.attr("axis"), len(shape))
    if group < 1:
        raise layer.error(f"attribute group is {group}, expected 1 or more")
    layer.require("divides", shape[axis], ex.const(group), "groups do not divide the axis")
    size = ex.floordiv(shape[axis], group)
    parts = layer.traced(0).reshape((*shape[:axis], group, size, *shape[axis + 1 :]))
    return onp.swapaxes(parts, axis, axis + 1).reshape(shape)


@openvino("Reverse", 1)
def reverse(layer: Layer) -> Any:
    """Reverse-1: reverses the axes in a list, or those of a mask."""
    numbers: Sequence[int] = layer.numbers(1)
    if layer.attr("mode") == "mask":
        numbers = [k for k, is_reversed in enumerate(numbers) if is_reversed]
    axes = layer.axes(numbers, layer.rank())
    steps = (-1 if k in axes else 1 for k in range(layer.rank()))
    return layer.traced(0)[tuple(slice(None, None, step) for step in steps)]


@openvino("Identity", 16)
def identity(layer: Layer) -> Result:
    """Identity-16."""
    return layer.value(0)


@openvino("Roll", 7)
def roll(layer: Layer) -> Any:
    """Roll-7: elements rotated along axes.

    An axis may occur several times; its shifts add up.
    """
    axes = [layer.axis(axis, layer.rank()) for axis in layer.numbers(2)]
    shifts, x = layer.known_numbers(1), layer.traced(0)
    count = ex.product(layer.shape(1)).constant
    if count not in (1, len(axes)):
        raise layer.error(f"{shape_text(layer.shape(1))} shifts for {len(axes)} axes")
    for k, axis in enumerate(axes):
        extent, number = x.extents[axis], k if count != 1 else 0
        if shifts is not None and extent.constant is not None:
            x = moving.rolled(x, axis, shifts[number])
            continue
        shift = layer.traced(1, el.I64).reshape((count,))[number]
        x = gathered(x, [axis], (x.trace.positions(extent) - shift) % extent)
    return x


@openvino("SliceScatter", 15)
def slice_scatter(layer: Layer) -> Any:
    """SliceScatter-15: data with ``start:stop:step`` along axes replaced by updates.

    Each element computes the index of its update, if it has one.
    """
    shape, updates = layer.shape(), layer.shape(1)
    rank = len(shape)
    if len(updates) != rank:
        raise layer.error(f"updates {shape_text(updates)} for data {shape_text(shape)}")
    count = ex.product(layer.shape(2)).constant
    if count is None:
        raise layer.unsupported("the number of axes is not known when compiling")
    axes = layer.axes(layer.numbers(5) if layer.has(5) else range(count), rank)
    bounds = [layer.traced(k, el.I64).reshape((count,)) for k in (2, 3, 4)]
    for k in range(rank):
        if k not in axes:
            layer.require("equal", shape[k], updates[k], f"updates differ along axis {k}")
    trace, values = layer.trace, layer.traced(1)
    here: Any = trace.constant(True, el.I1)
    for k, axis in enumerate(axes):
        start, stop, step = (line[k] for line in bounds)
        first, size = slice_bounds(start, stop, step, trace.number(shape[axis]))
        size = onp.minimum(size, trace.number(updates[axis]))
        # The distance from the first place, in the direction of the step.
        distance = trace.positions(shape[axis]) - first
        distance = onp.where(step < 0, onp.subtract(0, distance), distance)
        wide = onp.maximum(onp.where(step < 0, onp.subtract(0, step), step), 1)
        place = quotient(distance, wide)
        is_one = (place * wide == distance) & (onp.less(-1, distance) & (place < size))
        place = onp.minimum(onp.maximum(place, 0), onp.maximum(size - 1, 0))
        values = gathered(not_empty(values, axis), [axis], place)
        here = here & lined(is_one, axis, rank)
    return onp.where(here, values, layer.traced(0))


@openvino("ExtractImagePatches", 3)
def extract_image_patches(layer: Layer) -> Any:
    """ExtractImagePatches-3: [N, C, H, W] --> [N, rows * columns * C, positions...]."""
    _, _, *spatial = layer.dims("N C H W")
    sizes, strides, rates = (integers(layer, name, 2, 1) for name in ("sizes", "strides", "rates"))
    reach = [(k - 1) * d + 1 for k, d in zip(sizes, rates, strict=True)]
    x = layer.traced(0)
    if layer.attr("auto_pad") not in ("valid", "explicit", "notset"):
        upper = layer.attr("auto_pad") == "same_upper"
        pads = same_pads(spatial, reach, strides, upper)
        for k in range(2):
            x = extended(x, 2 + k, pads[k], pads[2 + k])
    view = x.trace.emit(WindowsOp, x, sizes=sizes, strides=strides, dilations=rates)
    view = view.transpose(0, 4, 5, 1, 2, 3)
    n, rows, columns, channels, *positions = view.extents
    return view.reshape((n, rows * columns * channels, *positions))


@openvino("ReorgYolo", 2)
def reorg_yolo(layer: Layer) -> Any:
    """ReorgYolo-1: space to depth of the data reshaped to fewer channels and larger images."""
    (n, c, h, w), (stride, *_) = layer.dims("N C H W"), layer.attr("stride")
    if stride < 1:
        raise layer.error(f"attribute stride is {stride}, expected 1 or more")
    for extent, divisor in ((c, stride**2), (h, stride), (w, stride)):
        layer.require("divides", extent, ex.const(divisor), "strides do not divide the extents")
    larger = layer.traced(0).reshape((n, ex.floordiv(c, stride**2), h * stride, w * stride))
    blocks = moving.space_to_depth(layer, larger, stride, depth_first=False)
    return blocks.reshape((n, c * stride**2, ex.floordiv(h, stride), ex.floordiv(w, stride)))


def _batch_blocks(layer: Layer) -> tuple[list[int], list[int], list[int]]:
    """Block sizes, and the pads or crops before and after, for each axis."""
    block, begin, end = (layer.numbers(k) for k in (1, 2, 3))
    if {len(block), len(begin), len(end)} != {layer.rank()} or block[0] != 1 or begin[0] or end[0]:
        raise layer.error(
            f"blocks {list(block)}, {list(begin)} and {list(end)} for {shape_text(layer.shape())}"
        )
    if min(block) < 1 or min((*begin, *end)) < 0:
        raise layer.error(f"blocks {list(block)}, {list(begin)} and {list(end)}: negative numbers")
    return block, begin, end


@openvino("SpaceToBatch", 2)
def space_to_batch(layer: Layer) -> Any:
    """SpaceToBatch-2: positions within blocks become images, [B, H * b] --> [b * B, H]."""
    block, begin, end = _batch_blocks(layer)
    x = layer.traced(0)
    for k, (before, after) in enumerate(zip(begin, end, strict=True)):
        x = extended(x, k, before, after)
    shape = x.extents
    split: list[ex.Expr] = [shape[0]]
    for extent, count in zip(shape[1:], block[1:], strict=True):
        layer.require("divides", extent, ex.const(count), "blocks do not divide the extents")
        split += [ex.floordiv(extent, count), ex.const(count)]
    rank = len(shape)
    order = [*range(2, 2 * rank, 2), 0, *range(1, 2 * rank - 1, 2)]
    x = x.reshape(split).transpose(order)
    return x.reshape((ex.product(x.extents[:rank]), *x.extents[rank:]))


@openvino("BatchToSpace", 2)
def batch_to_space(layer: Layer) -> Any:
    """BatchToSpace-2: the inverse of SpaceToBatch."""
    block, begin, end = _batch_blocks(layer)
    shape, total = layer.shape(), math.prod(block)
    layer.require("divides", shape[0], ex.const(total), "blocks do not divide the batch")
    batch, rank = ex.floordiv(shape[0], total), len(shape)
    split = layer.traced(0).reshape((*block[1:], batch, *shape[1:]))
    order = [rank - 1]
    for k in range(1, rank):
        order += [rank - 1 + k, k - 1]
    extents = [extent * count for extent, count in zip(shape[1:], block[1:], strict=True)]
    x = split.transpose(order).reshape((batch, *extents))
    bounds = [slice(None)]
    for extent, before, after in zip(extents, begin[1:], end[1:], strict=True):
        if not ex.is_nonnegative(extent - before - after):
            least = ex.const(before + after)
            layer.require("equal", ex.minimum(extent, least), least, "crops exceed the extents")
        bounds.append(slice(before, ex.maximum(extent - after, 0)))
    return x[tuple(bounds)]

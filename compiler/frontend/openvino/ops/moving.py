"""Layers that move elements: Tile, DepthToSpace, OneHot, Roll, SpaceToBatch and others."""

from __future__ import annotations

import math
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import shape_text
from opc.frontend.models import moving
from opc.frontend.models.shaping import slice_bounds
from opc.frontend.models.traced import extended, gathered, lined, not_empty, quotient
from opc.frontend.models.windows import integers, same_pads

from .layer import Data, Extents, Layer, Long, LongScalar, Number, Numbers, Wide
from .schema import openvino


@openvino("Tile", 1)
def tile(layer: Layer, data: Data, repeats: Extents) -> Any:
    """Tile-1: copies of x along each axis; missing repeats or axes are leading ones."""
    shape, ones = data.extents, [ex.const(1)] * max(data.ndim, len(repeats))
    x = data.reshape([*ones[len(shape) :], *shape])
    return moving.tiled(layer, x, [*ones[len(repeats) :], *repeats])


def _check_blocks(layer: Layer, block: int) -> None:
    if block < 1 or layer.rank() < 3:
        raise layer.error(f"attribute block_size is {block}, for {shape_text(layer.shape())}")


@openvino("DepthToSpace", 1)
def depth_to_space(layer: Layer, *, block_size: int, mode: str) -> Any:
    """DepthToSpace-1."""
    _check_blocks(layer, block_size)
    return moving.depth_to_space(layer, block_size, mode == "depth_first")


@openvino("SpaceToDepth", 1)
def space_to_depth(layer: Layer, data: Data, *, block_size: int, mode: str) -> Any:
    """SpaceToDepth-1."""
    _check_blocks(layer, block_size)
    return moving.space_to_depth(layer, data, block_size, mode == "depth_first")


@openvino("OneHot", 1, 16)
def one_hot(
    layer: Layer, indices: Long, depth: Number, *, axis: int, negative_indices_mode: str = ""
) -> Any:
    """OneHot-1 and -16: ``on`` where the position equals the index.

    A negative index matches nothing, or counts from the end with negative_indices_mode normalize.
    """
    if depth < 0:
        raise layer.error(f"the depth {depth} is negative")
    axis, wraps = layer.axis(axis, indices.ndim + 1), negative_indices_mode == "normalize"
    on, off = layer.scalar(2), layer.scalar(3)
    return moving.one_hot(indices, ex.const(depth), on, off, axis, wraps)


@openvino("Eye", 9)
def eye(layer: Layer, diagonal_index: LongScalar, *, output_type: el.ElementType) -> Any:
    """Eye-9: ones in a diagonal, in each matrix of a batch."""
    rows, columns, batch = (layer.extents(k) if layer.has(k) else () for k in (0, 1, 3))
    if len(rows) != 1 or len(columns) != 1:
        raise layer.error(f"{len(rows)} and {len(columns)} numbers of rows and of columns")
    shape = (*batch, *rows, *columns)
    if any((e.constant or 0) < 0 for e in shape):
        raise layer.error(f"extents {shape_text(shape)}: one is negative")
    return onp.broadcast_to(moving.eye(*shape[-2:], diagonal_index, output_type), shape)


@openvino("LRN", 1)
def lrn(
    layer: Layer, data: Wide, axes: Numbers, *, alpha: float, beta: float, bias: float, size: int
) -> Any:
    """LRN-1: x / (bias + alpha / size**axes * sum of neighbouring squares)**beta."""
    places, half = layer.axes(axes, data.ndim), (size - 1) // 2
    if size < 1 or not places:
        raise layer.error(f"attribute size is {size}, for axes {list(places)}")
    squares = moving.sums_around(data * data, places, half, half)
    norm = squares * (alpha / size ** len(places)) + bias
    return data / norm.trace.emit(PowOp, norm, norm.trace.constant(beta, norm.element))


@openvino("ShuffleChannels", 1)
def shuffle_channels(layer: Layer, data: Data, *, axis: int, group: int) -> Any:
    """ShuffleChannels-1: the axis as [group, size], transposed."""
    shape, axis = data.extents, layer.axis(axis, data.ndim)
    if group < 1:
        raise layer.error(f"attribute group is {group}, expected 1 or more")
    layer.require("divides", shape[axis], ex.const(group), "groups do not divide the axis")
    size = ex.floordiv(shape[axis], group)
    parts = data.reshape((*shape[:axis], group, size, *shape[axis + 1 :]))
    return onp.swapaxes(parts, axis, axis + 1).reshape(shape)


@openvino("Reverse", 1)
def reverse(layer: Layer, data: Data, reversed_axes: Numbers, *, mode: str) -> Any:
    """Reverse-1: reverses the axes in a list, or those of a mask."""
    numbers = reversed_axes
    if mode == "mask":
        numbers = [k for k, is_reversed in enumerate(numbers) if is_reversed]
    axes = layer.axes(numbers, data.ndim)
    return data[tuple(slice(None, None, -1 if k in axes else 1) for k in range(data.ndim))]


@openvino("Identity", 16)
def identity(layer: Layer) -> Any:
    """Identity-16."""
    return layer.value(0)


@openvino("Roll", 7)
def roll(layer: Layer, data: Data, shift: Long, axes: Numbers) -> Any:
    """Roll-7: elements rotated along axes.

    An axis may occur several times; its shifts add up.
    """
    known, x = layer.known_numbers(1), data
    count = ex.product(shift.extents).constant
    if count not in (1, len(axes)):
        raise layer.error(f"{shape_text(shift.extents)} shifts for {len(axes)} axes")
    for k, axis in enumerate(layer.axis(axis, x.ndim) for axis in axes):
        extent, number = x.extents[axis], k if count != 1 else 0
        if known is not None and extent.constant is not None:
            x = moving.rolled(x, axis, known[number])
            continue
        places = x.trace.positions(extent) - shift.reshape((count,))[number]
        x = gathered(x, [axis], places % extent)
    return x


@openvino("SliceScatter", 15)
def slice_scatter(layer: Layer, data: Data, updates: Data, axes: Numbers | None) -> Any:
    """SliceScatter-15: data with ``start:stop:step`` along axes replaced by updates.

    Each element computes the index of its update, if it has one.
    """
    shape, wanted, rank, trace = data.extents, updates.extents, data.ndim, layer.trace
    if len(wanted) != rank:
        raise layer.error(f"updates {shape_text(wanted)} for data {shape_text(shape)}")
    count = ex.product(layer.shape(2)).constant
    if count is None:
        raise layer.unsupported("the number of axes is not known when compiling")
    places = layer.axes(range(count) if axes is None else axes, rank)
    bounds = [layer.traced(k, el.I64).reshape((count,)) for k in (2, 3, 4)]
    for k in range(rank):
        if k not in places:
            layer.require("equal", shape[k], wanted[k], f"updates differ along axis {k}")
    here, values = trace.constant(True, el.I1), updates
    for k, axis in enumerate(places):
        start, stop, step = (line[k] for line in bounds)
        first, size = slice_bounds(start, stop, step, trace.number(shape[axis]))
        size = onp.minimum(size, trace.number(wanted[axis]))
        # The distance from the first place, in the direction of the step.
        distance = trace.positions(shape[axis]) - first
        distance = onp.where(step < 0, onp.subtract(0, distance), distance)
        wide = onp.maximum(onp.where(step < 0, onp.subtract(0, step), step), 1)
        place = quotient(distance, wide)
        is_one = (place * wide == distance) & (onp.less(-1, distance) & (place < size))
        place = onp.minimum(onp.maximum(place, 0), onp.maximum(size - 1, 0))
        values = gathered(not_empty(values, axis), [axis], place)
        here = here & lined(is_one, axis, rank)
    return onp.where(here, values, data)


@openvino("ExtractImagePatches", 3)
def extract_image_patches(layer: Layer, data: Data, *, auto_pad: str) -> Any:
    """ExtractImagePatches-3: [N, C, H, W] --> [N, rows * columns * C, positions...]."""
    _, _, *spatial = layer.dims("N C H W")
    sizes, strides, rates = (integers(layer, name, 2, 1) for name in ("sizes", "strides", "rates"))
    x = data
    if auto_pad not in ("valid", "explicit", "notset"):
        reach = [(k - 1) * d + 1 for k, d in zip(sizes, rates, strict=True)]
        pads = same_pads(spatial, reach, strides, auto_pad == "same_upper")
        for k in range(2):
            x = extended(x, 2 + k, pads[k], pads[2 + k])
    view = x.trace.emit(WindowsOp, x, sizes=sizes, strides=strides, dilations=rates)
    view = view.transpose(0, 4, 5, 1, 2, 3)
    return view.reshape((view.extents[0], ex.product(view.extents[1:4]), *view.extents[4:]))


@openvino("ReorgYolo", 2)
def reorg_yolo(layer: Layer, data: Data, *, stride: tuple[int, ...]) -> Any:
    """ReorgYolo-1: space to depth of the data reshaped to fewer channels and larger images."""
    (n, c, h, w), (by, *_) = layer.dims("N C H W"), stride
    if by < 1:
        raise layer.error(f"attribute stride is {by}, expected 1 or more")
    for extent, divisor in ((c, by**2), (h, by), (w, by)):
        layer.require("divides", extent, ex.const(divisor), "strides do not divide the extents")
    larger = data.reshape((n, ex.floordiv(c, by**2), h * by, w * by))
    blocks = moving.space_to_depth(layer, larger, by, depth_first=False)
    return blocks.reshape((n, c * by**2, ex.floordiv(h, by), ex.floordiv(w, by)))


def _check_batch(layer: Layer, block: list[int], begin: list[int], end: list[int]) -> None:
    """InputError unless there are a block size and pads or crops for each axis."""
    what = f"blocks {block}, {begin} and {end}"
    if {len(block), len(begin), len(end)} != {layer.rank()} or block[0] != 1 or begin[0] or end[0]:
        raise layer.error(f"{what} for {shape_text(layer.shape())}")
    if min(block) < 1 or min((*begin, *end)) < 0:
        raise layer.error(f"{what}: negative numbers")


@openvino("SpaceToBatch", 2)
def space_to_batch(
    layer: Layer, data: Data, block_shape: Numbers, pads_begin: Numbers, pads_end: Numbers
) -> Any:
    """SpaceToBatch-2: positions within blocks become images, [B, H * b] --> [b * B, H]."""
    _check_batch(layer, block_shape, pads_begin, pads_end)
    x = data
    for k, (before, after) in enumerate(zip(pads_begin, pads_end, strict=True)):
        x = extended(x, k, before, after)
    batch, *extents = x.extents
    split = [batch]
    for extent, count in zip(extents, block_shape[1:], strict=True):
        layer.require("divides", extent, ex.const(count), "blocks do not divide the extents")
        split += [ex.floordiv(extent, count), ex.const(count)]
    rank = data.ndim
    x = x.reshape(split).transpose([*range(2, 2 * rank, 2), 0, *range(1, 2 * rank - 1, 2)])
    return x.reshape((ex.product(x.extents[:rank]), *x.extents[rank:]))


@openvino("BatchToSpace", 2)
def batch_to_space(
    layer: Layer, data: Data, block_shape: Numbers, crops_begin: Numbers, crops_end: Numbers
) -> Any:
    """BatchToSpace-2: the inverse of SpaceToBatch."""
    _check_batch(layer, block_shape, crops_begin, crops_end)
    shape, blocks, rank = data.extents, block_shape[1:], data.ndim
    total = math.prod(blocks)
    layer.require("divides", shape[0], ex.const(total), "blocks do not divide the batch")
    batch = ex.floordiv(shape[0], total)
    order = [rank - 1, *(n for k in range(1, rank) for n in (rank - 1 + k, k - 1))]
    extents = [extent * count for extent, count in zip(shape[1:], blocks, strict=True)]
    x = data.reshape((*blocks, batch, *shape[1:])).transpose(order).reshape((batch, *extents))
    bounds = [slice(None)]
    for extent, before, after in zip(extents, crops_begin[1:], crops_end[1:], strict=True):
        if not ex.is_nonnegative(extent - before - after):
            least = ex.const(before + after)
            layer.require("equal", ex.minimum(extent, least), least, "crops exceed the extents")
        bounds.append(slice(before, ex.maximum(extent - after, 0)))
    return x[tuple(bounds)]

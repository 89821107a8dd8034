"""Layers that move elements: Roll, SliceScatter, SpaceToBatch and others."""

from __future__ import annotations

import math
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.moving import rolled, space_to_depth
from opc.frontend.models.op_builder import Result
from opc.frontend.models.shaping import slice_bounds
from opc.frontend.models.traced import extended, gathered, lined, not_empty, quotient
from opc.frontend.models.windows import integers, same_pads

from .layer import Layer
from .schema import openvino


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
            x = rolled(x, axis, shifts[number])
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
    shape = layer.shape()
    if len(shape) != 4:
        raise layer.error(f"{shape_text(shape)} is not a batch of images")
    sizes, strides, rates = (integers(layer, name, 2, 1) for name in ("sizes", "strides", "rates"))
    reach = [(k - 1) * d + 1 for k, d in zip(sizes, rates, strict=True)]
    x = layer.traced(0)
    if layer.attr("auto_pad") not in ("valid", "explicit", "notset"):
        upper = layer.attr("auto_pad") == "same_upper"
        pads = same_pads(shape[2:], reach, strides, upper)
        for k in range(2):
            x = extended(x, 2 + k, pads[k], pads[2 + k])
    view = x.trace.emit(WindowsOp, x, sizes=sizes, strides=strides, dilations=rates)
    view = view.transpose(0, 4, 5, 1, 2, 3)
    n, rows, columns, channels, *positions = view.extents
    return view.reshape((n, rows * columns * channels, *positions))


@openvino("ReorgYolo", 2)
def reorg_yolo(layer: Layer) -> Any:
    """ReorgYolo-1: space to depth of the data reshaped to fewer channels and larger images."""
    shape, (stride, *_) = layer.shape(), layer.attr("stride")
    if len(shape) != 4 or stride < 1:
        raise layer.error(f"attribute stride is {stride}, for {shape_text(shape)}")
    n, c, h, w = shape
    for extent in shape[1:]:
        divisor = ex.const(stride * stride if extent is c else stride)
        layer.require("divides", extent, divisor, "strides do not divide the extents")
    larger = layer.traced(0).reshape((n, ex.floordiv(c, stride**2), h * stride, w * stride))
    blocks = space_to_depth(layer, larger, stride, depth_first=False)
    return blocks.reshape((n, c * stride**2, ex.floordiv(h, stride), ex.floordiv(w, stride)))


def _blocks(layer: Layer) -> tuple[list[int], list[int], list[int]]:
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
    block, begin, end = _blocks(layer)
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
    block, begin, end = _blocks(layer)
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

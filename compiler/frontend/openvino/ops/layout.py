"""Layers that move blocks or compare positions: Tile, DepthToSpace, OneHot, Reverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import PowOp
from opc.dialects.shape import shape_text
from opc.frontend.models import moving
from opc.frontend.models.traced import value
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

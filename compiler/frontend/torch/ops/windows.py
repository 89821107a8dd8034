"""Pooling and its gradients.

Images without a batch [C, spatial...] are of a batch of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.frontend.models.adaptive import adaptive_axes, averages, greatest_of
from opc.frontend.models.columns import columns_as_image
from opc.frontend.models.pads import padded
from opc.frontend.models.pooling import Windows
from opc.frontend.models.windows import positions_of_greatest
from opc.frontend.torch.node import Node, aten


def numbers(values: Any, rank: int, default: Any = None) -> list[int]:
    """A number for each of the spatial axes: one stands for all, none for the default."""
    own = list(cast("Sequence[int]", values)) if isinstance(values, list | tuple) else [values]
    own = own or list(default)
    return own * (rank // len(own))


def batched(x: Any, rank: int) -> Any:
    """Images with a batch."""
    return x.reshape((1, *x.shape)) if x.ndim < rank + 2 else x


def windows_of(
    x: Any,
    kernel: Any,
    strides: Any,
    padding: Any,
    ceil: bool,
    dilations: Any = 1,
) -> Windows:
    """The windows of batched images."""
    rank = x.ndim - 2
    sizes = tuple(numbers(kernel, rank))
    steps, pads, apart = (
        tuple(numbers(values, rank, default))
        for values, default in ((strides, sizes), (padding, [0]), (dilations, [1]))
    )
    view = Windows(sizes, steps, apart, pads, pads, (0,) * rank)
    return view.rounded_up(x.extents[2:]) if ceil else view


@aten("avg_pool1d", "avg_pool2d", "avg_pool3d", computes=True)
def average_pool(
    x: Any,
    kernel: Any,
    strides: Any = (),
    padding: Any = 0,
    ceil: bool = False,
    counts_pads: bool = True,
    divisor: int | None = None,
    *,
    node: Node,
) -> Any:
    """The mean of each window."""
    x = batched(x, _rank(node))
    windows = windows_of(x, kernel, strides, padding, ceil)
    if divisor is not None:
        y = onp.sum(windows.view(x), windows.axes) / divisor
    else:
        y = windows.average(x, counts_pads)
    # The mean of integers is cut off.
    y = y.astype(node.kind()) if node.kind().is_whole else y
    return node.shaped(y, node.shape_of_result())


def _rank(node: Node) -> int:
    """The number of spatial axes that an operator names, as ``pool2d``."""
    return int(node.operator.partition("pool")[2][0])


@aten("max_pool2d_with_indices", "max_pool3d_with_indices")
def max_pool(
    x: Any,
    kernel: Any,
    strides: Any = (),
    padding: Any = 0,
    dilations: Any = 1,
    ceil: bool = False,
    *,
    node: Node,
) -> tuple[Any, ...]:
    """The greatest element of each window, and its place in the image."""
    x = batched(x, _rank(node))
    node.inputs[0] = x.value
    windows = windows_of(x, kernel, strides, padding, ceil, dilations)
    view = windows.lowest(x)
    places = positions_of_greatest(node, windows, view, 2).astype(el.I64)
    shape = node.shape_of_result()
    return node.shaped(onp.max(view, windows.axes), shape), node.shaped(places, shape)


@aten("max_pool2d_with_indices_backward", "adaptive_max_pool2d_backward", computes=True)
def max_pool_gradient(gradient: Any, x: Any, *how: Any, node: Node) -> Any:
    """The gradient of each window at the place of its greatest element."""
    places, lead = how[-1], gradient.extents[:-2]
    size = ex.product(x.extents[-2:])
    flat = [v.reshape((*lead, ex.product(v.extents[-2:]))) for v in (gradient, places)]
    room = node.trace.full((*lead, size), 0, gradient.element)
    options: dict[str, Any] = {"axis": -1, "reduction": "add", "from_end": False}
    y = node.emit(ScatterElementsOp, room, *flat, **options)
    return node.shaped(y, x.extents)


@aten("avg_pool2d_backward", computes=True)
def average_pool_gradient(
    gradient: Any,
    x: Any,
    kernel: Any,
    strides: Any,
    padding: Any,
    ceil: bool,
    counts_pads: bool,
    divisor: int | None,
    *,
    node: Node,
) -> Any:
    """The gradient of each window, spread evenly over its elements."""
    shape = x.extents
    x, gradient = batched(x, 2), batched(gradient, 2)
    windows = windows_of(x, kernel, strides, padding, ceil)
    ones = node.trace.full(x.extents, 1, x.element)
    # The mean of ones by their sum is 1 / count, also where a window has pads.
    total = onp.sum(windows.view(ones), windows.axes)
    if divisor is not None:
        share = node.number(1.0 / divisor, x.element)
    else:
        share = windows.average(ones, counts_pads) / onp.maximum(total, 1.0)
    every = (gradient * share).reshape((-1, 1, *gradient.extents[2:]))
    filters = node.trace.full((1, 1, *windows.kernel), 1, x.element)
    y = onp.conv_transpose(every, filters, strides=windows.strides)
    for k in range(2):
        before = ex.Expr.of(windows.before[k]).constant or 0
        behind = (x.extents[2 + k] + before - y.extents[2 + k]).constant
        if behind is None:
            raise node.unsupported("an image whose extents are not known when compiling")
        y = padded(y, 2 + k, -before, behind, node.number(0, x.element))
    return node.shaped(y, shape)


@aten("adaptive_avg_pool1d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d", computes=True)
def adaptive_average(x: Any, sizes: Sequence[Any], *, node: Node) -> Any:
    """The means of so many windows of nearly equal size."""
    x = batched(x, len(sizes))
    axes = adaptive_axes(node, x.extents, tuple(map(ex.Expr.of, sizes)))
    return node.shaped(averages(x, axes), node.shape_of_result())


@aten("adaptive_max_pool2d", "adaptive_max_pool3d")
def adaptive_maximum(x: Any, sizes: Sequence[Any], *, node: Node) -> tuple[Any, ...]:
    """The greatest elements of so many windows of nearly equal size, and their places."""
    x = batched(x, len(sizes))
    axes = adaptive_axes(node, x.extents, tuple(map(ex.Expr.of, sizes)))
    return tuple(
        node.shaped(v, node.shape_of_result(k)) for k, v in enumerate(greatest_of(x, axes))
    )


@aten("_adaptive_avg_pool2d_backward", computes=True)
def adaptive_average_gradient(gradient: Any, x: Any, *, node: Node) -> Any:
    """The gradient of each window, spread evenly over its elements: a product for each axis."""
    for axis in (-2, -1):
        n: int | None = x.extents[axis].constant
        m: int | None = gradient.extents[axis].constant
        if n is None or m is None:
            raise node.unsupported("an image whose extents are not known when compiling")
        at: Any = np.arange(m).reshape(-1, 1)
        place, start, end = np.arange(n), at * n // m, -((at + 1) * -n // m)
        shares: Any = ((place >= start) & (place < end)) / (end - start)
        weights = node.trace.constant(shares, x.element)
        moved = onp.matmul(onp.swapaxes(gradient, axis, -1), weights)
        gradient = onp.swapaxes(moved, axis, -1)
    return gradient


@aten("col2im", computes=True)
def column_image(
    x: Any,
    size: Sequence[Any],
    kernel: Sequence[int],
    dilations: Sequence[int],
    padding: Sequence[int],
    strides: Sequence[int],
    *,
    node: Node,
) -> Any:
    """Columns of blocks added up to images."""
    image, block = (tuple(map(ex.Expr.of, v)) for v in (size, kernel))
    x = x.reshape((1, *x.shape)) if x.ndim == 2 else x
    pads = [*padding, *padding]
    y = columns_as_image(node, x, image, block, strides, dilations, pads)
    return node.shaped(y, node.shape_of_result())

"""Pads, and interpolated values of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.grid import grid_sampled
from opc.frontend.models.pads import CUT_LAST, padded
from opc.frontend.models.resize import Axis, Method, resized
from opc.frontend.torch.node import Node, aten


def padded_from_the_last(x: Any, pads: Sequence[Any], value: Any, mode: str) -> Any:
    """x with pads of axes, the last one first, before and after each."""
    for k in range(len(pads) // 2):
        axis = x.ndim - 1 - k
        x = padded(x, axis, pads[2 * k], pads[2 * k + 1], value, mode, CUT_LAST)
    return x


@aten("constant_pad_nd")
def constant_pad(x: Any, pads: Sequence[Any], value: Any = 0, *, node: Node) -> Any:
    """x with a number around it; negative pads cut."""
    return padded_from_the_last(x, pads, node.number(value, x.element), "constant")


@aten("reflection_pad1d", "reflection_pad2d", "reflection_pad3d")
def reflection_pad(x: Any, pads: Sequence[Any]) -> Any:
    """x, mirrored at its ends."""
    return padded_from_the_last(x, pads, None, "reflect")


@aten("replication_pad1d", "replication_pad2d", "replication_pad3d")
def replication_pad(x: Any, pads: Sequence[Any]) -> Any:
    """x with its ends repeated."""
    return padded_from_the_last(x, pads, None, "edge")


def resized_images(node: Node, x: Any, method: Method, scales: Any) -> Any:
    """Images of the size that PyTorch says; scales divide positions where they are stated."""
    for k, extent in enumerate(node.shape_of_result()[2:], 2):
        n, m = x.extents[k].constant, extent.constant
        if n is not None and m is not None:
            axis = Axis.of(k, n, m, scales[k - 2] if scales else m / n, None)
        else:
            length, size = (node.trace.number(e).astype(el.F32) for e in (x.extents[k], extent))
            scale = np.float32(scales[k - 2]) if scales else size / length
            places, taps = node.trace.positions(extent).astype(el.F32), ex.const(2 * method.radius)
            axis = Axis(k, length, size, scale, None, places, taps)
        x = resized(node.trace, x, axis, method)
    return x


@aten("upsample_nearest2d.vec")
def nearest(x: Any, size: Any, scales: Any, *, node: Node) -> Any:
    """Images of another size: the element at each position, rounded down."""
    return resized_images(node, x, Method("nearest", "asymmetric"), scales)


@aten("upsample_bilinear2d.vec", computes=True)
def bilinear(x: Any, size: Any, corners: bool, scales: Any, *, node: Node) -> Any:
    """Images of another size: means of neighbours, weighted by distance."""
    coordinates = "align_corners" if corners else "half_pixel"
    return resized_images(node, x, Method("linear", coordinates), scales)


@aten("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa", computes=True)
def antialiased(x: Any, size: Any, corners: bool, *scales: Any, node: Node) -> Any:
    """Images of another size by filters that widen where they shrink."""
    mode = "cubic" if "cubic" in node.operator else "linear"
    coordinates = "align_corners" if corners else "half_pixel"
    method = Method(mode, coordinates, cubic=-0.5, excludes=True, antialias=True)
    return resized_images(node, x, method, scales if None not in scales else None)


@aten("grid_sampler_2d", "grid_sampler_3d", computes=True)
def grid_sampler(x: Any, grid: Any, mode: int, padding: int, corners: bool) -> Any:
    """The values of images at points."""
    modes, paddings = ("linear", "nearest", "cubic"), ("zeros", "border", "reflection")
    return grid_sampled(x, grid, modes[mode], paddings[padding], corners)

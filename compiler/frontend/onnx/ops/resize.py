"""Resize and Upsample by constants; see resize_run_time.py for run-time inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from opc.dialects import element as el
from opc.dialects.opc.binary import WhereOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import element, shape_text, tensor_of
from opc.frontend.models.moving import along
from opc.frontend.models.op_builder import Result
from opc.frontend.models.resize import COORDINATES, ROUNDING, Axis, Method, resized

from .node import Node
from .normalization import wide
from .parts import numbers_in
from .resize_run_time import is_given, needs_run_time, resize_at_run_time
from .schema import onnx


def _floats(node: Node, position: int, what: str) -> list[float]:
    """The elements of a constant list of floats; empty if absent."""
    if not node.has(position):
        return []
    if any(e == 0 for e in node.shape(position)):
        return []
    op = node[position].owner
    if not isinstance(op, ConstantOp):
        raise node.unsupported(f"{what} are not known when compiling")
    return [float(v) for v in op.array().reshape(-1)]


def _extent(node: Node, axis: int) -> int:
    extent = node.shape()[axis].constant
    if extent is None:
        raise node.unsupported(
            f"axis {axis} of {shape_text(node.shape())} is resized; its extent must be known"
        )
    return extent


def _by_scales(
    node: Node, axes: Sequence[int], scales: Sequence[float], roi: Sequence[float]
) -> list[Axis]:
    if len(scales) != len(axes):
        raise node.error(f"{len(scales)} scales for {len(axes)} axes")
    resized_axes: list[Axis] = []
    for k, (axis, scale) in enumerate(zip(axes, scales, strict=True)):
        if not 0 < scale < math.inf:
            raise node.error(f"scale {scale} is not positive")
        if scale == 1 and not roi:
            continue
        extent = _extent(node, axis)
        size = int(np.float32(scale) * np.float32(extent))
        resized_axes.append(Axis(axis, extent, size, scale, _part(roi, k, len(axes))))
    return resized_axes


def _part(roi: Sequence[float], number: int, count: int) -> tuple[float, float]:
    return (roi[number], roi[count + number]) if roi else (0.0, 1.0)


def _policy(node: Node) -> str:
    policy = node.attr("keep_aspect_ratio_policy") if node.since >= 18 else "stretch"
    if policy not in ("stretch", "not_larger", "not_smaller"):
        raise node.error(f"attribute keep_aspect_ratio_policy is {policy!r}")
    return policy


def _by_sizes(node: Node, axes: Sequence[int], roi: Sequence[float]) -> list[Axis]:
    sizes = numbers_in(node, 3, "the sizes")
    if len(sizes) != len(axes) or min(sizes, default=0) < 0:
        raise node.error(f"sizes {sizes} for {len(axes)} axes")
    policy = _policy(node)
    resized_axes: list[Axis] = []
    kept = [k for k, (a, n) in enumerate(zip(axes, sizes, strict=True)) if node.shape()[a] != n]
    if policy != "stretch":
        kept = list(range(len(axes)))
    scales = {k: sizes[k] / max(_extent(node, axes[k]), 1) for k in kept}
    if policy != "stretch" and scales:
        common = (min if policy == "not_larger" else max)(scales.values())
        scales = dict.fromkeys(scales, common)
        sizes = [math.floor(common * _extent(node, a) + 0.5) for a in axes]
    for k in range(len(axes)) if roi else kept:
        extent = _extent(node, axes[k])
        scale = float(np.float32(scales.get(k, 1.0)))
        resized_axes.append(Axis(axes[k], extent, sizes[k], scale, _part(roi, k, len(axes))))
    return resized_axes


def _resized(node: Node, method: Method, axes: Sequence[Axis], value: float) -> Result:
    type = node.element()
    is_nearest = method.mode == "nearest"
    x = node[0] if is_nearest else node.cast(node[0], wide(type))
    rank = len(node.shape())
    for a in axes:
        if a.extent == 0 or a.size == 0:
            raise node.unsupported(f"axis {a.axis} of extent {a.extent} becomes {a.size}")
        x = resized(node, x, a, method)
    for a in axes:
        outside = method.outside(a)
        if outside is not None:
            where = along(node, node.constant(outside, el.I1), a.axis, rank)
            x = node.add(WhereOp(where, node.constant(value, element(tensor_of(x))), x))
    return node.cast(x, type)


def _check_type(node: Node, mode: str) -> None:
    if mode != "nearest" and not node.element().is_float:
        raise node.unsupported(f"mode {mode} of {node.element()}: expected floating-point numbers")


@onnx("Upsample", 1, 7, 9, 10)
@onnx("Resize", 10)
def upsample(node: Node) -> Result:
    """Upsample(x, scales) and Resize-10 --> x at positions divided by the scales."""
    rank, scales = len(node.shape()), list[float]()
    if node.since == 1 and node.schema.operator == "Upsample":
        if rank != 4:
            raise node.error(f"expected an input of rank 4, found {shape_text(node.shape())}")
        scales = [1.0, 1.0, node.attr("height_scale"), node.attr("width_scale")]
    elif node.since == 7:
        scales = list(node.attr("scales"))
    mode = {"bilinear": "linear"}.get(node.attr("mode"), node.attr("mode"))
    if mode not in ("nearest", "linear"):
        raise node.error(f"attribute mode is {mode!r}, expected nearest or linear")
    _check_type(node, mode)
    method = Method(mode, "asymmetric")
    if not scales:
        if needs_run_time(node, (1,), None, range(rank)):
            return resize_at_run_time(node, method, range(rank), (None, 1, None), "stretch", 0.0)
        scales = _floats(node, 1, "the scales")
    return _resized(node, method, _by_scales(node, range(rank), scales, ()), 0.0)


@onnx("Resize", 11, 13, 18, 19)
def resize(node: Node) -> Result:
    """Resize(x, roi, scales, sizes) --> a weighted sum of slices along each axis."""
    rank = len(node.shape())
    chosen = node.attr("axes") if node.since >= 18 else None
    axes = range(rank) if chosen is None else node.axes(chosen, rank)
    mode, coordinates = node.attr("mode"), node.attr("coordinate_transformation_mode")
    rounding = node.attr("nearest_mode")
    if mode not in ("nearest", "linear", "cubic"):
        raise node.error(f"attribute mode is {mode!r}, expected nearest, linear or cubic")
    if coordinates not in COORDINATES or rounding not in ROUNDING.keys() - {"simple"}:
        raise node.error(
            f"attributes coordinate_transformation_mode and nearest_mode are {coordinates!r} "
            f"and {rounding!r}"
        )
    _check_type(node, mode)
    has_roi = coordinates == "tf_crop_and_resize"
    has_sizes = is_given(node, 3)
    if is_given(node, 2) == has_sizes:
        raise node.error("expected either scales or sizes")
    method = Method(
        mode,
        coordinates,
        rounding,
        node.attr("cubic_coeff_a"),
        bool(node.attr("exclude_outside")),
        node.since >= 18 and bool(node.attr("antialias")),
    )
    value = node.attr("extrapolation_value")
    floats = [*([1] if has_roi else []), *([] if has_sizes else [2])]
    if needs_run_time(node, floats, 3 if has_sizes else None, axes):
        inputs = (1 if has_roi else None, 2, 3 if has_sizes else None)
        return resize_at_run_time(node, method, axes, inputs, _policy(node), value)
    roi = _floats(node, 1, "the bounds of the region") if has_roi else []
    if has_roi and len(roi) != 2 * len(axes):
        raise node.error(f"{len(roi)} bounds of a region of {len(axes)} axes")
    if has_sizes:
        resized_axes = _by_sizes(node, axes, roi)
    else:
        resized_axes = _by_scales(node, axes, _floats(node, 2, "the scales"), roi)
    return _resized(node, method, resized_axes, value)

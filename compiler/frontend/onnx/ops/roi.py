"""RoiAlign and MaxRoiPool."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.extent import IotaOp
from opc.frontend.models.bodies import repeated
from opc.frontend.models.samples import Samples, most, samples_of
from opc.frontend.models.traced import gathered, value
from opc.frontend.models.windows import integers

from .node import Node
from .schema import Result, onnx


def samples(start: Any, extent: Any, count: int, per_bin: int, n: Any) -> tuple[Any, Any, Any, Any]:
    """Positions [R, count, per_bin] on an axis of n: neighbours, fraction, whether inside."""
    trace = start.trace
    bins = trace.given(trace.numbers(ex.const(count)).reshape(-1, 1), el.F64)
    steps = trace.given(trace.numbers(ex.const(per_bin)), el.F64)
    size = (extent / count).reshape(-1, 1, 1)
    steps = ((steps + 0.5) / per_bin).astype(start.element.name)
    at = start.reshape(-1, 1, 1) + bins.astype(start.element.name) * size + steps * size
    there = (at >= -1.0) & (at <= n * 1.0)
    at = onp.minimum(onp.maximum(at, 0.0), n - 1.0)
    low = onp.floor(at)
    return low, onp.minimum(low + 1, n - 1.0), at - low, there


@onnx("RoiAlign", 10, 16, 22)
def roi_align(node: Node) -> Result:
    """RoiAlign(x, regions, batch) --> opc.gather of the neighbours of samples in each bin.

    As in the reference, the maximum of a bin is over weighted neighbours, not samples.
    """
    return aligned(node, of_parts=True)


def interpolated(
    x: Any, image: Any, rows: Sequence[Any], columns: Sequence[Any], there: Any, greatest: bool
) -> Any:
    """The sum, or the greatest, of weighted neighbours in x [N, C, H, W] of positions [R, ...].

    The sum interpolates x.  Rows and columns are results of ``samples``.  The result is 0 where
    ``there`` is false, and has channels last.
    """
    terms: list[Any] = []
    pairs = [((of[0], 1 - of[2]), (of[1], of[2])) for of in (rows, columns)]
    for (y, a), (z, b) in itertools.product(*pairs):
        neighbours = gathered(x, (0, 2, 3), image, y.astype("i64"), z.astype("i64"))
        terms.append(neighbours * onp.expand_dims(onp.where(there, a * b, 0.0), -1))
    return reduce(onp.maximum if greatest else onp.add, terms)


def aligned(node: Node, *, of_parts: bool) -> Result:
    """The mean or maximum of each bin; with ``of_parts`` the maximum is over neighbours."""
    node.dims("N C H W", "R 4", "R")
    mode, ratio = node.choice("mode", "avg", "max"), node.attr("sampling_ratio")
    half = node.since >= 16 and node.attr("coordinate_transformation_mode") == "half_pixel"
    trace, type = node.trace, node.wide()
    x, regions = (node.traced(k, type) for k in (0, 1))
    scaled = regions * node.attr("spatial_scale") - (0.5 if half else 0.0)
    counts = (node.attr("output_height"), node.attr("output_width"))
    sides: list[tuple[Any, Any, int, Any]] = []
    for k, count in enumerate(counts):
        start, extent = scaled[:, 1 - k], scaled[:, 3 - k] - scaled[:, 1 - k]
        extent = extent if half else onp.maximum(extent, 1.0)
        sides.append((start, extent, count, trace.size(node.shape()[2 + k])))
    image = node.traced(2, el.I64)
    # This lookup rejects image indices out of range even for regions without samples.
    known = trace.array(node.add(IotaOp.of(node.shape()[0])))
    image = gathered(known, (0,), image)
    greatest = (mode == "max", mode == "max" and of_parts)
    if ratio < 1:
        bins = _adaptive(node, x, image, sides, greatest)
        return value(node, bins.transpose([0, 3, 1, 2]))
    # Positions [R, height, width, samples down, samples across].
    rows, columns = (
        [
            part.reshape([-1, count, 1, ratio, 1] if k == 0 else [-1, 1, count, 1, ratio])
            for part in samples(start, extent, count, ratio, n)
        ]
        for k, (start, extent, count, n) in enumerate(sides)
    )
    image = image.reshape([-1, 1, 1, 1, 1])
    total = interpolated(x, image, rows, columns, rows[3] & columns[3], greatest[1])
    bins = onp.max(total, axis=(3, 4)) if greatest[0] else onp.mean(total, axis=(3, 4))
    return value(node, bins.transpose([0, 3, 1, 2]))


def _adaptive(
    node: Node, x: Any, image: Any, sides: Sequence[tuple[Any, Any, int, Any]], greatest: Any
) -> Any:
    """Bins [R, height, width, C] where each region has its own number of samples."""
    trace, type = x.trace, x.element
    axes = [samples_of(start, extent, count, n * 1.0) for start, extent, count, n in sides]
    down, across = (most(s) for s in axes)
    regions, counts = image.extents[0], [count for _, _, count, _ in sides]

    def step(
        index: Any, total: Any, seen: Any, across: Any, image: Any, x: Any, *arrays: Any
    ) -> list[Any]:
        parts: list[list[Any]] = []
        for k, number in enumerate((index // across, index % across)):
            n = x.trace.size(x.extents[2 + k])
            at, there = Samples(*arrays[5 * k : 5 * k + 5]).at(number.astype(type.name), n * 1.0)
            at = onp.minimum(onp.maximum(at, 0.0), n - 1.0)
            low = onp.floor(at)
            sample = (low, onp.minimum(low + 1, n - 1.0), at - low, there)
            lined = [-1, counts[0], 1] if k == 0 else [-1, 1, counts[1]]
            parts.append([v.reshape(lined) for v in sample])
        there = parts[0][3] & parts[1][3]
        new = interpolated(x, image.reshape([-1, 1, 1]), parts[0], parts[1], there, greatest[1])
        new = onp.maximum(total, new) if greatest[0] else total + new
        total = onp.where(onp.expand_dims(there, -1), new, total)
        return [total, seen + there.astype(type)]

    first = -float("inf") if greatest[0] else 0.0
    shape = (regions, *counts, x.extents[1])
    carried = [trace.full(shape, first, type), trace.full(shape[:3], 0, type)]
    captured = [across, image, x, *(a for s in axes for a in s.arrays())]
    total, seen = repeated(down * across, carried, captured, step)
    number = (axes[0].total * axes[1].total)[:, :, None, None]
    if not greatest[0]:
        return total / onp.maximum(number, 1.0)
    # Samples outside of the image count as 0.
    total = onp.where(seen[:, :, :, None] < number, onp.maximum(total, 0.0), total)
    return onp.where(number > 0, total, trace.constant(0, type))


def _bins(start: Any, end: Any, count: int, n: ex.Expr) -> tuple[Any, Any]:
    """Whether elements of an axis are in each bin, [R, count, n], and whether any is."""
    trace = start.trace
    size = onp.maximum(end - start + 1, 1.0) / count
    k = trace.given(trace.numbers(ex.const(count)), el.F64).astype(start.element.name)
    low = onp.floor(k * size.reshape(-1, 1)) + start.reshape(-1, 1)
    high = onp.ceil((k + 1) * size.reshape(-1, 1)) + start.reshape(-1, 1)
    at = trace.given(trace.numbers(n), el.F64).astype(start.element.name)
    inside = (at >= onp.expand_dims(low, -1)) & (at < onp.expand_dims(high, -1))
    return inside, onp.any(inside, axis=2)


@onnx("MaxRoiPool", 1, 22)
def max_roi_pool(node: Node) -> Result:
    """MaxRoiPool(x, regions) --> opc.reduce_max over the elements in each bin; 0 for empty bins."""
    node.dims("N C H W", "R 5")
    counts = integers(node, "pooled_shape", 2, 1)
    trace, type, shape = node.trace, node.wide(), node.shape()
    x, regions = (node.traced(k, type) for k in (0, 1))
    image = regions[:, 0].astype("i64")
    at = regions[:, 1:] * node.attr("spatial_scale")
    at = onp.where(at >= 0, onp.floor(at + 0.5), onp.ceil(at - 0.5))
    rows, some_rows = _bins(at[:, 1], at[:, 3], counts[0], shape[2])
    columns, some_columns = _bins(at[:, 0], at[:, 2], counts[1], shape[3])
    maxima = gathered(x, (0,), image)
    least = trace.constant([-float("inf")], type).reshape(())
    # First over columns, [R, C, H, bins], then over rows.
    maxima = onp.where(columns[:, None, None], onp.expand_dims(maxima, 3), least).max(axis=-1)
    maxima = onp.where(rows[:, None, :, :, None], onp.expand_dims(maxima, 2), least).max(axis=3)
    some = some_rows[:, None, :, None] & some_columns[:, None, None, :]
    return value(node, onp.where(some, maxima, trace.constant([0], type).reshape(())))

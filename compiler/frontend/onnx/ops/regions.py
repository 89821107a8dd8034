"""Regions of images: RoiAlign and MaxRoiPool."""

from __future__ import annotations

import itertools
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import tensor_of
from opc.frontend.models.op_builder import Result

from .node import Node
from .normalization import wide
from .row import BF16, FLOAT, INT64, add
from .traced import NodeTrace, value


def _corners(node: Node, columns: int) -> None:
    """An error unless the first inputs are images and regions."""
    regions = node.shape(1)
    what = f"{tensor_of(node[1])} are no regions of {tensor_of(node[0])}"
    if len(node.shape()) != 4 or len(regions) != 2:
        raise node.error(what)
    node.require("equal", regions[1], ex.const(columns), what)


def samples(start: Any, extent: Any, count: int, each: int, n: Any) -> tuple[Any, Any, Any, Any]:
    """Places [R, count, each] along an axis of n: the elements around, the part, whether inside."""
    trace = start.trace
    bins = trace.given(trace.numbers(ex.const(count)).reshape(-1, 1), el.F64)
    steps = trace.given(trace.numbers(ex.const(each)), el.F64)
    size = (extent / count).reshape(-1, 1, 1)
    steps = ((steps + 0.5) / each).astype(start.element.name)
    at = start.reshape(-1, 1, 1) + bins.astype(start.element.name) * size + steps * size
    there = (at >= -1.0) & (at <= n * 1.0)
    at = onp.minimum(onp.maximum(at, 0.0), n - 1.0)
    low = onp.floor(at)
    return low, onp.minimum(low + 1, n - 1.0), at - low, there


def roi_align(node: Node) -> Result:
    """RoiAlign(x, regions, batch) --> opc.gather of the elements around samples of each bin.

    The greatest in a bin is that of all parts of samples, as the reference has it.
    """
    return aligned(node, of_parts=True)


def aligned(node: Node, *, of_parts: bool) -> Result:
    """The mean of the samples in each bin, or the greatest: of them, or of the parts of them."""
    _corners(node, 4)
    mode, ratio = node.attr("mode"), node.attr("sampling_ratio")
    if mode not in ("avg", "max"):
        raise node.error(f'attribute mode is "{mode}", expected "avg" or "max"')
    if ratio < 1:
        raise node.unsupported("sampling_ratio = 0: regions decide how many samples there are")
    if len(node.shape(2)) != 1:
        raise node.error(f"{tensor_of(node[2])} is no list of images")
    node.require("equal", node.shape(2)[0], node.shape(1)[0], "an image for each region")
    half = node.since >= 16 and node.attr("coordinate_transformation_mode") == "half_pixel"
    trace, type = NodeTrace(node), wide(node.element())
    x, regions = (trace.array(node.cast(node[k], type)) for k in (0, 1))
    scaled = regions * node.attr("spatial_scale") - (0.5 if half else 0.0)
    parts: list[tuple[Any, Any, Any, Any]] = []
    counts = (node.attr("output_height"), node.attr("output_width"))
    for k, count in enumerate(counts):
        start, extent = scaled[:, 1 - k], scaled[:, 3 - k] - scaled[:, 1 - k]
        extent = extent if half else onp.maximum(extent, 1.0)
        parts.append(samples(start, extent, count, ratio, trace.size(node.shape()[2 + k])))
    # Places [R, height, width, samples down, samples across].
    rows, columns = (
        [part.reshape([-1, counts[0], 1, ratio, 1] if k == 0 else [-1, 1, counts[1], 1, ratio])
         for part in parts[k]]
        for k in range(2)
    )  # fmt: skip
    image = trace.array(node.reshape(node.cast(node[2], el.I64), (node.shape(2)[0], 1, 1, 1, 1)))
    there = rows[3] & columns[3]
    terms: list[Any] = []
    pairs = [((rows[0], 1 - rows[2]), (rows[1], rows[2])),
             ((columns[0], 1 - columns[2]), (columns[1], columns[2]))]  # fmt: skip
    for (y, a), (z, b) in itertools.product(*pairs):
        found = trace.emit(
            GatherOp, x, image, y.astype("i64"), z.astype("i64"), axes=(0, 2, 3), from_end=False
        )
        terms.append(found * onp.expand_dims(onp.where(there, a * b, 0.0), -1))
    total = terms[0]
    for term in terms[1:]:
        total = onp.maximum(total, term) if mode == "max" and of_parts else total + term
    found = onp.mean(total, axis=(3, 4)) if mode == "avg" else onp.max(total, axis=(3, 4))
    return value(node, found.transpose([0, 3, 1, 2]))


_SIGNATURE = "X:T1 rois:T1 batch_indices:T2 -> Y:T1"
_ATTRIBUTES = (
    "mode:string=avg output_height:int=1 output_width:int=1 sampling_ratio:int=0 "
    "spatial_scale:float=1"
)
for _since, _types in ((10, FLOAT), (16, FLOAT), (22, FLOAT | BF16)):
    _more = " coordinate_transformation_mode:string=half_pixel" if _since >= 16 else ""
    add(
        "RoiAlign",
        _since,
        _SIGNATURE,
        {"T1": _types, "T2": INT64},
        roi_align,
        _ATTRIBUTES + _more,
    )


def _bins(start: Any, end: Any, count: int, n: ex.Expr) -> tuple[Any, Any]:
    """Which elements of an axis are in each bin of each region, [R, count, n], and in any."""
    trace = start.trace
    size = onp.maximum(end - start + 1, 1.0) / count
    k = trace.given(trace.numbers(ex.const(count)), el.F64).astype(start.element.name)
    low = onp.floor(k * size.reshape(-1, 1)) + start.reshape(-1, 1)
    high = onp.ceil((k + 1) * size.reshape(-1, 1)) + start.reshape(-1, 1)
    at = trace.given(trace.numbers(n), el.F64).astype(start.element.name)
    inside = (at >= onp.expand_dims(low, -1)) & (at < onp.expand_dims(high, -1))
    return inside, onp.any(inside, axis=2)


def max_roi_pool(node: Node) -> Result:
    """MaxRoiPool(x, regions) --> opc.reduce_max over the elements in each bin; 0 of none."""
    _corners(node, 5)
    counts = node.attr("pooled_shape")
    if len(counts) != 2 or min(counts) < 1:
        raise node.error(f"attribute pooled_shape is {list(counts)}")
    trace, type, shape = NodeTrace(node), wide(node.element()), node.shape()
    x, regions = (trace.array(node.cast(node[k], type)) for k in (0, 1))
    image = regions[:, 0].astype("i64")
    at = regions[:, 1:] * node.attr("spatial_scale")
    at = onp.where(at >= 0, onp.floor(at + 0.5), onp.ceil(at - 0.5))
    rows, some_rows = _bins(at[:, 1], at[:, 3], counts[0], shape[2])
    columns, some_columns = _bins(at[:, 0], at[:, 2], counts[1], shape[3])
    found = trace.emit(GatherOp, x, image, axes=(0,), from_end=False)
    least = trace.constant([-float("inf")], type).reshape(())
    # First over columns, [R, C, H, bins], then over rows.
    found = onp.where(columns[:, None, None], onp.expand_dims(found, 3), least).max(axis=-1)
    found = onp.where(rows[:, None, :, :, None], onp.expand_dims(found, 2), least).max(axis=3)
    some = some_rows[:, None, :, None] & some_columns[:, None, None, :]
    return value(node, onp.where(some, found, trace.constant([0], type).reshape(())))


for _since, _types in ((1, FLOAT), (22, FLOAT | BF16)):
    add(
        "MaxRoiPool",
        _since,
        "X:T rois:T -> Y:T",
        _types,
        max_roi_pool,
        "pooled_shape:ints! spatial_scale:float=1",
    )

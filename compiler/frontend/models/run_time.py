"""Slices and ranges with bounds known at run time only: gathers at computed indices.

``opc.read_extents`` reads their extents before execution if possible; otherwise slices have
data-dependent extents.  Numbers are i64 arrays of rank 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex

from .call import Call
from .traced import NodeTrace, gathered, quotient


def beside(axes: Any, values: Any, rank: int, absent: int) -> tuple[list[Any], Any]:
    """The value listed for each axis, ``absent`` for axes that are not listed.

    Also whether the axes are valid for the rank and differ.
    """
    trace: NodeTrace = axes.trace
    row = onp.where(axes < 0, axes + rank, axes).reshape(1, -1)
    here = row == trace.positions(ex.const(rank)).reshape(rank, 1)
    chosen = onp.sum(onp.where(here, values.reshape(1, -1), 0), axis=1)
    counts = onp.sum(here.astype("int64"), axis=1)
    chosen = onp.where(counts == 0, absent, chosen)
    length = trace.number(axes.extents[0])
    fits = (onp.sum(counts, axis=0) == length) & onp.all(counts < 2, axis=0)
    return [chosen[k] for k in range(rank)], fits


def slice_bounds(start: Any, stop: Any, step: Any, extent: Any) -> tuple[Any, Any]:
    """The first index of ``start:stop:step`` along an axis, and the number of elements.

    As in ONNX, a start before the axis is index 0 if the step is negative.  A step of 0 gives -1
    elements, which makes the call fail.
    """
    backwards = step < 0
    most = extent - 1

    def placed(place: Any, least: int) -> Any:
        behind = onp.maximum(place, onp.subtract(-1, extent)) + extent
        place = onp.where(place < 0, behind, place)
        forward = onp.minimum(onp.maximum(place, 0), extent)
        return onp.where(backwards, onp.minimum(onp.maximum(place, least), most), forward)

    first, last = placed(start, 0), placed(stop, -1)
    length = onp.where(backwards, first - last, last - first)
    # The least integer has no absolute value.
    wide = onp.where(backwards, onp.subtract(0, onp.maximum(step, -(1 << 62))), step)
    count = onp.where(onp.less(0, length), quotient(length - 1, wide) + 1, 0)
    return first, onp.where(step == 0, -1, count)


def run_time_slice(
    call: Call, bounds: Sequence[tuple[int, Any, Any, Any]], fits: Any = None
) -> Any:
    """Input 0 with ``start:stop:step`` along axes; ``bounds`` are (axis, start, stop, step).

    Unless ``fits``, the call fails.
    """
    trace, x, shape = call.trace, call.traced(0), call.shape()
    ranges = [slice_bounds(a, z, by, trace.number(shape[axis])) for axis, a, z, by in bounds]
    if not ranges:
        return x
    sizes = onp.stack([count for _, count in ranges])
    sizes = sizes if fits is None else onp.where(fits, sizes, -1)
    counts = call.read_value("plain", sizes.value, (), tuple(shape[axis] for axis, *_ in bounds))
    for (axis, _, _, step), (first, _), count in zip(bounds, ranges, counts, strict=True):
        x = gathered(x, [axis], first + trace.positions(count) * step)
    return x


def run_time_range(call: Call, begin: Any, limit: Any, step: Any) -> Any:
    """begin, begin + step, ... before limit; all of rank 0 and one element type.

    A step of 0 is an error when the function runs.
    """
    a, z, by = begin, limit, step
    if begin.element.is_float:
        a, z, by = (v.astype("float64") for v in (a, z, by))
        count = onp.maximum(onp.ceil((z - a) / by).astype("int64"), 0)
    else:
        # Distances need one bit more than the signed type has.
        wide = "uint64" if begin.element.kind == "unsigned" else "int64"
        a, z, by = (v.astype(wide) for v in (a, z, by))
        forward = onp.less(0, by)
        first, last = onp.where(forward, a, z), onp.where(forward, z, a)
        distance = (last - first).astype("uint64")
        length = onp.where(forward, by, onp.subtract(0, by)).astype("uint64")
        most = onp.minimum(quotient(distance - 1, length) + 1, el.I64.highest).astype("int64")
        count = onp.where(first < last, most, 0)
    count = onp.where(by == 0, -1, count)
    (extent,) = call.read_value("plain", count.value)
    return begin + call.trace.positions(extent).astype(begin.element) * step

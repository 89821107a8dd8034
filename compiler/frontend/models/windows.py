"""Convolutions and pools of a node: filters, strides, pads, and the windows of its first input."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.contraction import ConvOp, ConvTransposeOp
from opc.dialects.shape import Shape, shape_text
from opc.frontend.python.elementwise import widened

from .call import Call
from .parts import IntExpr
from .pooling import Windows
from .traced import extended, quotient


def integers(
    call: Call, name: str, count: int, least: int, default: int | None = None
) -> tuple[int, ...]:
    """An attribute of ``count`` integers from ``least`` on.  InputError for others."""
    values = call.attr(name) or ((default,) * count if default is not None else ())
    if len(values) != count or any(v < least for v in values):
        raise call.error(
            f"attribute {name} is {list(values)}, expected {count} integers from {least} on"
        )
    return tuple(values)


def automatic_pads(
    call: Call, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> tuple[IntExpr, ...] | None:
    """The pads before all spatial axes, then after them, by ``auto_pad``; None if it has none."""
    auto = call.attr("auto_pad").lower()
    if auto == "valid":
        return (0,) * (2 * len(kernel))
    if auto not in ("same_upper", "same_lower"):
        return None
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    return same_pads(call.shape()[2:], reach, strides, auto == "same_upper")


def same_pads(
    extents: Sequence[ex.Expr], reach: Sequence[int], strides: Sequence[int], more_behind: bool
) -> tuple[IntExpr, ...]:
    """Pads before each axis, then after each, for ceil(extent / stride) positions.

    ``reach`` is the extent of a window.  The odd element goes behind with ``more_behind``, else in
    front.  For unknown extents pads may be expressions.
    """
    first: list[IntExpr] = []
    last: list[IntExpr] = []
    for extent, covered, stride in zip(extents, reach, strides, strict=True):
        known = extent.constant
        if stride > 1 and known is None:
            pads = _unknown_pads(extent, covered, stride, more_behind)
            before, after = (p if p.constant is None else p.constant for p in pads)
        else:
            total = covered - 1
            if stride > 1 and known is not None:
                total = max((-(-known // stride) - 1) * stride + covered - known, 0)
            before = total // 2 if more_behind else total - total // 2
            after = total - before
        first.append(before)
        last.append(after)
    return (*first, *last)


def _unknown_pads(
    extent: ex.Expr, covered: int, stride: int, more_behind: bool
) -> tuple[ex.Expr, ex.Expr]:
    """The pads before and after an axis of unknown extent.

    The pad behind is up to a stride longer than needed: the padded extent is then a multiple of the
    stride plus a constant, and the number of positions is ceil(extent / stride), an expression
    without pads.
    """
    skipped = max(stride - covered, 0)
    # The distance to the next multiple of the stride, as a remainder of a nonnegative number.
    missing = ex.mod(extent * (stride - 1), stride)
    total = ex.maximum(missing, skipped) + (covered - stride)
    before = ex.floordiv(total if more_behind else total + 1, 2)
    padded = ex.floordiv(extent + (stride - 1), stride) * stride + (covered - 1)
    return before, padded - extent - before


def kernel_of(call: Call, x: Shape, filters: Shape, highest: int = 64) -> tuple[int, ...]:
    """The spatial extents of filters, which are known and fit the input."""
    if len(x) != len(filters) or not 3 <= len(x) <= highest:
        raise call.error(f"an input {shape_text(x)} and filters {shape_text(filters)} do not fit")
    kernel = [n for e in filters[2:] if (n := e.constant) is not None]
    if len(kernel) != len(filters) - 2:
        raise call.unsupported(f"filters {shape_text(filters)}: their extents must be known")
    return tuple(kernel)


def convolved(
    x: Any,
    filters: Any,
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[IntExpr],
    groups: int,
) -> Any:
    """opc.conv of data and filters of one element type.

    Pads of unknown extent are zeros around x.
    """
    rank, left = len(pads) // 2, [ex.Expr.of(p).constant for p in pads]
    for axis in range(rank):
        if None in (left[axis], left[rank + axis]):
            x = extended(x, 2 + axis, pads[axis], pads[rank + axis])
            left[axis] = left[rank + axis] = 0
    how: dict[str, Any] = {"strides": strides, "dilations": dilations, "groups": groups}
    return x.trace.emit(ConvOp, x, filters, pads=[p or 0 for p in left], **how)


def transposed(
    call: Call,
    filters: Any,
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: Sequence[int],
    pads: Sequence[int] | None,
    wanted: Sequence[ex.Expr] | None,
    upper: bool,
    groups: int,
) -> Any:
    """opc.conv_transpose of the input, cropped by pads or to ``wanted`` extents.

    Without pads both ends are cropped, the odd element behind with ``upper``, else in front.
    Results beyond the reach of the filters are zeros.
    """
    shape = filters.extents
    kernel = kernel_of(call, call.shape(), shape, 5)
    if 0 in kernel:
        raise call.unsupported(f"filters {shape_text(shape)}: no extent may be 0")
    rank, stops = len(kernel), dict[int, ex.Expr]()
    if wanted is not None:
        before, after, behind = list[int](), list[int](), list[int]()
        for k, extent in enumerate(call.shape()[2:]):
            reach = (kernel[k] - 1) * dilations[k] + 1
            total = ((extent - 1) * strides[k] + reach + padding[k] - wanted[k]).constant
            if total is None and pads is None:
                raise call.unsupported(
                    f"output_shape {extent_text(wanted[k])} for the unknown extent "
                    f"{extent_text(extent)}"
                )
            if total is None:
                # The result has the stated extent even for an empty input.
                shortest = reach - strides[k] + padding[k] - (wanted[k].constant or 0)
                stops[k + 2], total = wanted[k], min(pads[k] if pads else 0, shortest)
            half = max(total, 0) // 2
            first = pads[k] if pads else half if upper else max(total, 0) - half
            before.append(first)
            after.append(max(total - first, 0))
            behind.append(padding[k] + max(first - total, 0))
        pads, padding = (*before, *after), behind
    assert pads is not None
    y = filters.trace.emit(
        ConvTransposeOp,
        widened(call.traced(0)),
        widened(filters),
        strides=strides,
        dilations=dilations,
        pads=pads[: 2 * rank],
        output_padding=padding,
        groups=groups,
    )
    for axis, stop in stops.items():
        is_there = ex.atleast(y.extents[axis], stop)
        call.require("equal", is_there, ex.const(1), "output_shape is longer than the result")
        y = y[(*[slice(None)] * axis, slice(stop))]
    return y


def positions_of_greatest(
    call: Call, windows: Windows, view: Any, first: int = 0, is_column_major: bool = False
) -> Any:
    """The index of each maximum in the input, flat from axis ``first`` on."""
    shape, trace, rank = call.shape(), call.trace, len(windows.kernel)
    lead, size = view.extents[:-rank], math.prod(windows.kernel)
    winners = onp.argmax(view.reshape((*lead, size)), axis=-1)
    # Strides of the spatial axes within an image.
    step: Any = 1
    steps = [step] * rank
    for k in range(rank) if is_column_major else range(rank - 1, -1, -1):
        steps[k] = step
        step = step * trace.size(shape[2 + k])

    def along(axis: int) -> Any:
        return trace.line(lead[axis]).reshape([-1 if k == axis else 1 for k in range(2 + rank)])

    total: Any = None
    for axis in range(first, 2):
        total = along(axis) if total is None else total * trace.size(shape[axis]) + along(axis)
    total = None if total is None else total * step
    inner = size
    for k, count in enumerate(windows.kernel):
        inner //= count
        if 2 + k < first:
            continue
        part = quotient(winners, inner) % count
        before, dilation = ex.Expr.of(windows.before[k]), windows.dilations[k]
        begin = along(2 + k) * windows.strides[k] - trace.size(before)
        at = begin + part * dilation
        if before != 0:
            # If padding wins a tie, the index is that of the first element.
            at = onp.maximum(at, begin % dilation)
        at = at * steps[k]
        total = at if total is None else total + at
    return onp.broadcast_to(total, lead)

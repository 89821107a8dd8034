"""Indices of symbolic arrays: integers, slices, None and ``...``, as in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.parts import TO_THE_END, SliceOp, is_bound
from opc.errors import UnsupportedError

from .extent import Extent, expr_of
from .operators import function
from .source_location import input_error, unsupported

if TYPE_CHECKING:
    from .array import Array

Bound = tuple[ex.Expr, ex.Expr, int]
"""A start, a stop and a step."""
WHOLE: Bound = (ex.const(0), ex.const(TO_THE_END), 1)


def indexed(x: Array, key: Any) -> Array:
    """``x[key]``.  Raises :class:`InputError` outside the array, else :class:`UnsupportedError`."""
    keys = list(cast("Sequence[Any]", key)) if isinstance(key, tuple) else [key]
    dots = [k for k, item in enumerate(keys) if item is Ellipsis]
    taken = sum(item is not None and item is not Ellipsis for item in keys)
    if taken > x.ndim or len(dots) > 1:
        raise input_error(f"{x!r} has no index {key!r}")
    place = dots[0] if dots else len(keys)
    keys[place : place + len(dots)] = [slice(None)] * (x.ndim - taken)
    bounds: list[Bound] = []
    axes: list[int | None] = []
    """The axis of x for each axis of the result, None for a new one."""
    for item in keys:
        axis = len(bounds)
        if item is None or isinstance(item, slice):
            axes.append(None if item is None else axis)
        if isinstance(item, slice):
            bounds.append(_bound(x, cast("slice[Any, Any, Any]", item), axis))
        elif item is not None:
            bounds.append(_place(x, item, axis))
    part = x
    if any(bound != WHOLE for bound in bounds):
        starts, stops, steps = ([bound[k] for bound in bounds] for k in range(3))
        part = x.trace.emit(SliceOp, x, starts=starts, stops=stops, steps=steps)
    shape: list[int | Extent] = [1 if axis is None else part.shape[axis] for axis in axes]
    return function("reshape")(part, tuple(shape))


def _bound(x: Array, item: slice[Any, Any, Any], axis: int) -> Bound:
    """The bounds of a slice, those that are left out among them."""
    try:
        start, stop, step = (
            None if v is None else expr_of(v) for v in (item.start, item.stop, item.step)
        )
    except TypeError:
        raise _refused(x, item) from None
    by = 1 if step is None else step.constant
    if by is None:
        raise unsupported(f"index {item!r} of {x!r}: the step is not a number")
    if by == 0:
        raise input_error(f"index {item!r} of {x!r}: the step is 0")
    start = ex.const(0 if by > 0 else TO_THE_END) if start is None else start
    stop = ex.const(TO_THE_END if by > 0 else -TO_THE_END) if stop is None else stop
    extent = x.extents[axis]
    for bound in (start, stop):
        if not is_bound(bound, extent):
            raise unsupported(
                f"index {item!r} of {x!r}: {extent_text(bound)} may be negative, which "
                "would count from the end"
            )
    is_whole = by == 1 and start == 0 and stop in (extent, ex.const(TO_THE_END))
    return WHOLE if is_whole else (start, stop, by)


def _place(x: Array, item: Any, axis: int) -> Bound:
    """The bounds of one element.  InputError outside of the axis, also when it runs."""
    try:
        index = expr_of(item)
    except TypeError:
        raise _refused(x, item) from None
    extent = x.extents[axis]
    if not is_bound(index, extent):
        raise unsupported(
            f"index {item!r} of {x!r}: {extent_text(index)} may be negative, which would "
            "count from the end"
        )
    number = index.constant
    least = index + 1 if number is None or number >= 0 else -index
    what = f"index {item!r} is outside axis {axis} of {x!r}"
    if extent.constant is not None and least.constant is not None:
        if extent.constant < least.constant:
            raise input_error(what)
        if extent == 1:
            return WHOLE
    else:
        x.trace.require_equal(ex.minimum(extent, least), least, what)
    return index, (index + 1 if number != -1 else ex.const(TO_THE_END)), 1


def _refused(x: Array, item: object) -> UnsupportedError:
    return unsupported(
        f"index {item!r} of {x!r}: what can be traced are None, '...', integers, and slices of "
        "integers and extents"
    )

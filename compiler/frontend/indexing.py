"""Indices of symbolic arrays, as far as the elements stay where they are.

There is no operator for parts of arrays yet: a slice must take a whole axis, and an integer an axis
of extent 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from opc.errors import UnsupportedError
from opc.frontend.extent import Extent, expr_of
from opc.frontend.operators import function
from opc.frontend.place import input_error, unsupported

if TYPE_CHECKING:
    from opc.frontend.array import Array


def indexed(x: Array, key: Any) -> Array:
    """``x[key]``.  Raises :class:`InputError` outside the array, else :class:`UnsupportedError`."""
    keys = list(cast("Sequence[Any]", key)) if isinstance(key, tuple) else [key]
    dots = [k for k, item in enumerate(keys) if item is Ellipsis]
    taken = sum(item is not None and item is not Ellipsis for item in keys)
    if taken > x.ndim or len(dots) > 1:
        raise input_error(f"{x!r} has no index {key!r}")
    whole = [slice(None)] * (x.ndim - taken)
    place = dots[0] if dots else len(keys)
    keys[place : place + 1] = whole
    shape: list[int | Extent] = []
    axis = 0
    for item in keys:
        if item is None:
            shape.append(1)
            continue
        extent = x.shape[axis]
        if isinstance(item, slice):
            bounds = cast("slice[Any, Any, Any]", item)
            if not _is_whole(bounds, extent):
                raise _refused(x, bounds)
            shape.append(extent)
        else:
            _check_integer(x, item, axis)
        axis += 1
    return function("reshape")(x, tuple(shape))


def _is_whole(item: slice[Any, Any, Any], extent: int | Extent) -> bool:
    """Whether a slice takes all of an axis in order."""
    try:
        bounds = [None if v is None else expr_of(v) for v in (item.start, item.stop, item.step)]
    except TypeError:
        return False
    known = [None if e is None else e.constant for e in bounds]
    if isinstance(extent, int) and [k is None for k in known] == [e is None for e in bounds]:
        return range(*slice(*known).indices(extent)) == range(extent)
    start, stop, step = bounds
    return start in (None, 0) and step in (None, 1) and stop in (None, expr_of(extent))


def _check_integer(x: Array, item: Any, axis: int) -> None:
    """InputError or UnsupportedError, unless an index is of the only element along an axis."""
    try:
        index = expr_of(item).constant
    except TypeError:
        index = None
    extent = x.extents[axis].constant
    if index is not None and extent is not None and not -extent <= index < extent:
        raise input_error(f"index {index} is outside axis {axis} of {x!r}")
    if index is None or extent != 1:
        raise _refused(x, item)


def _refused(x: Array, item: object) -> UnsupportedError:
    return unsupported(
        f"index {item!r} of {x!r}: there is no operator for parts of an array yet; what can be "
        "traced are None, '...', slices of a whole axis, and integers where the extent is 1"
    )

"""Elements at indices that are data: take and take_along_axis."""

from __future__ import annotations

from typing import Any

from opc.dialects.opc.indexing import GatherElementsOp, GatherOp

from .array import Array, Traced
from .promotion import symbolic
from .shaping import axes_from, ravel
from .source_location import input_error


def take(x: Any, indices: Any, /, axis: Any = None) -> Traced:
    """The parts of x at indices along an axis; of the flattened array without one.

    Negative indices count from the end.  One that is outside is an error, of a run if it is data.
    """
    a, at, place = _operands("take", x, indices, axis)
    return a.trace.emit(GatherOp, a, at, axes=(place,))


def take_along_axis(x: Any, indices: Any, /, axis: Any = -1) -> Traced:
    """The element of x at each index, whose other coordinates are those of the index.

    Indices have the shape of x, but for their extent along the axis.
    """
    a, at, place = _operands("take_along_axis", x, indices, axis)
    if a.ndim != at.ndim:
        raise input_error(f"take_along_axis: {a!r} and indices {at!r} differ in rank")
    for k, (left, right) in enumerate(zip(a.extents, at.extents, strict=True)):
        if k != place:
            a.trace.require_equal(left, right, "take_along_axis: extents of indices differ")
    return a.trace.emit(GatherElementsOp, a, at, axis=place)


def _operands(name: str, x: Any, indices: Any, axis: Any) -> tuple[Array, Array, int]:
    a, at = symbolic(x, indices), symbolic(indices, x)
    if not at.element.is_integer:
        raise input_error(f"{name}: indices are {at!r}, expected integers")
    if axis is None:
        a, axis = ravel(a), 0
    (place,) = axes_from(axis, a.ndim)
    return a, at, place

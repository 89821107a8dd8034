"""Arrays put together (stack, concatenate, tile, repeat), and elements at indices that are data."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, cast

from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp
from opc.dialects.opc.parts import ConcatOp

from .array import Array, Traced
from .extent import expr_of
from .promotion import promoted, symbolic
from .shaping import axes_from, broadcast_to, expand_dims, items, ravel, reshape
from .source_location import input_error, unsupported


def stack(arrays: Any, /, axis: Any = 0) -> Traced:
    """Arrays of one shape along a new axis."""
    values = _arrays("stack", arrays)
    (place,) = axes_from(axis, values[0].ndim + 1)
    return _joined("stack", [expand_dims(v, place) for v in values], place)


def concatenate(arrays: Any, /, axis: Any = 0) -> Traced:
    """Arrays one after another along an axis; of the flattened arrays without one."""
    values = _arrays("concatenate", arrays)
    if axis is None:
        values, axis = [ravel(v) for v in values], 0
    if values[0].ndim == 0:
        raise input_error(f"concatenate: {values[0]!r} has no axes; use stack")
    (place,) = axes_from(axis, values[0].ndim)
    return _joined("concatenate", values, place)


def tile(x: Any, reps: Any, /) -> Traced:
    """Copies of an array along each axis.

    x of [N, 4] twice and three times --> broadcast [1, N, 1, 4] to [2, N, 3, 4], as [2*N, 12]
    """
    a = symbolic(x)
    counts = list(map(expr_of, items(reps)))
    counts = [ex.const(1)] * (a.ndim - len(counts)) + counts
    shape = (*[ex.const(1)] * (len(counts) - a.ndim), *a.extents)
    pairs = list(zip(counts, shape, strict=True))
    # An axis that is not repeated, or of one element, needs no axis of its own for copies.
    apart = [v for n, e in pairs for v in ((n * e,) if 1 in (n, e) else (n, e))]
    once = [v for n, e in pairs for v in ((e,) if 1 in (n, e) else (1, e))]
    return reshape(broadcast_to(reshape(a, once), apart), [n * e for n, e in pairs])


def repeat(x: Any, repeats: Any, /, axis: Any = None) -> Traced:
    """Every element repeated along an axis; without one, of the flattened array."""
    a = symbolic(x)
    try:
        count = operator.index(repeats)
    except TypeError:
        raise unsupported("repeat by an array: only one count for all elements") from None
    if axis is None:
        a, axis = ravel(a), 0
    (place,) = axes_from(axis, a.ndim)
    shape = list(a.shape)
    copies = broadcast_to(
        expand_dims(a, place + 1), (*shape[: place + 1], count, *shape[place + 1 :])
    )
    shape[place] = shape[place] * count
    return reshape(copies, tuple(shape))


def _arrays(name: str, arrays: Any) -> list[Array]:
    if not isinstance(arrays, tuple | list) or not arrays:
        raise input_error(f"{name} takes a list of arrays, of at least one")
    return promoted(*cast(Sequence[Any], arrays))


def _joined(name: str, values: Sequence[Array], place: int) -> Array:
    """Arrays concatenated; their shapes must agree except along the axis."""
    first = values[0]
    for value in values[1:]:
        if value.ndim != first.ndim:
            raise input_error(f"{name}: {first!r} and {value!r} differ in rank")
        for axis, (left, right) in enumerate(zip(first.extents, value.extents, strict=True)):
            if axis != place or name == "stack":
                first.trace.require_equal(left, right, f"{name}: extents of arrays differ")
    return first.trace.emit(ConcatOp, *values, axis=place)


def take(x: Any, indices: Any, /, axis: Any = None) -> Traced:
    """The slices of x at indices along an axis; without one, of the flattened array.

    Negative indices count from the end.  Indices out of range are errors, for data at run time.
    """
    a, at, place = _operands("take", x, indices, axis)
    return a.trace.emit(GatherOp, a, at, axes=(place,))


def take_along_axis(x: Any, indices: Any, /, axis: Any = -1) -> Traced:
    """The element of x at each index along the axis, and at the index's position along others.

    Indices have the shape of x except along the axis.
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

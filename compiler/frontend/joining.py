"""Arrays put together: stack, concatenate, tile and repeat.

There is no operator for the first two yet, so each element of the result is chosen from the arrays
by where it is.  That reads all of them for each element, and needs arrays of one shape.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from opc.frontend.array import Array, Traced
from opc.frontend.elementwise import where
from opc.frontend.place import input_error, unsupported
from opc.frontend.promotion import promoted, symbolic
from opc.frontend.shaping import axes_from, broadcast_to, expand_dims, items, ravel, reshape


def stack(arrays: Any, /, axis: Any = 0) -> Traced:
    """Arrays of one shape along a new axis."""
    values = _arrays("stack", arrays)
    (place,) = axes_from(axis, values[0].ndim + 1)
    return _stacked("stack", values, place)


def concatenate(arrays: Any, /, axis: Any = 0) -> Traced:
    """Arrays one after another along an axis, along which they have the same extent.

    Raises :class:`UnsupportedError` where the extents are not known to be the same.
    """
    values = _arrays("concatenate", arrays)
    if axis is None:
        values, axis = [ravel(v) for v in values], 0
    first = values[0]
    if first.ndim == 0:
        raise input_error(f"concatenate: {first!r} has no axes; use stack")
    (place,) = axes_from(axis, first.ndim)
    for value in values:
        if value.ndim == first.ndim and value.extents[place] != first.extents[place]:
            raise unsupported(
                f"concatenate of {first!r} and {value!r} along axis {place}: there is no operator "
                "for it yet, and what stands in for it needs extents there that are known to be "
                "the same; annotate them with one letter or number"
            )
    result = _stacked("concatenate", values, place)
    shape = list(first.shape)
    shape[place] = first.shape[place] * len(values)
    return reshape(result, tuple(shape))


def tile(x: Any, reps: Any, /) -> Traced:
    """Copies of a whole array side by side, so many along each axis."""
    a = symbolic(x)
    counts = [operator.index(n) for n in items(reps)]
    counts = [1] * (a.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - a.ndim) + a.shape
    apart = [e for n, extent in zip(counts, shape, strict=True) for e in (n, extent)]
    once = [e for extent in shape for e in (1, extent)]
    copies = broadcast_to(reshape(a, tuple(once)), tuple(apart))
    return reshape(copies, tuple(n * extent for n, extent in zip(counts, shape, strict=True)))


def repeat(x: Any, repeats: Any, /, axis: Any = None) -> Traced:
    """Every element so many times in a row along an axis; of the flattened array without one."""
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


def _stacked(name: str, values: Sequence[Array], place: int) -> Array:
    """Arrays that must have one shape along a new axis."""
    first, count = values[0], len(values)
    for value in values[1:]:
        if value.ndim != first.ndim:
            raise input_error(f"{name}: {first!r} and {value!r} differ in rank")
        for left, right in zip(first.extents, value.extents, strict=True):
            first.trace.require_equal(left, right, f"{name}: extents of arrays differ")
    result = expand_dims(values[-1], place)
    for k in reversed(range(count - 1)):
        is_here = (np.arange(count) == k).reshape([-1] + [1] * (first.ndim - place))
        result = where(is_here, expand_dims(values[k], place), result)
    return result

"""What operators that move data mean, over NumPy arrays: by shape, or by indices that are data."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from opc.dialects import scalar
from opc.dialects.element import ELEMENTS, F32
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.dialects.opc.walk import FEATURE, LEFT, RIGHT, SPLIT
from opc.errors import ArgumentError, InputError

from .elementwise import Meaning
from .extents import extent
from .precision import Array, Call


def _reshape(call: Call) -> Array:
    """An extent that is left open is a quotient, from which equal extents of 0 are cancelled."""
    x = call.arrays[0]
    known = [extent for extent in call.shape if extent is not None]
    shared = min(x.shape.count(0), known.count(0))
    total, part = (
        0 if extents.count(0) > shared else math.prod(e for e in extents if e)
        for extents in (list(x.shape), known)
    )
    rest = total // part if part else 0
    return np.reshape(x, [rest if extent is None else extent for extent in call.shape])


def _broadcast(call: Call) -> Array:
    x = call.arrays[0]
    own = (1,) * (len(call.shape) - x.ndim) + x.shape
    shape = [e if extent is None else extent for e, extent in zip(own, call.shape, strict=True)]
    return np.broadcast_to(x, shape)


def _extent(call: Call) -> Array:
    value = call.params["extent"]
    if value is None:
        raise ArgumentError("opc.extent: the symbols of the extent have no value")
    return np.asarray(value, dtype=np.int64)


def _iota(call: Call) -> Array:
    (extent,) = call.shape
    if extent is None:
        raise ArgumentError("opc.iota: the symbols of the extent have no value")
    return np.arange(extent, dtype=np.int64)


def _slice(call: Call) -> Array:
    bounds = (call.params[name] for name in ("starts", "stops", "steps"))
    return call.arrays[0][tuple(slice(*bound) for bound in zip(*bounds, strict=True))]


def _windows(call: Call) -> Array:
    x, params = call.arrays[0], call.params
    rank, count = x.ndim, len(params["sizes"])
    for k in range(count):
        size, stride, dilation = (
            int(params[name][k]) for name in ("sizes", "strides", "dilations")
        )
        # The axis becomes positions, and one of its windows goes behind all others.
        axis = rank - count + k
        starts = range(0, x.shape[axis] - (size - 1) * dilation, stride)
        places = [[start + dilation * place for place in range(size)] for start in starts]
        indices = np.array(places, np.int64).reshape(len(starts), size)
        x = np.moveaxis(np.take(x, indices, axis=axis), axis + 1, -1)
    return x


def require_range(op: RequireRangeOp, values: Array, symbols: Mapping[str, int]) -> None:
    """ArgumentError unless all values are in the range."""
    low, high = (extent(e, symbols) for e in op.bounds)
    if low is None or high is None:
        raise InputError(f"{op.name}: the bounds have symbols without a value")
    outside = values[(values < low) | (values > high)] if values.size else values
    if outside.size:
        wrong = int(outside.reshape(-1)[0])
        raise ArgumentError(f"{op.described(str(low), str(high))}, found {wrong}")


def _from_front(call: Call, indices: Array, axis: int, extent: int) -> Array:
    """Indices counted from the front, as int64.  ArgumentError where one is outside."""
    least = -extent if call.params["from_end"] else 0
    outside = (indices < least) | (indices >= extent) if indices.size else np.zeros(0, bool)
    if outside.any():
        wrong = int(indices[outside].flat[0])
        raise ArgumentError(f"{call.name}: index {wrong} is outside of axis {axis}, of {extent}")
    signed = indices.astype(np.int64)
    return np.where(signed < 0, signed + extent, signed)


def _places(call: Call, first: int) -> tuple[list[int], list[Array]]:
    """The axes of x that are indexed, and their indices, broadcast against each other."""
    x = call.arrays[0]
    axes = [axis % x.ndim for axis in call.params["axes"]]
    pairs = zip(axes, call.arrays[first:], strict=True)
    indices = [_from_front(call, i, axis, x.shape[axis]) for axis, i in pairs]
    return axes, [np.asarray(i) for i in np.broadcast_arrays(*indices)]


def _index(
    shape: tuple[int, ...], axes: list[int], indices: list[Array], batch: int
) -> list[Array]:
    """An index array for each axis of a tensor; they broadcast to the shape of the parts."""
    first, count = axes[0], indices[0].ndim - batch
    kept = [k for k in range(len(shape)) if k not in axes]
    rank = len(kept) + count
    places = [*range(first), *range(first + count, rank)]
    index: dict[int, Array] = {}
    for axis, place in zip(kept, places, strict=True):
        along = [-1 if k == place else 1 for k in range(rank)]
        index[axis] = np.arange(shape[axis]).reshape(along)
    for axis, array in zip(axes, indices, strict=True):
        inner = (*array.shape[:batch], *[1] * (first - batch), *array.shape[batch:])
        index[axis] = array.reshape((*inner, *[1] * (rank - first - count)))
    return [index[k] for k in range(len(shape))]


def _gather(call: Call) -> Array:
    x = call.arrays[0]
    axes, indices = _places(call, 1)
    return np.asarray(x[tuple(_index(x.shape, axes, indices, call.params["batch"]))])


def _along(call: Call, indices: Array) -> tuple[Array, ...]:
    """The index arrays of ``*_elements`` operators: each element's own index but along one axis."""
    x, axis = call.arrays[0], call.params["axis"] % call.arrays[0].ndim
    places: list[Array] = list(np.ix_(*(np.arange(n) for n in indices.shape)))
    places[axis] = _from_front(call, indices, axis, x.shape[axis])
    return tuple(places)


def _gather_elements(call: Call) -> Array:
    return call.arrays[0][_along(call, call.arrays[1])]


def _scatter(call: Call) -> Array:
    x, updates = call.arrays[:2]
    axes, indices = _places(call, 2)
    return _updated(call, x, updates, tuple(_index(x.shape, axes, indices, 0)))


def _scatter_elements(call: Call) -> Array:
    x, updates, indices = call.arrays
    return _updated(call, x, updates, _along(call, indices))


def _updated(call: Call, x: Array, updates: Array, index: tuple[Array, ...]) -> Array:
    places = np.zeros(updates.shape)
    if updates.size:
        places = np.ravel_multi_index(index, x.shape, mode="clip")
    flat: Array = np.ascontiguousarray(x).reshape(-1).copy()
    offsets: Array = np.broadcast_to(places, updates.shape).reshape(-1).astype(np.int64)
    scatter(flat, offsets, updates.reshape(-1), call.params["reduction"])
    return flat.reshape(x.shape)


def scatter(target: Array, offsets: Array, values: Array, reduction: str) -> None:
    """Store or combine values at offsets of a flat array, in order."""
    if reduction == "none" or not offsets.size:
        # NumPy leaves open which of several values for one element stays.
        _, last = np.unique(offsets[::-1], return_index=True)
        kept = offsets.size - 1 - last
        target[offsets[kept]] = values[kept]
        return
    order = np.argsort(offsets, kind="stable")
    sorted_offsets = offsets[order]
    is_first = np.diff(sorted_offsets, prepend=sorted_offsets[0] - 1) != 0
    places = np.arange(order.size)
    # How many updates for the same element come before each one.
    turn = places - np.maximum.accumulate(np.where(is_first, places, 0))
    for k in range(int(turn.max()) + 1):
        now = order[turn == k]
        target[offsets[now]] = together(reduction, target[offsets[now]], values[now])


def together(reduction: str, a: Array, b: Array) -> Array:
    """A scalar function of two arrays of one type, rounded once to it."""
    type = next(e for e in ELEMENTS if e.dtype == a.dtype)
    if not type.is_small_float:
        return scalar.apply(reduction, [a, b], type)
    wide = scalar.apply(reduction, [a.astype(np.float32), b.astype(np.float32)], F32)
    return scalar.convert(wide, type.dtype)


def _walk(call: Call) -> Array:
    x, nodes, roots, values = call.arrays
    at = np.broadcast_to(roots.astype(np.int64), (len(x), len(roots)))
    while (at >= 0).any():
        node = nodes[np.maximum(at, 0)]
        feature = node[..., FEATURE]
        is_missing_left = feature < 0
        compared = np.take_along_axis(x, np.where(is_missing_left, ~feature, feature), axis=1)
        split = np.ascontiguousarray(node[..., SPLIT]).view(x.dtype)
        is_left = (compared <= split) | (np.isnan(compared) & is_missing_left)
        at = np.where(at < 0, at, np.where(is_left, node[..., LEFT], node[..., RIGHT]))
    return np.asarray(values[~at])


MEANINGS: dict[str, Meaning] = {
    "opc.constant": lambda call: call.params["value"],
    "opc.reshape": _reshape,
    "opc.broadcast": _broadcast,
    "opc.transpose": lambda call: np.transpose(call.arrays[0], call.params["permutation"]),
    "opc.slice": _slice,
    "opc.concat": lambda call: np.concatenate(call.arrays, axis=call.params["axis"]),
    "opc.windows": _windows,
    "opc.extent": _extent,
    "opc.iota": _iota,
    "opc.walk": _walk,
    "opc.gather": _gather,
    "opc.gather_elements": _gather_elements,
    "opc.scatter": _scatter,
    "opc.scatter_elements": _scatter_elements,
}

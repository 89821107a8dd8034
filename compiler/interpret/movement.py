"""What operators that move data mean, over NumPy arrays."""

from __future__ import annotations

import math

import numpy as np

from opc.errors import ArgumentError

from .elementwise import Meaning
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
}

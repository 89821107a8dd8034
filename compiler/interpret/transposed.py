"""Meaning of transposed convolutions: each result is a chain over the products that reach it.

Results at which the same elements of a filter are multiplied go together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from opc.dialects import expr as ex
from opc.dialects import order
from opc.dialects.opc.base import Params
from opc.dialects.opc.contraction import ConvTransposeOp, Spread
from opc.errors import ArgumentError

from .elementwise import Meaning
from .precision import Array, Call, narrow, native


def _kinds(axis: Spread, count: int) -> Iterator[tuple[Array, Array]]:
    """Results of an axis, and the elements of a filter that reach them, the last one first."""
    places = np.arange(count) + axis.begin
    elements = np.arange(axis.taps)[::-1]
    rests = elements * axis.dilation % axis.stride
    for rest in sorted({int(r) for r in rests}):
        results = np.flatnonzero(places % axis.stride == rest)
        if results.size:
            yield results, elements[rests == rest]


def _sources(axis: Spread, results: Array, elements: Array, extent: int) -> Array:
    """The value that each element meets for each result, [elements, results]; the extent if there
    is none.
    """
    place = results + axis.begin - elements[:, None] * axis.dilation
    source = place // axis.stride
    return np.where((source >= 0) & (source < extent), source, extent)


def shape_of_result(x: Array, w: Array, params: Params) -> tuple[int, ...]:
    """The shape of the result.  ArgumentError where the operands do not fit each other."""
    axes = ConvTransposeOp.axes(tuple(map(ex.const, w.shape)), params)
    if x.shape[1] != w.shape[0]:
        raise ArgumentError(f"opc.conv_transpose: filters for {w.shape[0]} channels see {x.shape}")
    sizes = [
        axis.results(ex.const(n)).constant or 0 for axis, n in zip(axes, x.shape[2:], strict=True)
    ]
    if min(sizes) < 0:
        raise ArgumentError(f"opc.conv_transpose: the result would have the extents {sizes}")
    return (x.shape[0], w.shape[1] * params["groups"], *sizes)


def factors(x: Array, w: Array, params: Params) -> Iterator[tuple[tuple[Array, ...], Array, Array]]:
    """Results by their places, and what is multiplied for them along the last axis, in order.

    It broadcasts to [N, G, M / G, results..., elements * channels].  What is at no place is 0.
    """
    axes = ConvTransposeOp.axes(tuple(map(ex.const, w.shape)), params)
    rank, groups = len(axes), params["groups"]
    sizes = shape_of_result(x, w, params)[2:]
    # A zero behind the last value stands for all that are outside.
    longer = np.pad(x, [(0, 0), (0, 0), *[(0, 1)] * rank])
    batch, channels, filters = x.shape[0], x.shape[1] // groups, w.shape[1]
    for kinds in product(*map(_kinds, axes, sizes)):
        index: list[Array] = []
        for k, (axis, (results, elements)) in enumerate(zip(axes, kinds, strict=True)):
            source = _sources(axis, results, elements, x.shape[2 + k])
            shape = [1] * (2 * rank)
            shape[k], shape[rank + k] = source.shape
            index.append(source.reshape(shape))
        length = channels * math.prod(len(elements) for _, elements in kinds)
        view = longer[(slice(None), slice(None), *index)]
        view = view.reshape(batch, groups, channels, *view.shape[2:])
        taps, places = range(3, 3 + rank), range(3 + rank, 3 + 2 * rank)
        view = view.transpose(0, 1, *places, *taps, 2)[:, :, None]
        view = view.reshape(*view.shape[: 3 + rank], length)
        own = w[(slice(None), slice(None), *np.ix_(*(elements for _, elements in kinds)))]
        own = own.reshape(groups, channels, filters, *own.shape[2:])
        own = np.moveaxis(own, 1, -1).reshape(groups, filters, *[1] * rank, length)
        yield tuple(np.ix_(*(results for results, _ in kinds))), view, own


def _gathered(x: Array, w: Array, params: Params, chain: Callable[[Array, Array], Array]) -> Array:
    shape = shape_of_result(x, w, params)
    groups = params["groups"]
    result = np.zeros((shape[0], groups, w.shape[1], *shape[2:]), x.dtype)
    for places, view, own in factors(x, w, params):
        result[(slice(None), slice(None), slice(None), *places)] = chain(view, own)
    return result.reshape(shape)


def total_of(x: Array, w: Array, params: Params) -> Array:
    """The sums of products, in no particular order."""
    return _gathered(x, w, params, lambda view, own: np.sum(view * own, axis=-1))


def _conv_transpose(call: Call) -> Array:
    """Chains along the elements of a filter, the last one first, then the channels of a group."""
    x, w = map(native, call.arrays)
    chain = partial(order.chain, is_rounded=call.is_rounded)
    return narrow(_gathered(x, w, call.params, chain), call.element)


MEANINGS: dict[str, Meaning] = {"opc.conv_transpose": _conv_transpose}

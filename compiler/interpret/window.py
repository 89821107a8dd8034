"""What convolutions mean: a filter over padded arrays, in the order of ``order.chain``."""

from __future__ import annotations

import math

import numpy as np

from opc.dialects import expr as ex
from opc.dialects import order
from opc.dialects.opc.base import Params
from opc.dialects.opc.contraction import ConvOp, Window
from opc.errors import ArgumentError

from .elementwise import Meaning
from .precision import Array, Call, narrow, native


def padded(x: Array, windows: tuple[Window, ...]) -> Array:
    """An array with the zeros around its spatial axes."""
    pads = [(0, 0), (0, 0), *((w.begin, w.end) for w in windows)]
    return np.pad(x, pads)


def seen(x: Array, windows: tuple[Window, ...], counts: tuple[int, ...]) -> Array:
    """Windows of a padded array [N, C, spatial...], as [N, C, kernel..., positions...]."""
    grids = [
        (np.arange(w.kernel.constant or 0) * w.dilation)[:, None]
        + (np.arange(n) * w.stride)[None, :]
        for w, n in zip(windows, counts, strict=True)
    ]
    rank = len(windows)
    index: list[Array] = []
    for k, grid in enumerate(grids):
        shape = [1] * (2 * rank)
        shape[k], shape[rank + k] = grid.shape
        index.append(grid.reshape(shape))
    return x[(slice(None), slice(None), *index)]


def factors(x: Array, w: Array, params: Params) -> tuple[Array, Array, tuple[int, ...]]:
    """What a convolution multiplies along the last axis, in order, and the shape of the result.

    They broadcast to [N, G, F / G, positions..., kernel * channels].  Raises ArgumentError where a
    filter does not fit into the padded array, or sees another number of channels.
    """
    if x.shape[1] != w.shape[1] * params["groups"]:
        seen_by_all = w.shape[1] * params["groups"]
        raise ArgumentError(f"opc.conv: filters see {seen_by_all} channels of {x.shape[1]}")
    windows = ConvOp.windows(tuple(map(ex.const, w.shape)), params)
    for window, n in zip(windows, x.shape[2:], strict=True):
        size, reach = n + window.begin + window.end, window.reach.constant or 0
        if size < reach:
            raise ArgumentError(f"opc.conv: a filter covers {reach} values of {size}")
    counts = tuple(
        window.positions(ex.const(n)).constant or 0
        for window, n in zip(windows, x.shape[2:], strict=True)
    )
    rank, groups, length = len(windows), params["groups"], math.prod(w.shape[1:])
    batch, filters, channels = x.shape[0], w.shape[0], w.shape[1]
    view = seen(padded(x, windows), windows, counts)
    view = view.reshape(batch, groups, channels, *view.shape[2:])
    kernel, places = range(3, 3 + rank), range(3 + rank, 3 + 2 * rank)
    view = view.transpose(0, 1, *places, *kernel, 2)[:, :, None]
    view = view.reshape(*view.shape[: 3 + rank], length)
    own = np.moveaxis(w.reshape(groups, filters // groups, *w.shape[1:]), 2, -1)
    own = own.reshape(groups, filters // groups, *[1] * rank, length)
    return view, own, (batch, filters, *counts)


def total_of(x: Array, w: Array, params: Params) -> Array:
    """The sums of products, in no particular order."""
    view, own, shape = factors(x, w, params)
    return np.sum(view * own, axis=-1).reshape(shape)


def _conv(call: Call) -> Array:
    """Chains along the kernel, then the channels of a group."""
    x, w = map(native, call.arrays)
    view, own, shape = factors(x, w, call.params)
    return narrow(order.chain(view, own, call.is_rounded).reshape(shape), call.element)


MEANINGS: dict[str, Meaning] = {"opc.conv": _conv}

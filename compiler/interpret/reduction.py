"""What reductions and contractions mean, over NumPy arrays.

Sums and products of floats are formed with digits to spare and rounded once, so that the result
does not depend on an order; contractions have the order of ``order.chain``.  Integers wrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import order
from opc.errors import ArgumentError

from .elementwise import Meaning, divide_by_count
from .precision import Array, Call, is_float, narrow, native, wide

Axes: TypeAlias = "tuple[int, ...]"
Formula: TypeAlias = "Callable[[Array, Axes, bool], Array]"
Unary: TypeAlias = "Callable[[Array], Array]"


def resolve_axes(axes: Array | tuple[int, ...], rank: int, what: str) -> Axes:
    """Axes from the front.  ArgumentError if one is outside [-rank, rank - 1] or repeated."""
    listed = [int(axis) for axis in np.ravel(np.asarray(axes))]
    if any(not -rank <= axis < rank for axis in listed):
        raise ArgumentError(f"{what}: axes {listed} are not within [{-rank}, {rank - 1}]")
    found = tuple(axis % rank for axis in listed)
    if len(set(found)) != len(found):
        raise ArgumentError(f"{what}: axes {listed} name an axis twice")
    return found


def _axes(call: Call) -> tuple[Axes, bool]:
    """The axes to reduce, and whether an empty list asks for the operand itself."""
    rank = call.arrays[0].ndim
    given = call.arrays[1] if len(call.arrays) == 2 else call.params["axes"]
    if given is None:
        return tuple(range(rank)), False
    axes = resolve_axes(given, rank, call.name)
    if axes:
        return axes, False
    every = call.params["empty_axes"] == "all"
    return (tuple(range(rank)), False) if every else ((), True)


def _reduction(formula: Formula, integers_wrap: bool = False) -> Meaning:
    """Reduce floats by a formula over wide floats; integers as they are, or like f64."""

    def meaning(call: Call) -> Array:
        x = call.arrays[0]
        axes, unchanged = _axes(call)
        if unchanged:
            return x
        operand = x if integers_wrap and not is_float(x) else wide(x)
        return narrow(formula(operand, axes, call.params["keepdims"]), call.element)

    return meaning


def _same(x: Array) -> Array:
    return x


def _of_sum(of: Unary = _same, then: Unary | None = None) -> Meaning:
    """``then(sum(of(x)))``; where nothing comes after the sum, that of integers wraps."""

    def formula(x: Array, axes: Axes, keepdims: bool) -> Array:
        return (then or _same)(_sum(of(x), axes, keepdims))

    return _reduction(formula, integers_wrap=then is None)


def _sum(x: Array, axes: Axes, keepdims: bool) -> Array:
    return np.asarray(np.add.reduce(x, axis=axes, dtype=x.dtype, keepdims=keepdims))


def _prod(x: Array, axes: Axes, keepdims: bool) -> Array:
    return np.asarray(np.multiply.reduce(x, axis=axes, dtype=x.dtype, keepdims=keepdims))


def _mean(x: Array, axes: Axes, keepdims: bool) -> Array:
    count = math.prod(x.shape[axis] for axis in axes)
    return divide_by_count(_sum(x, axes, keepdims), count)


def _log_sum_exp(x: Array, axes: Axes, keepdims: bool) -> Array:
    top = np.maximum.reduce(x, axis=axes, keepdims=True, initial=-np.inf)
    # Where the greatest value is infinite, subtracting it would make NaN.
    shift = np.where(np.isfinite(top), top, 0.0).astype(x.dtype)
    total = np.log(_sum(np.exp(x - shift), axes, True)) + shift
    return total if keepdims else np.squeeze(total, axis=axes)


def extreme(x: Array, axes: Axes, keepdims: bool, greatest: bool, start: float) -> Array:
    """The greatest or the least value, ``start`` among none; NaN if there is one."""
    reduce = np.maximum.reduce if greatest else np.minimum.reduce
    result = np.asarray(reduce(x, axis=axes, keepdims=keepdims, initial=start))
    if is_float(x):
        # max(-0, +0) is +0 and min(-0, +0) is -0 in either order.
        decisive = (x == 0) & (np.signbit(x) != greatest)
        found = np.logical_or.reduce(decisive, axis=axes, keepdims=keepdims)
        negative = found != greatest
        zero = np.where(negative, -0.0, 0.0).astype(x.dtype)
        result = np.where(result == 0, zero, result)
    return result


def _extreme(greatest: bool) -> Meaning:
    def meaning(call: Call) -> Array:
        axes, unchanged = _axes(call)
        if unchanged:
            return call.arrays[0]
        start = call.element.lowest if greatest else call.element.highest
        x = native(call.arrays[0])
        return narrow(extreme(x, axes, call.params["keepdims"], greatest, start), call.element)

    return meaning


def _logical(reduce: Callable[..., Any]) -> Meaning:
    def meaning(call: Call) -> Array:
        axes, unchanged = _axes(call)
        x = call.arrays[0]
        return x if unchanged else reduce(x, axis=axes, keepdims=call.params["keepdims"])

    return meaning


def _arg(search: Callable[..., Any]) -> Meaning:
    def meaning(call: Call) -> Array:
        x, axis = native(call.arrays[0]), call.params["axis"]
        extent = x.shape[axis]
        if extent == 0:
            raise ArgumentError(f"{call.name}: axis {axis} is empty")
        keepdims = call.params["keepdims"]
        # NumPy takes the first NaN, else the first extreme value.
        if call.params["select_last_index"]:
            found = extent - 1 - search(np.flip(x, axis), axis=axis, keepdims=keepdims)
        else:
            found = search(x, axis=axis, keepdims=keepdims)
        return np.asarray(found, dtype=np.int64)

    return meaning


def _matmul(call: Call) -> Array:
    """In the order of ``order.chain``, with its bits; integers wrap."""
    a, b = call.arrays
    if not is_float(a):
        return narrow(np.matmul(a, b, dtype=a.dtype), call.element)
    a, b = native(a), native(b)
    left, right = a if a.ndim > 1 else a[None], b if b.ndim > 1 else b[:, None]
    if left.shape[-1] != right.shape[-2]:
        # Unlike np.matmul, what follows would stretch an extent of 1.
        raise ArgumentError(f"opc.matmul: contracted extents differ: {a.shape} and {b.shape}")
    found = order.chain(left[..., :, None, :], np.swapaxes(right, -1, -2)[..., None, :, :])
    found = found if a.ndim > 1 else found[..., 0, :]
    return narrow(found if b.ndim > 1 else found[..., 0], call.element)


MEANINGS: dict[str, Meaning] = {
    "opc.reduce_sum": _of_sum(),
    "opc.reduce_prod": _reduction(_prod, integers_wrap=True),
    "opc.reduce_max": _extreme(greatest=True),
    "opc.reduce_min": _extreme(greatest=False),
    "opc.reduce_mean": _reduction(_mean, integers_wrap=True),
    "opc.reduce_l1": _of_sum(np.abs),
    "opc.reduce_l2": _of_sum(np.square, then=np.sqrt),
    "opc.reduce_log_sum": _of_sum(then=np.log),
    "opc.reduce_log_sum_exp": _reduction(_log_sum_exp),
    "opc.reduce_sum_square": _of_sum(np.square),
    "opc.reduce_any": _logical(np.logical_or.reduce),
    "opc.reduce_all": _logical(np.logical_and.reduce),
    "opc.argmax": _arg(np.argmax),
    "opc.argmin": _arg(np.argmin),
    "opc.matmul": _matmul,
}

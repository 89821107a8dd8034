"""What reductions, totals along an axis and contractions mean, over NumPy arrays.

Sums and products of floats have the order of ``order.reduce``, contractions that of
``order.chain``.  Integers wrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import BlockArgument

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import order
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.shape import normalize_axis, shape_of
from opc.errors import ArgumentError

from .elementwise import Meaning, divide_by_count
from .precision import Array, Call, is_float, narrow, native, wide

Axes: TypeAlias = "tuple[int, ...]"
Formula: TypeAlias = "Callable[[Array, Along], Array]"
Unary: TypeAlias = "Callable[[Array], Array]"


def resolve_axes(axes: Array | tuple[int, ...], rank: int, what: str) -> Axes:
    """Axes as numbers from 0.  ArgumentError if one is outside [-rank, rank - 1] or repeated."""
    signed = [int(axis) for axis in np.ravel(np.asarray(axes))]
    if any(not -rank <= axis < rank for axis in signed):
        raise ArgumentError(f"{what}: axes {signed} are not within [{-rank}, {rank - 1}]")
    resolved = tuple(axis % rank for axis in signed)
    if len(set(resolved)) != len(resolved):
        raise ArgumentError(f"{what}: axes {signed} name an axis twice")
    return resolved


def reduced_axes(name: str, arrays: Sequence[Array], params: Mapping[str, Any]) -> Axes | None:
    """The axes to reduce; None where an empty list asks for the operand itself."""
    every = tuple(range(arrays[0].ndim))
    chosen = arrays[1] if len(arrays) == 2 else params["axes"]
    if chosen is None:
        return every
    axes = resolve_axes(chosen, len(every), name)
    return axes or (every if params["empty_axes"] == "all" else None)


def _axes(call: Call) -> Axes | None:
    return reduced_axes(call.name, call.arrays, call.params)


def is_apart(op: Reduction) -> bool:
    """Whether each axis is reduced on its own: where the axes are known at run time only."""
    if len(op.operands) < 2:
        return False
    axes = op.operands[1]
    while isinstance(axes.owner, OpcOp) and axes.owner.operands:
        axes = axes.owner.operands[0]
    rank = len(shape_of(op.tensor_types[0]))
    return isinstance(axes, BlockArgument) and ex.product(shape_of(op.tensor_types[1])) != rank


def in_order(x: Array, axes: Axes, kind: order.Kind, is_apart: bool = False) -> Array:
    """A sum or product of f32 or f64 in its order, run by run; reduced axes stay, of extent 1.

    ``is_apart`` says that neighbouring axes are no common run.
    """
    type = el.F64 if x.dtype == np.float64 else el.F32
    for run in reversed([(a,) for a in sorted(axes)] if is_apart else order.runs(sorted(axes))):
        kept = math.prod(n for k, n in enumerate(x.shape) if k > run[-1] and k not in axes)
        stay = [k for k in range(x.ndim) if k not in run]
        count = math.prod(x.shape[k] for k in run)
        values = x.transpose(*stay, *run).reshape(*(x.shape[k] for k in stay), count)
        lanes = order.lanes(kept, type).constant
        assert lanes is not None
        x = np.expand_dims(order.reduce(values, lanes, kind), run)
    return x


def _reduction(formula: Formula, wraps: bool = False) -> Meaning:
    """Reduce floats by a formula in the type that adds them; integers too, or as f64."""

    def meaning(call: Call) -> Array:
        x = call.arrays[0]
        axes = _axes(call)
        if axes is None:
            return x
        operand = x if wraps else x.astype(np.float64)
        result = formula(
            native(x) if is_float(x) else operand, Along(axes, call.params.get("is_apart", False))
        )
        result = result if call.params["keepdims"] else np.squeeze(result, axis=axes)
        return narrow(result, call.element)

    return meaning


@dataclass(frozen=True)
class Along:
    """The axes of a reduction; ``is_apart`` where each is a run of its own."""

    axes: Axes
    is_apart: bool

    def total(self, x: Array, kind: order.Kind = "sum") -> Array:
        """The sum or product; that of integers wraps."""
        if is_float(x):
            return in_order(x, self.axes, kind, self.is_apart)
        ufunc = np.add if kind == "sum" else np.multiply
        return np.asarray(ufunc.reduce(x, axis=self.axes, dtype=x.dtype, keepdims=True))


def _same(x: Array) -> Array:
    return x


def _of_sum(of: Unary = _same, then: Unary | None = None) -> Meaning:
    """``then(sum(of(x)))``; where nothing comes after the sum, that of integers wraps."""
    return _reduction(lambda x, along: (then or _same)(along.total(of(x))), wraps=then is None)


def _prod(x: Array, along: Along) -> Array:
    return along.total(x, "prod")


def _mean(x: Array, along: Along) -> Array:
    return divide_by_count(along.total(x), math.prod(x.shape[axis] for axis in along.axes))


def _log(x: Array) -> Array:
    """The logarithm in a wider type."""
    return np.log(wide(x))


def _log_sum_exp(x: Array, along: Along) -> Array:
    top = np.maximum.reduce(x, axis=along.axes, keepdims=True, initial=-np.inf)
    # Where the greatest value is infinite, subtracting it would make NaN.
    shift = np.where(np.isfinite(top), top, 0.0).astype(x.dtype)
    terms = np.exp(wide(x - shift)).astype(x.dtype)
    return _log(along.total(terms)) + shift


def extreme(x: Array, axes: Axes, keepdims: bool, greatest: bool, start: float) -> Array:
    """The greatest or the least value; ``start`` of no values, NaN if one is NaN."""
    reduce = np.maximum.reduce if greatest else np.minimum.reduce
    result = np.asarray(reduce(x, axis=axes, keepdims=keepdims, initial=start))
    if is_float(x):
        # max(-0, +0) is +0 and min(-0, +0) is -0 in either order.
        decisive = (x == 0) & (np.signbit(x) != greatest)
        has_decisive = np.logical_or.reduce(decisive, axis=axes, keepdims=keepdims)
        negative = has_decisive != greatest
        zero = np.where(negative, -0.0, 0.0).astype(x.dtype)
        result = np.where(result == 0, zero, result)
    return result


def _extreme(greatest: bool) -> Meaning:
    def meaning(call: Call) -> Array:
        axes = _axes(call)
        if axes is None:
            return call.arrays[0]
        start = call.element.lowest if greatest else call.element.highest
        x = native(call.arrays[0])
        return narrow(extreme(x, axes, call.params["keepdims"], greatest, start), call.element)

    return meaning


def _logical(reduce: Callable[..., Any]) -> Meaning:
    def meaning(call: Call) -> Array:
        x, axes = call.arrays[0], _axes(call)
        return x if axes is None else reduce(x, axis=axes, keepdims=call.params["keepdims"])

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
            position = extent - 1 - search(np.flip(x, axis), axis=axis, keepdims=keepdims)
        else:
            position = search(x, axis=axis, keepdims=keepdims)
        return np.asarray(position, dtype=np.int64)

    return meaning


def running(
    kind: str, x: Array, axis: int, *, exclusive: bool = False, reverse: bool = False
) -> Array:
    """Totals along an axis, one value after the other from the neutral number; integers wrap."""
    x = np.flip(x, axis) if reverse else x
    shape = [1 if k == axis else n for k, n in enumerate(x.shape)]
    first = np.full(shape, int(kind == "prod"), x.dtype)
    function = np.multiply if kind == "prod" else np.add
    with np.errstate(all="ignore"):
        every = function.accumulate(np.concatenate([first, x], axis), axis, dtype=x.dtype)
    totals = np.delete(every, -1 if exclusive else 0, axis)
    return np.flip(totals, axis) if reverse else totals


def _cumulative(kind: str) -> Meaning:
    def meaning(call: Call) -> Array:
        (x,), p = call.arrays, call.params
        axis = normalize_axis(p["axis"], x.ndim)
        flags = {name: p[name] for name in ("exclusive", "reverse")}
        return narrow(running(kind, native(x), axis, **flags), call.element)

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
    columns = np.swapaxes(right, -1, -2)[..., None, :, :]
    product = order.chain(left[..., :, None, :], columns, call.is_rounded)
    product = product if a.ndim > 1 else product[..., 0, :]
    return narrow(product if b.ndim > 1 else product[..., 0], call.element)


MEANINGS: dict[str, Meaning] = {
    "opc.reduce_sum": _of_sum(),
    "opc.reduce_prod": _reduction(_prod, wraps=True),
    "opc.reduce_max": _extreme(greatest=True),
    "opc.reduce_min": _extreme(greatest=False),
    "opc.reduce_mean": _reduction(_mean, wraps=True),
    "opc.reduce_l1": _of_sum(np.abs),
    "opc.reduce_l2": _of_sum(np.square, then=np.sqrt),
    "opc.reduce_log_sum": _of_sum(then=_log),
    "opc.reduce_log_sum_exp": _reduction(_log_sum_exp),
    "opc.reduce_sum_square": _of_sum(np.square),
    "opc.reduce_any": _logical(np.logical_or.reduce),
    "opc.reduce_all": _logical(np.logical_and.reduce),
    "opc.argmax": _arg(np.argmax),
    "opc.argmin": _arg(np.argmin),
    "opc.cum_sum": _cumulative("sum"),
    "opc.cum_prod": _cumulative("prod"),
    "opc.matmul": _matmul,
}

"""Reductions of symbolic arrays, with NumPy's axes, types and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.element import ElementType
from opc.dialects.opc import reduction as r
from opc.dialects.opc import unary as u
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import MaxOp, OrOp
from opc.dialects.opc.cumulative import Cumulative

from .array import Array, Traced
from .elementwise import extreme, named, widened
from .promotion import Adjust, cast, floating, not_boolean, quotient, symbolic
from .shaping import axes_from, expand_dims, reshape
from .source_location import input_error
from .spec import element_like

Reduce = Callable[..., Traced]


def summed(type: ElementType) -> ElementType:
    """The result type of ``np.sum`` for this type."""
    if not type.is_whole:
        return type
    return el.BY_NAME["ui64"] if type.kind == "unsigned" else el.I64


def same(type: ElementType) -> ElementType:
    """The type itself."""
    return type


def axes_of(axis: Any, rank: int) -> tuple[int, ...] | None:
    """The nonnegative axes of a NumPy ``axis`` argument; None for all."""
    return None if axis is None else tuple(axes_from(axis, rank))


def reduction(
    op: type[OpcOp], adjust: Adjust = same, of_booleans: type[OpcOp] | None = None
) -> Reduce:
    """A reduction over ``axis``: None for all axes, an int, several, or a traced array of them.

    ``of_booleans`` is the operator where elements are i1.
    """

    def call(x: Any, /, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Traced:
        a = symbolic(x)
        a = cast(a, adjust(a.element) if dtype is None else element_like(dtype))
        chosen = op if of_booleans is None or a.element is not el.I1 else of_booleans
        keepdims = bool(keepdims)
        if isinstance(axis, Array):
            return a.trace.emit(chosen, a, axis, keepdims=keepdims)
        return a.trace.emit(chosen, a, axes=axes_of(axis, a.ndim), keepdims=keepdims)

    return named(call, op, "  Over all axes by default.")


def truth(_: ElementType) -> ElementType:
    """The type in which ``np.any`` looks at elements."""
    return el.I1


def _one_axis(op: type[OpcOp], a: Array, axis: Any) -> tuple[Array, int]:
    """The array and the only axis, or the flattened array and 0 without one."""
    axes = axes_of(axis, a.ndim)
    if axes is None:
        return reshape(a, -1), 0
    if len(axes) != 1:
        raise input_error(f"{op.name}: expected one axis, found {axis}")
    return a, axes[0]


def position_of(op: type[OpcOp]) -> Reduce:
    """The index of the greatest or least element; in the flattened array without an axis."""

    def call(
        x: Any, /, axis: Any = None, *, keepdims: bool = False, select_last_index: bool = False
    ) -> Traced:
        a = symbolic(x)
        rank = a.ndim
        # The operator takes numbers; bytes give the same index.
        a, place = _one_axis(op, cast(a, not_boolean(a.element)), axis)
        result = a.trace.emit(
            op,
            a,
            axis=place,
            keepdims=bool(keepdims) and axis is not None,
            select_last_index=bool(select_last_index),
        )
        return expand_dims(result, tuple(range(rank))) if keepdims and axis is None else result

    return named(call, op)


def cumulative(op: type[Cumulative]) -> Reduce:
    """Prefix totals along ``axis``; without one, of the flattened array."""

    def call(x: Any, /, axis: Any = None, dtype: Any = None) -> Traced:
        a, place = _one_axis(op, symbolic(x), axis)
        a = cast(a, summed(a.element) if dtype is None else element_like(dtype))
        return a.trace.emit(op, a, axis=place)

    return named(call, op, "  Along the flattened array by default.")


_mean = reduction(r.ReduceMeanOp, quotient)
_sum = reduction(r.ReduceSumOp, summed)
_max = reduction(r.ReduceMaxOp)


def var(
    x: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    correction: float | None = None,
) -> Traced:
    """Mean squared distance from the mean, the sum divided by count - ddof."""
    a = symbolic(x)
    result = quotient(a.element) if dtype is None else element_like(dtype)
    wide = widened(cast(a, result))
    axes = axes_of(axis, a.ndim)
    centred = wide - _mean(wide, axes, keepdims=True)
    taken = range(a.ndim) if axes is None else axes
    count = ex.product(a.extents[k] for k in taken)
    lost = ddof if correction is None else correction
    total = _sum(centred * centred, axes, keepdims=keepdims)
    if count.constant is not None:
        return cast(total / float(max(count.constant - lost, 0)), result)
    divisor = cast(a.trace.extent(count), total.element) - lost
    return cast(total / extreme(MaxOp, OrOp)(divisor, 0), result)


def std(
    x: Any,
    /,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    correction: float | None = None,
) -> Traced:
    """Square root of the variance."""
    variance = var(x, axis, dtype, ddof=ddof, keepdims=keepdims, correction=correction)
    return variance.trace.emit(u.SqrtOp, variance)


def _floats(x: Any) -> Array:
    a = symbolic(x)
    return cast(a, floating(a.element))


def softmax(x: Any, /, axis: Any = -1) -> Traced:
    """e**x divided by its sum along an axis, without overflow; small powers count as 0."""
    a = _floats(x)
    powers = softmax_power(_shifted(a, axis))
    return cast(powers / _sum(powers, axis, keepdims=True), a.element)


def log_softmax(x: Any, /, axis: Any = -1) -> Traced:
    """Logarithm of softmax."""
    a = _floats(x)
    shifted = _shifted(a, axis)
    total = _sum(_exp(shifted), axis, keepdims=True)
    return cast(shifted - total.trace.emit(u.LogOp, total), a.element)


def _shifted(x: Array, axis: Any) -> Array:
    wide = widened(x)
    return wide - _max(wide, axis, keepdims=True)


def softmax_power(x: Any, /) -> Traced:
    """e**x for x <= 0; 0 for x < -76.25, but of f64."""
    a = symbolic(x)
    return a.trace.emit(u.ExpOp if a.element is el.F64 else u.ExpSoftmaxOp, a)


def _exp(x: Array) -> Array:
    return x.trace.emit(u.ExpOp, x)

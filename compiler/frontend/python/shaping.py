"""Shape functions of symbolic arrays, and constructors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import BroadcastOp, ReshapeOp, TransposeOp
from opc.dialects.shape import UNKNOWN, shape_text, tensor_type
from opc.errors import UsageError

from .array import Array, Traced, trace_of
from .extent import Extent, expr_of
from .promotion import data_of, element_of_data, promoted, symbolic
from .source_location import input_error, unsupported
from .spec import element_like


def items(value: Any) -> list[Any]:
    """The items of a tuple or list; anything else as a single item."""
    return list(cast(list[Any], value)) if isinstance(value, tuple | list) else [value]


def _extents(shape: Any) -> list[ex.Expr]:
    """The extents of a shape argument, with -1 inferred."""
    result: list[ex.Expr] = []
    for item in items(shape):
        try:
            extent = expr_of(item)
        except TypeError:
            raise input_error(f"{item!r} in shape {shape!r} is not an extent") from None
        if extent.constant is not None and extent.constant < -1:
            raise input_error(f"extent {extent_text(extent)} in shape {shape!r} is negative")
        result.append(UNKNOWN if extent == -1 else extent)
    return result


def axes_from(axis: Any, rank: int) -> list[int]:
    """Nonnegative axes; :class:`InputError` if one is out of range or occurs twice."""
    result: list[int] = []
    for item in items(axis):
        try:
            index = operator.index(item)
        except TypeError:
            raise input_error(f"{item!r} is not an axis") from None
        if not -rank <= index < rank:
            raise input_error(f"axis {index} is outside [{-rank}, {rank - 1}] for rank {rank}")
        result.append(index % rank)
    if len(set(result)) != len(result):
        raise input_error(f"axes {axis} name an axis twice")
    return result


def reshape(x: Any, /, shape: Any, order: str = "C") -> Traced:
    """The same elements in row-major order in another shape, of which one extent may be -1."""
    if order != "C":
        raise unsupported(f"reshape in order {order!r}")
    a = symbolic(x)
    return _reshaped(a, _extents(shape))


def _reshaped(a: Array, extents: list[ex.Expr]) -> Array:
    if tuple(extents) == a.extents:
        return a
    if extents.count(UNKNOWN) > 1:
        raise input_error(f"more than one extent of shape {shape_text(extents)} is to be inferred")
    return a.trace.emit(ReshapeOp, a, result_type=tensor_type(a.element, extents))


def ravel(x: Any, /, order: str = "C") -> Traced:
    """All elements in one axis, in row-major order."""
    return reshape(x, -1, order)


def expand_dims(x: Any, /, axis: Any) -> Traced:
    """New axes of extent 1, at these positions of the result."""
    a = symbolic(x)
    count = len(items(axis))
    new = axes_from(axis, a.ndim + count)
    rest = iter(a.extents)
    extents = [ex.const(1) if k in new else next(rest) for k in range(a.ndim + count)]
    return _reshaped(a, extents)


def squeeze(x: Any, /, axis: Any = None) -> Traced:
    """Without these axes of extent 1; by default without all with known extent 1."""
    a = symbolic(x)
    is_one = a.trace.meetings.is_one
    if axis is None:
        return _reshaped(a, [e for e in a.extents if e != 1])
    gone = axes_from(axis, a.ndim)
    for k in gone:
        if is_one(a.extents[k]) is False:
            raise input_error(f"axis {k} of {a!r} cannot be squeezed: its extent is not 1")
    return _reshaped(a, [e for k, e in enumerate(a.extents) if k not in gone])


def transpose(x: Any, /, axes: Any = None) -> Traced:
    """The axes in another order; reversed by default."""
    a = symbolic(x)
    order = list(reversed(range(a.ndim))) if axes is None else axes_from(axes, a.ndim)
    if order == list(range(a.ndim)):
        return a
    return a.trace.emit(TransposeOp, a, permutation=order)


def swapaxes(x: Any, axis1: int, axis2: int, /) -> Traced:
    """Two axes exchanged."""
    a = symbolic(x)
    (i,), (j,) = axes_from(axis1, a.ndim), axes_from(axis2, a.ndim)
    order = list(range(a.ndim))
    order[i], order[j] = j, i
    return transpose(a, order)


def matrix_transpose(x: Any, /) -> Traced:
    """The last two axes exchanged."""
    return swapaxes(x, -1, -2)


def moveaxis(x: Any, source: Any, destination: Any, /) -> Traced:
    """Axes moved to other positions; the others keep their order."""
    a = symbolic(x)
    taken, places = axes_from(source, a.ndim), axes_from(destination, a.ndim)
    if len(taken) != len(places):
        raise input_error(f"moveaxis: {len(taken)} axes cannot go to {len(places)} places")
    order = [k for k in range(a.ndim) if k not in taken]
    for place, axis in sorted(zip(places, taken, strict=True)):
        order.insert(place, axis)
    return transpose(a, order)


def broadcast_to(x: Any, /, shape: Any) -> Traced:
    """Broadcast to a shape."""
    extents = _extents(shape)
    a = symbolic(x, *items(shape))
    if UNKNOWN in extents:
        raise input_error(f"{shape!r} is not a shape to broadcast to")
    if tuple(extents) == a.extents:
        return a
    return a.trace.emit(BroadcastOp, a, result_type=tensor_type(a.element, extents))


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """An array of one value: symbolic if an extent or the value is, else a NumPy array."""
    extents = items(shape)
    sources = [s for s in (*extents, fill_value) if isinstance(s, Array | Extent)]
    if not sources:
        return np.full(extents, fill_value, None if dtype is None else element_like(dtype).dtype)
    trace = trace_of(*sources)
    if dtype is None:
        (value,) = promoted(fill_value, trace=trace)
    else:
        wanted = element_like(dtype)
        (value,) = promoted(fill_value, adjust=lambda _: wanted, trace=trace)
    return broadcast_to(value, tuple(extents))


def zeros(shape: Any, dtype: Any = "f64") -> Any:
    """Zeros, as ``full`` makes them."""
    return full(shape, 0, dtype)


def ones(shape: Any, dtype: Any = "f64") -> Any:
    """Ones, as ``full`` makes them."""
    return full(shape, 1, dtype)


def full_like(x: Any, /, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """One value in the shape and element type of another array."""
    a = symbolic(x)
    return full(a.shape if shape is None else shape, fill_value, dtype or a.element)


def zeros_like(x: Any, /, dtype: Any = None, shape: Any = None) -> Any:
    """Zeros in the shape and element type of another array."""
    return full_like(x, 0, dtype, shape)


def ones_like(x: Any, /, dtype: Any = None, shape: Any = None) -> Any:
    """Ones in the shape and element type of another array."""
    return full_like(x, 1, dtype, shape)


def asarray(x: Any, /, dtype: Any = None) -> Any:
    """A symbolic array or extent as an array, anything else as a NumPy array: a constant."""
    if isinstance(x, Array | Extent):
        a = symbolic(x)
        if dtype is None:
            return Array(a.trace, a.value)
        wanted = element_like(dtype)
        return promoted(a, adjust=lambda _: wanted)[0]
    array, _ = data_of(x)
    return array if dtype is None else array.astype(element_like(dtype).dtype)


def arange(start: Any, /, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Evenly spaced numbers as a NumPy array: a constant, so bounds cannot be symbolic."""
    first, end = (0, start) if stop is None else (start, stop)
    return constant(np.arange)(first, end, step, dtype=dtype)


def constant(make: Callable[..., Any]) -> Callable[..., Any]:
    """A constructor of NumPy for use while tracing: the array is a constant."""

    def call(*args: Any, **named: Any) -> Any:
        for value in (*args, *named.values()):
            if isinstance(value, Array | Extent):
                raise unsupported(
                    f"{make.__name__} of {value!r}: there is no operator for it yet, only constants"
                )
        dtype = named.pop("dtype", None)
        if dtype is not None:
            named["dtype"] = element_like(dtype).dtype
        array = make(*args, **named)
        element_of_data(array)
        return array

    call.__name__ = call.__qualname__ = make.__name__
    call.__doc__ = f"As ``numpy.{make.__name__}``: a constant."
    return call


def copy(x: Any, /) -> Traced:
    """The array itself: symbolic arrays are never changed."""
    return symbolic(x)


def shape(x: Any, /) -> tuple[int | Extent, ...]:
    """The extents."""
    return symbolic(x).shape


def ndim(x: Any, /) -> int:
    """The number of axes."""
    return symbolic(x).ndim


def size(x: Any, /, axis: int | None = None) -> int | Extent:
    """The number of elements, or the extent of one axis."""
    a = symbolic(x)
    if axis is None:
        return a.size
    if not -a.ndim <= axis < a.ndim:
        raise UsageError(f"axis {axis} is outside [{-a.ndim}, {a.ndim - 1}] for rank {a.ndim}")
    return a.shape[axis]

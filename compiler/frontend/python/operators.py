"""The operators of Python on symbolic values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .source_location import no_function, unsupported

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The functions of :mod:`opc.numpy`, which are made of symbolic values: it enters them here."""


def function(name: str) -> Callable[..., Any]:
    """A function of :mod:`opc.numpy`."""
    return FUNCTIONS[name]


def from_numpy(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Trace ``numpy.<name>(*args, **named)``."""
    if name not in FUNCTIONS:
        raise no_function(f"numpy.{name}", FUNCTIONS)
    for option in ("out", "where", "initial", "casting", "order", "subok", "extobj", "signature"):
        if option in named:
            raise unsupported(f"numpy.{name}({option}=...) on a symbolic array")
    return FUNCTIONS[name](*args, **named)


def _binary(name: str, swapped: bool = False) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        a, b = (other, self) if swapped else (self, other)
        result = function(name)(a, b)
        # Results of Python scalars alone promote as Python scalars.
        result.weak = is_weak(a) and is_weak(b)
        return result

    method.__doc__ = f"As :func:`opc.numpy.{name}`."
    return method


def _unary(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return function(name)(self)

    method.__doc__ = f"As :func:`opc.numpy.{name}`."
    return method


def is_weak(value: Any) -> bool:
    """Whether a value promotes as a Python scalar: its kind counts, its width does not."""
    if isinstance(value, Operators):
        return value.weak
    return isinstance(value, bool | int | float) and not isinstance(value, np.generic)


class Operators:
    """The operators of Python, as functions of :mod:`opc.numpy`."""

    __slots__ = ()

    weak: bool
    """Whether it promotes as a Python scalar."""

    __add__, __radd__ = _binary("add"), _binary("add", swapped=True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", swapped=True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", swapped=True)
    __truediv__, __rtruediv__ = _binary("divide"), _binary("divide", swapped=True)
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _binary("floor_divide", swapped=True)
    __mod__, __rmod__ = _binary("mod"), _binary("mod", swapped=True)
    __pow__, __rpow__ = _binary("power"), _binary("power", swapped=True)
    __matmul__, __rmatmul__ = _binary("matmul"), _binary("matmul", swapped=True)
    __and__, __rand__ = _binary("bitwise_and"), _binary("bitwise_and", swapped=True)
    __or__, __ror__ = _binary("bitwise_or"), _binary("bitwise_or", swapped=True)
    __xor__, __rxor__ = _binary("bitwise_xor"), _binary("bitwise_xor", swapped=True)
    __lshift__, __rlshift__ = _binary("left_shift"), _binary("left_shift", swapped=True)
    __rshift__, __rrshift__ = _binary("right_shift"), _binary("right_shift", swapped=True)
    __lt__, __le__ = _binary("less"), _binary("less_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __eq__ = _binary("equal")  # pyright: ignore[reportAssignmentType]  # elementwise, as NumPy's
    __ne__ = _binary("not_equal")  # pyright: ignore[reportAssignmentType]

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        """(``//``, ``%``)."""
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        """(``//``, ``%``) with reversed operands."""
        return other // self, other % self

    __neg__, __pos__ = _unary("negative"), _unary("positive")
    __abs__, __invert__ = _unary("abs"), _unary("invert")
    __hash__ = None  # pyright: ignore[reportAssignmentType]  # as arrays, since == is elementwise

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any) -> Any:
        """Trace ``np.exp(x)``, ``array + x`` and ``np.add.reduce(x)``."""
        name = ufunc.__name__
        if method == "__call__":
            return from_numpy(name, inputs, named)
        if name not in FUNCTIONS:
            raise no_function(f"numpy.{name}.{method}", ())
        return getattr(FUNCTIONS[name], method)(*inputs, **named)

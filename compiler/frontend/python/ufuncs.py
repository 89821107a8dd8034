"""What the ufuncs of NumPy have beside the call, on symbolic arrays: ``np.add.reduce(x)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .array import Traced
from .operators import function
from .promotion import symbolic
from .shaping import expand_dims
from .source_location import checked, no_function

METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")

_REDUCTIONS = {
    **{"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"},
    **{"logical_and": "all", "logical_or": "any"},
}
"""The reduction that repeats a ufunc."""


def method(ufunc: str, name: str) -> Callable[..., Traced]:
    """A method of a ufunc: reduce and outer where operators exist, else what raises the error."""
    if name == "reduce" and ufunc in _REDUCTIONS:
        found = _reduce(_REDUCTIONS[ufunc])
    elif name == "outer" and getattr(np, ufunc).nin == 2 and hasattr(function(ufunc), "outer"):
        found = _outer(function(ufunc))
    else:

        def refused(*args: Any, **named: Any) -> Traced:
            raise no_function(f"numpy.{ufunc}.{name}", ())

        return refused
    return checked(f"numpy.{ufunc}.{name}", found)


def add_methods(ufunc: str, call: Callable[..., Any]) -> None:
    """Give a function of :mod:`opc.numpy` the methods of the ufunc of that name."""
    for name in METHODS:

        def later(*args: Any, name: str = name, **named: Any) -> Traced:
            return method(ufunc, name)(*args, **named)

        setattr(call, name, later)


def _reduce(reduction: str) -> Callable[..., Traced]:
    def reduce(x: Any, /, axis: Any = 0, dtype: Any = None, *, keepdims: bool = False) -> Traced:
        options = {} if dtype is None else {"dtype": dtype}
        return function(reduction)(x, axis, keepdims=keepdims, **options)

    return reduce


def _outer(call: Callable[..., Traced]) -> Callable[..., Traced]:
    def outer(x: Any, y: Any, /) -> Traced:
        first, second = symbolic(x, y), symbolic(y, x)
        axes = tuple(range(first.ndim, first.ndim + second.ndim))
        return call(expand_dims(first, axes) if axes else first, second)

    return outer

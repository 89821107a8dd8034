"""What elementwise operators mean, over NumPy arrays.

An operator that is one scalar function takes its meaning from ``scalar.SCALARS``.  The others are
computed from their definitions in a wider type and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import scalar
from opc.dialects.opc import OPERATORS

from .precision import Array, Call, is_float, narrow, native, wide

Meaning: TypeAlias = "Callable[[Call], Array]"


def scalar_function(row: str, call: Call) -> Array:
    """A row of the scalar table over the operands, which broadcast."""
    if row in scalar.CONVERSIONS:
        return scalar.apply(row, list(call.arrays), call.element)
    return narrow(scalar.SCALARS[row].numpy(*map(native, call.arrays)), call.element)


def _row(name: str, *args: Array) -> Array:
    return scalar.SCALARS[name].numpy(*args)


def _clamp(x: Array, low: float, high: float) -> Array:
    # NumPy's maximum leaves open which zero is greater.
    return _row("max", _row("min", x, np.full_like(x, high)), np.full_like(x, low))


def _elu(x: Array, alpha: float) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(x))


def _celu(x: Array, alpha: float) -> Array:
    curve = alpha * np.expm1(x / alpha)
    return _clamp(x, 0.0, np.inf) + _clamp(curve, -np.inf, 0.0)


def _shrink(x: Array, bias: float, lambd: float) -> Array:
    return np.where(x < -lambd, x + bias, np.where(x > lambd, x - bias, 0.0))


def _fold(row: str, total: Array, *others: Array) -> Array:
    for x in others:
        total = np.asarray(_row(row, total, x))
    return total


def divide_by_count(total: Array, count: int) -> Array:
    """A sum divided by a number of elements; integers truncate, and give 0 for no elements."""
    if is_float(total):
        return total / np.asarray(count, total.dtype)
    # The count need not fit the type of the sum.
    exact = np.asarray(np.abs(total.astype(object)) // max(count, 1), dtype=object)
    return np.where(total < 0, -exact, exact).astype(total.dtype)


_WIDE: dict[str, Callable[[Array, Mapping[str, Any]], Array]] = {
    "opc.softsign": lambda x, _: x / (1.0 + np.abs(x)),
    "opc.gelu": lambda x, p: _row("gelu_tanh" if p["approximate"] == "tanh" else "gelu", x),
    "opc.silu": lambda x, p: x * _row("sigmoid", p["alpha"] * x),
    "opc.elu": lambda x, p: _elu(x, p["alpha"]),
    "opc.selu": lambda x, p: p["gamma"] * _elu(x, p["alpha"]),
    "opc.celu": lambda x, p: _celu(x, p["alpha"]),
    "opc.leaky_relu": lambda x, p: np.where(x >= 0, x, p["alpha"] * x),
    "opc.thresholded_relu": lambda x, p: np.where(x > p["alpha"], x, 0.0),
    "opc.hard_sigmoid": lambda x, p: _clamp(p["alpha"] * x + p["beta"], 0.0, 1.0),
    "opc.hard_swish": lambda x, _: x * _clamp(x + 3.0, 0.0, 6.0) / 6.0,
    "opc.shrink": lambda x, p: _shrink(x, p["bias"], p["lambd"]),
}
"""Formulas over a wide operand and the attributes."""


def _prelu(x: Array, slope: Array) -> Array:
    return np.where(x >= 0, x, x * slope)


def _clip(x: Array, low: Array, high: Array) -> Array:
    return _row("min", np.asarray(_row("max", x, low)), high)


_ONE: dict[str, Callable[[Array], Array]] = {
    "opc.relu": lambda x: _row("max", x, np.zeros_like(x)),
    "opc.reciprocal": lambda x: np.ones_like(x) / x,
}
_NATIVE: dict[str, Callable[..., Array]] = {
    **_ONE,
    "opc.prelu": _prelu,
    "opc.clip": _clip,
    "opc.max": partial(_fold, "max"),
    "opc.min": partial(_fold, "min"),
    "opc.sum": partial(_fold, "add"),
    "opc.mean": lambda *xs: divide_by_count(_fold("add", *xs), len(xs)),
}
"""Formulas over operands in their own type, f32 for narrow floats."""


def _composite(name: str) -> Meaning:
    wide_formula, native_formula = _WIDE.get(name), _NATIVE.get(name)

    def meaning(call: Call) -> Array:
        if wide_formula is not None:
            return narrow(wide_formula(wide(call.arrays[0]), call.params), call.element)
        assert native_formula is not None
        return narrow(native_formula(*map(native, call.arrays)), call.element)

    return meaning


def _cast(call: Call) -> Array:
    params = call.params
    row = scalar.cast_name(call.element, params["round_mode"], params["saturate"])
    return scalar_function(row, call)


def _is_inf(call: Call) -> Array:
    x = native(call.arrays[0])
    positive = np.isposinf(x) & call.params["positive"]
    return positive | (np.isneginf(x) & call.params["negative"])


def _of_row(row: str) -> Meaning:
    return lambda call: scalar_function(row, call)


MEANINGS: dict[str, Meaning] = {
    **{op.name: _of_row(op.scalar) for op in OPERATORS if op.scalar is not None},
    **{name: _composite(name) for name in (*_WIDE, *_NATIVE)},
    "opc.apply": lambda call: scalar_function(call.params["function"], call),
    "opc.cast": _cast,
    "opc.identity": lambda call: call.arrays[0],
    "opc.is_inf": _is_inf,
    "opc.mod": lambda call: scalar_function("fmod" if call.params["fmod"] else "mod", call),
    "opc.where": lambda call: np.where(*call.arrays),
}

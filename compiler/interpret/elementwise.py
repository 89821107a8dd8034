"""What elementwise operators mean, over NumPy arrays.

An operator that is one scalar function takes its meaning from ``scalar.SCALARS``.  The others are
computed from their definitions in a wider type and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

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


def _of_row(row: str) -> Meaning:
    return lambda call: scalar_function(row, call)


def _cast(call: Call) -> Array:
    params = call.params
    row = scalar.cast_name(call.element, params["round_mode"], params["saturate"])
    return scalar_function(row, call)


def _apply(call: Call) -> Array:
    return scalar_function(call.params["function"], call)


def _composite(formula: Callable[..., Array]) -> Meaning:
    """A formula over one wide operand and the operator's attributes."""

    def meaning(call: Call) -> Array:
        return narrow(formula(wide(call.arrays[0]), **call.params), call.element)

    return meaning


def _row(name: str, *args: Array) -> Array:
    return scalar.SCALARS[name].numpy(*args)


def _gelu(x: Array, approximate: str) -> Array:
    return _row("gelu_tanh" if approximate == "tanh" else "gelu", x)


def _clamp(x: Array, low: float, high: float) -> Array:
    # NumPy's maximum leaves open which zero is greater.
    return _row("max", _row("min", x, np.full_like(x, high)), np.full_like(x, low))


def _hard_sigmoid(x: Array, alpha: float, beta: float) -> Array:
    return _clamp(alpha * x + beta, 0.0, 1.0)


def _softsign(x: Array) -> Array:
    return x / (1.0 + np.abs(x))


def _silu(x: Array, alpha: float) -> Array:
    return x * _row("sigmoid", alpha * x)


def _elu(x: Array, alpha: float) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(x))


def _selu(x: Array, alpha: float, gamma: float) -> Array:
    return gamma * _elu(x, alpha)


def _celu(x: Array, alpha: float) -> Array:
    curve = alpha * np.expm1(x / alpha)
    return _clamp(x, 0.0, np.inf) + _clamp(curve, -np.inf, 0.0)


def _leaky_relu(x: Array, alpha: float) -> Array:
    return np.where(x >= 0, x, alpha * x)


def _thresholded_relu(x: Array, alpha: float) -> Array:
    return np.where(x > alpha, x, 0.0)


def _shrink(x: Array, bias: float, lambd: float) -> Array:
    return np.where(x < -lambd, x + bias, np.where(x > lambd, x - bias, 0.0))


def _hard_swish(x: Array) -> Array:
    return x * _clamp(x + 3.0, 0.0, 6.0) / 6.0


_FORMULAS: dict[str, Callable[..., Array]] = {
    "opc.softsign": _softsign,
    "opc.gelu": _gelu,
    "opc.silu": _silu,
    "opc.elu": _elu,
    "opc.selu": _selu,
    "opc.celu": _celu,
    "opc.leaky_relu": _leaky_relu,
    "opc.thresholded_relu": _thresholded_relu,
    "opc.hard_sigmoid": _hard_sigmoid,
    "opc.hard_swish": _hard_swish,
    "opc.shrink": _shrink,
}


def _relu(call: Call) -> Array:
    x = native(call.arrays[0])
    return narrow(_row("max", x, np.zeros_like(x)), call.element)


def _reciprocal(call: Call) -> Array:
    x = native(call.arrays[0])
    return narrow(np.ones_like(x) / x, call.element)


def _is_inf(call: Call) -> Array:
    x = native(call.arrays[0])
    positive = np.isposinf(x) & call.params["positive"]
    return positive | (np.isneginf(x) & call.params["negative"])


def _mod(call: Call) -> Array:
    return scalar_function("fmod" if call.params["fmod"] else "mod", call)


def _prelu(call: Call) -> Array:
    x, slope = map(native, call.arrays)
    return narrow(np.where(x >= 0, x, x * slope), call.element)


def _fold(row: str, call: Call) -> Array:
    total, *rest = map(native, call.arrays)
    for x in rest:
        total = np.asarray(_row(row, total, x))
    return total


def _of_fold(row: str) -> Meaning:
    return lambda call: narrow(_fold(row, call), call.element)


def _mean(call: Call) -> Array:
    return narrow(divide_by_count(_fold("add", call), len(call.arrays)), call.element)


def divide_by_count(total: Array, count: int) -> Array:
    """A sum divided by a number of elements; integers truncate, and give 0 for no elements."""
    if is_float(total):
        return total / np.asarray(count, total.dtype)
    # The count need not fit the type of the sum.
    exact = np.asarray(np.abs(total.astype(object)) // max(count, 1), dtype=object)
    return np.where(total < 0, -exact, exact).astype(total.dtype)


def _clip(call: Call) -> Array:
    x, low, high = map(native, call.arrays)
    return narrow(_row("min", np.asarray(_row("max", x, low)), high), call.element)


MEANINGS: dict[str, Meaning] = {
    **{op.name: _of_row(op.scalar) for op in OPERATORS if op.scalar is not None},
    **{name: _composite(formula) for name, formula in _FORMULAS.items()},
    "opc.apply": _apply,
    "opc.cast": _cast,
    "opc.identity": lambda call: call.arrays[0],
    "opc.relu": _relu,
    "opc.reciprocal": _reciprocal,
    "opc.is_inf": _is_inf,
    "opc.mod": _mod,
    "opc.prelu": _prelu,
    "opc.max": _of_fold("max"),
    "opc.min": _of_fold("min"),
    "opc.sum": _of_fold("add"),
    "opc.mean": _mean,
    "opc.where": lambda call: np.where(*call.arrays),
    "opc.clip": _clip,
}

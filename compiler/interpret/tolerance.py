"""How far results may be from the interpreter's: the tolerances of docs/numerics.md, one table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np

from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.opc import OPERATORS
from opc.dialects.scalar import SCALARS

from .precision import Array, is_float

ELEMENT_OF = {e.dtype: e for e in BY_NAME.values()}
UNIT = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-24, "bf16": 2.0**-24}
"""Half an ULP of 1 in the type that accumulates."""
ULP, NARROW_ULP = 2, 1
"""What an elementary function may be off, in f32 and f64 and in types that are computed in f32."""
PEER_ULP, PEER_FACTOR = 4096, 64
"""What another library may be off: units in the last place, and times what opc may be."""
EXACT = frozenset({
    "opc.identity", "opc.reciprocal", "opc.relu", "opc.is_inf", "opc.mod", "opc.prelu",
    "opc.max", "opc.min", "opc.sum", "opc.mean", "opc.clip",
    "opc.reduce_max", "opc.reduce_min", "opc.reduce_any", "opc.reduce_all",
    "opc.argmax", "opc.argmin", "opc.cum_sum", "opc.cum_prod",
    "opc.contract", "opc.matmul", "opc.conv", "opc.conv_transpose",
    "opc.constant", "opc.reshape", "opc.broadcast", "opc.transpose", "opc.extent", "opc.iota",
    "opc.slice", "opc.concat", "opc.windows",
    "opc.gather", "opc.gather_elements", "opc.scatter", "opc.scatter_elements",
    "opc.walk",
})  # fmt: skip
"""Operators without a scalar function of their own whose roundings are all prescribed."""
IN_F64 = frozenset({"opc.reduce_l2", "opc.reduce_log_sum", "opc.reduce_log_sum_exp"})
"""Reductions that are computed in f64 for integers, and truncated."""
_ROWS = {op.name: op.scalar for op in OPERATORS}


@dataclass(frozen=True)
class Allowed:
    """A tolerance: units in the last place of the result, plus an absolute error.

    Where both are 0 the bits are prescribed; ``zero_signs`` says whether those of zeros are.
    """

    ulp: float = 0
    bound: Array | float = 0.0
    zero_signs: bool = True


def numeric(x: Array) -> Array:
    """The values in a type that also holds their differences: f64, or long double for 8 bytes."""
    with np.errstate(all="ignore"):
        if x.dtype.kind not in "fiub":
            x = x.astype(np.float32)
        return x.astype(np.float64 if x.dtype.itemsize < 8 else np.longdouble)


def _ordered(x: Array) -> Array:
    """Floats as integers in the same order, neighbours one apart, -0 and +0 equal."""
    signed = x.view(f"i{x.dtype.itemsize}")
    least = np.iinfo(signed.dtype).min
    return np.where(signed < 0, least - signed, signed).astype(np.int64)


def ulp_distance(a: Array, b: Array) -> Array:
    """The distance in floats, as f64; infinity is the neighbour of the greatest number."""
    shape = np.shape(a)
    x, y = _ordered(np.ascontiguousarray(a)), _ordered(np.ascontiguousarray(b))
    # Of different signs, the distance can exceed 63 bits.
    apart = np.abs(x.astype(np.float64) - y.astype(np.float64))
    same = (x < 0) == (y < 0)
    near = np.abs(np.where(same, x, 0) - np.where(same, y, 0))
    return np.where(same, near.astype(np.float64), apart).reshape(shape)


def spacing(x: Array) -> Array:
    """The distance from |x| to the float above, 0 at the greatest number."""
    finite = np.where(np.isfinite(x.astype(np.float64)), x, np.zeros_like(x))
    above = (np.abs(finite).view(f"u{x.dtype.itemsize}") + 1).astype(f"u{x.dtype.itemsize}")
    gap = numeric(above.view(x.dtype)) - numeric(np.abs(finite))
    return np.where(np.isfinite(gap), gap, 0)


def greatest_of(x: Array) -> float:
    """The greatest number of a floating-point type."""
    info = cast(Any, ml_dtypes).finfo(x.dtype)
    return float(info.max)


def least_of(x: Array) -> float:
    """The least number above 0 of a floating-point type."""
    info = cast(Any, ml_dtypes).finfo(x.dtype)
    return float(info.smallest_subnormal)


def sum_bound(x: Array, axes: Sequence[int], keepdims: bool, type: ElementType) -> Array:
    """(16 + 2 ceil(log2 n)) u sum |x|."""
    n = math.prod(x.shape[axis] for axis in axes)
    total = np.sum(np.abs(numeric(x)), axis=tuple(axes), keepdims=keepdims)
    return relative(n) * UNIT[type.name] * total


def relative(n: int) -> int:
    """Units that a sum of n values may be off, of the sum of magnitudes."""
    return 16 + 2 * math.ceil(math.log2(max(n, 1)))


def is_exact(name: str, params: Mapping[str, Any]) -> bool:
    """Whether every rounding of an operator is prescribed, for numbers of every type."""
    row = params["function"] if name == "opc.apply" else _ROWS.get(name)
    return SCALARS[row].exact if row is not None else name in EXACT


def elementwise(name: str, params: Mapping[str, Any], x: Array) -> Allowed:
    """The tolerance of an elementwise operator, with ``x`` its first operand of the result's type.

    f64 has no wider type, so cancellation and the rounding of an exponent count, too.
    """
    if is_exact(name, params) or not is_float(x):
        return Allowed()
    bound: Array | float = 0.0
    if x.dtype == np.float64:
        bound = _lost_in_f64(name, params, x)
    return Allowed(NARROW_ULP if x.dtype.itemsize == 2 else ULP, bound)


def _lost_in_f64(name: str, params: Mapping[str, Any], x: Array) -> Array | float:
    unit, finite = UNIT["f64"], numeric(np.where(np.isfinite(x), x, 0))
    magnitude = np.abs(finite)
    if name == "opc.hard_sigmoid":
        return 2 * unit * (abs(params["alpha"]) * magnitude + abs(params["beta"]))
    if name == "opc.silu":
        t = params["alpha"] * finite
        sigmoid = np.exp(np.minimum(t, 0)) / (1 + np.exp(-np.abs(t)))
        # Where sigmoid underflows, x times it has the digits that a subnormal left.
        return magnitude * (2 * unit * sigmoid * np.abs(t) + np.longdouble(2.0**-1074))
    return 0.0


def reduction(name: str, x: Array, expected: Array, axes: Sequence[int], keepdims: bool) -> Allowed:
    """The tolerance of a reduction over ``axes`` of ``x``, if no partial result overflows."""
    if not is_float(x):
        if name not in IN_F64 or x.dtype.itemsize <= 2:
            return Allowed()
        # The sum in f64 is rounded, in an order that is left open.
        return Allowed(0, 1 + 64 * 2.0**-53 * np.abs(numeric(expected)))
    if name in EXACT:
        return Allowed()
    narrow = float(x.dtype.itemsize == 2)
    with np.errstate(all="ignore"):
        ulp, bound = _of_float(name, x, expected, tuple(axes), keepdims)
    return Allowed(ulp + narrow, bound, zero_signs=False)


def _of_float(
    name: str, x: Array, expected: Array, axes: tuple[int, ...], keepdims: bool
) -> tuple[float, Array | float]:
    """ULP of the result and an absolute error, from that of the sum inside."""
    type = ELEMENT_OF[x.dtype]
    unit, n = UNIT[type.name], max(math.prod(x.shape[a] for a in axes), 1)
    share = relative(n) * unit
    size = np.abs(numeric(np.where(np.isfinite(expected), expected, np.zeros_like(expected))))
    match name:
        case "opc.reduce_sum":
            return 0, sum_bound(x, axes, keepdims, type)
        case "opc.reduce_mean":
            return 1, sum_bound(x, axes, keepdims, type) / n
        case "opc.reduce_prod":
            # A partial product below the normal range has an absolute error, which the factors
            # still to come enlarge.
            least = least_of(x)
            factors = np.maximum(np.abs(numeric(x)), 1)
            growth = np.prod(factors, axis=axes, keepdims=keepdims)
            return 0, n * unit * size + n * least * np.where(np.isfinite(growth), growth, 0)
        case "opc.reduce_log_sum":
            total = np.sum(numeric(x), axis=axes, keepdims=keepdims)
            lost = sum_bound(x, axes, keepdims, type) / np.abs(total)
            return 2, np.where(np.isfinite(lost), lost, 0)
        case "opc.reduce_log_sum_exp":
            # exp(x - top) has the rounding of x - top, and log the relative error of the sum.
            return 2, share + (2 * 12 + 4) * unit + size * unit
        case _:
            return 2, share * size

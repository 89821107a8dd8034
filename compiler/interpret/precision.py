"""Precision of operators: computed wide, rounded once at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import scalar
from opc.dialects.element import ElementType

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


@dataclass(frozen=True)
class Call:
    """One operator applied to arrays.

    ``element`` is that of the result; ``shape`` has None where the operands alone decide.
    ``is_rounded`` says that products are rounded before they are added.
    """

    name: str
    arrays: Sequence[Array]
    params: dict[str, Any]
    element: ElementType
    shape: tuple[int | None, ...]
    is_rounded: bool = False


def is_small_float(x: Array) -> bool:
    """Whether the array is f16 or bf16."""
    return x.dtype == np.float16 or x.dtype.name == "bfloat16"


def native(x: Array) -> Array:
    """The array in the type that its operators compute in: f32 for f16 and bf16."""
    return x.astype(np.float32) if is_small_float(x) else x


def is_float(x: Array) -> bool:
    """Whether the array is of a floating-point type, bf16 included."""
    return x.dtype.kind == "f" or is_small_float(x)


def wide(x: Array) -> Array:
    """The array in a wider type: f64 as long double, everything else as f64."""
    return x.astype(np.longdouble if x.dtype == np.float64 else np.float64)


def narrow(x: Any, to: ElementType) -> Array:
    """Round once to an element type; to f16 and bf16 by way of f32, as compiled code does."""
    value = np.asarray(x)
    if value.dtype == to.dtype:
        return value
    if to.is_small_float and value.dtype.kind == "f":
        with np.errstate(all="ignore"):
            value = value.astype(np.float32)
    return scalar.convert(value, to.dtype)

"""Tensors and element types of PyTorch, of which nothing is imported here."""

from __future__ import annotations

from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.errors import UnsupportedError
from opc.support import dlpack

TYPES = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int64": "i64",
    "int32": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint64": "ui64",
    "uint32": "ui32",
    "uint16": "ui16",
    "uint8": "ui8",
    "bool": "i1",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
}
"""Name of a ``torch.dtype`` --> element type."""


def element_type(dtype: Any) -> el.ElementType:
    """The element type of a ``torch.dtype``.  UnsupportedError for others, as complex ones."""
    name = str(dtype).removeprefix("torch.")
    if name not in TYPES:
        raise UnsupportedError(f"elements of {dtype} are not supported")
    return el.BY_NAME[TYPES[name]]


def array_of(tensor: Any) -> tuple[np.ndarray[Any, Any], el.ElementType]:
    """The elements of a tensor, in its own memory if that is contiguous, and their type."""
    type = element_type(tensor.dtype)
    return dlpack.read(tensor.detach().cpu().contiguous()), type

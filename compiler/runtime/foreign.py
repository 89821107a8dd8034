"""Arrays of other libraries and subclasses of NumPy's as arguments of a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from opc.errors import ArgumentError
from opc.support import dlpack

Array = NDArray[Any]


def plain(array: Array, label: str) -> Array:
    """``array`` without its subclass, over the same memory."""
    if type(array) is np.ndarray:
        return array
    # Masked values are absent; C would compute with whatever lies there.
    if hasattr(array, "mask"):
        raise ArgumentError(f"{label}: masked arrays are not supported; pass .filled(value)")
    return array.view(np.ndarray)


def readable(value: Any, label: str) -> Array | None:
    """Another library's array, in place if possible; None if ``value`` is no array.

    Raises :class:`ArgumentError` for an array that cannot be read.
    """
    try:
        if dlpack.has_dlpack(value):
            return dlpack.read(value)
        is_array = hasattr(value, "__array__") or hasattr(value, "__array_interface__")
        is_buffer = type(value) in (bytearray, memoryview) or type(value).__module__ == "array"
        return np.asarray(value) if is_array or is_buffer else None
    except Exception as error:
        # A library may raise anything.
        raise ArgumentError(f"{label}: {type(value).__name__} cannot be read: {error}") from error


def shared(value: Any, label: str) -> Array | None:
    """An array over the memory of another library's array; None if that has no DLPack.

    Raises :class:`ArgumentError` if that memory cannot be used in place.
    """
    if not dlpack.has_dlpack(value):
        return None
    try:
        return dlpack.read(value, shared=True)
    except Exception as error:
        name = type(value).__name__
        raise ArgumentError(f"{label}: {name} cannot be used in place: {error}") from error

"""Tensors in ONNX models, in every form that they are stored in, as arrays."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects.blob import contained
from opc.errors import InputError
from opc.frontend.onnx_types import element_type

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

EXTERNAL = 1
"""``TensorProto.DataLocation.EXTERNAL``."""

FIELDS = {
    "f32": "float_data",
    "f64": "double_data",
    "i64": "int64_data",
    "ui64": "uint64_data",
    "ui32": "uint64_data",
}
"""The field that holds elements one by one; those of every other type are in ``int32_data``."""


class Tensors:
    """Reads ``TensorProto``; files with external data lie in ``folder``."""

    def __init__(self, folder: Path | None, place: str) -> None:
        self.folder = folder
        self.place = place
        self.files: dict[str, Array] = {}

    def read(self, tensor: Any, what: str) -> tuple[Array, el.ElementType]:
        """The elements and their type.  InputError if they do not fill the shape."""
        type = element_type(tensor.data_type, what, self.place)
        shape = tuple(int(n) for n in tensor.dims)
        if any(n < 0 for n in shape):
            raise InputError(f"{what} has shape {list(shape)}", self.place)
        if tensor.HasField("segment"):
            raise InputError(f"{what} is given in segments, which ONNX has given up", self.place)
        count = math.prod(shape)
        if tensor.data_location == EXTERNAL:
            return self._raw(self._external(tensor, what), type, shape, what), type
        if tensor.HasField("raw_data"):
            return self._raw(np.frombuffer(tensor.raw_data, np.uint8), type, shape, what), type
        values = getattr(tensor, FIELDS.get(type.name, "int32_data"))
        per_value = 8 // type.bits if type.bits in (2, 4) else 1
        if len(values) != -(-count // per_value):
            raise InputError(
                f"{what} has {len(values)} elements in {FIELDS.get(type.name, 'int32_data')}, "
                f"which do not fill {list(shape)}",
                self.place,
            )
        return self._typed(values, type, count).reshape(shape), type

    def _typed(self, values: Any, type: el.ElementType, count: int) -> Array:
        """Elements from a field of numbers: of a small type, their bits."""
        if type.bits in (2, 4):
            return _unpacked(np.array(values, np.int64).astype(np.uint8), type, count)
        if type.is_small_float or type.is_small:
            bits = np.uint16 if type.bits == 16 else np.uint8
            return np.array(values, np.int64).astype(bits).view(type.dtype)
        return np.array(values).astype(type.dtype)

    def _raw(self, data: Array, type: el.ElementType, shape: tuple[int, ...], what: str) -> Array:
        count = math.prod(shape)
        size = -(-count * type.bits // 8) if type.bits in (2, 4) else count * type.bytes
        if data.size != size:
            raise InputError(
                f"{what} has {data.size} bytes, expected {size} for {list(shape)}", self.place
            )
        if type.bits in (2, 4):
            return _unpacked(data, type, count).reshape(shape)
        if type.bits == 1:
            return (data != 0).reshape(shape)
        found = data.view(type.dtype)
        if sys.byteorder == "big":
            found = found.byteswap()
        return found.reshape(shape)

    def _external(self, tensor: Any, what: str) -> Array:
        """The bytes of external data, mapped."""
        info = {e.key: e.value for e in tensor.external_data}
        if not info.get("location"):
            raise InputError(f"{what} has external data without a location", self.place)
        if self.folder is None:
            raise InputError(
                f"{what} has external data, and the folder of the model is not known; "
                "compile the path of the model",
                self.place,
            )
        location = info["location"]
        try:
            offset, length = (int(info.get(k) or 0) for k in ("offset", "length"))
            if location not in self.files:
                path = contained(self.folder, location)
                empty = not path.stat().st_size
                self.files[location] = (
                    np.zeros(0, np.uint8) if empty else np.memmap(path, np.uint8, "r")
                )
        except (OSError, ValueError) as error:
            raise InputError(f"{what}: external data: {error}", self.place) from None
        data = self.files[location]
        end = offset + length if info.get("length") else data.size
        if offset < 0 or length < 0 or end > data.size:
            raise InputError(
                f"{what}: external data: {location!r} has {data.size} bytes, "
                f"expected {offset} to {end}",
                self.place,
            )
        return data[offset:end]


def _unpacked(data: Array, type: el.ElementType, count: int) -> Array:
    """Elements of 2 or 4 bits, the first in the lowest bits, one to a byte."""
    per_byte = 8 // type.bits
    shifts = np.arange(per_byte, dtype=np.uint8) * type.bits
    fields = (data.reshape(-1, 1) >> shifts) & ((1 << type.bits) - 1)
    values = fields.reshape(-1)[:count]
    if type.small == "signed":
        sign = 1 << (type.bits - 1)
        return ((values ^ sign).astype(np.int8) - sign).astype(type.dtype)
    return values.view(type.dtype) if type.small == "float" else values.astype(type.dtype)

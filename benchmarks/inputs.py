"""The inputs of a row, written as ``x f32[N=4096,1024], b f32[1024]``."""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

DTYPES: dict[str, np.dtype[Any]] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "i8": np.dtype(np.int8),
}


_LINE = 64
"""Bytes of a cache line."""
ALIGNED = 0
"""Bytes behind the start of a cache line where arrays of most runtimes begin."""
MISALIGNED = 16
"""The same for large arrays of NumPy: 16 bytes behind a page, since malloc keeps those in front."""


def empty(shape: tuple[int, ...], dtype: np.dtype[Any], start: int = ALIGNED) -> Array:
    """An array that begins so many bytes behind the start of a cache line."""
    size = math.prod(shape) * dtype.itemsize
    space = np.empty(size + _LINE, np.uint8)
    first = (start - space.ctypes.data) % _LINE
    return space[first : first + size].view(dtype).reshape(shape)


@dataclass(frozen=True)
class Input:
    """Name, element type, extents, and the extents again with symbols where there are some."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    symbolic: tuple[int | str, ...]

    def __str__(self) -> str:
        pairs = zip(self.symbolic, self.shape, strict=True)
        extents = (f"{s}={n}" if isinstance(s, str) else str(n) for s, n in pairs)
        return f"{self.name} {self.dtype}[{','.join(extents)}]"

    def limited(self, largest: int) -> Input:
        """The same with no extent above ``largest``."""
        shape = tuple(min(n, largest) for n in self.shape)
        pairs = zip(self.symbolic, shape, strict=True)
        return replace(
            self, shape=shape, symbolic=tuple(s if isinstance(s, str) else n for s, n in pairs)
        )

    def static(self) -> Input:
        """The same without symbols."""
        return replace(self, symbolic=self.shape)

    def array(self, start: int = ALIGNED) -> Array:
        """Random values: floats around 0.5 so that sums are well conditioned.

        What is called ``var`` is a variance, and positive.  ``start`` is that of :func:`empty`.
        """
        array = empty(self.shape, DTYPES[self.dtype], start)
        array[...] = self._values()
        return array

    def _values(self) -> Array:
        rng = np.random.default_rng(zlib.crc32(str(self).encode()))
        if self.dtype.startswith("i"):
            return rng.integers(-50, 50, self.shape)
        values = rng.standard_normal(self.shape, np.float32) + np.float32(0.5)
        return np.abs(values) + np.float32(0.5) if self.name == "var" else values

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)


def parse(text: str) -> tuple[Input, ...]:
    """``x f32[N=4096,1024], b f32[1024]`` --> two inputs, the first with a symbol."""
    found: list[Input] = []
    for name, dtype, extents in re.findall(r"(\w+) (\w+)\[(.*?)\]", text):
        symbolic: list[int | str] = []
        shape: list[int] = []
        for extent in filter(None, extents.split(",")):
            symbol, _, number = extent.strip().rpartition("=")
            shape.append(int(number))
            symbolic.append(symbol or int(number))
        found.append(Input(name, dtype, tuple(shape), tuple(symbolic)))
    return tuple(found)

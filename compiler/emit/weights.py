"""Constants that are not in the C text: one block, each from the start of a cache line.

They may be arrays in another C text: for linkers that place them, and for every byte order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from opc.dialects.opc.movement import Array
from opc.support.interface import Interface
from opc.support.target import LINE

from .texts import c_text

ALIGNMENT = LINE


class Weights:
    """A block of constants, which are loaded when they are needed."""

    def __init__(self, size: int, loads: Sequence[Callable[[], Array]]) -> None:
        """``size`` bytes in all; ``loads`` give the constants in order."""
        self.nbytes = size
        self._loads = tuple(loads)

    @staticmethod
    def of(block: Array) -> Weights:
        """The weights that are in memory, or mapped."""
        weights = Weights(block.nbytes, ())
        weights.__dict__["array"] = block
        return weights

    def parts(self) -> Iterator[memoryview | bytes]:
        """The bytes of the constants in order, with padding."""
        if "array" in self.__dict__:
            yield self.array.data
            return
        for load in self._loads:
            raw = np.ascontiguousarray(load()).reshape(-1).view(np.uint8)
            padding = bytes(-raw.nbytes % ALIGNMENT)
            yield raw.data
            del raw  # before the next one is loaded
            yield padding

    @functools.cached_property
    def array(self) -> Array:
        """All of them as bytes, from the start of a cache line."""
        space = np.empty(self.nbytes + ALIGNMENT, np.uint8)
        start = -space.ctypes.data % ALIGNMENT
        block = space[start : start + self.nbytes]
        at = 0
        for part in self.parts():
            block[at : at + len(part)] = np.frombuffer(part, np.uint8)
            at += len(part)
        return block


_LIMIT = np.iinfo(np.int64).min


def weights_declared(prefix: str) -> str:
    """What the header says of weights in C."""
    return c_text("weights.declared", prefix=prefix, macro=prefix.upper())


def weights_written(interface: Interface, weights: Array) -> str:
    """The text of ``PREFIX.weights.c``: a member for each constant, where it lies in the block."""
    members: list[str] = []
    values: list[str] = []
    at = 0
    for k, (type, count) in enumerate(interface.constants):
        size = count * _dtype(type).itemsize
        end = -size % ALIGNMENT
        if count:
            array = weights[at : at + size].view(_dtype(type))
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                # tcc has no constants for these: they are bits.
                array = array.view(f"u{array.itemsize}")
            shown = type if array.dtype.kind == "f" else f"{array.dtype.name}_t"
            members.append(f"  {shown} weight{k}[{count}];")
            numbers = list(_numbers(array))
            rows = (", ".join(numbers[j : j + 8]) for j in range(0, count, 8))
            values.append("    {" + ",\n     ".join(rows) + "},")
        if end:
            members.append(f"  uint8_t end{k}[{end}];")
            values.append("    {0},")
        at += size + end
    prefix = interface.prefix
    return c_text(
        "weights.file",
        prefix=prefix,
        macro=prefix.upper(),
        size=weights.nbytes,
        alignment=ALIGNMENT,
        members="\n".join(members),
        values="\n".join(values),
    )


def _dtype(type: str) -> np.dtype[Any]:
    """The type of NumPy for one of C."""
    return np.dtype({"float": "float32", "double": "float64"}.get(type, type.removesuffix("_t")))


def _numbers(array: Array) -> Iterator[str]:
    """The elements as constants of C."""
    if array.dtype.kind == "f":
        end = "f" if array.itemsize == 4 else ""
        yield from (text + end for text in map(str, array))
        return
    is_signed = array.dtype.kind == "i"
    macro = "INT64_C" if is_signed else "UINT64_C"
    for number in array.tolist():
        if array.itemsize < 8:
            yield str(number) if is_signed else f"{number}u"
        elif number == _LIMIT:
            yield "INT64_MIN"
        else:
            yield f"{'-' if number < 0 else ''}{macro}({abs(number)})"

"""Constants that are not in the C text: one block, each from the start of a cache line."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from opc.dialects.opc.movement import Array
from opc.support.target import LINE

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

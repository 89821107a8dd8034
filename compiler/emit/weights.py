"""The constants that are not in the C text: one block, each from the start of a cache line."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from opc.dialects.opc.movement import Array
from opc.support.target import LINE

ALIGNMENT = LINE


class Weights:
    """A block of constants, of which each is loaded when it is needed."""

    def __init__(self, size: int, loads: Sequence[Callable[[], Array]]) -> None:
        """So many bytes in all, and what gives each constant, in order."""
        self.nbytes = size
        self._loads = tuple(loads)

    @staticmethod
    def of(block: Array) -> Weights:
        """The weights that are in memory, or mapped."""
        found = Weights(block.nbytes, ())
        found.__dict__["array"] = block
        return found

    def parts(self) -> Iterator[memoryview | bytes]:
        """The bytes in order, one constant after the other."""
        if "array" in self.__dict__:
            yield self.array.data
            return
        for load in self._loads:
            raw = np.ascontiguousarray(load()).reshape(-1).view(np.uint8)
            padding = bytes(-raw.nbytes % ALIGNMENT)
            yield raw.data
            # The next one may be as large.
            del raw
            yield padding

    @functools.cached_property
    def array(self) -> Array:
        """All of them as bytes, from the start of a cache line."""
        space = np.empty(self.nbytes + ALIGNMENT, np.uint8)
        start = -space.ctypes.data % ALIGNMENT
        found = space[start : start + self.nbytes]
        at = 0
        for part in self.parts():
            found[at : at + len(part)] = np.frombuffer(part, np.uint8)
            at += len(part)
        return found

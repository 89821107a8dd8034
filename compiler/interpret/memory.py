"""Buffers of interpreted IR that know which of their elements were written.

Reading an element that nobody wrote, or that another buffer of the workspace has overwritten, and
touching one that is not there, are faults: some pass before has made wrong IR.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation

from opc.dialects.element import ElementType
from opc.errors import OpcError

from .precision import Array

Offsets: TypeAlias = "int | Array"
"""One offset, or an array of offsets that are accessed at once."""


class FaultError(OpcError):
    """Invalid access by interpreted IR; the message names the operation and the index."""


def fault(op: Operation, what: str) -> FaultError:
    """The error for an operation."""
    text = " ".join(str(op).split())
    return FaultError(f"{text[:200]}: {what}")


@dataclass(frozen=True, eq=False)
class Memory:
    """The elements of a buffer, row-major, and by which buffer each of their bytes was written.

    ``marks`` has a row for each element.  An element is this buffer's own where all of its row is
    ``key``; buffers that share the workspace share the marks of its bytes.  Of what is ``local``
    elements that nobody wrote may be computed with, as long as nothing comes of it.
    """

    data: Array
    marks: Array
    key: int
    shape: tuple[int, ...]
    is_local: bool = False

    @staticmethod
    def new(type: ElementType, shape: Sequence[int], *, local: bool = False) -> Memory:
        """Memory that was never written."""
        count = math.prod(shape)
        data, marks = np.zeros(count, type.dtype), np.zeros((count, 1), np.int8)
        return Memory(data, marks, 1, tuple(shape), local)

    @staticmethod
    def of(array: Array) -> Memory:
        """Memory that holds an array."""
        data = np.ascontiguousarray(array).reshape(-1)
        return Memory(data, np.ones((data.size, 1), np.int8), 1, array.shape)

    def seen_as(self, shape: tuple[int, ...]) -> Memory:
        """The same elements with other extents."""
        return replace(self, shape=shape)

    def behind(self, start: int, shape: tuple[int, ...]) -> Memory:
        """The view that begins at an element; its extents may go beyond the end of the buffer."""
        return replace(self, data=self.data[start:], marks=self.marks[start:], shape=shape)

    def beginning(self, shape: tuple[int, ...]) -> Memory:
        """The view of the first elements, with these extents."""
        size = math.prod(shape)
        return replace(self, data=self.data[:size], marks=self.marks[:size], shape=shape)

    @property
    def is_shared(self) -> bool:
        """Whether other buffers may overwrite it."""
        return self.marks.dtype == np.int32

    def place(self, offset: int) -> str:
        """The index of a row-major offset."""
        if len(self.shape) < 2 or not 0 <= offset < self.data.size:
            return f"element {offset}"
        index = (int(k) for k in np.unravel_index(offset, self.shape))
        return f"element [{', '.join(map(str, index))}]"

    def check_inside(self, op: Operation, at: Offsets) -> None:
        """FaultError where an offset is outside."""
        if isinstance(at, int):
            if not 0 <= at < self.data.size:
                raise fault(op, f"element {at} is outside of {self.data.size} elements")
        elif at.size and not (at.min() >= 0 and at.max() < self.data.size):
            first = int(at[(at < 0) | (at >= self.data.size)].flat[0])
            raise fault(op, f"element {first} is outside of {self.data.size} elements")

    def written(self, at: Offsets) -> Any:
        """Whether the elements at row-major offsets are this buffer's own."""
        return (self.marks[at] == self.key).all(axis=-1)

    def check_written(self, op: Operation, at: Offsets, what: str = "was never written") -> None:
        """FaultError where an element is not this buffer's own."""
        own = self.written(at)
        if not own.all():
            first = int(np.asarray(at)[~own].flat[0])
            if self.marks[first].any() and what == "was never written":
                what = "was overwritten through another buffer"
            raise fault(op, f"{self.place(first)} {what}")

    def read(self, op: Operation, at: Offsets) -> Any:
        """The elements at row-major offsets.  FaultError where one was never written."""
        self.check_inside(op, at)
        self.check_written(op, at)
        return self.data[at]

    def write(self, op: Operation, at: Offsets, value: Any) -> None:
        """Write values to the elements at row-major offsets."""
        self.check_inside(op, at)
        self.data[at] = value
        self.marks[at] = self.key

    def array(self, what: str) -> Array:
        """The elements as an array.  FaultError where one was never written."""
        size = math.prod(self.shape)
        if self.data.size < size:
            raise FaultError(f"{what}: {size} elements are more than the {self.data.size} there")
        own = (self.marks[:size] == self.key).all(axis=-1)
        if not own.all():
            raise FaultError(f"{what}: {self.place(int(np.argmin(own)))} was never written")
        return self.data[:size].reshape(self.shape)


class Workspace:
    """Bytes that several buffers share."""

    def __init__(self, size: int) -> None:
        self.data = np.zeros(size, np.uint8)
        self.marks = np.zeros(size, np.int32)
        self.count = 0

    def cut(self, op: Operation, offset: int, type: ElementType, shape: tuple[int, ...]) -> Memory:
        """A buffer at an offset, of the elements that lie inside; others may not be accessed.

        Of a buffer for one version of loops, none may be there where the other version runs.
        FaultError if it begins before the workspace.
        """
        size, left = math.prod(shape) * type.bytes, self.data.size - offset
        if offset < 0:
            raise fault(op, f"bytes {offset} to {offset + size} of {self.data.size}")
        self.count += 1
        part = slice(offset, offset + min(size, max(left - left % type.bytes, 0)))
        marks = self.marks[part].reshape(-1, type.bytes)
        return Memory(self.data[part].view(type.dtype), marks, self.count, shape)

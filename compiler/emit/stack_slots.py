"""The arrays of a C function that lie in the workspace, as ``place-arrays`` has placed them."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import loop
from opc.dialects.buffer import ARRAYS
from opc.dialects.shape import IndexAttr
from opc.dialects.walking import walk
from opc.support.target import THREADS


@dataclass(frozen=True)
class StackSlot:
    """Where an array lies: its offset in the workspace, or in the part of a thread."""

    offset: int
    is_of_thread: bool


class StackSlots:
    """The slots of the arrays of one function, of which each of some threads has its own."""

    def __init__(self, function: FuncOp, threads: int) -> None:
        self.threads = min(threads, THREADS)
        sizes = function.attributes.get(ARRAYS)
        known = sizes.data if isinstance(sizes, IndexAttr) else ()
        self.shared_bytes, self.thread_bytes = [e.constant or 0 for e in known] or [0, 0]
        self.in_workspace: dict[SSAValue, StackSlot] = {}
        self.inside: dict[tuple[Operation, bool], int] = {}
        """Where the arrays of functions inside a function begin, those of threads apart, so that no
        two parameters have the same address."""
        for op in walk(function):
            if isinstance(op, loop.LocalOp) and op.offset is not None:
                slot = StackSlot(int(op.offset.value.data), op.thread is not None)
                self.in_workspace[op.result] = slot
                self._find_inside(op, slot)

    def _find_inside(self, array: loop.LocalOp, slot: StackSlot) -> None:
        """Count an array for the functions around its own."""
        around = loop.function_of(array)
        while around is not None and (around := loop.function_of(around)) is not None:
            key = around, slot.is_of_thread
            # Outside of shared loops, a function gets the parts of all threads.
            has_all_parts = slot.is_of_thread and not loop.is_shared(around)
            offset = 0 if has_all_parts else slot.offset
            self.inside[key] = min(offset, self.inside.get(key, offset))

    @property
    def total_bytes(self) -> int:
        """The size of all slots."""
        return self.shared_bytes + self.threads * self.thread_bytes

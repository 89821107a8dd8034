"""Decides where the arrays of loops lie: on the stack, or in the workspace.

::

    for i = 0 to n threads ... function loop0 { %a = local : memref<8192xf32> ... }
      -->
    for i = 0 to n threads ... function loop0 { %a = local at 0 of thread : memref<8192xf32> ... }

The arrays of a C function are on the stack up to ``target.STACK`` bytes.  Beyond that, arrays of
one type with disjoint lifetimes share memory (``local in %a``), and the largest ones lie at the
start of the workspace, where each thread that shares a loop has a part of its own.  So do all of
unknown length.  Functions with more than a few bytes on the stack get the mark ``own_frame``.  Runs
behind outline-loops.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.bounds import at_most
from opc.dialects.buffer import ARRAYS, buffer_of, index_of
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.shape import IndexAttr, shape_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import COPIES_OF_LANES, FEW_ON_STACK, STACK, WIDEST
from opc.support.workspace import Slot, bytes_of, place

from .outline_loops import is_array, known_bytes, name_functions


class PlaceArraysPass(FunctionPass):
    """loop.local : memref<8192xf32>  -->  loop.local at 0 : memref<8192xf32>."""

    name = "place-arrays"

    def rewrite(self, function: FuncOp) -> None:
        """Place the arrays of one function."""
        arrays = Arrays(function.body.block)
        if arrays.shared != 0 or arrays.of_threads != 0:
            function.attributes[ARRAYS] = IndexAttr((arrays.shared, arrays.of_threads))
            _separate(function.body.block)


def _separate(block: Block) -> None:
    """Name equal loops apart if C functions inside of them have arrays at different addresses.

    The text of a function has the addresses of arrays of functions in it.
    """
    for op in loop.flat(block):
        arrays = [o for o in walk(op) if isinstance(o, loop.LocalOp) and o.offset is not None]
        offsets = [str(o.offset) for o in arrays if loop.function_of(o) is not op]
        if isinstance(op, loop.ForOp) and offsets:
            for inner in walk(op):
                if isinstance(inner, loop.ForOp) and inner.function is not None:
                    inner.function = StringAttr(f"{inner.function.data} {offsets}")
    name_functions(block)


def is_unknown(array: SSAValue) -> bool:
    """Whether the length of an array is an expression over symbols."""
    return any(e.constant is None for e in shape_of(array.type))


def on_stack(arrays: Iterable[SSAValue]) -> int:
    """The bytes of those of some arrays that may be on the stack."""
    return sum(map(known_bytes, arrays))


class Arrays:
    """Places the arrays of the loops of a block, function by function."""

    def __init__(self, block: Block) -> None:
        self._arrays: defaultdict[loop.ForOp | None, list[SSAValue]] = defaultdict(list)
        self._besides: defaultdict[loop.ForOp | None, int] = defaultdict(int)
        self._times: dict[SSAValue, tuple[int, int]] = {}
        self._first: dict[Operation, int] = {}
        self._last: dict[Operation, int] = {}
        self._bounds = data_bounds(data_extents(block))
        self._number(block)
        self._visit(block, None)
        moved: dict[bool, list[SSAValue]] = {True: [], False: []}
        for function, arrays in self._arrays.items():
            beyond = self._beyond(arrays, max(STACK - self._besides[function], 0))
            moved[loop.is_shared(function)] += beyond
            if function is not None:
                # As restrict parameters they are distinct as long as the function runs.
                during = self._first[function], self._last[function]
                self._times.update(dict.fromkeys(beyond, during))
                if on_stack(arrays) - on_stack(beyond) > FEW_ON_STACK:
                    function.mark("own_frame")
        self.shared, self.of_threads = (self._place(moved[of], of) for of in (False, True))

    def _number(self, block: Block) -> None:
        """Number operations in order: when each begins, and when the last one inside of it does."""
        for op in block.ops:
            self._first[op] = len(self._first)
            for region in op.regions:
                self._number(region.block)
            self._last[op] = len(self._first) - 1

    def _visit(self, block: Block, function: loop.ForOp | None) -> None:
        """Count what the operations of a block put on the stack of a function."""
        for op in block.ops:
            # What a compiler puts there besides: copies of sums, and vectors that are spilled.
            if isinstance(op, loop.LocalOp) and op.register_lanes is not None:
                self._besides[function] += COPIES_OF_LANES * known_bytes(op.result)
            elif isinstance(op, body.ApplyOp):
                self._besides[function] += WIDEST
            if is_array(op):
                self._arrays[function].append(op.results[0])
                self._times[op.results[0]] = self._first[op], max(self._ends(op, block))
            inside = op if isinstance(op, loop.ForOp) and op.function is not None else function
            for region in op.regions:
                self._visit(region.block, inside)

    def _ends(self, op: Operation, block: Block) -> Iterator[int]:
        """When the operations of a block end that use an array or a view of it."""
        yield self._last[op]
        for use in op.results[0].uses:
            user = use.operation
            if isinstance(user, loop.ViewOp):
                yield from self._ends(user, block)
            outer = block.find_ancestor_op_in_block(user)
            assert outer is not None
            yield self._last[outer]

    def _beyond(self, arrays: list[SSAValue], room: int) -> list[SSAValue]:
        """The arrays of a function that do not fit on the stack, after some share memory."""
        if on_stack(arrays) <= room and not any(map(is_unknown, arrays)):
            return []
        distinct: list[SSAValue] = []
        # Of each kind: the ends of lifetimes, with positions in ``distinct``.
        free: defaultdict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        for array in arrays:
            assert isinstance(array.owner, Operation)
            kind = array.type, array.owner.parent
            begin, end = self._times[array]
            if free[kind] and free[kind][0][0] < begin:
                _, number = heapq.heappop(free[kind])
                twin = distinct[number]
                self._times[twin] = self._times[twin][0], end
                array.owner.operands = [twin]
            else:
                number = len(distinct)
                distinct.append(array)
            heapq.heappush(free[kind], (end, number))
        arrays[:] = distinct
        moved: list[SSAValue] = []
        for array in sorted(distinct, key=known_bytes):
            room -= known_bytes(array)
            if room < 0 or is_unknown(array):
                moved.append(array)
        return moved

    def _place(self, arrays: list[SSAValue], is_of_thread: bool) -> ex.Expr:
        """Give arrays of the workspace their offsets, and return the size of all."""
        slots: list[Slot] = []
        for array in arrays:
            size = at_most(bytes_of(buffer_of("loop.local", array)), self._bounds)
            slots.append(Slot(array, size, *self._times[array]))
        offsets, total = place(slots)
        for array, offset in offsets.items():
            assert isinstance(array.owner, loop.LocalOp)
            array.owner.offset = index_of(offset)
            array.owner.thread = UnitAttr() if is_of_thread else None
        return total

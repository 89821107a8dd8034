"""Which loops become C functions, and where the arrays live that loops declare.

Loops that become functions: those that threads share; outermost ones that declare more than a few
bytes of arrays, since frames of functions do not add up; all in a block with many loops; those that
are equal but for their buffers (``equal_loops``); those whose indices divide much.  Functions with
sums in registers are not inlined.

The arrays of a function are on the stack up to ``target.STACK`` bytes.  Beyond that, arrays of one
type with disjoint lifetimes share memory, and the largest ones lie at the start of the workspace,
where each thread that shares a loop has a part of its own.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import element_in
from opc.dialects.loop import written
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.support.target import (
    COPIES_OF_LANES,
    DIVISIONS,
    FEW_ON_STACK,
    LOOPS,
    STACK,
    THREADS,
    WIDEST,
)
from opc.support.workspace import ALIGNMENT, Slot, place

from .equal_loops import EqualLoops
from .threads import may_pay


@dataclass(frozen=True)
class StackSlot:
    """Where an array lies: its offset in the workspace, or in the part of a thread."""

    offset: int
    is_of_thread: bool


def bytes_of(array: SSAValue) -> int:
    """The size of an array."""
    return (shape_of(array.type)[0].constant or 0) * element_in(array).bytes


def _is_array(op: Operation) -> bool:
    return (
        isinstance(op, loop.LocalOp)
        and bool(shape_of(op.result.type))
        and op.register_lanes is None
    )


def divides(op: loop.ForOp) -> bool:
    """Whether an index in a loop has many divisions, those of extents alone aside."""
    accesses = (o for o in walk(op) if isinstance(o, loop.LoadOp | loop.StoreOp))
    return any(len(set(_divisions(e))) >= DIVISIONS for o in accesses for e in o.index.data)


def _divisions(e: ex.Expr) -> Iterator[ex.Atom]:
    for factors, _ in e.terms:
        for atom in factors:
            # Loop variables are dimensions.
            if atom.kind in ("floordiv", "mod") and ex.Expr({(atom,): 1}).dims():
                yield atom
            for arg in atom.args:
                if isinstance(arg, ex.Expr):
                    yield from _divisions(arg)


def _along_registers(block: Block) -> Iterator[Operation]:
    """The loops that use sums in registers that are declared around them."""
    for op in walk(block):
        if not isinstance(op, loop.LocalOp) or op.register_lanes is None:
            continue
        for use in op.result.uses:
            around = use.operation.parent_op()
            while around is not None and not around.is_ancestor(op):
                yield around
                around = around.parent_op()


def _has_registers(op: Operation) -> bool:
    """Whether sums in registers are declared in a loop."""
    return any(isinstance(o, loop.LocalOp) and o.register_lanes is not None for o in walk(op))


def _declared(op: Operation) -> int:
    """The bytes of the arrays that a loop declares."""
    return sum(bytes_of(inner.results[0]) for inner in walk(op) if _is_array(inner))


def _kept_besides(op: Operation) -> int:
    """About how many bytes of stack a compiler takes for an operation, arrays aside."""
    if isinstance(op, loop.LocalOp) and op.register_lanes is not None:
        return COPIES_OF_LANES * bytes_of(op.result)
    # A vector that may be spilled.
    return WIDEST if isinstance(op, body.ApplyOp) else 0


class StackSlots:
    """The functions of the loops of one block, and the slots of their arrays."""

    def __init__(self, block: Block, threads: int, equal: EqualLoops) -> None:
        self.threads = min(threads, THREADS)
        self.equal = equal
        self.functions: dict[Operation, bool] = {}
        """The loops that are functions; whether threads share them."""
        self.apart: set[Operation] = set()
        """The functions that must not be inlined: they or their arrays are many, or they have sums
        in registers, of which gcc 12 makes scalar code in some that it inlines."""
        self.twins: dict[SSAValue, SSAValue] = {}
        """For an array that shares memory with an earlier one of its function: that one."""
        self.in_workspace: dict[SSAValue, StackSlot] = {}
        self._arrays: defaultdict[Operation | None, list[SSAValue]] = defaultdict(list)
        self._besides: defaultdict[Operation | None, int] = defaultdict(int)
        self._times: dict[SSAValue, tuple[int, int]] = {}
        self._first: dict[Operation, int] = {}
        self._last: dict[Operation, int] = {}
        self._number(block)
        self._is_shared: dict[Operation | None, bool] = {None: False}
        """Whether threads share a function, or a loop around it."""
        self._along_registers = set(_along_registers(block))
        self._beside: set[Operation] = set()
        for op in loop.flat(block):
            for region in op.regions:
                self._find_beside(region.block)
        sizes = [_declared(op) for op in loop.flat(block)]
        self._few = (
            FEW_ON_STACK if sum(size for size in sizes if size <= FEW_ON_STACK) <= STACK else 0
        )
        self._visit(block, None, 1, is_shared=False)
        moved: list[tuple[SSAValue, bool]] = []
        for function, arrays in self._arrays.items():
            is_shared = self._is_shared.get(function, False)
            room = max(STACK - self._besides[function], 0)
            beyond = self._beyond(arrays, room)
            moved += [(array, is_shared) for array in beyond]
            if function is not None:
                # As restrict parameters they are distinct as long as the function runs.
                during = self._first[function], self._last[function]
                self._times.update(dict.fromkeys(beyond, during))
            not_on_stack = {*beyond, *self.twins}
            if (
                function is not None
                and sum(bytes_of(a) for a in arrays if a not in not_on_stack) > FEW_ON_STACK
            ):
                self.apart.add(function)
        # Inlined, so many loops are around sums in registers that gcc 12's counts of iterations
        # overflow.  It takes the loops for never executed and makes no vectors: 60 times the time.
        self.apart.update(op for op in self.functions if _has_registers(op))
        self.shared_bytes = self._place([a for a, is_shared in moved if not is_shared], False)
        self.thread_bytes = self._place([a for a, is_shared in moved if is_shared], True)
        self.inside: dict[tuple[Operation, bool], int] = {}
        """Where the arrays of functions inside a function begin, those of threads apart, so that no
        two parameters have the same address."""
        for array in self.in_workspace:
            self._find_inside(array)

    def function_of(self, array: SSAValue) -> Operation | None:
        """The innermost loop around an array that is a function."""
        around = array.owner.parent_op() if isinstance(array.owner, Operation) else None
        while around is not None and around not in self.functions:
            around = around.parent_op()
        return around

    def _find_inside(self, array: SSAValue) -> None:
        """Count an array for the functions around its own."""
        slot, around = self.in_workspace[array], self.function_of(array)
        while around is not None and (around := around.parent_op()) is not None:
            if around in self.functions:
                key = around, slot.is_of_thread
                # Outside of shared loops, a function gets the parts of all threads.
                has_all_parts = slot.is_of_thread and not self._is_shared[around]
                offset = 0 if has_all_parts else slot.offset
                self.inside[key] = min(offset, self.inside.get(key, offset))

    @property
    def total_bytes(self) -> int:
        """The size of all slots."""
        return self.shared_bytes + self.threads * self.thread_bytes

    def _number(self, block: Block) -> None:
        for op in block.ops:
            self._first[op] = len(self._first)
            for region in op.regions:
                for inner in region.blocks:
                    self._number(inner)
            self._last[op] = len(self._first) - 1

    def _visit(
        self, block: Block, function: Operation | None, depth: int, *, is_shared: bool
    ) -> None:
        are_many = sum(isinstance(op, loop.ForOp) for op in loop.flat(block)) > LOOPS
        for op in block.ops:
            self._besides[function] += _kept_besides(op)
            if _is_array(op):
                self._arrays[function].append(op.results[0])
                self._times[op.results[0]] = self._first[op], max(self._ends(op, block))
            if isinstance(op, loop.IfOp):
                for inner in op.blocks:
                    self._visit(inner, function, depth, is_shared=is_shared)
            if isinstance(op, loop.ForOp):
                shares = not is_shared and _shares(op, depth)
                has_arrays = depth == 1 and _declared(op) > self._few
                is_wanted = shares or has_arrays or are_many or self.equal.is_worth_it(op)
                is_wanted |= depth == 1 and divides(op)
                is_apart = are_many or op in self._beside
                if (is_wanted or is_apart) and not self._returns(op):
                    self.functions[op] = shares
                    if is_apart or _has_registers(op):
                        self.apart.add(op)
                inside = op if op in self.functions else function
                is_inside = is_shared or self.functions.get(op, False)
                self._is_shared.setdefault(inside, is_inside)
                self._visit(op.body.block, inside, depth + 1, is_shared=is_inside)

    def _find_beside(self, block: Block) -> bool:
        """Find neighbouring loops with sums in registers, as in a tile fusion.

        In one function they would compete for registers.  Returns whether there are any.
        """
        loops = [op for op in loop.flat(block) if isinstance(op, loop.ForOp)]
        inside = [op for op in loops if self._find_beside(op.body.block)]
        with_sums = [op for op in loops if _has_registers(op)]
        if not inside and len(with_sums) > 1:
            self._beside.update(op for op in with_sums if not self._returns(op))
        return bool(inside) or not self._beside.isdisjoint(loops)

    def _returns(self, op: Operation) -> bool:
        """Whether a loop changes a scalar of its surroundings: functions get these by value.

        So does a loop over sums in registers, which a function would get in memory.
        """
        return op in self._along_registers or any(
            isinstance(local := value.owner, loop.LocalOp)
            and not op.is_ancestor(local)
            and not shape_of(value.type)
            for value in written([op])
        )

    def _ends(self, op: Operation, block: Block) -> Iterator[int]:
        """When the operations of a block end that use an array or a view of it."""
        yield self._last[op]
        for use in op.results[0].uses:
            user = use.operation
            if isinstance(user, loop.ViewOp):
                yield from self._ends(user, block)
            while user.parent is not block:
                outer = user.parent_op()
                assert outer is not None
                user = outer
            yield self._last[user]

    def _beyond(self, arrays: list[SSAValue], room: int) -> list[SSAValue]:
        """The arrays of a function that do not fit on the stack."""
        if sum(map(bytes_of, arrays)) <= room:
            return []
        distinct: list[SSAValue] = []
        # Of each kind: the ends of lifetimes, with positions in ``distinct``.
        free: defaultdict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        for array in arrays:
            kind = array.type, array.owner.parent  # pyright: ignore
            begin, end = self._times[array]
            if free[kind] and free[kind][0][0] < begin:
                _, number = heapq.heappop(free[kind])
                twin = distinct[number]
                self.twins[array] = twin
                self._times[twin] = self._times[twin][0], end
            else:
                number = len(distinct)
                distinct.append(array)
            heapq.heappush(free[kind], (end, number))
        moved: list[SSAValue] = []
        for array in sorted(distinct, key=bytes_of):
            room -= bytes_of(array)
            if room < 0:
                moved.append(array)
        return moved

    def _place(self, arrays: list[SSAValue], is_of_thread: bool) -> int:
        """Give arrays of the workspace their slots, and return the size of all."""
        slots: list[Slot] = []
        for array in arrays:
            size = -(-bytes_of(array) // ALIGNMENT) * ALIGNMENT
            slots.append(Slot(array, ex.const(size), *self._times[array]))
        offsets, total = place(slots)
        for array, offset in offsets.items():
            assert offset.constant is not None
            self.in_workspace[array] = StackSlot(offset.constant, is_of_thread)
        assert total.constant is not None
        return total.constant


def _shares(op: loop.ForOp, depth: int) -> bool:
    """Whether threads share a loop: an outermost one, or the blocks of a reduction."""
    kinds = ("parallel", "vector", "unroll") if depth == 1 else ("parallel",)
    return op.kind.data in kinds and may_pay(op)

"""Which loops become C functions, and where the arrays live that loops declare.

A loop that threads share is a function, and so is an outermost one that declares more than a few
arrays, or any where these are many: frames of functions do not add up.  So are loops that are equal
but for their buffers (``equal_loops``), and those whose indices divide much.  Functions that have
sums in registers stay functions: they do not become part of another one.  Of one function, as many
arrays are on the stack as have room in ``target.STACK`` bytes beside what else is there. Beyond
that, arrays of one kind that are not needed at the same time are one, and the largest of the rest
lie at the start of the workspace, where each thread that shares a loop has a part of its own.
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
from opc.kernels.plan_buffers import ALIGNMENT, Slot, place
from opc.support.target import (
    COPIES_OF_LANES,
    DIVISIONS,
    FEW_ON_STACK,
    LOOPS,
    STACK,
    THREADS,
    WIDEST,
)

from .outlining import EqualLoops
from .threads import may_pay


@dataclass(frozen=True)
class StackSlot:
    """Where an array lies: so many bytes behind the start of the workspace or a thread's part."""

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
    """Whether an index in a loop has many divisions; those of extents are computed before it."""
    accesses = (o for o in op.walk() if isinstance(o, loop.LoadOp | loop.StoreOp))
    return any(len(set(_divisions(e))) >= DIVISIONS for o in accesses for e in o.index.data)


def _divisions(e: ex.Expr) -> Iterator[ex.Atom]:
    for factors, _ in e.terms:
        for atom in factors:
            if atom.kind in ("floordiv", "mod") and _is_of_loops(atom):
                yield atom
            for arg in atom.args:
                if isinstance(arg, ex.Expr):
                    yield from _divisions(arg)


def _is_of_loops(atom: ex.Atom) -> bool:
    """Whether an atom depends on loop variables."""
    return bool(ex.Expr({(atom,): 1}).dims())


def _along_registers(block: Block) -> Iterator[Operation]:
    """The loops that use sums in registers which are declared around them."""
    for op in block.walk():
        if not isinstance(op, loop.LocalOp) or op.register_lanes is None:
            continue
        for use in op.result.uses:
            around = use.operation.parent_op()
            while around is not None and not around.is_ancestor(op):
                yield around
                around = around.parent_op()


def _has_registers(op: Operation) -> bool:
    """Whether a loop has sums in registers, which it only has if nothing else needs these."""
    return any(isinstance(o, loop.LocalOp) and o.register_lanes is not None for o in op.walk())


def _declared(op: Operation) -> int:
    """The bytes of the arrays that a loop declares."""
    return sum(bytes_of(inner.results[0]) for inner in op.walk() if _is_array(inner))


def _kept_besides(op: Operation) -> int:
    """About the bytes that a compiler may keep on the stack for an operation besides arrays."""
    if isinstance(op, loop.LocalOp) and op.register_lanes is not None:
        return COPIES_OF_LANES * bytes_of(op.result)
    # A vector that registers have no room for.
    return WIDEST if isinstance(op, body.ApplyOp) else 0


class StackSlots:
    """Functions and places for one block of loop IR."""

    def __init__(self, block: Block, threads: int, equal: EqualLoops) -> None:
        self.threads = min(threads, THREADS)
        self.equal = equal
        self.functions: dict[Operation, bool] = {}
        """The loops that are functions; whether threads share them."""
        self.apart: set[Operation] = set()
        """The functions that must not become part of others: their arrays, or they, are many, or
        they have sums in registers: gcc 12 makes scalar code of some that it has inlined."""
        self.twins: dict[SSAValue, SSAValue] = {}
        """For an array that is one with an earlier one on the stack: which."""
        self.places: dict[SSAValue, StackSlot] = {}
        self._arrays: defaultdict[Operation | None, list[SSAValue]] = defaultdict(list)
        self._besides: defaultdict[Operation | None, int] = defaultdict(int)
        self._times: dict[SSAValue, tuple[int, int]] = {}
        self._by_value: dict[SSAValue, bool] = {}
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
                # They are parameters: to C, all of them are distinct as long as the function runs.
                during = self._first[function], self._last[function]
                self._times.update(dict.fromkeys(beyond, during))
            gone = {*beyond, *self.twins}
            if (
                function is not None
                and sum(bytes_of(a) for a in arrays if a not in gone) > FEW_ON_STACK
            ):
                self.apart.add(function)
        # Inlined, loops around sums in registers are so many that gcc 12 counts their rounds beyond
        # its numbers, takes them for never executed and makes no vectors: 60 times the time.
        self.apart.update(op for op in self.functions if _has_registers(op))
        self.shared_bytes = self._place([a for a, is_shared in moved if not is_shared], False)
        self.thread_bytes = self._place([a for a, is_shared in moved if is_shared], True)
        self.inside: dict[tuple[Operation, bool], int] = {}
        """Where the arrays of functions in another one begin, those of a thread apart, so that no
        parameter of that one has the address of another one."""
        for array in self.places:
            self._find_inside(array)

    def function_of(self, array: SSAValue) -> Operation | None:
        """The innermost loop around an array that is a function."""
        around = array.owner.parent_op() if isinstance(array.owner, Operation) else None
        while around is not None and around not in self.functions:
            around = around.parent_op()
        return around

    def _find_inside(self, array: SSAValue) -> None:
        """Count an array for the functions around its own one."""
        place, around = self.places[array], self.function_of(array)
        while around is not None and (around := around.parent_op()) is not None:
            if around in self.functions:
                key = around, place.is_of_thread
                # Outside of what threads share, it is the parts of all of them that are given.
                is_whole = place.is_of_thread and not self._is_shared[around]
                offset = 0 if is_whole else place.offset
                self.inside[key] = min(offset, self.inside.get(key, offset))

    @property
    def total_bytes(self) -> int:
        """The size of all places together."""
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
        """Find loops beside one another that have sums in registers, as those of a tile fusion.

        They only have their registers if nothing else needs these.  Whether there are any.
        """
        loops = [op for op in loop.flat(block) if isinstance(op, loop.ForOp)]
        inside = [op for op in loops if self._find_beside(op.body.block)]
        with_sums = [op for op in loops if _has_registers(op)]
        if not inside and len(with_sums) > 1:
            self._beside.update(op for op in with_sums if not self._returns(op))
        return bool(inside) or not self._beside.isdisjoint(loops)

    def _returns(self, op: Operation) -> bool:
        """Whether a loop changes scalars or lanes of its surroundings: functions get values.

        So does one along sums that are in registers: passed to a function, they would be in memory.
        """
        return op in self._along_registers or any(
            isinstance(local := value.owner, loop.LocalOp)
            and self._is_by_value(value)
            and not op.is_ancestor(local)
            for value in written([op])
        )

    def _is_by_value(self, value: SSAValue) -> bool:
        if value not in self._by_value:
            self._by_value[value] = not shape_of(value.type)
        return self._by_value[value]

    def _ends(self, op: Operation, block: Block) -> Iterator[int]:
        """When the operations of a block end in which an array, or a view of it, is used."""
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
        """The arrays of a function that the stack has no room for."""
        if sum(map(bytes_of, arrays)) <= room:
            return []
        single: list[SSAValue] = []
        # Of each kind: those that may be used again, by the time when they are needed no more.
        free: defaultdict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        for array in arrays:
            kind = array.type, array.owner.parent  # pyright: ignore
            begin, end = self._times[array]
            if free[kind] and free[kind][0][0] < begin:
                _, number = heapq.heappop(free[kind])
                twin = single[number]
                self.twins[array] = twin
                self._times[twin] = self._times[twin][0], end
            else:
                number = len(single)
                single.append(array)
            heapq.heappush(free[kind], (end, number))
        moved: list[SSAValue] = []
        for array in sorted(single, key=bytes_of):
            room -= bytes_of(array)
            if room < 0:
                moved.append(array)
        return moved

    def _place(self, arrays: list[SSAValue], is_of_thread: bool) -> int:
        """Give arrays of the workspace their places, and return the size of all."""
        slots: list[Slot] = []
        for array in arrays:
            size = -(-bytes_of(array) // ALIGNMENT) * ALIGNMENT
            slots.append(Slot(array, ex.const(size), *self._times[array]))
        offsets, total = place(slots)
        for array, offset in offsets.items():
            assert offset.constant is not None
            self.places[array] = StackSlot(offset.constant, is_of_thread)
        assert total.constant is not None
        return total.constant


def _shares(op: loop.ForOp, depth: int) -> bool:
    """Whether threads share a loop: an outermost one, or parts of a reduction."""
    kinds = ("parallel", "vector", "unroll") if depth == 1 else ("parallel",)
    return op.kind.data in kinds and may_pay(op)

"""Narrow loops: too few points to fill vector registers, and functions that suffer from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type
from opc.dialects.strip import NARROW

from .loop_places import VECTOR, leaves_over
from .strip_rounding import root

WIDEST = 512
"""Points of a loop from which on what is left over does not matter to a long function."""
WIDE = 64
"""The same for a short one."""
POINTS = 256
"""Points that go together, at least."""
FLAT = 1024
"""The same where one loop over all of them does everything."""
BRANCHES = ("max", "min", "order", "rank")
"""Functions of floats that look for NaN and for zeros."""
SLOW = ("div", "sqrt")
"""Functions of floats that take many cycles, for four values as for one."""
ACROSS = 3
"""Points up to which a loop of one function is left to vectors along the loop around it."""
PURE = (body.ApplyOp, body.ConstantOp, body.IndexOp, loop.LoadOp)

Access = loop.LoadOp | loop.StoreOp


def _is_narrow(points: int) -> bool:
    """Whether a loop leaves vector registers half empty, or points over."""
    return points > 1 and (points < VECTOR or leaves_over(points))


def _widest(op: Operation) -> int:
    """Up to how many points of a loop it costs far more one by one than in vectors; 0 if never."""
    if not isinstance(op, body.ApplyOp):
        return 0
    name, type = op.function.data, scalar_type(op.args[0])
    if op.is_long:
        return WIDEST
    if name in (*BRANCHES, *SLOW) and type.is_float:
        return WIDE
    return VECTOR - 1 if name == "cast" and type in NARROW else 0


def _is_slow(op: Operation) -> bool:
    return isinstance(op, body.ApplyOp) and op.function.data in SLOW


def _suffers(op: Operation, points: int) -> bool:
    """Whether a function is worth a way through arrays to escape a loop over so many points."""
    if _is_slow(op) and _widest(op):
        # C compilers do four or eight at a time well, and what is left of many does not matter.
        is_even = points % 2 == 0 and 8 < points < VECTOR
        return 4 < points < 2 * VECTOR and not is_even
    return points <= _widest(op)


def _gains(op: Operation, points: int) -> bool:
    """Whether a function gains by the same if that takes no arrays but those made once."""
    return points <= _widest(op) and not (_is_slow(op) and points < VECTOR)


def _is_across(op: loop.ForOp) -> bool:
    """Whether a loop goes across memory, and the one around it along: that one C compilers make
    vectors of.
    """
    outer = op.parent_op()
    assert isinstance(outer, loop.ForOp)
    if (_points(outer) or VECTOR) < VECTOR or _needs_order(op):
        return False
    loads = [o for o in op.body.block.ops if isinstance(o, loop.LoadOp)]
    along, across = ({_step(o, v) for o in loads} for v in (op.variable, outer.variable))
    return 1 in across and 1 not in along


def _needs_order(op: loop.ForOp) -> bool:
    """Whether functions of a loop are too long, or values too wide, for vectors across memory."""
    functions = [o for o in op.body.block.ops if isinstance(o, body.ApplyOp) and o.is_long]
    wide = any(scalar_type(o.result).bytes > 4 for o in functions)
    return wide or len(functions) > 1 or (bool(functions) and (_points(op) or VECTOR) > ACROSS)


def _step(access: Access, variable: SSAValue) -> int | None:
    """By how much an access moves on with a variable, if that is a constant."""
    dims = list(access.dims)
    if variable not in dims:
        return 0
    step = access.index.data[0].coefficient(dims.index(variable))
    return None if step is None else step.constant


def _points(op: loop.ForOp) -> int | None:
    """How often a loop from 0 runs, if that is known."""
    lower, upper, step = op.bounds
    return upper.constant if lower == 0 and step == 1 else None


def _roots(ops: Iterable[Operation], apart: type[Operation]) -> set[SSAValue]:
    """The buffers that operations use, but for those of one kind."""
    others = (op for op in ops if not isinstance(op, apart | loop.PrefetchOp))
    return {root(v) for op in others for v in op.operands if isinstance(v.type, MemRefType)}


class Narrow:
    """A narrow loop, what is around it, and which of its operations go together.

    ``path`` leads from a loop whose rounds go together, which is ``around`` it all, to the narrow
    one, by way of short ones.
    """

    def __init__(
        self, around: loop.ForOp, path: Sequence[loop.ForOp], points: int, *, every: bool = False
    ) -> None:
        self.around = around
        self.path = list(path)
        self.inner = self.path[-1]
        self.points = points
        ops = list(around.body.block.walk())
        self.written = _roots(ops, loop.LoadOp)
        self.loaded = _roots(ops, loop.StoreOp)
        self.every = every
        """Whether all functions go together, not only those that cost far more one by one."""
        self.blocks = [around.body.block, *(op.body.block for op in path)]
        self.varying = self._needing(lambda op: around.variable in op.operands)
        """Operations that are not the same in every round."""
        self.late = self._needing(self._meets_writing)
        """Operations that cannot be done for several rounds before anything is written."""
        self.together = self._together()
        """Functions, and what goes with them."""

    @staticmethod
    def of(inner: loop.ForOp) -> Narrow | None:
        """A loop, if it is narrow and computes functions, and nothing stands in the way."""
        points = _points(inner)
        ops = list(inner.body.block.ops)
        if points is None or points > WIDEST:
            return None
        several = sum(isinstance(op, body.ApplyOp) and op.is_long for op in ops) > 1
        if not _is_narrow(points) and not (several and 1 < points < POINTS):
            return None
        if not all(isinstance(op, (*PURE, loop.StoreOp)) for op in ops):
            return None
        found = Narrow.around_of(inner, points, FLAT, every=True)
        is_wanted = any(_gains(op, points) for op in ops)
        if found is not None and (is_wanted or len(found.path) > 1) and found.is_flat():
            return found
        if not any(_suffers(op, points) for op in ops):
            return None
        found = Narrow.around_of(inner, points, POINTS)
        return found if found is not None and found.together else None

    @staticmethod
    def around_of(
        inner: loop.ForOp, points: int, most: int, *, every: bool = False
    ) -> Narrow | None:
        """A loop with the short ones around it, up to so many points, if one is around them."""
        path, around = [inner], inner.parent_op()
        while isinstance(around, loop.ForOp) and points < most:
            rounds, outer = _points(around), around.parent_op()
            if rounds is None or rounds * points > most or not isinstance(outer, loop.ForOp):
                break
            points *= rounds
            path.insert(0, around)
            around = outer
        if not isinstance(around, loop.ForOp) or around.bounds[2] != 1 or _is_across(inner):
            return None
        return Narrow(around, path, points, every=every)

    @property
    def ops(self) -> list[Operation]:
        """What a point does."""
        return list(self.inner.body.block.ops)

    def steps(self) -> list[tuple[SSAValue, int]]:
        """Every loop variable, and how many points one step of it takes."""
        found, step = list[tuple[SSAValue, int]](), 1
        for op in (*self.path[::-1], self.around):
            found.append((op.variable, step))
            step *= _points(op) or 1
        return found

    def is_in_order(self, access: Access) -> bool:
        """Whether an access goes through memory in order, point after point, round after round."""
        return all(_step(access, variable) == step for variable, step in self.steps())

    def is_flat(self) -> bool:
        """Whether one loop over all points can do all, once what repeats itself lies in arrays."""
        functions = [op for op in self.ops if isinstance(op, body.ApplyOp)]
        functions = [op for op in functions if not self.repeats(op.result)]
        stores = [op for op in self.around.walk() if isinstance(op, loop.StoreOp)]
        taken = self.taken()
        return (
            bool(taken)
            and self.together == {*functions}
            and len(self.stores()) == len(stores)
            and all(map(self.repeats, taken))
        )

    def repeats(self, value: SSAValue) -> bool:
        """Whether a value of a point is the same in every round."""
        return value.owner not in self.varying

    def is_uniform(self, access: Access) -> bool:
        """Whether an access goes to one place for all points of all rounds."""
        return all(_step(access, variable) == 0 for variable, _ in self.steps())

    def is_inside(self, value: SSAValue) -> bool:
        """Whether a value is computed in one of the loops."""
        return isinstance(value.owner, Operation) and value.owner.parent in self.blocks

    def is_read(self, value: SSAValue) -> bool:
        """Whether a value of a point is read, in order or always the same, from memory that is not
        written here.
        """
        op = value.owner
        return (
            isinstance(op, loop.LoadOp)
            and op.parent is self.inner.body.block
            and (self.is_in_order(op) or self.is_uniform(op))
            and root(op.source) not in self.written
        )

    def needed(self, values: Iterable[SSAValue]) -> set[Operation]:
        """Operations of the loops that some values need."""
        found, pending = set[Operation](), list(values)
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Operation) and self.is_inside(value) and op not in found:
                found.add(op)
                pending += op.operands
        return found

    def _needing(self, first: Callable[[Operation], bool]) -> set[Operation]:
        """Operations of the loops that are of a kind, or need one that is."""
        found = set[Operation]()
        for op in (op for block in self.blocks for op in block.ops):
            if first(op) or any(a.owner in found for a in op.operands):
                found.add(op)
        return found

    def _meets_writing(self, op: Operation) -> bool:
        is_overwritten = isinstance(op, loop.LoadOp) and root(op.source) in self.written
        return not isinstance(op, PURE) or is_overwritten

    def _together(self) -> set[Operation]:
        """Functions whose operands need no other function, and what comes before or after them."""
        found, ordered = set[Operation](), set[SSAValue]()
        after = set[Operation]()
        """What needs one of those that are found."""
        for op in self.ops:
            if any(a.owner in found or a.owner in after for a in op.operands):
                after.add(op)
            if not isinstance(op, body.ApplyOp):
                ordered |= {r for r in op.results if self.is_read(r)}
                continue
            if self.every and self.repeats(op.result):
                continue
            others = [
                a
                for a in op.args
                if a not in ordered
                and self.is_inside(a)
                and not isinstance(a.owner, body.ConstantOp)
            ]
            if _widest(op) or self.every:
                bad = (self.late, found, after)
                if any(a.owner in ops for a in others for ops in bad):
                    continue
            elif others:
                continue
            ordered.add(op.result)
            if _widest(op) or self.every or any(a.owner in found for a in op.args):
                found.add(op)
        for op in reversed(self.ops):
            users = {use.operation for r in op.results for use in r.uses}
            if isinstance(op, body.ApplyOp) and op.result in ordered and users & found:
                found.add(op)
        return found

    def taken(self) -> list[SSAValue]:
        """What functions take that must lie in arrays before."""
        operands = (a for op in self.ops if op in self.together for a in op.operands)
        return [
            a
            for a in dict.fromkeys(operands)
            if self.is_inside(a)
            and a.owner not in self.together
            and not isinstance(a.owner, body.ConstantOp)
            and not self.is_read(a)
        ]

    def stores(self) -> list[loop.StoreOp]:
        """Stores that go together with the functions whose results they store."""
        stores = (op for op in self.around.walk() if isinstance(op, loop.StoreOp))
        targets = Counter(root(op.target) for op in stores)
        return [
            op
            for op in self.ops
            if isinstance(op, loop.StoreOp)
            and op.value.owner in self.together
            and self.is_in_order(op)
            and root(op.target) not in self.loaded
            and targets[root(op.target)] == 1
        ]

    def given(self) -> list[SSAValue]:
        """Results that are used apart from functions, by way of arrays."""
        apart = {*self.together, *self.stores()}
        return [
            op.results[0]
            for op in self.ops
            if op in self.together and any(u.operation not in apart for u in op.results[0].uses)
        ]

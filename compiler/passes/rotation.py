"""A loop over rows taken apart, and put together again with the sweeps of two rows as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import index_of

from .loop_parts import PLAIN, At, has_functions, joined, part_of, put, replace
from .strip_rounding import root


@dataclass
class Round:
    """The operations of a loop over rows, by what happens to them."""

    before: list[Operation]
    """What declares and prepares what the first sweep reduces to."""
    first: loop.ForOp
    after: list[Operation]
    """What follows the first sweep and still computes nothing but what it reduces to."""
    between: list[Operation]
    last: loop.ForOp
    """The first of the loops that end the round: all of its row, or of full vectors."""
    rest: list[Operation]
    """The others: what is left of the row."""


def round_of(op: loop.ForOp) -> Round | None:
    """Take a loop's round apart; None if it does not begin and end with sweeps."""
    ops = list(op.body.block.ops)
    tail = len(ops)
    while tail and _is_plain(ops[tail - 1]):
        tail -= 1
    sweeps = [k for k, o in enumerate(ops[:tail]) if isinstance(o, loop.ForOp)]
    if not sweeps or tail == len(ops):
        return None
    start = _end_of_first(ops[:tail])
    if start <= sweeps[0]:
        return None
    first, last = ops[sweeps[0]], ops[tail]
    assert isinstance(first, loop.ForOp) and isinstance(last, loop.ForOp)
    before, after = ops[: sweeps[0]], ops[sweeps[0] + 1 : start]
    return Round(before, first, after, ops[start:tail], last, ops[tail + 1 :])


def _end_of_first(ops: Sequence[Operation]) -> int:
    """Up to where operations compute no scalar that later ones use.

    Nor sweeps: what one is given comes from a sweep before, or ends the search there.
    """
    numbers = {o: k for k, o in enumerate(ops)}
    end = last = 0
    for k, o in enumerate(ops):
        if not isinstance(o, _TAKING):
            break
        if not isinstance(o, DECLARING):
            users = (use.operation for r in o.results for use in r.uses)
            last = max([last, *(numbers.get(user, len(ops)) for user in users)])
        if last <= k:
            end = k + 1
    return end


DECLARING = (loop.LocalOp, body.ConstantOp)
_TAKING = (
    *DECLARING,
    *(loop.ForOp, loop.StoreOp, loop.FillOp, loop.AccumulateOp, loop.CascadeOp, loop.PrefetchOp),
    *(loop.LoadOp, body.ApplyOp),
)


def _is_plain(op: Operation) -> bool:
    """Whether a loop computes points that nothing is reduced of, without long functions."""
    return (
        isinstance(op, loop.ForOp)
        and all(isinstance(o, PLAIN) for o in op.body.block.ops)
        and not has_functions([op])
    )


def written(ops: Sequence[Operation]) -> set[SSAValue]:
    """The buffers that operations write."""
    found: set[SSAValue] = set()
    for op in (inner for o in ops for inner in o.walk()):
        match op:
            case loop.LoadOp() | loop.CombineOp() | loop.PrefetchOp() | loop.ViewOp():
                pass
            case loop.StoreOp() | loop.FillOp() | loop.TransposeOp():
                found.add(root(op.target))
            case loop.AccumulateOp():
                found.add(root(op.lanes))
            case _:
                found |= {root(v) for v in op.operands if isinstance(v.type, MemRefType)}
    return found


def touched(ops: Sequence[Operation]) -> set[SSAValue]:
    """The buffers that operations read or write."""
    inside = (inner for o in ops for inner in o.walk() if not isinstance(inner, loop.PrefetchOp))
    used = (v for o in inside for v in o.operands)
    return {root(v) for v in used if isinstance(v.type, MemRefType)}


def common(first: loop.ForOp, last: loop.ForOp) -> ex.Expr | None:
    """Up to where both sweeps go; None if that is unknown, or not where a step ends."""
    (lower, end, step), (start, other, one) = first.bounds, last.bounds
    if lower != 0 or start != 0 or one != 1 or first.dims or last.dims:
        return None
    if end == other or end == other - ex.mod(other, ex.const(step)):
        return end
    if step == 1 and end.constant is not None and other.constant is not None:
        return ex.minimum(end, other)
    return None


def can_be_rotated(op: loop.ForOp, parts: Round) -> bool:
    """Whether the first sweep of a row may go with the last one of another row.

    Buffers are apart that are different values: what a kernel reads and what it writes never share
    a place of the workspace but as one value (plan-buffers).
    """
    taken = [*parts.before, parts.first, *parts.after]
    if common(parts.first, parts.last) is None:
        return False
    own = {o.result for o in op.walk() if isinstance(o, loop.LocalOp)}
    state = written(taken)
    apart = not state & touched([parts.last, *parts.rest])
    return state <= own and apart and not (touched(taken) - own) & written([op])


class Rotation:
    """Writes a loop over rows as one over blocks of rows, rotated inside."""

    def __init__(self, op: loop.ForOp, parts: Round, rows: ex.Expr) -> None:
        self.op, self.parts = op, parts
        (lower, upper, _), dims = op.bounds, list(op.dims)
        step, count = rows.constant, (upper - lower).constant
        if step is not None:
            self.block = loop.ForOp.of(lower, upper, dims, op.kind.data, step)
            self.start: At = ex.dim(0), [self.block.variable]
        else:
            blocks = ex.floordiv(upper + rows - 1, rows)
            self.block = loop.ForOp.of(ex.const(0), blocks, dims, op.kind.data)
            size, dims = joined(rows, dims, [self.block.variable])
            self.start = ex.dim(0) * size, dims
        end, every = joined(upper, list(op.dims), self.start[1])
        size, every = joined(rows, list(op.dims), every)
        stop = self.start[0] + size
        if step is None or count is None or count % step:
            stop = ex.minimum(stop, end)
        self.inner = loop.ForOp.of(self.start[0], stop, every)
        self.row: At = ex.dim(0), [self.inner.variable]
        last, every = joined(upper - 1, list(op.dims), [self.inner.variable])
        self.next: At = ex.minimum(ex.dim(0) + 1, last), every

    def write(self) -> None:
        """Put the new loops in place of the old one."""
        parts, outer, inner = self.parts, self.block.body.block, self.inner.body.block
        shared: dict[SSAValue, SSAValue] = {}
        around = [*parts.before, *parts.after]
        outer.add_ops(o.clone(shared) for o in around if isinstance(o, DECLARING))
        before, after = (
            [o for o in ops if not isinstance(o, DECLARING)] for ops in (parts.before, parts.after)
        )
        outer.add_ops(self.copies(before, shared, self.start))
        (first,) = self.copies([parts.first], shared, self.start)
        assert isinstance(first, loop.ForOp)
        outer.add_op(first.noted("The first sweep of the first row."))
        outer.add_ops(self.copies(after, shared, self.start))
        outer.add_op(self.inner)
        known = dict(shared)
        inner.add_ops(self.copies(parts.between, known, self.row))
        inner.add_ops(self.copies(before, shared, self.next))
        (first,) = self.copies([parts.first], shared, self.next)
        last, *rest = self.copies([parts.last, *parts.rest], known, self.row)
        assert isinstance(first, loop.ForOp) and isinstance(last, loop.ForOp)
        inner.add_ops(merge(last, first))
        inner.add_ops(self.copies(after, shared, self.next))
        inner.add_ops(rest)
        put(self.block, self.op)

    def copies(
        self, ops: Sequence[Operation], mapping: dict[SSAValue, SSAValue], row: At
    ) -> list[Operation]:
        """The same operations for another row."""
        found = [op.clone(mapping) for op in ops]
        for op in (inner for new in found for inner in new.walk()):
            replace(op, self.op.variable, row)
        return found


def merge(last: loop.ForOp, first: loop.ForOp) -> list[Operation]:
    """Loops that do what both do, step by step and the last one first; both are used up."""
    end, step = common(first, last), first.bounds[2]
    assert end is not None
    both = loop.ForOp.of(ex.const(0), end, [], "serial", step)
    both.noted("The last sweep of this row with the first one of the next.")
    ops: list[Operation] = [both]
    for op in (last, first):
        if op.bounds[1] != end:
            left = op.clone()
            left.properties["lower"] = index_of(end)
            ops.append(left)
    _ask_no_more(first)
    # What is read first: a store at the same place in another page would hold it up.
    move(first, both)
    if step == 1:
        move(last, both)
    else:
        even = last.bounds[1] != end or (end.constant is not None and end.constant % step == 0)
        count = ex.const(step) if even else ex.minimum(ex.const(step), end - ex.dim(0))
        both.body.block.add_op(
            part_of(last, (ex.dim(0), [both.variable]), (count, [] if even else [both.variable]))
        )
    # Else what they read and write would count as used by them.
    last.erase()
    first.erase()
    return ops


def _ask_no_more(first: loop.ForOp) -> None:
    """Do not ask for what a maximum is found of: while memory is written, that takes longer."""
    ops = list(first.body.block.ops)
    if any(isinstance(o, loop.AccumulateOp) and o.reduction.data == "max_number" for o in ops):
        for op in ops:
            if isinstance(op, loop.PrefetchOp):
                op.detach()
                op.erase()


def move(op: loop.ForOp, into: loop.ForOp) -> None:
    """Move the operations of a loop into another one."""
    op.variable.replace_all_uses_with(into.variable)
    for inner in list(op.body.block.ops):
        inner.detach()
        into.body.block.add_op(inner)

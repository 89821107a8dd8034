"""Rotate a loop over long rows: the last sweep of a row goes with the first one of the next row.

Each sweep waits for what the one before finds.  The first sweep of a row waits for nothing, and
goes on while the last one of the row before divides and writes::

    for i = 0 to n { m = max of row i;  s = sums with m;  for j { y[i, j] = e[j] / s } }
      -->
    for b = 0 to n step 32
      m = max of row b
      for i = b to min(b + 32, n)
        s = sums with m
        for j { y[i, j] = e[j] / s;  m = max(m, x[min(i + 1, n - 1), j]) }

The last row is read again, to no effect: a loop of its own for it made the others slower.  Threads
share the blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import element_in, index_of
from opc.dialects.strip import NARROW

from .loop_parts import PLAIN, At, has_functions, joined, part_of, put, replace
from .prefetching import size_of
from .strip_rounding import root

ROWS = 64
"""Rows of a block, at most: the first sweep of its first row goes alone."""
FEWEST = 4
"""Rows of a block for which it is worth it."""
BLOCKS = 16
"""Blocks that are wanted at least, for threads to share, where each has more rows than that."""
UNKNOWN = 256
"""Of rows of unknown number, a block has ``FEWEST`` more for every so many of them."""
SHORTEST = 256
"""Values of a row for which it is worth it."""
SHORTEST_UNEVEN = 384
"""The same where one of the sweeps ends in full vectors and the other one does not."""
LONGEST = 3 << 12
"""Bytes of a row for which it is worth it without long functions: three of them must fit into the
first-level cache."""
CACHE = 8 << 20
"""Bytes that the caches hold."""


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


def _round(op: loop.ForOp) -> Round | None:
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
        if not isinstance(o, _DECLARING):
            users = (use.operation for r in o.results for use in r.uses)
            last = max([last, *(numbers.get(user, len(ops)) for user in users)])
        if last <= k:
            end = k + 1
    return end


_DECLARING = (loop.LocalOp, body.ConstantOp)
_TAKING = (
    *_DECLARING,
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


def _written(ops: Sequence[Operation]) -> set[SSAValue]:
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


def _touched(ops: Sequence[Operation]) -> set[SSAValue]:
    """The buffers that operations read or write."""
    used = (v for o in ops for inner in o.walk() for v in inner.operands)
    return {root(v) for v in used if isinstance(v.type, MemRefType)}


def _common(first: loop.ForOp, last: loop.ForOp) -> ex.Expr | None:
    """Up to where both sweeps go; None if that is unknown, or not where a step ends."""
    (lower, end, step), (start, other, one) = first.bounds, last.bounds
    if lower != 0 or start != 0 or one != 1 or first.dims or last.dims:
        return None
    if end == other or end == other - ex.mod(other, ex.const(step)):
        return end
    if step == 1 and end.constant is not None and other.constant is not None:
        return ex.minimum(end, other)
    return None


def _can_be_rotated(op: loop.ForOp, parts: Round) -> bool:
    """Whether the first sweep of a row may go with the last one of another row.

    Buffers are apart that are different values: what a kernel reads and what it writes never share
    a place of the workspace but as one value (plan-buffers).
    """
    taken = [*parts.before, parts.first, *parts.after]
    if _common(parts.first, parts.last) is None:
        return False
    own = {o.result for o in op.walk() if isinstance(o, loop.LocalOp)}
    state = _written(taken)
    apart = not state & _touched([parts.last, *parts.rest])
    return state <= own and apart and not (_touched(taken) - own) & _written([op])


def _is_worth_it(op: loop.ForOp, parts: Round) -> bool:
    """Whether rotation makes a loop faster, as far as measured."""
    first, last = parts.first, parts.last
    points = (_common(first, last) or ex.const(0)).constant
    even = first.bounds[1] == last.bounds[1] or first.bounds[2] > 1
    if points is not None and points < (SHORTEST if even else SHORTEST_UNEVEN):
        return False
    loads = (o for o in first.walk() if isinstance(o, loop.LoadOp))
    if has_functions([first]) or any(element_in(o.source) in NARROW for o in loads):
        return False
    in_lanes = any(isinstance(o, loop.AccumulateOp) for o in first.walk())
    used = {v for o in op.walk() for v in o.operands if isinstance(v.type, MemRefType)}
    outer = [v for v in used if not isinstance(v.owner, loop.LocalOp)]
    sizes = list(map(size_of, outer))
    if None in sizes or sum(filter(None, sizes)) > CACHE:
        # Reading and writing at once keeps memory from either, unless there is time to ask.
        return has_functions(parts.between) and not in_lanes
    width = max(element_in(v).bytes for v in outer)
    if not has_functions(parts.between) and (points or 0) * width > LONGEST:
        return False
    return in_lanes or any(isinstance(o, loop.ForOp) for o in parts.between)


def _rows(op: loop.ForOp) -> ex.Expr | None:
    """How many rows make up a block; None if there are too few."""
    lower, upper, _ = op.bounds
    count = (upper - lower).constant
    if count is None:
        return FEWEST * (ex.floordiv(upper, ex.const(UNKNOWN)) + 1) if lower == 0 else None
    if count < FEWEST * FEWEST:
        return None
    rows = min(ROWS, max(FEWEST, count // BLOCKS))
    return ex.const(1 << rows.bit_length() - 1)


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
        outer.add_ops(o.clone(shared) for o in around if isinstance(o, _DECLARING))
        before, after = (
            [o for o in ops if not isinstance(o, _DECLARING)] for ops in (parts.before, parts.after)
        )
        outer.add_ops(self._copies([*before, parts.first, *after], shared, self.start))
        outer.add_op(self.inner)
        known = dict(shared)
        inner.add_ops(self._copies(parts.between, known, self.row))
        inner.add_ops(self._copies(before, shared, self.next))
        (first,) = self._copies([parts.first], shared, self.next)
        last, *rest = self._copies([parts.last, *parts.rest], known, self.row)
        assert isinstance(first, loop.ForOp) and isinstance(last, loop.ForOp)
        inner.add_ops(merge(last, first))
        inner.add_ops(self._copies(after, shared, self.next))
        inner.add_ops(rest)
        put(self.block, self.op)

    def _copies(
        self, ops: Sequence[Operation], mapping: dict[SSAValue, SSAValue], row: At
    ) -> list[Operation]:
        """The same operations for another row."""
        found = [op.clone(mapping) for op in ops]
        for op in (inner for new in found for inner in new.walk()):
            replace(op, self.op.variable, row)
        return found


def merge(last: loop.ForOp, first: loop.ForOp) -> list[Operation]:
    """Loops that do what both do, step by step and the last one first; both are used up."""
    end, step = _common(first, last), first.bounds[2]
    assert end is not None
    both = loop.ForOp.of(ex.const(0), end, [], "serial", step)
    ops: list[Operation] = [both]
    for op in (last, first):
        if op.bounds[1] != end:
            left = op.clone()
            left.properties["lower"] = index_of(end)
            ops.append(left)
    # What is read first: a store at the same place in another page would hold it up.
    _move(first, both)
    if step == 1:
        _move(last, both)
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


def _move(op: loop.ForOp, into: loop.ForOp) -> None:
    """Move the operations of a loop into another one."""
    op.variable.replace_all_uses_with(into.variable)
    for inner in list(op.body.block.ops):
        inner.detach()
        into.body.block.add_op(inner)


@dataclass(frozen=True)
class RotateLoopsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "rotate-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                for inner in list(function.walk()):
                    if isinstance(inner, loop.ForOp):
                        rotate(inner)


def rotate(op: loop.ForOp) -> None:
    """Rotate a loop, if it is worth it."""
    if op.kind.data != "parallel" or op.bounds[2] != 1:
        return
    parts = _round(op)
    rows = _rows(op)
    if parts and rows is not None and _can_be_rotated(op, parts) and _is_worth_it(op, parts):
        Rotation(op, parts, rows).write()

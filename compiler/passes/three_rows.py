"""The sweeps of three rows as one: the last of one, the middle of the next, the first of the third.

What is between the sweeps of a softmax is one sweep more, of exponentials.  Divisions and loads go
on beside these, if there are any at hand::

    for i { m = max of row i;  s = 0;  for j { e[j] = exp(x[i, j] - m);  s += e[j] }
            for j { y[i, j] = e[j] / s } }
      -->
    for b = 0 to n step 32
      m = max of row b;  e, s = exponentials of row b with m;  m = max of row b + 1
      for i = b to min(b + 32, n) - 1
        t = s;  k = m;  s = 0;  m = -inf
        for j { y[i, j] = e[j] / t;  e[j] = exp(x[i + 1, j] - k);  s += e[j];
                m = max(m, x[min(i + 2, n - 1), j]) }
      for j { y[b + 31, j] = e[j] / s }

What is left of a row after full vectors follows each, in the same order.  A long row is summed in
blocks; then this is what happens in each of them.  Where no local array holds the exponentials of a
row, they are kept in the result, of which each row is apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in, index_of
from opc.dialects.shape import shape_of

from .loop_parts import At, Indexed, has_functions, insert, joined, part_of, put
from .prefetching import is_large
from .rotation import DECLARING, Rotation, Round, move, touched, written
from .strip_rounding import root

_TAKING = (loop.ForOp, loop.AccumulateOp, loop.CascadeOp)
SCALARS = (*DECLARING, body.ApplyOp, loop.CombineOp)
SWEEPING = (*_TAKING, *SCALARS, loop.LoadOp, loop.StoreOp, loop.PrefetchOp)
NEAR = 1024
"""Bytes by which to ask ahead for what is read; of what else goes on, there is time enough."""


@dataclass
class Middle:
    """What is between the first and the last sweep of a row."""

    declared: list[Operation]
    """What it declares."""
    before: list[Operation]
    """What prepares the sweep, from what the first one found."""
    sweep: loop.ForOp
    """Steps through the row, or through blocks of it, whose sums are kept apart."""
    rest: list[Operation]
    """What is left of the row."""
    after: list[Operation]
    """What the last sweep takes of it."""

    @staticmethod
    def of(op: loop.ForOp, parts: Round) -> Middle | None:
        """Take it apart; None if it is no single sweep that may go with the others."""
        ops = parts.between
        sweeps = [k for k, o in enumerate(ops) if isinstance(o, loop.ForOp)]
        if not sweeps:
            return None
        at, end = sweeps[0], 1 + max(k for k, o in enumerate(ops) if isinstance(o, _TAKING))
        sweep, before = ops[at], ops[:at]
        assert isinstance(sweep, loop.ForOp)
        found = Middle(
            [o for o in before if isinstance(o, DECLARING)],
            [o for o in before if not isinstance(o, DECLARING)],
            sweep,
            ops[at + 1 : end],
            ops[end:],
        )
        return found if found._fits(op, parts) else None

    def _fits(self, op: loop.ForOp, parts: Round) -> bool:
        first, last, sweep = parts.first, parts.last, self.sweep
        lower, _, step = first.bounds
        if not _are_same_steps(first, sweep) or lower != 0 or step == 1 or sweep.dims:
            return False
        ends, starts = last.bounds[1].constant, list(map(_start, parts.rest))
        if len(starts) > 1 or any(s is None or ends is None or s > ends for s in starts):
            return False
        if not has_functions([sweep]):
            return False
        if not all(isinstance(o, (*SCALARS, loop.FillOp, loop.StoreOp)) for o in self.before):
            return False
        if not all(isinstance(o, (*SCALARS, loop.LoadOp, loop.StoreOp)) for o in self.after):
            return False
        inside = (*sweep.body.block.ops, *steps_of(sweep).body.block.ops)
        if not all(isinstance(o, SWEEPING) for o in (*inside, *self.rest)):
            return False
        found = {r for o in self.rest for r in o.results}
        if found & {v for o in self._later(parts) for v in o.operands}:
            return False
        return self._is_apart(op, parts) and all(
            self._is_in_place(op, o) for o in (last, *parts.rest)
        )

    def _is_apart(self, op: loop.ForOp, parts: Round) -> bool:
        """Whether each of the sweeps may go before those of the rows before."""
        computed = [*self.before, self.sweep, *self.rest]
        own = {o.result for o in op.walk() if isinstance(o, loop.LocalOp)}
        others = written(computed) - own
        if not all(_is_row_by_row(op, v) for v in others):
            return False
        if (touched(computed) - own - others) & written([op]):
            return False
        state = written([*parts.before, parts.first, *parts.after])
        if state & touched([self.sweep, *self.rest]):
            return False
        found = written(self.after)
        return found <= own and not found & (state | touched(computed))

    def carried(self, parts: Round) -> list[SSAValue]:
        """What the last sweep takes of what the first one found, when that is of another row."""
        taken = {v for o in self._later(parts) for v in o.operands}
        return [r for o in self.before for r in o.results if r in taken]

    def _later(self, parts: Round) -> Iterator[Operation]:
        """What is done after the middle sweep, and what is within that."""
        return (inner for o in (*self.after, parts.last, *parts.rest) for inner in o.walk())

    def _is_in_place(self, op: loop.ForOp, last: Operation) -> bool:
        """Whether a last sweep takes of what the middle one keeps but what is at its place.

        What is kept in an output stays there until the row has been finished.
        """
        assert isinstance(last, loop.ForOp)
        own = {o.result for o in op.walk() if isinstance(o, loop.LocalOp)}
        kept = written([self.sweep]) & touched([last]) & own
        step = steps_of(self.sweep).variable
        loads = (o for o in last.walk() if isinstance(o, loop.LoadOp))
        stores = (o for o in self.sweep.walk() if isinstance(o, loop.StoreOp))
        return all(
            o.index.data == (ex.dim(0),) and list(o.dims) == [last.variable]
            for o in loads
            if root(o.source) in kept
        ) and all(
            step in o.dims and o.index.data[0].coefficient(list(o.dims).index(step)) == 1
            for o in stores
            if root(o.target) in kept
        )


def steps_of(sweep: loop.ForOp) -> loop.ForOp:
    """The loop over the steps of a sweep: itself, or the one within its blocks."""
    if not any(isinstance(o, loop.CascadeOp) for o in sweep.body.block.ops):
        return sweep
    return _loop(next(o for o in sweep.body.block.ops if isinstance(o, loop.ForOp)))


def _are_same_steps(first: loop.ForOp, sweep: loop.ForOp) -> bool:
    """Whether a sweep goes through a row in the steps of the first one, in blocks or not."""
    steps = steps_of(sweep)
    if steps is sweep:
        return first.bounds == sweep.bounds
    (lower, upper, size), (start, end, _) = sweep.bounds, steps.bounds
    ends = ex.dim(0) + size
    whole = (upper - lower).constant
    return (
        first.bounds == (lower, upper, steps.bounds[2])
        and size % steps.bounds[2] == 0
        and list(steps.dims) == [sweep.variable]
        and start == ex.dim(0)
        and end in (ex.minimum(ends, upper), ends if whole and whole % size == 0 else None)
    )


def _is_row_by_row(op: loop.ForOp, buffer: SSAValue) -> bool:
    """Whether each round of a loop keeps to a part of a buffer that is its own.

    It does where as many parts as there are rounds make up the buffer, and each round uses the same
    places of its part: those of the first round are not before it, and those of the last not after.
    """
    inside = (o for o in op.walk() if o is not op and op.variable in o.operands)
    if op.bounds[0] != 0 or any(isinstance(o, loop.ForOp) for o in inside):
        return False
    rounds = _rounds(op.bounds[1])
    for o in op.walk():
        if isinstance(o, loop.PrefetchOp) or buffer not in map(root, o.operands):
            continue
        if not isinstance(o, Indexed) or op.variable not in o.dims:
            return False
        at, (index, *counts) = list(o.dims).index(op.variable), o.index.data
        size = index.coefficient(at)
        if size is None or any(at in e.dims() for e in counts):
            return False
        if size * rounds != ex.product(shape_of(buffer.type)):
            return False
    return True


def _rounds(e: ex.Expr) -> ex.Expr:
    """How many rounds there are, if there are any: of a version of a nest there may be none."""
    if len(e.terms) != 1:
        return e
    ((factors, c),) = e.terms
    return ex.Expr({tuple(a for a in factors if a.kind != "atleast"): c})


def _start(op: Operation) -> int | None:
    """Where a loop starts, if that is known."""
    return op.bounds[0].constant if isinstance(op, loop.ForOp) else None


class ThreeRows(Rotation):
    """Writes a loop over rows as one over blocks of rows, with the sweeps of three rows as one."""

    def __init__(self, op: loop.ForOp, parts: Round, rows: ex.Expr, middle: Middle) -> None:
        super().__init__(op, parts, rows)
        self.middle = middle
        (lower, stop, _), dims = self.inner.bounds, list(self.inner.dims)
        self.inner.erase()
        self.inner = loop.ForOp.of(lower, stop - 1, dims)
        row = self.inner.variable
        last, every = joined(op.bounds[1] - 1, list(op.dims), [row])
        self.row = ex.dim(0), [row]
        self.second: At = ex.dim(0) + 1, [row]
        self.third: At = ex.minimum(ex.dim(0) + 2, last), every
        start, dims = self.start
        limit, dims = joined(op.bounds[1] - 1, list(op.dims), dims)
        self.ahead: At = ex.minimum(start + 1, limit), dims
        self.end: At = stop - 1, list(self.inner.dims)

    def write(self) -> None:
        """Put the new loops in place of the old one."""
        parts, middle = self.parts, self.middle
        outer, inner = self.block.body.block, self.inner.body.block
        shared: dict[SSAValue, SSAValue] = {}
        declared = [o for o in (*parts.before, *parts.after) if isinstance(o, DECLARING)]
        outer.add_ops(o.clone(shared) for o in (*declared, *middle.declared))
        before, after = (
            [o for o in ops if not isinstance(o, DECLARING)] for ops in (parts.before, parts.after)
        )
        carried = {v: loop.LocalOp.of(scalar_type(v)) for v in middle.carried(parts)}
        outer.add_ops(carried.values())
        outer.add_ops(self._first(shared, self.start, "The first sweep of the first row."))
        known = dict(shared)
        outer.add_ops(self.copies(middle.before, known, self.start))
        outer.add_ops(_put_by(carried, known))
        (sweep,) = self.copies([middle.sweep], known, self.start)
        outer.add_op(_loop(sweep).noted("The middle sweep of the first row."))
        outer.add_ops(self.copies(middle.rest, known, self.start))
        ahead = self._first(shared, self.ahead, "The first sweep of the second row.")
        if self.block.bounds[2] == 1:
            self._only_if_any(ahead)
        outer.add_ops(ahead)
        outer.add_op(self.inner)
        known, row = dict(shared), dict(shared)
        inner.add_ops(_taken_up(carried, row))
        inner.add_ops(self.copies(middle.after, row, self.row))
        inner.add_ops(self.copies(middle.before, known, self.second))
        inner.add_ops(_put_by(carried, known))
        inner.add_ops(self.copies(before, known, self.third))
        (last,) = self.copies([parts.last], row, self.row)
        (exponentials,) = self.copies([middle.sweep], known, self.second)
        (found,) = self.copies([parts.first], known, self.third)
        both = _merge(_loop(last), _loop(exponentials), _loop(found))
        _ask_near(steps_of(both))
        inner.add_op(both)
        # Memory is written in order, before the middle sweep goes on with what is left.
        (left,) = self.copies(([parts.last, *parts.rest])[-1:], row, self.row)
        if left.properties["upper"] != both.properties["upper"]:
            left.properties["lower"] = both.properties["upper"]
            inner.add_op(left)
        else:
            left.erase()
        inner.add_ops(self.copies(middle.rest, known, self.second))
        inner.add_ops(self.copies(after, known, self.third))
        outer.add_ops(_taken_up(carried, shared))
        outer.add_ops(self.copies(middle.after, shared, self.end))
        (last,) = self.copies([parts.last], shared, self.end)
        outer.add_op(_loop(last).noted("The last sweep of the last row."))
        outer.add_ops(self.copies(parts.rest, shared, self.end))
        put(self.block, self.op)

    def _only_if_any(self, ops: list[Operation]) -> None:
        """Let the loops of a second row have no rounds where a block has one row: few are shared
        one by one."""
        (start, stop, _), dims = self.inner.bounds, list(self.inner.dims)
        there = ex.atleast(stop - start, 1)
        for op in ops:
            if isinstance(op, loop.ForOp):
                upper, op.operands = joined(op.bounds[1], list(op.dims), dims)
                op.properties["upper"] = index_of(upper * there)

    def _first(self, shared: dict[SSAValue, SSAValue], row: At, note: str) -> list[Operation]:
        """The first sweep of a row, with what is around it."""
        parts = self.parts
        ops = (
            o for o in (*parts.before, parts.first, *parts.after) if not isinstance(o, DECLARING)
        )
        found = self.copies(list(ops), shared, row)
        next(o for o in found if isinstance(o, loop.ForOp)).noted(note)
        return found


def _put_by(
    carried: Mapping[SSAValue, loop.LocalOp], known: Mapping[SSAValue, SSAValue]
) -> list[Operation]:
    """Keep values for the round that follows."""
    return [loop.StoreOp.of(known[v], o.result, ex.const(0)) for v, o in carried.items()]


def _taken_up(
    carried: Mapping[SSAValue, loop.LocalOp], known: dict[SSAValue, SSAValue]
) -> list[Operation]:
    """Load what the round before kept, and let it stand for the values."""
    loads = {v: loop.LoadOp.of(o.result, ex.const(0)) for v, o in carried.items()}
    known |= {v: load.result for v, load in loads.items()}
    return list(loads.values())


def _loop(op: Operation) -> loop.ForOp:
    assert isinstance(op, loop.ForOp)
    return op


def _merge(last: loop.ForOp, second: loop.ForOp, third: loop.ForOp) -> loop.ForOp:
    """Make the middle sweep go with the last one of a row and the first one of a third row.

    These are used up.
    """
    steps = steps_of(second)
    start: At = ex.dim(0), [steps.variable]
    part = part_of(last, start, (ex.const(steps.bounds[2]), []))
    first = steps.body.block.first_op
    assert first is not None
    steps.body.block.insert_op_before(part, first)
    move(third, steps)
    for op in (last, third):
        op.erase()
    return second.noted(
        "The last sweep of this row, the middle one of the next, the first one of the third."
    )


def _ask_near(both: loop.ForOp) -> None:
    """Ask for what is read a little later, and not for what is written, which goes on meanwhile."""
    kept = written([both])
    for op in list(both.body.block.ops):
        if isinstance(op, loop.PrefetchOp):
            op.detach()
            op.erase()
    for op in list(both.body.block.ops):
        if (
            isinstance(op, loop.AccumulateOp)
            and is_large(op.source)
            and root(op.source) not in kept
        ):
            ahead = op.index.data[0] + NEAR // element_in(op.source).bytes
            index = ahead, ex.const(both.bounds[2])
            insert(loop.PrefetchOp.of(op.source, index, list(op.dims)), op)

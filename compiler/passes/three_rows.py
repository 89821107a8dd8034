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

What is left of a row after full vectors follows each, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in

from .loop_parts import At, has_functions, insert, joined, part_of, put
from .prefetching import is_large
from .rotation import DECLARING, Rotation, Round, move, touched, written
from .strip_rounding import root

_TAKING = (loop.ForOp, loop.AccumulateOp)
SCALARS = (*DECLARING, body.ApplyOp, loop.CombineOp)
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
        lower, _, step = sweep.bounds
        if first.bounds != sweep.bounds or lower != 0 or step == 1 or sweep.dims:
            return False
        ends, starts = last.bounds[1].constant, list(map(_start, parts.rest))
        if ends is None or len(starts) > 1 or any(s is None or s > ends for s in starts):
            return False
        if not has_functions([sweep]):
            return False
        if not all(isinstance(o, (*SCALARS, loop.FillOp)) for o in self.before):
            return False
        if not all(isinstance(o, (*SCALARS, loop.LoadOp, loop.StoreOp)) for o in self.after):
            return False
        kinds = (*_TAKING, loop.LocalOp, loop.PrefetchOp)
        if not all(isinstance(o, kinds) for o in (*sweep.body.block.ops, *self.rest)):
            return False
        return self._is_apart(op, parts) and all(self._is_in_place(o) for o in (last, *parts.rest))

    def _is_apart(self, op: loop.ForOp, parts: Round) -> bool:
        """Whether each of the sweeps may go before those of the rows before."""
        computed = [*self.before, self.sweep, *self.rest]
        own = {o.result for o in op.walk() if isinstance(o, loop.LocalOp)}
        if not written(computed) <= own or (touched(computed) - own) & written([op]):
            return False
        state = written([*parts.before, parts.first, *parts.after])
        if state & touched([self.sweep, *self.rest]):
            return False
        found = written(self.after)
        return found <= own and not found & (state | touched(computed))

    def carried(self, parts: Round) -> list[SSAValue]:
        """What the last sweep takes of what the first one found, when that is of another row."""
        later = [*self.after, parts.last, *parts.rest]
        taken = {v for o in later for inner in o.walk() for v in inner.operands}
        return [r for o in self.before for r in o.results if r in taken]

    def _is_in_place(self, last: Operation) -> bool:
        """Whether a last sweep takes of what the middle one keeps but what is at its place."""
        assert isinstance(last, loop.ForOp)
        kept, step = written([self.sweep]) & touched([last]), self.sweep.variable
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
        outer.add_ops(self._first(shared, self.ahead, "The first sweep of the second row."))
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
        _ask_near(both)
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
    """One loop over steps: of the last sweep of a row, then of the others; all are used up."""
    lower, upper, step = second.bounds
    both = loop.ForOp.of(lower, upper, [], "serial", step)
    both.noted(
        "The last sweep of this row, the middle one of the next, the first one of the third."
    )
    start: At = ex.dim(0), [both.variable]
    both.body.block.add_op(part_of(last, start, (ex.const(step), [])))
    move(second, both)
    move(third, both)
    for op in (last, second, third):
        op.erase()
    return both


def _ask_near(both: loop.ForOp) -> None:
    """Ask for what is read a little later, and not for what is written, which goes on meanwhile."""
    for op in list(both.body.block.ops):
        if isinstance(op, loop.PrefetchOp):
            op.detach()
            op.erase()
    for op in list(both.body.block.ops):
        if isinstance(op, loop.AccumulateOp) and is_large(op.source):
            ahead = op.index.data[0] + NEAR // element_in(op.source).bytes
            index = ahead, ex.const(both.bounds[2])
            insert(loop.PrefetchOp.of(op.source, index, list(op.dims)), op)

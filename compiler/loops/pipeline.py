"""A software pipeline over rows: one is finished while functions are computed of the next one.

Exponentials keep multipliers busy, quotients the divider, and results wait for memory; one after
the other, each has nothing to do while the others work.  A softmax of rows of 1024::

    for b in 0 to 4096 by 256 parallel
      m = max of row b;  e, s = exponentials of row b
      for i in b to b + 255
        t = s                                     # what the last sweep takes of row i
        m = max of row i + 1
        for g in 0 to 1024 by 512
          for p in 0 to 512 by 64
            for j in g + p to g + p + 64 { y[i, j] = e[j] / t }
            prefetch x[i + 2, g + p .. g + p + 64]
            for j in 0 to 64 { e[g + p + j] = exp(x[i + 1, g + p + j] - m) }
          s += e[g .. g + 512]
      for j in 0 to 1024 { y[b + 255, j] = e[j] / s }

The last sweep reads a place of ``e`` before the next row's value is put there. What the first sweep
of the row after that reads is asked for meanwhile (``ahead``): that sweep only waits for memory
otherwise, and memory waits for the functions. Threads share the blocks. Of sweeps that compute no
functions memory takes all the time, which is read faster in the order of memory than beside what is
written: they go one after the other.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed, collapse
from opc.dialects.layout import linearize
from opc.dialects.scalar import REDUCTIONS
from opc.target import PIECES, STRIP, Target

from .ahead import read_ahead
from .places import NestValues, Place
from .points import Points
from .run import lower_all, lower_sweep
from .sweep import ZERO, Beside, Sweep, has_functions

BLOCKS = 2 * PIECES
"""Blocks of rows for threads to share, where a nest has one loop over rows; the first sweeps of the
first row of each go alone."""
FEWEST = 4
"""Rows of a block for which it is worth it."""
UNKNOWN = STRIP
"""Rows of a block within further loops, where only a run knows how many rows there are."""


@dataclass(frozen=True)
class Pipeline:
    """The sweeps of a nest by what happens to them, and how many rows make a block."""

    before: Sequence[Operation]
    """Of the next row: all up to the sweep of functions."""
    front: kernel.SweepOp
    """Computes functions of the next row, and sums of them."""
    between: Sequence[Operation]
    """What follows of the next row from these sums."""
    back: kernel.SweepOp
    """Finishes a row: stores, and computes no functions."""
    after: Sequence[Operation]
    """Scalars behind it."""
    rows: ex.Expr

    @property
    def carried(self) -> list[SSAValue]:
        """What is computed of a row before its last sweep, and taken there or behind it."""
        ops = (*self.before, self.front, *self.between)
        scalars = (op for op in ops if not isinstance(op, body.ConstantOp))
        known = {r for op in scalars for r in op.results if kernel.storage(r) is None}
        return [v for v in self._taken() if v in known]

    @property
    def constants(self) -> list[body.ConstantOp]:
        """Constants that are taken there."""
        return [v.owner for v in self._taken() if isinstance(v.owner, body.ConstantOp)]

    def _taken(self) -> list[SSAValue]:
        """The values that are used by what is done last."""
        ops = chain(self.back.walk(), *(op.walk() for op in self.after))
        return list(dict.fromkeys(v for op in ops for v in op.operands))


def find_pipeline(values: NestValues, outer: Collapsed, target: Target) -> Pipeline | None:
    """How to pipeline the rows of a nest whose points go one by one; None if it does not pay."""
    if len(values.sweeps) < 2 or not outer.extents:
        return None
    *others, back = values.sweeps
    front = next((s for s in reversed(others) if _is_worth_it(s, back, target)), None)
    is_shared = not isinstance(values.nest.parent_op(), loop.ForOp)
    rows = _rows_of_block(outer, is_shared)
    if rows is None or front is None or not _are_apart(values, front, back):
        return None
    ops = list(values.nest.body.block.ops)
    first, last = ops.index(front), ops.index(back)
    return Pipeline(ops[:first], front, ops[first + 1 : last], back, ops[last + 1 :], rows)


def _rows_of_block(outer: Collapsed, is_shared: bool) -> ex.Expr | None:
    """How many rows make a block; None if they are too few.  Threads share those of some nests."""
    *others, last = outer.extents
    count = last.constant
    if others or not is_shared:
        rows = UNKNOWN if count is None else count
    elif count is None:
        return ex.floordiv(last, ex.const(BLOCKS)) + 1
    else:
        rows = -(-count // BLOCKS)
    return ex.const(rows) if rows >= FEWEST else None


def _is_worth_it(front: kernel.SweepOp, back: kernel.SweepOp, target: Target) -> bool:
    """Whether a sweep adds up functions in an order, and a cheap one of as many values follows."""
    length = ex.product(front.extents.data).constant
    kinds = [REDUCTIONS[kind.data] for kind in front.kinds if kind.data != kernel.KEEP]
    return (
        has_functions(front)
        and front.lanes_expr is not None
        and not any(row.is_arg for row in kinds)
        and not (back.outputs or has_functions(back))
        and front.extents == back.extents
        and (length is None or length >= 2 * target.turns)
    )


def _are_apart(values: NestValues, front: kernel.SweepOp, back: kernel.SweepOp) -> bool:
    """Whether the sweep of functions may go ahead of the last one of the row before.

    That holds if both go along one axis of memory, if nothing is read that the nest writes, and if
    the last one takes of what is kept no more than what the other keeps at the same place, or what
    is kept behind that.
    """
    nest, ops = values.nest, list(values.nest.body.block.ops)
    rank, extents = len(nest.extents.data), front.extents.data
    here = tuple(ex.dim(rank + k) for k in range(len(extents)))
    inside = chain(front.body.block.ops, back.body.block.ops)
    offsets = [values.offsets[op] for op in inside if op in values.offsets]
    offsets += [values.kept[r][1] for r in front.outputs if r in values.kept]
    if len(collapse(rank, extents, [*offsets, linearize(here, extents)], 0).extents) != 1:
        return False
    between, after = ops[ops.index(front) + 1 : ops.index(back)], ops[ops.index(back) + 1 :]
    loads = [op for op in nest.walk() if isinstance(op, kernel.LoadOp)]
    kept = [op for op in loads if isinstance(op.source.owner, kernel.SweepOp)]
    return (
        all(op.source not in nest.targets for op in loads)
        and all(
            op.source.owner in between or (op.source.owner is front and op.index.data == here)
            for op in kept
            if op.parent_op() is back
        )
        and not any(op in after for op in kept)
    )


class PipelineLowering:
    """Writes the blocks of rows of a pipeline."""

    def __init__(self, points: Points, pipeline: Pipeline, target: Target) -> None:
        self.points, self.pipeline, self.target = points, pipeline, target
        self.values = points.values
        self.state = {v: points.here.add(loop.LocalOp.of(scalar_type(v))) for v in pipeline.carried}
        """What is carried from a row to the next iteration, in which it is finished."""

    def run(self) -> None:
        """The first row up to its last sweep, the rows in turns, and the last sweep of the last."""
        points, block = self.points, self.points.here
        end = points.start + points.rows - 1
        points.go_to(block, points.start)
        self._begin(None)
        inside = block.loop(points.start, end, "serial")
        row = inside.variable()
        finished = points.go_to(inside, row)
        known = self._carried(inside)
        finish = Sweep(points, self.pipeline.back, self.target, None)
        ask = read_ahead(points, self.pipeline.before, row + 2, self.target)

        def beside(here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
            there = Place(here.block, here.variables, finished.at).loop(lower, upper, "vector")
            with self._of_row_before(known):
                finish.body(there, finish.at(there.variable()), ZERO)
            if ask is not None:
                ask(here, lower, upper)

        points.go_to(inside, row + 1)
        self._begin(beside)
        self._end(inside, row, known)
        points.go_to(block, end)
        known = self._carried(block)
        with self._of_row_before(known):
            lower_sweep(points, self.pipeline.back, self.target)
        self._end(block, end, known)

    def _begin(self, beside: Beside | None) -> None:
        """All of a row before its last sweep, and what that will take."""
        points, pipeline = self.points, self.pipeline
        lower_all(points, pipeline.before, self.target)
        lower_sweep(points, pipeline.front, self.target, beside=beside)
        lower_all(points, pipeline.between, self.target)
        for value, local in self.state.items():
            points.here.write(self.values.values[value], local)

    def _end(self, here: Place, row: ex.Expr, known: Mapping[SSAValue, SSAValue]) -> None:
        """What stands behind the last sweep of a row."""
        self.points.go_to(here, row)
        with self._of_row_before(known):
            self.points.scalars(self.pipeline.after)

    def _carried(self, here: Place) -> dict[SSAValue, SSAValue]:
        """What the last sweep takes of the row that it finishes."""
        known = {value: here.read(local) for value, local in self.state.items()}
        return known | {op.result: here.add(op.clone()) for op in self.pipeline.constants}

    @contextmanager
    def _of_row_before(self, known: Mapping[SSAValue, SSAValue]) -> Generator[None, None, None]:
        """Let values be those of the row that is finished."""
        others = self.values.values
        self.values.values = {**others, **known}
        yield
        self.values.values = others

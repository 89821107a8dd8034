"""A software pipeline over rows: one is finished while functions are computed of the next one.

A softmax of rows of 1024::

    for b in 0 to 4096 by 256 parallel
      m = max of row b;  e, s = exponentials of row b
      for i in b to b + 255
        t = s                                     # what the last sweep takes of row i
        m = max of row i + 1
        for g in 0 to 1024 by 512
          for p in 0 to 512 by 64
            for j in g + p to g + p + 64 { y[i, j] = e[j] / t }
            for j in 0 to 64 { e[g + p + j] = exp(x[i + 1, g + p + j] - m) }
          s += e[g .. g + 512]
      for j in 0 to 1024 { y[b + 255, j] = e[j] / s }

The last sweep reads a place of ``e`` before the next row's value is put there. Threads share the
blocks.
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
from opc.dialects.schedule import PipelineOp

from .places import NestValues, Place
from .points import Points
from .run import lower_all, lower_sweep
from .sweep import ZERO, Beside, Sweep


@dataclass(frozen=True)
class Pipeline:
    """The sweeps of a nest by what happens to them."""

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
    turns: int
    """Values of both rows that are computed in turns."""

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


def pipeline_of(values: NestValues, op: PipelineOp) -> Pipeline:
    """The parts of a nest that a schedule names."""
    ops, front, back = values.ops, values.sweeps[op.number], values.sweeps[-1]
    first, last = ops.index(front), ops.index(back)
    return Pipeline(ops[:first], front, ops[first + 1 : last], back, ops[last + 1 :], op.turns)


class PipelineLowering:
    """Writes the blocks of rows of a pipeline."""

    def __init__(self, block: Points, pipeline: Pipeline) -> None:
        self.block, self.points, self.pipeline = block, block.one(), pipeline
        self.values = block.values
        self.state = {v: block.here.add(loop.LocalOp.of(scalar_type(v))) for v in pipeline.carried}
        """What is carried from a row to the next iteration, in which it is finished."""

    def run(self) -> None:
        """The first row up to its last sweep, the rows in turns, and the last sweep of the last."""
        points, pipeline, block = self.points, self.pipeline, self.block.here
        end = points.start + self.block.size - 1
        points.go_to(block, points.start)
        self._begin(None)
        inside = block.loop(points.start, end, "serial")
        row = inside.variable()
        finished = points.go_to(inside, row)
        known = self._carried(inside)
        finish = Sweep(points, self.pipeline.back)

        def beside(here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
            there = Place(here.block, here.variables, finished.at).loop(lower, upper, "vector")
            with self._of_row_before(known):
                finish.body(there, finish.at(there.variable()), ZERO)

        points.go_to(inside, row + 1)
        self._begin(Beside(pipeline.turns, beside))
        self._end(inside, row, known)
        points.go_to(block, end)
        known = self._carried(block)
        with self._of_row_before(known):
            lower_sweep(points, self.pipeline.back)
        self._end(block, end, known)

    def _begin(self, beside: Beside | None) -> None:
        """All of a row before its last sweep, and what that will take."""
        points, pipeline = self.points, self.pipeline
        lower_all(points, pipeline.before)
        lower_sweep(points, pipeline.front, beside=beside)
        lower_all(points, pipeline.between)
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

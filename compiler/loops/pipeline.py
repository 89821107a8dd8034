"""A software pipeline over rows: row i is finished while functions of row i + 1 are computed.

A softmax of rows of 1024::

    for b in 0 to 4096 by 256 parallel
      m = max of row b;  e, s = exponentials of row b
      for i in b to b + 255
        t = s                                     # what the last sweep needs of row i
        m = max of row i + 1
        for g in 0 to 1024 by 512
          for p in 0 to 512 by 64
            for j in g + p to g + p + 64 { y[i, j] = e[j] / t }
            for j in 0 to 64 { e[g + p + j] = exp(x[i + 1, g + p + j] - m) }
          s += e[g .. g + 512]
      for j in 0 to 1024 { y[b + 255, j] = e[j] / s }

The last sweep reads an element of ``e`` before the next row overwrites it.  Threads share the
blocks.  Where rows are long or of unknown length, an output keeps the exponentials of each row.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from itertools import chain

from xdsl.ir import SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import PipelineOp
from opc.dialects.walking import walk

from .insertion import ZERO, Insertion
from .lower_sweeps import lower_all, lower_sweep
from .points import Points
from .sweep import Beside, Sweep


class PipelineLowering:
    """Writes the blocks of rows of a pipeline.

    Operations of the next row: ``before`` up to ``front``, the sweep of functions, and ``between``
    after it.  ``back`` finishes a row, and ``after`` are the scalars behind it.
    """

    def __init__(self, block: Points, op: PipelineOp) -> None:
        self.block, self.points, self.turns = block, block.one(), op.turns
        self.values = values = block.values
        self.front, self.back = values.sweeps[op.number], values.sweeps[-1]
        first, last = values.ops.index(self.front), values.ops.index(self.back)
        self.before, self.between = values.ops[:first], values.ops[first + 1 : last]
        self.after = values.ops[last + 1 :]
        used = chain(walk(self.back), *(walk(o) for o in self.after))
        taken = list(dict.fromkeys(v for o in used for v in o.operands))
        self.constants = [v.owner for v in taken if isinstance(v.owner, body.ConstantOp)]
        """Constants that ``back`` and ``after`` use."""
        known = {r for o in values.ops[:last] for r in o.results if kernel.storage(r) is None}
        carried = [v for v in taken if v in known and not isinstance(v.owner, body.ConstantOp)]
        self.state = {v: block.here.local(scalar_type(v)) for v in carried}
        """Variables for scalars of a row, which the next iteration finishes."""

    def run(self) -> None:
        """Write the first row up to its last sweep, pairs of rows, and the end of the last row."""
        points, block = self.points, self.block.here
        end = points.start + self.block.size - 1
        points.go_to(block, points.start)
        self._begin(None)
        inside = block.loop(points.start, end, "serial")
        row = inside.variable()
        finished = points.go_to(inside, row)
        known = self._carried(inside)
        finish = Sweep(points, self.back)

        def beside(here: Insertion, lower: ex.Expr, upper: ex.Expr) -> None:
            there = Insertion(here.block, here.variables, finished.at).loop(lower, upper, "vector")
            with self._of_row_before(known):
                finish.body(there, finish.at(there.variable()), ZERO)

        points.go_to(inside, row + 1)
        self._begin(Beside(self.turns, beside))
        self._end(inside, row, known)
        points.go_to(block, end)
        known = self._carried(block)
        with self._of_row_before(known):
            lower_sweep(points, self.back)
        self._end(block, end, known)

    def _begin(self, beside: Beside | None) -> None:
        """Write a row up to its last sweep, and save the scalars that this needs."""
        points = self.points
        lower_all(points, self.before)
        lower_sweep(points, self.front, beside=beside)
        lower_all(points, self.between)
        for value, local in self.state.items():
            points.here.write(self.values.values[value], local)

    def _end(self, here: Insertion, row: ex.Expr, known: Mapping[SSAValue, SSAValue]) -> None:
        """Write the scalars behind the last sweep of a row."""
        self.points.go_to(here, row)
        with self._of_row_before(known):
            self.points.scalars(self.after)

    def _carried(self, here: Insertion) -> dict[SSAValue, SSAValue]:
        """Read the scalars of the row that the last sweep finishes."""
        known = {value: here.read(local) for value, local in self.state.items()}
        return known | {op.result: here.add(op.clone()) for op in self.constants}

    @contextmanager
    def _of_row_before(self, known: Mapping[SSAValue, SSAValue]) -> Generator[None, None, None]:
        """Use the values of the row that is finished."""
        others = self.values.values
        self.values.values = {**others, **known}
        yield
        self.values.values = others

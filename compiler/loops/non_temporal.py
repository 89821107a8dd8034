"""Points whose results go past the caches: first to an array in the first-level cache.

From there they go to memory, whole cache lines at once::

    for i = 0 to 4194304 step 128
      for k = 0 to 128 { row[k] = x[i + k] - b }
      stream 128 of row to y[i ...]

That is little at a time, as processors read on from several places meanwhile: with 1024 values it
took up to 1.5 times as long.  Which stores these are, the schedule says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type

from .insertion import Insertion, NestValues


class Arrays:
    """The arrays that points go to in place of some results, and from there past the caches."""

    def __init__(
        self, values: NestValues, stores: Iterable[kernel.StoreOp], here: Insertion, size: int
    ) -> None:
        self.values, self.here = values, here
        self.rows = {op: here.add(loop.LocalOp.of(scalar_type(op.value), size)) for op in stores}

    def place(self, at: ex.Expr) -> None:
        """Let the stores write to a place in the arrays."""
        self.values.tiles |= {op: (row, at) for op, row in self.rows.items()}

    def non_temporal(self, start: Mapping[int, ex.Expr], count: ex.Expr) -> None:
        """Write so many points to memory from a start on, behind the loop that computes them."""
        for op, row in reversed(self.rows.items()):
            at = self.values.offsets[op].substitute(start)
            index, dims = self.here.over((ex.const(0), at, count, count))
            target = self.values.nest.targets[op.number]
            self.here.block.add_op(loop.NonTemporalOp.of(row, target, index, dims))

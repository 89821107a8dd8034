"""Non-temporal stores: results go to an array in the first-level cache, and from there to memory.

Each store to memory writes whole cache lines::

    for i = 0 to 4194304 step 128
      for k = 0 to 128 { row[k] = x[i + k] - b }
      non_temporal 128 of row to y[i ...]

The array is small, as processors read ahead at several addresses meanwhile: an array of 1024 values
took up to 1.5 times as long.  The schedule names these stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type

from .insertion import Insertion, NestValues


class Arrays:
    """The arrays that some results go to first."""

    def __init__(
        self, values: NestValues, stores: Iterable[kernel.StoreOp], here: Insertion, size: int
    ) -> None:
        self.values, self.here = values, here
        self.rows = {op: here.add(loop.LocalOp.of(scalar_type(op.value), size)) for op in stores}

    def place(self, at: ex.Expr) -> None:
        """Let the stores write to an index of the arrays."""
        self.values.tiles |= {op: (row, at) for op, row in self.rows.items()}

    def non_temporal(self, start: Mapping[int, ex.Expr], count: ex.Expr) -> None:
        """Write ``count`` points to memory from a start on, behind the loop that computes them."""
        for op, row in reversed(self.rows.items()):
            at = self.values.offsets[op].substitute(start)
            index, dims = self.here.over((ex.const(0), at, count, count))
            target = self.values.nest.targets[op.number]
            self.here.block.add_op(loop.NonTemporalOp.of((row, target), index, dims))

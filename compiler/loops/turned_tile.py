"""Results of a tile that lie along its rows: blocks of it are turned around, not gathered.

::

    for column { for row vector { y[column, row] = sums[row, column] } }
      -->
    transpose sums to y                                  // where that is all that is left to do

    transpose sums to turned                             // where more follows, along the rows
    for column { for row vector { y[column, row] = turned[column, row] + x[column, row] } }

What may be computed before is (``Contraction.applied``), in vectors along the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop, schedule
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.schedule.contraction import Contraction, slice_of

from .places import Place

LEAST = 4
"""Bytes of a value that lies in an array as it does in memory."""


@dataclass(frozen=True)
class Side:
    """Where the values of a tile that count begin and end along one of its axes.

    ``base`` is where the tile begins, which may be earlier, and ``size`` is how many it has.
    """

    axis: tuple[int, ...]
    begin: ex.Expr
    end: ex.Expr
    base: ex.Expr
    size: int

    @property
    def count(self) -> ex.Expr:
        """How many values count."""
        return self.end - self.begin


def is_turned(c: Contraction, op: schedule.ForOp) -> bool:
    """Whether a loop over columns has results that lie along the rows."""
    (inner,) = op.body.block.ops if len(op.body.block.ops) == 1 else (None,)
    if not isinstance(inner, schedule.ForOp) or c.is_in_order or inner.kind.data != "vector":
        return False
    stage = inner.body.block.first_op
    is_out = isinstance(stage, schedule.RunOp) and stage.stage.data == "out"
    return is_out and (op.axis, inner.axis) == (c.column, c.row)


def turned(
    here: Place, arrays: Mapping[SSAValue, SSAValue], rows: Side, columns: Side
) -> dict[SSAValue, SSAValue]:
    """Copies of a tile's arrays in which the values of a column lie side by side."""
    found: dict[SSAValue, SSAValue] = {}
    for value, array in arrays.items():
        type = element_in(array)
        copy = here.add(loop.LocalOp.of(type, columns.size * rows.size))
        at = (columns.begin - columns.base) * rows.size + (rows.begin - rows.base)
        _transpose(here, array, copy, at, ex.const(rows.size), rows, columns)
        found[value] = copy
    return found


def stored_as_they_are(
    here: Place,
    c: Contraction,
    arrays: Mapping[SSAValue, SSAValue],
    rows: Side,
    columns: Side,
) -> bool:
    """Write a tile to where it is stored, if the stores are all that is left to do."""
    if not all(_is_block(c, store, arrays) for store in c.stores):
        return False
    at = here.at | {s.axis[-1]: s.begin for s in (rows, columns)}
    for store in c.stores:
        start, step = (
            c.offsets[store].substitute(at),
            c.offsets[store].coefficient(columns.axis[-1]),
        )
        assert step is not None
        target = c.nest.targets[store.number]
        _transpose(here, arrays[store.value], target, start, step, rows, columns)
    return True


def _is_block(c: Contraction, store: kernel.StoreOp, arrays: Mapping[SSAValue, SSAValue]) -> bool:
    """Whether what is stored is a block of a matrix, of values that have been computed."""
    assert c.row is not None and c.column is not None
    target, offset = c.nest.targets[store.number], c.offsets[store]
    return (
        store.value in arrays
        and element_in(target) == element_in(arrays[store.value])
        and offset.coefficient(c.row[-1]) == 1
        and offset.coefficient(c.column[-1]) is not None
    )


def late(c: Contraction, applied: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """The values of a tile that are read where its results are stored: of them, and the sum."""
    done = [op for value in applied if isinstance(op := value.owner, Operation)]
    ops = slice_of([s.value for s in c.stores], done)
    used = {v for op in (*ops, *c.stores) for v in op.operands}
    return tuple(v for v in (c.sweep.outputs[0], *applied) if v in used)


def is_wide(values: Sequence[SSAValue]) -> bool:
    """Whether values lie in arrays as they do in memory."""
    return all(scalar_type(value).bytes >= LEAST for value in values)


def _transpose(
    here: Place,
    array: SSAValue,
    target: SSAValue,
    start: ex.Expr,
    step: ex.Expr,
    rows: Side,
    columns: Side,
) -> None:
    """Turn what counts of an array of a tile around; columns are ``step`` apart afterwards."""
    source = (rows.begin - rows.base) * columns.size + (columns.begin - columns.base)
    index = source, ex.const(columns.size), start, step, rows.count, columns.count
    here.transpose(array, target, index)

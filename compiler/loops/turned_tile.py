"""Results of a tile that lie along its rows: blocks of it are turned around, not gathered.

::

    for column { for row vector { y[column, row] = sums[row, column] + x[column, row] } }
      -->
    transpose sums to turned
    for column { for row vector { y[column, row] = turned[column, row] + x[column, row] } }

What may be computed before is (``Contraction.applied``), in vectors along the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp, element_in
from opc.schedule.contraction import Contraction, slice_of

from .places import Place

LEAST = 4
"""Bytes of a value that lies in an array as it does in memory."""


@dataclass(frozen=True)
class Side:
    """Where the values of a tile that count begin and end along one of its axes.

    ``base`` is where the tile begins, which may be earlier, and ``size`` is how many it has.
    """

    begin: ex.Expr
    end: ex.Expr
    base: ex.Expr
    size: int


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
    row, column = rows.begin - rows.base, columns.begin - columns.base
    for value, array in arrays.items():
        copy = found[value] = here.add(LocalOp.of(element_in(array), columns.size * rows.size))
        source = row * columns.size + column, ex.const(columns.size)
        target = column * rows.size + row, ex.const(rows.size)
        here.transpose(
            array, copy, (*source, *target, rows.end - rows.begin, columns.end - columns.begin)
        )
    return found


def late(c: Contraction, applied: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """The values of a tile that are read where its results are stored: of them, and the sum."""
    done = [op for value in applied if isinstance(op := value.owner, Operation)]
    ops = slice_of([s.value for s in c.stores], done)
    used = {v for op in (*ops, *c.stores) for v in op.operands}
    return tuple(v for v in (c.sweep.outputs[0], *applied) if v in used)


def is_wide(values: Sequence[SSAValue]) -> bool:
    """Whether values lie in arrays as they do in memory."""
    return all(scalar_type(value).bytes >= LEAST for value in values)

"""Tiles that are whole are stored apart from partial ones, at the end of the columns.

::

    for d1 { out }  -->  if (end - begin >= 16) { for d1 < begin + 16 { out } }
                         else { for d1 < end { out } }
"""

from __future__ import annotations

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import schedule
from opc.schedule.contraction import Contraction
from opc.schedule.nest_trees import path, stages_of


def storing(c: Contraction, op: schedule.ForOp) -> list[schedule.ForOp]:
    """A loop and what follows it that store partial tiles otherwise than whole ones; none if not.

    C compilers know how many values a whole tile stores then: scores of attention for 197 keys
    take 0.75 of the time.
    """
    out = op.next_op
    if has_partial(c, op):
        assert isinstance(out, schedule.ForOp)
        return [op, out]
    sizes = [around.step for around in path(op) if around.axis == c.column]
    if not c.is_in_order or c.column is None or not sizes:
        return []
    extent, size = c.extent(c.column), sizes[-1]
    has_both = ex.mod(extent, size) != 0 and (extent.constant or size) >= size
    is_first = _stages(op) == {"out"} != _stages(op.parent_op())
    return [op] if has_both and is_first else []


def has_partial(c: Contraction, op: Operation | None) -> bool:
    """Whether a loop computes values of a tile in order beyond the last column of the matrix."""
    if not isinstance(op, schedule.ForOp) or not c.is_in_order or c.column is None:
        return False
    is_applied = c.applies_to_all and isinstance(op.next_op, schedule.ForOp)
    return is_applied and [_stages(o) for o in (op, op.next_op)] == [{"apply"}, {"out"}]


def _stages(op: Operation | None) -> set[str]:
    return set() if op is None else {run.stage.data for run in stages_of([op])}

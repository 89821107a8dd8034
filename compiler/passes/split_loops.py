"""Reductions of much into little: in parts, which threads can share, and these one after the other.

How many parts there are depends on the number of values alone, not on that of threads, and so do
the bits of a result::

    for c = 0 to P                         # parts, in parallel
      ...                                  # lanes and cascade, as for a whole row
      part[c] = sum of values c*C to min((c + 1)*C, n)
    y = pairwise sum of part
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.lanes import LANE_REDUCTIONS
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import Shape

from .loop_places import Place

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

PARTS = 32
"""Most parts."""
FEW = 3
"""Points of a nest that are not enough to be shared by threads."""
LARGE = 1 << 18
"""Values for which there is one part more."""


def parts_of(values: ex.Expr, most: int) -> ex.Expr:
    """The number of parts of so many values."""
    return ex.minimum(ex.const(most), ex.floordiv(values, ex.const(LARGE)) + 1)


def is_split(points: Shape, sweep: kernel.SweepOp, fits: bool) -> bool:
    """Whether the reductions of a sweep are split: few results, each of many values."""
    count, size = ex.product(points).constant, ex.product(sweep.extents.data)
    kinds = [k.data for k in sweep.kinds if k.data != kernel.KEEP]
    local = fits and len(kinds) != len(sweep.kinds)
    return (
        count is not None
        and count <= FEW
        and parts_of(size, PARTS) != 1
        and bool(kinds)
        and not local
        and not any(REDUCTIONS[k].is_arg for k in kinds)
    )


def run_split(sweep: SweepLowering, here: Place) -> None:
    """Write the parts of a sweep, and how they are put together."""
    reduced = [
        (scalar_type(value), REDUCTIONS[kind], result)
        for value, kind, result in zip(
            sweep.sweep.yielded, sweep.kinds, sweep.sweep.outputs, strict=True
        )
        if kind != kernel.KEEP
    ]
    arrays: list[SSAValue] = []
    for type, row, _ in reduced:
        array = here.add(loop.LocalOp.of(type, PARTS))
        identity = here.constant(row.identity(type), type)
        here.block.add_op(loop.FillOp.of(identity, array))
        arrays.append(array)
    count = parts_of(ex.product(sweep.sweep.extents.data), PARTS)
    end, unit = sweep.end(), sweep.unit()
    size = ex.floordiv(end + count * unit - 1, count * unit) * unit
    part = here.loop(ex.const(0), count, "parallel")
    first = part.variable() * size
    upper = first + size if size * count == end else ex.minimum(first + size, end)
    # A last part may be empty but for what is left after full groups of lanes.
    lower = ex.minimum(first, end) if upper != first + size else first
    is_last = ex.floordiv(part.variable() + 1, count)
    sweep.reduce(part, (lower, upper), is_last)
    for array, (_, _, result) in zip(arrays, reduced, strict=True):
        part.write(sweep.nest.values[result], array, part.variable())
    for array, (type, row, result) in zip(arrays, reduced, strict=True):
        if row.name in LANE_REDUCTIONS and type.is_float:
            lanes = here.add(loop.LocalOp.of(type, PARTS))
            here.block.add_op(loop.FillOp.of(here.constant(row.identity(type), type), lanes))
            here.block.add_op(loop.AccumulateOp.of(row.name, array, lanes, (ex.const(0),)))
            total = here.add(loop.CombineOp.of(lanes, row.name))
        else:
            state = here.add(loop.LocalOp.of(type))
            here.write(here.constant(row.identity(type), type), state)
            inside = here.loop(ex.const(0), ex.const(PARTS), "serial")
            value = inside.read(array, inside.variable())
            inside.write(inside.apply(row.combine, inside.read(state), value), state)
            total = here.read(state)
        sweep.nest.values[result] = total

"""Reductions of much into little: in parts, which threads can share, and these one after the other.

There are always ``PARTS`` parts, whatever the number of threads, so the bits of a result do not
depend on it::

    for c = 0 to 32                        # parts, in parallel
      ...                                  # lanes and cascade, as for a whole row
      part[c] = sum of values c*C to min((c + 1)*C, n)
    y = pairwise sum of part               # and of what is left after full groups of lanes
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
FEW = 3
"""Points of a nest that are not enough to be shared by threads."""
LARGE = 1 << 18
"""Values from which a reduction is worth splitting."""


def is_split(points: Shape, sweep: kernel.SweepOp, fits: bool) -> bool:
    """Whether the reductions of a sweep are split: few results, each of many values."""
    count, size = ex.product(points).constant, ex.product(sweep.extents.data).constant
    kinds = [k.data for k in sweep.kinds if k.data != kernel.KEEP]
    local = fits and len(kinds) != len(sweep.kinds)
    return (
        count is not None
        and count <= FEW
        and (size is None or size >= LARGE)
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
    size = _part(sweep)
    part = here.loop(ex.const(0), ex.const(PARTS), "parallel")
    first = part.variable() * size
    even = size * PARTS == sweep.end()
    sweep.reduce(part, (first, first + size if even else ex.minimum(first + size, sweep.end())))
    for array, (_, _, result) in zip(arrays, reduced, strict=True):
        part.write(sweep.nest.values[result], array, part.variable())
    rests = _rest(sweep, here)
    for array, (type, row, result) in zip(arrays, reduced, strict=True):
        if row.name in LANE_REDUCTIONS and type.is_float:
            lanes = here.add(loop.LocalOp.of(type, PARTS))
            here.block.add_op(loop.FillOp.of(here.constant(row.identity(type), type), lanes))
            here.block.add_op(loop.AccumulateOp.of(row.name, array, lanes, ex.const(0)))
            total = here.add(loop.CombineOp.of(lanes, row.name))
        else:
            state = here.add(loop.LocalOp.of(type))
            here.write(here.constant(row.identity(type), type), state)
            inside = here.loop(ex.const(0), ex.const(PARTS), "serial")
            value = inside.read(array, inside.variable())
            inside.write(inside.apply(row.combine, inside.read(state), value), state)
            total = here.read(state)
        if result in rests:
            total = here.apply(row.combine, total, rests[result])
        sweep.nest.values[result] = total


def _part(sweep: SweepLowering) -> ex.Expr:
    """Extent of a part: whole blocks of lanes, or whole rows."""
    unit = sweep.unit()
    return ex.floordiv(sweep.end() + (PARTS * unit - 1), PARTS * unit) * unit


def _rest(sweep: SweepLowering, here: Place) -> dict[SSAValue, SSAValue]:
    """What is left after full groups of lanes."""
    if len(sweep.space.extents) != 1 or not sweep.has_rest():
        return {}
    sweep.reduce_rest(here)
    return {r: sweep.nest.values[r] for r in sweep.sweep.outputs if r in sweep.nest.values}

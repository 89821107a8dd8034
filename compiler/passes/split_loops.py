"""Reductions of much into little: in parts, which threads can share, and these one after the other.

How many parts there are depends on the graph and the number of values alone, not on the threads,
and so do the bits of a result::

    for c = 0 to P                         # parts, in parallel
      ...                                  # lanes and cascade, as for a whole row
      part[c] = sum of values c*C to min((c + 1)*C, n)
    y = pairwise sum of part
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.lanes import LANE_REDUCTIONS
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import Shape

from .loop_parts import has_functions
from .loop_places import Place

if TYPE_CHECKING:
    from .reduction_loops import SweepLowering

PARTS = 32
"""Most parts."""
FEW = 3
"""Points of a nest that are not enough to be shared by threads."""
ENOUGH = 8
"""Rounds of a dimension that threads share well."""
LONG = 4096
"""The same of an innermost one, which goes in blocks."""
LARGE = 1 << 18
"""Values for which there is one part more."""
LARGE_OF_FUNCTIONS = 1 << 14
"""The same where long functions are computed."""


def parts_of(values: ex.Expr, most: int, functions: bool) -> ex.Expr:
    """The number of parts of so many values, of which long ``functions`` are computed or not."""
    large = LARGE_OF_FUNCTIONS if functions else LARGE
    return ex.minimum(ex.const(most), ex.floordiv(values, ex.const(large)) + 1)


def _parts(sweep: kernel.SweepOp) -> ex.Expr:
    return parts_of(ex.product(sweep.extents.data), PARTS, has_functions(sweep.body.block.ops))


def is_split(points: Shape, sweep: kernel.SweepOp, kept: Container[SSAValue]) -> bool:
    """Whether the reductions of a sweep are split: few results, each of many values.

    A local array of a part is not there any more for later sweeps, so all that the sweep keeps must
    be ``kept`` in outputs.
    """
    count = ex.product(points).constant
    kinds = [k.data for k in sweep.kinds if k.data != kernel.KEEP]
    local = any(result not in kept for _, result, _ in sweep.kept())
    return (
        count is not None
        and count <= FEW
        and _parts(sweep) != 1
        and bool(kinds)
        and not local
        and not any(REDUCTIONS[k].is_arg for k in kinds)
    )


def spanned(extents: Shape) -> int:
    """The dimension that parts are spans of: the outermost one that is enough for threads."""
    for k, extent in enumerate(extents[:-1]):
        if extent.constant is None or extent.constant >= ENOUGH:
            return k
    inner = extents[-1].constant if extents else 0
    return len(extents) - 1 if inner is None or inner >= LONG else 0


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
    count = _parts(sweep.sweep)
    end, unit = sweep.end(), sweep.unit()
    size = ex.floordiv(end + count * unit - 1, count * unit) * unit
    if size.constant and end.constant:
        # Parts with nothing to do would all be those of the last threads.
        count = ex.const(-(-end.constant // size.constant))
    elif unit == 1:
        count = ex.minimum(count, end)
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

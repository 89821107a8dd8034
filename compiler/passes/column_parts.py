"""The rows of a nest in parts, which threads share where there are too few columns for that.

How many parts there are depends on the graph and the number of values alone, and so do the bits of
a result::

    for c = 0 to P                          # parts, in parallel
      ...                                   # rows c*C to min((c + 1)*C, n), as column_loops says
      part[c, l] = acc[l]
    for l: y[l] = pairwise sum of part[c, l], or the best of them, the first one first
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.scalar import REDUCTIONS

from .accumulators import Accumulator
from .column_blocks import BLOCK_BYTES, Columns, Walk
from .loop_parts import has_functions
from .loop_places import Place
from .positions import is_better
from .split_loops import parts_of

if TYPE_CHECKING:
    from .column_loops import ColumnLowering

PARTS = 8
"""Most parts of the rows: what they sum up fits into the first-level cache."""


def parts_in(lowering: ColumnLowering, sweep: kernel.SweepOp) -> ex.Expr:
    """The number of parts of a sweep's rows.

    Of positions the last of equal values cannot be told from what a part without rows has.
    """
    if any(k.data.endswith("_last") for k in sweep.kinds):
        return ex.const(1)
    columns = lowering.outer.extents[-1]
    # Threads share blocks of columns, if there are some.
    alone = columns.constant is None or columns.constant <= BLOCK_BYTES // 4
    functions = alone and has_functions(sweep.body.block.ops)
    return parts_of(ex.product(sweep.extents.data) * columns, PARTS, functions)


def in_parts(lowering: ColumnLowering, walk: Walk, columns: Columns) -> None:
    """Write the parts of a sweep, and how they are put together."""
    here, most, nest = columns.place, columns.most, lowering.nest
    pairs = zip(walk.sweep.yielded, walk.sweep.kinds, walk.sweep.outputs, strict=True)
    reduced = [(scalar_type(v), REDUCTIONS[k.data]) for v, k, r in pairs if r not in nest.kept]
    extent, count = walk.space.extents[0], parts_in(lowering, walk.sweep)
    states: list[SSAValue] = []
    places: list[SSAValue | None] = []
    index = lowering.index_type(walk)
    for type, row in reduced:
        states.append(here.add(loop.LocalOp.of(type, PARTS * most)))
        place = here.add(loop.LocalOp.of(index, PARTS * most)) if row.is_arg else None
        places.append(place)
        if count.constant is None:
            # There may be fewer parts.
            here.block.add_op(loop.FillOp.of(here.constant(row.identity(type), type), states[-1]))
            if place is not None:
                here.block.add_op(loop.FillOp.of(here.constant(0, index), place))
    size = ex.floordiv(extent + count - 1, count)
    part = here.loop(ex.const(0), count, "parallel")
    first = part.variable() * size
    end = first + size if size * count == extent else ex.minimum(first + size, extent)
    accumulators = lowering.reduce(part, walk, columns, (first, end))
    for a, state, place in zip(accumulators, states, places, strict=True):
        inside, lane = columns.lanes(part)
        at = part.variable() * most + lane
        inside.write(inside.read(a.state, lane), state, at)
        if place is not None and a.position is not None:
            inside.write(inside.read(a.position, lane), place, at)
    there = PARTS if count.constant is None else count.constant
    for a, state, place in zip(accumulators, states, places, strict=True):
        total = here.add(loop.LocalOp.of(element_in(state if place is None else place), most))
        lowering.arrays[a.result] = total
        inside, lane = columns.lanes(here)
        ats = [lane + k * most for k in range(there)]
        values = [inside.read(state, at) for at in ats]
        if place is None:
            inside.write(_in_pairs(inside, a, values), total, lane)
        else:
            found = [(value, inside.read(place, at)) for value, at in zip(values, ats, strict=True)]
            inside.write(_best(inside, a, found), total, lane)


def _in_pairs(inside: Place, a: Accumulator, found: list[SSAValue]) -> SSAValue:
    """What the parts come to, halving: part k with part k + half."""
    values: list[SSAValue | None] = [*found, *[None] * (PARTS - len(found))]
    while len(values) > 1:
        half = len(values) // 2
        values = [
            inside.apply(a.row.combine, x, y) if x and y else x
            for x, y in zip(values[:half], values[half:], strict=True)
        ]
    assert values[0] is not None
    return values[0]


def _best(inside: Place, a: Accumulator, found: list[tuple[SSAValue, SSAValue]]) -> SSAValue:
    """Where the best of the parts is; of equal ones the first, of which the position is less."""
    best, at = found[0]
    for value, place in found[1:]:
        better = is_better(inside, a.row, value, best)
        best = inside.apply("select", better, value, best)
        at = inside.apply("select", better, place, at)
    return at

"""Plan a nest with sweeps: loops over points, and in them its sweeps one after the other.

The contiguous axis decides.  If the number of lanes of an order is known at run time only, there
are two versions: for more columns than a block has, which have one lane, and for fewer, which are
one block.  If the length of rows is known at run time only, there are versions for short rows,
which are transposed, for longer rows, several of which go together, and for long rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import ForOp, IfOp, PackRowsOp, PipelineOp, RunOp
from opc.kernels.materialized_values import find_outputs
from opc.support.target import NORMED, SHORT, Target

from .nest import NestFacts
from .nest_trees import nested
from .plan_points import (
    even_blocks,
    find_pipeline,
    points_of_block,
    rows_of_block,
    runs_across,
    transposed_points,
    widest_of,
)
from .plan_sweeps import loops_for
from .point_blocks import fits_block, has_many_columns, narrow_of, unknown_lanes
from .sweep_loops import SweepLoops, over_points, write
from .sweeps import Block, SweepFacts


def plan_reduce(nest: kernel.NestOp, target: Target) -> list[IRDLOperation]:
    """The loops for a machine."""
    facts = NestFacts(nest)
    unknown = unknown_lanes(facts)
    length = None if unknown else _unknown_length(facts, target)
    if length is not None:
        is_short, is_longer = (1 - ex.atleast(length, most + 1) for most in (SHORT, NORMED))
        short, longer = (_version(nest, target, None, limit) for limit in (SHORT, None))
        if rows_of_block(facts) > 1:
            names = "rows of a block sweep by sweep", "long rows"
            rows = PointLoops((ex.const(rows_of_block(facts)),), by_rows=True)
            by_rows = loops_over(NestFacts(nest), rows, target)
            longer = [IfOp.of(is_longer, by_rows, longer, names)]
        return [IfOp.of(is_short, short, longer, ("short rows side by side", "longer rows"))]
    if not unknown:
        return _version(nest, target, None)
    if has_many_columns(facts):
        return _version(nest, target, True)
    condition = _has_one(facts, unknown, target)
    if condition == 0:
        return _version(nest, target, False)
    one, more = (_version(nest, target, has_one) for has_one in (True, False))
    return [IfOp.of(condition, one, more, ("one lane", "more lanes"))]


def _has_one(facts: NestFacts, unknown: Iterable[ex.Expr], target: Target) -> ex.Expr:
    """The condition of the version for one lane: more columns than a block has, if blocks fit."""
    outer = facts.outer
    if outer.extents and fits_block(facts):
        facts.has_one = True
        most, _ = points_of_block(facts, target)
        return ex.atleast(outer.extents[-1], most + 1)
    return ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)


def _unknown_length(facts: NestFacts, target: Target) -> ex.Expr | None:
    """The length of the rows of the sweeps, if known at run time only and possibly short."""
    outer = facts.outer
    if any(map(kernel.prefixes_of, facts.sweeps)):
        return None
    lengths = {ex.product(s.extents.data) for s in facts.sweeps}
    unknown = [n for n in lengths if n.constant is None]
    if len(unknown) != 1 or any((n.constant or 0) > SHORT for n in lengths):
        return None
    if not outer.extents or runs_across(facts):
        return None
    if any(sum(e != 1 for e in s.extents.data) != 1 for s in facts.sweeps):
        return None
    last = outer.extents[-1].constant
    # A block of all points would be no loop that a condition could skip.
    is_loop = last is None or last > transposed_points(target, SHORT)
    return unknown[0] if is_loop else None


@dataclass(frozen=True)
class PointLoops:
    """The loops over the points of a nest with sweeps."""

    sizes: tuple[ex.Expr, ...] = (ex.const(1),)
    """The points of a block along the last axes."""
    is_transposed: bool = False
    """Whether short rows are transposed, so that points are side by side."""
    by_rows: bool = False
    """Whether each sweep takes all rows of a block, one by one, before the next sweep."""
    pipeline: tuple[int, int] | None = None
    """The sweep of a pipeline that is interleaved with the last one, and the values of a turn."""


def _version(
    nest: kernel.NestOp, target: Target, has_one: bool | None, limit: int | None = None
) -> list[IRDLOperation]:
    """One version: for one lane or for more, if their number is unknown (``has_one``).

    ``limit`` is the most values of short rows of unknown length.
    """
    facts = NestFacts(nest)
    facts.most, facts.has_one = limit, has_one
    return loops_over(facts, points_for(facts, target), target)


def points_for(facts: NestFacts, target: Target) -> PointLoops:
    """The loops over points for a machine."""
    most, is_transposed = points_of_block(facts, target)
    is_known, size = facts.has_one is None, (ex.const(most),)
    if most == 1 and is_known:
        facts.keep(find_outputs(facts.nest, False))
        if (pipeline := find_pipeline(facts, target)) is not None:
            front, rows, turns = pipeline
            return PointLoops((rows,), pipeline=(front, turns))
        lengths = [ex.product(s.extents.data).constant or NORMED + 1 for s in facts.sweeps]
        if max(lengths) <= NORMED and (rows := rows_of_block(facts)) > 1:
            return PointLoops((ex.const(rows),), by_rows=True)
    narrow = narrow_of(facts) if is_known and not is_transposed and most > 1 else 1
    if narrow == 1:
        return PointLoops(size, is_transposed)
    cells = target.totals // widest_of(facts) // narrow
    return PointLoops((ex.const(even_blocks(cells, facts.outer.extents[-2])), ex.const(narrow)))


def loops_over(
    facts: NestFacts,
    points: PointLoops,
    target: Target,
    lanes: SweepLoops | None = None,
) -> list[IRDLOperation]:
    """The loops over points, with those of each sweep in them.

    Sums over lanes have the loops of ``lanes`` in place of those that are best on the machine.
    """
    is_single = points.by_rows or points.pipeline is not None
    # The last axes go in blocks, those before by 1.
    every = [*[ex.const(1)] * len(facts.axes), *points.sizes][len(points.sizes) :]
    steps = dict(zip(facts.axes, every, strict=True))
    axes = [axis for axis, size in steps.items() if size != 1]
    sizes = [1 if is_single else size.constant or 0 for size in steps.values()]
    block = Block(facts.outer.extents, sizes, facts.has_one)
    facts.keep({} if points.is_transposed else find_outputs(facts.nest, block.most > 1))
    sweeps: list[list[IRDLOperation]] = []
    for k, sweep in enumerate(facts.sweeps):
        s = SweepFacts(facts, block, sweep)
        choice = loops_for(s, block, target)
        if lanes is not None and choice.rows > 1:
            choice = replace(choice, rows=lanes.rows, is_staged=lanes.is_staged)
        sweeps.append(write(s, block, [] if is_single else axes, k, choice))
    out = RunOp.of("out")
    inner: list[IRDLOperation]
    if points.pipeline is not None:
        first = [op for ops in sweeps[:-1] for op in ops]
        inner = [PipelineOp.of(facts.axes[-1], *points.pipeline, first, [*sweeps[-1], out])]
    elif points.by_rows:
        rows = (ForOp.of(axes[-1], 1, "serial", ops) for ops in sweeps)
        inner = [*rows, over_points(axes, out)]
    else:
        packed = [PackRowsOp()] if points.is_transposed else []
        inner = [*packed, *(op for ops in sweeps for op in ops), over_points(axes, out)]
    is_serial = block.is_whole and len(points.sizes) == len(steps)
    kinds = ["serial" if is_serial else "parallel", *["serial"] * len(steps)]
    loops = [(axis, size, kind) for (axis, size), kind in zip(steps.items(), kinds, strict=False)]
    return nested(loops, inner)

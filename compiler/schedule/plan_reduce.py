"""Plan a nest with sweeps: loops over points, and in them its sweeps one after the other.

The contiguous axis decides.  If the number of lanes of an order is known at run time only, there
are two versions: for more columns than a block has, which have one lane, and for fewer, which are
one block.  If the length of rows is known at run time only, there are versions for short rows,
which are transposed, for longer rows, several of which go together, and for long rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import Axis, ForOp, IfOp, PackRowsOp, PipelineOp, RunOp
from opc.kernels.materialized_values import find_outputs
from opc.support.target import NORMED, SHORT, Target

from .nest import NestFacts
from .nest_trees import nested
from .plan_pipeline import find_pipeline
from .plan_points import (
    even_blocks,
    points_of_block,
    rows_of_block,
    runs_across,
    transposed_points,
    widest_of,
)
from .plan_sweeps import loops_for
from .point_blocks import fits_block, has_many_columns, narrow_of, unknown_lanes
from .sweep_loops import over_points, write
from .sweeps import Block, SweepFacts


def plan_reduce(nest: kernel.NestOp, target: Target) -> list[IRDLOperation]:
    """The loops for a machine."""
    facts = NestFacts(nest)
    unknown = {lanes for s in facts.sweeps if (lanes := unknown_lanes(facts, s)) is not None}
    length = None if unknown else _unknown_length(facts, target)
    if length is not None:
        is_short, is_longer = (1 - ex.atleast(length, most + 1) for most in (SHORT, NORMED))
        short, longer = (_version(nest, target, None, limit) for limit in (SHORT, None))
        if rows_of_block(facts) > 1:
            names = "rows of a block sweep by sweep", "long rows"
            longer = [IfOp.of(is_longer, _by_rows(facts, target), longer, names)]
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


def _version(
    nest: kernel.NestOp, target: Target, has_one: bool | None, limit: int | None = None
) -> list[IRDLOperation]:
    """One version: for one lane or for more, if their number is unknown (``has_one``).

    ``limit`` is the most values of short rows of unknown length.
    """
    facts = NestFacts(nest)
    facts.most, facts.has_one = limit, has_one
    most, is_transposed = points_of_block(facts, target)
    facts.keep({} if is_transposed else find_outputs(nest, most > 1))
    pipeline = find_pipeline(facts, target) if most == 1 and has_one is None else None
    if pipeline is not None:
        front, rows, turns = pipeline
        *first, last = _sweeps(facts, [ex.const(1)], target, front)
        before = [op for ops in first for op in ops]
        op = PipelineOp.of(facts.axes[-1], front, turns, before, [*last, RunOp.of("out")])
        return _over_points(facts, [rows], [op])
    lengths = [ex.product(s.extents.data).constant or NORMED + 1 for s in facts.sweeps]
    if most == 1 and has_one is None and max(lengths) <= NORMED and rows_of_block(facts) > 1:
        return _by_rows(facts, target)
    narrow = 1 if has_one is not None or is_transposed or most == 1 else narrow_of(facts)
    sizes = [ex.const(most)]
    if narrow > 1:
        cells = target.totals // widest_of(facts) // narrow
        sizes = [ex.const(even_blocks(cells, facts.outer.extents[-2])), ex.const(narrow)]
    runs = [op for ops in _sweeps(facts, sizes, target) for op in ops]
    runs.append(over_points(_points(facts, sizes), RunOp.of("out")))
    if is_transposed:
        runs.insert(0, PackRowsOp())
    return _over_points(facts, sizes, runs, _block(facts, sizes).is_whole)


def _by_rows(facts: NestFacts, target: Target) -> list[IRDLOperation]:
    """Each sweep for all rows of a block, before the next sweep."""
    sizes, axis = [ex.const(rows_of_block(facts))], facts.axes[-1]
    sweeps = _sweeps(facts, [ex.const(1)], target)
    rows = [ForOp.of(axis, 1, "serial", ops) for ops in sweeps]
    out = over_points(_points(facts, sizes), RunOp.of("out"))
    return _over_points(facts, sizes, [*rows, out])


def _sizes_of_axes(facts: NestFacts, sizes: list[ex.Expr]) -> list[ex.Expr]:
    """A size for each axis: ``sizes`` for the last ones, 1 for those before."""
    axes = facts.axes
    return ([ex.const(1)] * len(axes) + sizes)[-len(axes) :] if axes else []


def _block(facts: NestFacts, sizes: list[ex.Expr]) -> Block:
    """The block of points of these sizes along the last axes."""
    counts = [size.constant or 0 for size in _sizes_of_axes(facts, sizes)]
    return Block(facts.outer.extents, counts, facts.has_one)


def _points(facts: NestFacts, sizes: list[ex.Expr]) -> list[Axis]:
    """The axes along which a block has several points."""
    pairs = zip(facts.axes, _sizes_of_axes(facts, sizes), strict=True)
    return [axis for axis, size in pairs if size != 1]


def _sweeps(
    facts: NestFacts, sizes: list[ex.Expr], target: Target, in_turns: int | None = None
) -> list[list[IRDLOperation]]:
    """The stages and loops of each sweep for blocks of points.

    Sweep ``in_turns`` is pipelined: it fills up no tail.
    """
    sweeps: list[list[IRDLOperation]] = []
    block, points = _block(facts, sizes), _points(facts, sizes)
    for k, sweep in enumerate(facts.sweeps):
        s = SweepFacts(facts, block, sweep)
        taken = loops_for(s, block, target)
        if k == in_turns:
            taken = replace(taken, pads=())
        sweeps.append(write(s, block, points, k, taken))
    return sweeps


def _over_points(
    facts: NestFacts, sizes: list[ex.Expr], inner: Sequence[IRDLOperation], is_whole: bool = False
) -> list[IRDLOperation]:
    """Loops over points around operations, in blocks of ``sizes`` along the last axes."""
    axes, steps = facts.axes, _sizes_of_axes(facts, sizes)
    first = "serial" if is_whole and len(sizes) == len(axes) else "parallel"
    kinds = [first, *["serial"] * len(axes)][: len(axes)]
    return nested(list(zip(axes, steps, kinds, strict=True)), inner)

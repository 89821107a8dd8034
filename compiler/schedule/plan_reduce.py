"""The loops of a nest that reduces in an order: points outside, its sweeps one after the other.

All is decided by how memory runs.  Where only a run knows how many lanes an order has, there are
two versions: for more columns than a block has, which are one lane, and for fewer, of which one
block has all.  So there are where it knows how long rows of memory are: short ones, which are
transposed, longer ones of which several go together, and others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import IfOp, PackRowsOp, PipelineOp, RunOp
from opc.kernels.materialized_values import find_outputs
from opc.support.target import NORMED, SHORT, Target

from .nest import NestFacts
from .nest_trees import nested
from .plan_pipeline import find_pipeline
from .plan_points import (
    even_blocks,
    fits_block,
    has_many_columns,
    narrow_of,
    points_of_block,
    runs_across,
    transposed_points,
    unknown_lanes,
    widest_of,
)
from .plan_sweeps import chunk_of, numbers_of, strategy_of
from .row_blocks import row_by_row, rows_of_block
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
    """When the version for one lane is taken: where a block has not all columns, if it may."""
    outer = facts.outer
    if outer.extents and fits_block(facts):
        facts.has_one = True
        most, _ = points_of_block(facts, target)
        return ex.atleast(outer.extents[-1], most + 1)
    return ex.product(1 - ex.atleast(lanes, 2) for lanes in unknown)


def _unknown_length(facts: NestFacts, target: Target) -> ex.Expr | None:
    """How long the rows are that sweeps go along, if only a run knows, and if they may be short."""
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
    # A block of all points would be no loop, which a condition could leave out.
    is_loop = last is None or last > transposed_points(target, SHORT)
    return unknown[0] if is_loop else None


def _version(
    nest: kernel.NestOp, target: Target, has_one: bool | None, limit: int | None = None
) -> list[IRDLOperation]:
    """One version: where it is unknown how many lanes there are, for one lane or for more.

    ``limit`` is the most values of rows of unknown length, where they are short.
    """
    facts = NestFacts(nest)
    facts.most, facts.has_one = limit, has_one
    most, is_transposed = points_of_block(facts, target)
    facts.keep({} if is_transposed else find_outputs(nest, most > 1))
    pipeline = find_pipeline(facts, target) if most == 1 and has_one is None else None
    if pipeline is not None:
        front, rows, turns = pipeline
        *first, last, out = _runs(facts, _block(facts, [ex.const(1)]), target, front)
        runs = [PipelineOp.of(facts.axes[-1], front, turns, first, [last, out])]
        return _over_points(facts, [rows], runs)
    lengths = [ex.product(s.extents.data).constant or NORMED + 1 for s in facts.sweeps]
    if most == 1 and has_one is None and max(lengths) <= NORMED and rows_of_block(facts) > 1:
        return _by_rows(facts, target)
    narrow = 1 if has_one is not None or is_transposed or most == 1 else narrow_of(facts)
    sizes = [ex.const(most)]
    if narrow > 1:
        cells = target.totals // widest_of(facts) // narrow
        sizes = [ex.const(even_blocks(cells, facts.outer.extents[-2])), ex.const(narrow)]
    block = _block(facts, sizes)
    runs = _runs(facts, block, target)
    if is_transposed:
        runs.insert(0, PackRowsOp())
    return _over_points(facts, sizes, runs, block.is_whole)


def _by_rows(facts: NestFacts, target: Target) -> list[IRDLOperation]:
    """The sweeps for several rows, one after the other."""
    runs = row_by_row(facts, _runs(facts, _block(facts, [ex.const(1)]), target))
    return _over_points(facts, [ex.const(rows_of_block(facts))], runs)


def _every(facts: NestFacts, sizes: list[ex.Expr]) -> list[ex.Expr]:
    """Blocks of some sizes along the last axes, and of one point along those before."""
    axes = facts.axes
    return ([ex.const(1)] * len(axes) + sizes)[-len(axes) :] if axes else []


def _block(facts: NestFacts, sizes: list[ex.Expr]) -> Block:
    """The points that go together in blocks of some sizes along the last axes."""
    every = [size.constant or 0 for size in _every(facts, sizes)]
    return Block(facts.outer.extents, every, facts.has_one)


def _runs(
    facts: NestFacts, block: Block, target: Target, in_turns: int | None = None
) -> list[IRDLOperation]:
    """The sweeps, with the best way to take the values of each, and what stands behind them.

    One may go in turns with another, to which no values are added.
    """
    found: list[IRDLOperation] = []
    for k, sweep in enumerate(facts.sweeps):
        s = SweepFacts(facts, block, sweep)
        strategy = strategy_of(s, block, target)
        chunk = chunk_of(s, block, strategy)
        numbers = () if k == in_turns else numbers_of(s, block, strategy, chunk)
        found.append(RunOp.of("sweep", k, strategy, numbers, chunk))
    return [*found, RunOp.of("out")]


def _over_points(
    facts: NestFacts, sizes: list[ex.Expr], inner: Sequence[IRDLOperation], is_whole: bool = False
) -> list[IRDLOperation]:
    """Loops over points around operations, in blocks of some sizes along the last axes."""
    axes, every = facts.axes, _every(facts, sizes)
    first = "serial" if is_whole and len(sizes) == len(axes) else "parallel"
    kinds = [first, *["serial"] * len(axes)][: len(axes)]
    return nested(list(zip(axes, every, kinds, strict=True)), inner)

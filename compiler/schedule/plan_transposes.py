"""Plan nests that read along one axis and write along another, as a transpose does.

Either order of the loops touches a new cache line with each step of one side.  So both axes go in
blocks, and loads across the rows go through a transposed tile.  Blocks are several cache lines wide
on both sides, and follow one another along the rows of the result.  Their width is no power of two,
so that the rows of a tile do not compete for the same sets of the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp, NonTemporalOp, PrefetchOp, RunOp, TransposeOp
from opc.support.target import CACHES, FAR, FEW_TRANSPOSED, FILLING, LINE, NEAR, TRANSPOSED_LOADS

from .cost import even_part, is_large
from .nest import NestFacts, has_functions
from .nest_trees import in_threads


@dataclass
class Tiling:
    """Two axes of a nest in blocks: the last one, and the one along which ``loads`` run."""

    along: int
    last: int
    loads: list[kernel.LoadOp]
    sizes: dict[int, int]
    """Rows (``along``) and columns (``last``) of a tile."""

    @property
    def line(self) -> int:
        """Elements of a tile in a cache line."""
        return LINE // scalar_type(self.loads[0].result).bytes


def find_tiling(facts: NestFacts) -> Tiling | None:
    """How to tile a nest without sweeps, if it reads across the rows."""
    outer = facts.outer
    last = len(outer.extents) - 1
    if last < 1 or facts.sweeps or 0 in outer.extents or not _is_wide(outer.extents[last]):
        return None
    tiling: Tiling | None = None
    for op in facts.loads:
        steps = facts.steps(op)
        if steps[last] in (None, 0, 1):
            continue
        along = next((k for k in range(last) if steps[k] == 1 and _is_wide(outer.extents[k])), None)
        if along is None:
            continue
        if tiling is None:
            tiling = Tiling(along, last, [op], {})
        elif along == tiling.along and len(tiling.loads) < TRANSPOSED_LOADS:
            tiling.loads.append(op)
    if tiling is not None:
        tiling.sizes = _sizes(tiling, facts)
    return tiling


def _is_wide(extent: ex.Expr) -> bool:
    """Whether transposing along an axis of this extent pays."""
    n = extent.constant
    return n is None or n >= FILLING


def _sizes(tiling: Tiling, facts: NestFacts) -> dict[int, int]:
    """Rows and columns of a tile: all of a short axis, and more of the other one then."""
    extents = facts.outer.extents
    sizes = FAR if any(is_large(op.source, CACHES) for op in tiling.loads) else NEAR
    size = max(2, *(scalar_type(op.result).bytes for op in tiling.loads))
    height, width = (n // size for n in sizes)
    most = {tiling.along: height // len(tiling.loads), tiling.last: width}
    area = most[tiling.along] * width
    for k, other in ((tiling.along, tiling.last), (tiling.last, tiling.along)):
        extent = extents[k].constant
        if extent is not None and extent <= FEW_TRANSPOSED * most[k]:
            rounded = -(-extent // tiling.line) * tiling.line
            fitting = min(most[other], area // rounded)
            return {k: rounded, other: _part(extents[other], fitting, tiling.line)}
    return {k: _part(extents[k], n, tiling.line) for k, n in most.items()}


def _part(extent: ex.Expr, most: int, line: int) -> int:
    """Values of a part, in full cache lines: as few parts as possible, and even ones."""
    return even_part(extent, max(line, most // line * line), line)


def plan_transposes(
    facts: NestFacts, tiling: Tiling, non_temporal: Sequence[int]
) -> list[IRDLOperation]:
    """The loops: blocks, the tiles in them, and the points of a tile."""
    axes, sizes = facts.axes, {k: tiling.sizes[k] for k in (tiling.along, tiling.last)}
    ops: list[IRDLOperation] = [ForOp.of(axes[tiling.last], 1, "vector", [RunOp.of("out")])]
    if non_temporal:
        ops = [NonTemporalOp.of(non_temporal, ops)]
    blocks = {
        k: sizes.get(k, 1) for k in (*(k for k in range(len(axes)) if k not in sizes), *sizes)
    }
    counts = {k: facts.outer.extents[k].constant for k in blocks}
    # Threads share the first loop of several iterations.
    order = sorted(blocks, key=lambda k: (n := counts[k]) is not None and n <= blocks[k])
    several = [k for k in order if (n := counts[k]) is None or n > blocks[k]]
    prefetches = _prefetches(facts, tiling) if several else []
    inside = [
        *(PrefetchOp.of(k, axes[several[-1]]) for k in prefetches),
        ForOp.of(axes[tiling.along], 1, "serial", ops),
    ]
    numbers = [facts.loads.index(op) for op in tiling.loads]
    return in_threads([(axes[k], blocks[k]) for k in order], [TransposeOp.of(numbers, inside)])


def _prefetches(facts: NestFacts, tiling: Tiling) -> list[int]:
    """The loads from outside of the caches along whole cache lines.

    The hardware prefetcher does not foresee what such loops read next.
    """
    extents = {k: facts.outer.extents[k].constant for k in tiling.sizes}
    is_long = {k: n is None or n >= tiling.line for k, n in extents.items()}
    if has_functions(facts.ops) or not is_long[tiling.last]:
        return []
    numbers: dict[SSAValue, int] = {}
    for number, op in enumerate(facts.loads):
        along = tiling.along if op in tiling.loads else tiling.last
        if is_large(op.source, CACHES) and facts.steps(op)[along] == 1 and is_long[along]:
            numbers.setdefault(op.source, number)
    return list(numbers.values())

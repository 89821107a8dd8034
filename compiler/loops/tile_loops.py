"""Loops of a nest that reads along one dimension and writes along another, as a transpose does.

Either order of the loops would touch a new cache line with each step of one side.  Instead both
dimensions go in blocks, and what would be read across the rows is copied to a tile first, which
turns it around::

    for ib = 0 to M step 128
      for jb = 0 to N step 96
        tile = transpose of the block of x at (jb, ib)
        for i = ib to min(ib + 128, M)
          for j = jb to min(jb + 96, N)
            y[i*N + j] = f(tile[(i - ib)*96 + (j - jb)])

Blocks are several cache lines wide on both sides, and follow one another along the rows of ``y``.
Their width is no power of two, so that the rows of a tile do not compete for places in the cache.
Processors do not see by themselves what such loops read next.  So it is asked for: a cache line of
the next block for each line that is computed, evenly, because many requests at once have to wait.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.target import CACHES, FAR, LINE, NEAR, PIECES, VECTOR

from .loop_parts import has_functions
from .past_caches import Arrays, stores_past
from .places import NestValues, Place, is_large, placed

FEW = 3
"""Such tiles along a dimension, up to which one goes along all of it."""
LEAST = VECTOR // 2
"""Extent of a dimension below which turning around costs more than it brings."""
MOST_TILES = 3


@dataclass
class Tiling:
    """Two dimensions of a nest in blocks: the last one, and the one along which some loads run."""

    along: int
    last: int
    loads: list[kernel.LoadOp]
    sizes: dict[int, int]
    """Rows (``along``) and columns (``last``) of a tile."""
    ahead: int | None = None
    """The dimension along which the next block lies, unless there is one only."""

    @property
    def line(self) -> int:
        """How many elements of a tile a cache line holds."""
        return LINE // scalar_type(self.loads[0].result).bytes


def find_tiling(values: NestValues, outer: Collapsed) -> Tiling | None:
    """How to tile a nest without sweeps, if it reads across the rows."""
    last = len(outer.extents) - 1
    if last < 1 or values.sweeps or 0 in outer.extents or not is_wide(outer.extents[last]):
        return None
    found: Tiling | None = None
    for op in values.nest.body.block.ops:
        if not isinstance(op, kernel.LoadOp):
            continue
        offset = values.offsets[op].substitute(outer.places, {})
        step = offset.coefficient(last)
        if step is None or step == 0 or step == 1:
            continue
        along = next(
            (k for k in range(last) if offset.coefficient(k) == 1 and is_wide(outer.extents[k])),
            None,
        )
        if along is None:
            continue
        if found is None:
            found = Tiling(along, last, [op], {})
        elif along == found.along and len(found.loads) < MOST_TILES:
            found.loads.append(op)
    if found is not None:
        found.sizes = _sizes(found, outer)
    return found


def is_wide(extent: ex.Expr) -> bool:
    """Whether turning around a dimension of this extent brings more than it costs."""
    n = extent.constant
    return n is None or n >= LEAST


def _sizes(tiling: Tiling, outer: Collapsed) -> dict[int, int]:
    """Rows and columns of a tile: where a dimension has few, all of them, and more of the other."""
    sizes = FAR if any(is_large(op.source, CACHES) for op in tiling.loads) else NEAR
    size = max(2, *(scalar_type(op.result).bytes for op in tiling.loads))
    height, width = (n // size for n in sizes)
    most = {tiling.along: height // len(tiling.loads), tiling.last: width}
    area = most[tiling.along] * width
    for k, other in ((tiling.along, tiling.last), (tiling.last, tiling.along)):
        extent = outer.extents[k].constant
        if extent is not None and extent <= FEW * most[k]:
            whole = -(-extent // tiling.line) * tiling.line
            fitting = min(most[other], area // whole)
            return {k: whole, other: _part(outer.extents[other], fitting, tiling.line)}
    return {k: _part(outer.extents[k], n, tiling.line) for k, n in most.items()}


def _part(extent: ex.Expr, most: int, line: int) -> int:
    """The least extent in full cache lines of as few equal parts as possible."""
    most = max(line, most // line * line)
    if extent.constant is None:
        return most
    parts = -(-extent.constant // most)
    return -(-extent.constant // (parts * line)) * line


def lower_tiled(values: NestValues, outer: Collapsed, here: Place, tiling: Tiling) -> None:
    """Write the loops."""
    last, along = tiling.last, tiling.along
    sizes = {k: tiling.sizes[k] for k in (along, last)}
    here, variables, tiling.ahead = blocks(values, outer, here, sizes)
    starts = {k: variables[k] for k in tiling.sizes}
    ends = {
        k: start + tiling.sizes[k]
        if is_even(outer.extents[k], tiling.sizes[k])
        else ex.minimum(start + tiling.sizes[k], outer.extents[k])
        for k, start in starts.items()
    }
    tiles = [_turn(values, outer, here, tiling, op, variables, ends) for op in tiling.loads]
    here = here.loop(starts[along], ends[along], "serial")
    variables[along] = here.variable()
    # A row of a tile goes past the caches as one piece: where a result begins within a cache line,
    # the lines where pieces meet do not.
    arrays = Arrays(values, stores_past(values.nest.body.block.ops), here, tiling.sizes[last])
    asked = _asked(values, outer, tiling)
    end = starts[last]
    places: list[tuple[Place, ex.Expr, ex.Expr]] = []
    if asked:
        end = ends[last]
        if not is_even(outer.extents[last], tiling.line):
            whole = ex.floordiv(outer.extents[last], tiling.line) * tiling.line
            end = ex.minimum(starts[last] + tiling.sizes[last], whole)
        lines = here.loop(starts[last], end, "serial", tiling.line)
        for op in asked:
            _ask(values, outer, lines, tiling, op, variables, starts)
        places.append((lines, lines.variable(), lines.variable() + tiling.line))
    if end != ends[last]:
        places.append((here, end, ends[last]))
    for around, lower, upper in places:
        place = around.loop(lower, upper, "vector")
        variables[last] = place.variable()
        place.at = placed(outer, variables)
        arrays.place(place.variable() - starts[last])
        row, column = (variables[k] - starts[k] for k in (along, last))
        for op, tile in zip(tiling.loads, tiles, strict=True):
            values.tiles[op] = tile, row * tiling.sizes[last] + column
        for op in values.nest.body.block.ops:
            values.scalar(op, place)
    arrays.stream(placed(outer, variables | {last: starts[last]}), ends[last] - starts[last])


def blocks(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    sizes: Mapping[int, int],
    whole: Collection[int] = (),
) -> tuple[Place, dict[int, ex.Expr], int | None]:
    """Loops around blocks of these sizes, except over dimensions that are ``whole`` in each.

    Where one starts in each dimension, and along which the next one lies unless it is the only one.
    """
    around = [k for k in range(len(outer.extents)) if k not in sizes and k not in whole]
    extents = {k: outer.extents[k] for k in (*around, *sizes)}
    steps = {k: sizes.get(k, 1) for k in extents}
    loops = [k for k, n in extents.items() if n.constant is None or n.constant > steps[k]]
    if has_functions(values.nest.body.block.ops):
        # Threads share the first loop.  It matters more than memory which one that is.
        best = max(loops, key=lambda k: _balance(extents[k], steps[k]), default=None)
        loops.sort(key=lambda k: k != best)
    variables: dict[int, ex.Expr] = dict.fromkeys(sizes, ex.const(0))
    for k in loops:
        kind = "serial" if here.variables else "parallel"
        here = here.loop(ex.const(0), extents[k], kind, steps[k])
        variables[k] = here.variable()
    return here, variables, loops[-1] if loops else None


def _balance(extent: ex.Expr, step: int) -> int:
    """How well threads share a loop: at the end of three or five rounds they wait for each other.

    Where the number of rounds is unknown, one of several factors is greater.
    """
    if extent.constant is None:
        return max(len(factors) for factors, _ in extent.terms)
    rounds = -(-extent.constant // step)
    return PIECES if rounds >= PIECES or rounds % 2 == 0 else 0


def is_even(extent: ex.Expr, size: int) -> bool:
    """Whether blocks of a size fill an extent."""
    return extent.constant is not None and extent.constant % size == 0


def _asked(values: NestValues, outer: Collapsed, tiling: Tiling) -> list[kernel.LoadOp]:
    """The loads of memory outside of the caches that go along whole cache lines."""
    ops = list(values.nest.body.block.ops)
    extents = {k: outer.extents[k].constant for k in tiling.sizes}
    is_long = {k: n is None or n >= tiling.line for k, n in extents.items()}
    if tiling.ahead is None or has_functions(ops) or not is_long[tiling.last]:
        return []
    found: dict[SSAValue, kernel.LoadOp] = {}
    for op in ops:
        if not isinstance(op, kernel.LoadOp) or not is_large(op.source, CACHES):
            continue
        along = tiling.along if op in tiling.loads else tiling.last
        offset = values.offsets[op].substitute(outer.places, {})
        if offset.coefficient(along) == 1 and is_long[along]:
            found.setdefault(op.source, op)
    return list(found.values())


def _ask(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    tiling: Tiling,
    op: kernel.LoadOp,
    variables: dict[int, ex.Expr],
    starts: dict[int, ex.Expr],
) -> None:
    """Ask for a cache line of the next block: one that is turned around has its rows down here."""
    at = {tiling.along: variables[tiling.along], tiling.last: here.variable()}
    if op in tiling.loads:
        row = at[tiling.along] - starts[tiling.along]
        lines = tiling.sizes[tiling.along] // tiling.line
        at[tiling.along] = starts[tiling.along] + ex.mod(row, lines) * tiling.line
        at[tiling.last] += ex.floordiv(row, lines)
    assert tiling.ahead is not None
    at = {**variables, **at}
    at[tiling.ahead] += tiling.sizes.get(tiling.ahead, 1)
    offset = values.offsets[op].substitute(placed(outer, at), {})
    index, dims = Place(here.block, here.variables).resolve_all((offset, ex.const(tiling.line)))
    here.block.add_op(loop.PrefetchOp.of(op.source, index, dims))


def _turn(
    values: NestValues,
    outer: Collapsed,
    here: Place,
    tiling: Tiling,
    op: kernel.LoadOp,
    starts: dict[int, ex.Expr],
    ends: dict[int, ex.Expr],
) -> SSAValue:
    """Copy the block that a load reads to a tile."""
    last, along = tiling.last, tiling.along
    offset = values.offsets[op].substitute(outer.places, {})
    stride = offset.coefficient(last)
    assert stride is not None
    rows, columns = tiling.sizes[along], tiling.sizes[last]
    tile: SSAValue = here.add(loop.LocalOp.of(scalar_type(op.result), rows * columns))
    index = (
        values.offsets[op].substitute(placed(outer, starts), {}),
        stride.substitute({ex.Atom("dim", (k,)): e for k, e in starts.items()}, {}),
        ex.const(0),
        ex.const(columns),
        ends[last] - starts[last],
        ends[along] - starts[along],
    )
    found, dims = Place(here.block, here.variables).resolve_all(index)
    here.block.add_op(loop.TransposeOp.of(op.source, tile, found, dims))
    return tile

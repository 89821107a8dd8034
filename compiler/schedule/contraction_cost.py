"""The cost of a contraction's schedule: arithmetic, and what comes from each level of memory.

A cache holds what the body of a loop touches if its lines fit; the outermost such loop of an
operand is found, and each iteration around it that moves the operand fetches these lines again.
Lines that lie a multiple of a page apart fall into few sets, and take the room of more lines.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import Axis
from opc.support.target import GUESSED, JOIN, LINE, PIECES, Target

from .cache_lines import Access, Lines, Sizes, access_of, contiguous, results_of, strided
from .contraction import Contraction, Operand
from .contraction_trees import Choice, copied_in
from .register_tiles import Tile
from .tiles import arithmetic
from .window import Window

SHARING = 0.1
"""What the time of several threads counts beside that of one."""


@dataclass(frozen=True)
class Level:
    """A loop, with what its body goes over."""

    axis: Axis
    trips: int
    sizes: Sizes


@dataclass(frozen=True)
class Source:
    """An operand: its axes, where it lies, and its copy."""

    operand: Operand
    axes: frozenset[Axis]
    access: Access | None
    window: Window | None
    is_constant: bool
    parts: dict[tuple[int, ...], Window] = field(default_factory=dict[tuple[int, ...], Window])
    """The parts of the window so far."""


class ContractionCost:
    """The costs of the schedules of a contraction, all of them with vectors along its columns."""

    def __init__(self, c: Contraction, target: Target) -> None:
        self.contraction, self.target = c, target
        axes = [a for a in (*c.outer, c.row, c.column, *c.reduced) if a is not None]
        self.extents = {axis: _known(c.extent(axis)) for axis in axes}
        self.sources = [self._source(o) for o in (c.left, c.right)]
        self.products = math.prod(self.extents.values())
        self.results = results_of(c)
        self.arithmetic: dict[tuple[Tile, int, bool, bool], float] = {}
        self.touched: dict[object, Lines] = {}
        self.levels: dict[object, list[Level]] = {}

    def cycles(self, choice: Choice) -> float:
        """Cycles of all products on one thread; with a guess for extents that are unknown.

        What comes from the second cache in order comes while products are computed.  All else is
        waited for, also results that leave a cache, and what is read with them, as a residual, and
        each piece of theirs that no processor fetches ahead.
        """
        levels = self._levels(choice)
        tiles = sum(axis is not None for axis, _, _ in choice.loops)
        operands = [self._by_level(s, levels, tiles, choice) for s in self.sources]
        results = [[self._touched(s, v.sizes) for v in levels] for s in self.results]
        # A panel that is prefetched takes the room of another one, or of what is used no more.
        ahead = choice.prefetched(self.target)
        rooms = {(1, 1), tuple(1 + (s.operand.name in ahead) for s in self.sources)}
        fetching = [self._fetching(choice, levels, operands, results, room) for room in rooms]
        tiled = math.prod(level.trips for level in levels[1 : tiles + 1])
        looking = sum(self._looking(lines[tiles].pages) for lines in operands) * tiled
        copying = sum(self._copying(source, choice, levels) for source in self.sources)
        return sum(fetching) / len(fetching) + looking + copying

    def _fetching(
        self,
        choice: Choice,
        levels: Sequence[Level],
        operands: Sequence[Sequence[Lines]],
        results: Sequence[Sequence[Lines]],
        panels: Sequence[int],
    ) -> float:
        """Cycles of products and of waiting; each operand takes the room of so many panels."""
        machine, tiles = self.target, sum(axis is not None for axis, _, _ in choice.loops)
        rooms = [
            sum(lines.room * n for lines, n in zip(at, panels, strict=True))
            for at in zip(*operands, strict=True)
        ]
        for lines in results:
            # Sums of a tile are not in memory while products are added.
            rooms = [n + lines[k].room * (k <= tiles) for k, n in enumerate(rooms)]
        computing, waiting = self.least(choice), 0.0
        for cache, rate, piece_rate in self._caches():
            held = next((n for n, room in enumerate(rooms) if room * LINE <= cache), -1)
            held %= len(levels)
            is_near, streamed = rate == machine.l2_rate, 0.0
            for source, lines in zip(self.sources, operands, strict=True):
                size = lines[held].number * LINE * _times(source.axes, levels, held)
                if is_near and not lines[held].pages:
                    streamed += size / rate
                else:
                    waiting += size / (piece_rate if lines[held].pages else rate)
            for access, lines in zip(self.results, results, strict=True):
                times = _times(access.strides, levels, held)
                waiting += lines[held].number * LINE * times / rate
                if rate == machine.l3_rate:
                    waiting += lines[held].pages * times * machine.piece_wait
            computing = max(computing, streamed)
        return computing + waiting

    def least(self, choice: Choice) -> float:
        """Cycles if all operands were in the first-level cache."""
        c, tile = self.contraction, choice.tile
        is_panel = c.right.name in choice.packs or tile.is_transposed or bool(choice.stored)
        # Products of a window read each row of its copy from several places on.
        is_aligned = is_panel and c.window(c.right) is None
        is_packed = c.left.name in choice.packs
        key = tile, choice.group, is_aligned, is_packed
        if key not in self.arithmetic:
            self.arithmetic[key] = arithmetic(
                c, tile, choice.group, self.target, is_aligned, is_packed
            )
        products = self.products / tile.lanes / choice.group
        return self.arithmetic[key] * products

    def bound(self, choice: Choice) -> float:
        """Cycles that all loops around the same tile take at least, with the same panels.

        Results, and operands that are no windows, come through each cache at least once.
        """
        results = sum(self._touched(s, self.extents).number for s in self.results) * LINE
        operands = 0.0
        for s in self.sources:
            if s.window is None and s.access is not None:
                panels = math.prod(self.extents[a] for a in s.axes) * self.contraction.type.bytes
                operands += min(panels, self._touched(s.access, self.extents).number * LINE)
        (_, near, _), *others = self._caches()
        far = sum((results + operands) / rate for _, rate, _ in others)
        return self.least(choice) + results / near + far

    def _caches(self) -> list[tuple[int, int, int]]:
        """The bytes of each cache, and in a cycle those that come into it, in order and not."""
        machine = self.target
        # What else goes through a large cache has a quarter of it.
        l2, l3 = (size - size // 4 for size in (machine.l2, machine.l3))
        return [
            (machine.l1, machine.l2_rate, machine.l2_piece_rate),
            (l2, machine.l3_rate, machine.l3_piece_rate),
            (l3, machine.memory_rate, machine.memory_rate),
        ]

    def _source(self, operand: Operand) -> Source:
        c, load = self.contraction, operand.load
        axes = frozenset(a for a in (*operand.axes, c.own(operand)) if a in self.extents)
        access = None
        if load is not None:
            access = access_of(c.offsets[load], scalar_type(load.result).bytes, axes)
        return Source(operand, axes, access, c.window(operand), c.is_constant(operand))

    def _levels(self, choice: Choice) -> list[Level]:
        """The nest, then the loops, outermost first; a chain goes by lines, then by steps."""
        if choice.loops in self.levels:
            return self.levels[choice.loops]
        c, sizes = self.contraction, dict(self.extents)
        levels = self.levels[choice.loops] = [Level((), 1, dict(sizes))]
        loops = [(axis, by) for axis, by, _ in choice.loops if axis is not None]
        loops += [(axis, 1) for axis in c.reduced[:-1]]
        loops += [(axis, by) for axis in c.reduced[-1:] for by in (LINE // c.type.bytes, 1)]
        for axis, by in loops:
            size = _known(by)
            trips = max(1, -(-sizes[axis] // size))
            sizes[axis] = min(sizes[axis], size)
            levels.append(Level(axis, trips, dict(sizes)))
        return levels

    def _by_level(
        self, source: Source, levels: Sequence[Level], tiles: int, choice: Choice
    ) -> list[Lines]:
        """What each level touches of an operand; ``tiles`` are the loops around a tile."""
        copied = levels[copied_in(choice, source.operand)].sizes
        touched = [self._lines(source, level.sizes, choice, copied) for level in levels]
        of_tile, last = touched[tiles], levels[tiles]
        for k in range(tiles + 1, len(levels) - 1):
            # A part of the chain goes on where the part before ended.
            share = math.prod(levels[k].sizes[a] / last.sizes[a] for a in source.axes)
            touched[k] = Lines(of_tile.number * share, touched[k].room, of_tile.pages)
        return touched

    def _lines(self, source: Source, sizes: Sizes, choice: Choice, copied: Sizes) -> Lines:
        """What a part touches of an operand, where it lies or in its copy, of ``copied`` sizes."""
        size = self.contraction.type.bytes
        if source.window is not None:
            part = self._part(source, source.window, sizes)
            strides = self._part(source, source.window, copied).strides
            steps = [(_known(strides[k]) * size, _known(n)) for k, n in enumerate(part.extents)]
            return strided(sorted(step for step in steps if step[1] > 1), size)
        if source.access is None or source.operand.name in choice.packs:
            return contiguous(math.prod(sizes[axis] for axis in source.axes) * size)
        return self._touched(source.access, sizes)

    def _touched(self, access: Access, sizes: Sizes) -> Lines:
        """What a part touches of a buffer where it lies."""
        key = access, *(sizes[axis] for axis in access.strides)
        if key not in self.touched:
            self.touched[key] = access.lines(sizes)
        return self.touched[key]

    def _part(self, source: Source, window: Window, sizes: Sizes) -> Window:
        """The part of a window that a part of the nest sees."""
        axes = sorted(source.axes)
        key = tuple(sizes[axis] for axis in axes)
        if key not in source.parts:
            left = {a[-1]: (ex.const(0), ex.const(self.extents[a] - sizes[a])) for a in axes}
            source.parts[key] = window.part(left)
        return source.parts[key]

    def _copying(self, source: Source, choice: Choice, levels: Sequence[Level]) -> float:
        """Cycles for writing panels and padded windows while the function runs."""
        is_copied = source.operand.name in choice.packs or source.window is not None
        if not is_copied or source.is_constant:
            return 0.0
        machine, sizes = self.target, levels[depth := copied_in(choice, source.operand)].sizes
        times = math.prod(level.trips for level in levels[1 : depth + 1])
        size = self._lines(source, sizes, choice, sizes).number * LINE
        # Memory that is written comes into the second cache first, again and again if it is large.
        far = size / machine.far_copy_rate / (1 if size > machine.half_l2 else times)
        cycles = size / machine.l2_piece_rate + far
        window = source.window
        if window is not None and window.inner != len(window.source) - 1:
            cycles += size / self.contraction.type.bytes * machine.transposed
        own, panel = self.contraction.own(source.operand), choice.tile.columns
        if source.access is not None and window is None and own is not None:
            # Panel by panel.
            panel = choice.tile.rows if source.operand is self.contraction.left else panel
            pages = self._touched(source.access, {**sizes, own: min(panel, sizes[own])}).pages
            cycles += self._looking(pages) * -(-sizes[own] // panel)
        return times * cycles

    def _looking(self, pages: float) -> float:
        """Cycles for finding pages, one after the other, if these are more than are known."""
        return pages * self.target.page_wait if pages > self.target.pages else 0.0


class Costs:
    """The costs of the choices for one contraction, which some of them transpose."""

    def __init__(self, target: Target, chunks: int) -> None:
        self.target, self.is_shared = target, chunks > 1
        self.costs: dict[object, ContractionCost] = {}
        self.known: dict[object, float] = {}

    def of(self, choice: Choice) -> ContractionCost:
        """The costs with the same axes as columns."""
        c = choice.contraction
        if (c.row, c.column) not in self.costs:
            self.costs[c.row, c.column] = ContractionCost(c, self.target)
        return self.costs[c.row, c.column]

    def bound(self, choice: Choice) -> float:
        """Cycles that all loops around the same tile take at least, with the same panels."""
        return self.of(choice).bound(choice)

    def alone(self, choice: Choice) -> float:
        """Cycles on one thread."""
        c, packed = choice.contraction, (choice.packs, choice.stored)
        key = c.row, c.column, choice.tile, packed, choice.group, choice.loops, choice.depth
        if key not in self.known:
            self.known[key] = self.of(choice).cycles(choice)
        return self.known[key]

    def cycles(self, choice: Choice) -> float:
        """Cycles on one thread, and some more where several threads would wait for the last one."""
        cost = self.of(choice)
        cycles = self.alone(choice)
        if not self.is_shared or cost.least(choice) * choice.tile.lanes < JOIN:
            return cycles
        # Loops of one iteration are none.
        loops = ((-(-cost.extents[a] // _known(by)), kind) for a, by, kind in choice.loops if a)
        trips, kind = next((loop for loop in loops if loop[0] > 1), (1, "serial"))
        trips = trips if kind == "parallel" else 1
        return cycles * (1 + SHARING * (-(-trips // PIECES) * PIECES / trips - 1))


def _times(axes: Collection[Axis], levels: Sequence[Level], held: int) -> int:
    """How often a part is fetched that stays in a cache inside of a loop.

    Loops right around it that do not move the operand find it there.
    """
    outer = list(levels[1 : held + 1])
    while outer and outer[-1].axis not in axes:
        outer.pop()
    return math.prod(level.trips for level in outer)


def _known(extent: ex.Expr | int) -> int:
    if isinstance(extent, int):
        return extent
    return GUESSED if extent.constant is None else max(1, extent.constant)

"""The cost of a contraction's schedule: arithmetic, and what comes from each level of memory.

A cache holds what the body of a loop touches if its lines fit; the outermost such loop of an
operand is found, and each iteration around it that moves the operand fetches these lines again.
Lines that lie a multiple of a page apart fall into few sets, and take the room of more lines.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.schedule import Axis
from opc.support.target import AHEAD, GUESSED, LINE, WAY, Target

from .contraction import Contraction, Operand
from .contraction_trees import Choice, copied_in
from .register_tiles import Tile
from .tiles import arithmetic
from .window import Window

Sizes = Mapping[Axis, int]
"""The values along each axis that a part of the nest goes over."""


@dataclass(frozen=True)
class Lines:
    """Cache lines that are touched."""

    count: float
    room: float
    """The lines of a cache that they take: more than there are if they fall into few sets."""
    pages: float = 0
    """The pieces that lie on pages of their own, so that no processor fetches them ahead; 0 if they
    are in order."""


@dataclass(frozen=True)
class Level:
    """A loop, with what its body goes over."""

    axis: Axis
    trips: int
    sizes: Sizes


@dataclass(frozen=True)
class Access:
    """Where a buffer is touched: the bytes from one value to the next along each axis."""

    strides: Sizes
    width: int

    def lines(self, sizes: Sizes) -> Lines:
        """What a part touches."""
        steps = sorted((step, sizes[axis]) for axis, step in self.strides.items())
        return _strided([at for at in steps if at[1] > 1], self.width)


@dataclass(frozen=True)
class Source:
    """An operand: its axes, where it lies, and its copy."""

    operand: Operand
    axes: frozenset[Axis]
    access: Access | None
    window: Window | None
    is_constant: bool
    parts: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])
    """The elements of parts of the window so far."""


class ContractionCost:
    """The costs of the schedules of a contraction, all of them with vectors along its columns."""

    def __init__(self, c: Contraction, target: Target) -> None:
        self.contraction, self.target = c, target
        axes = [a for a in (*c.outer, c.row, c.column, *c.reduced) if a is not None]
        self.extents = {axis: _known(c.extent(axis)) for axis in axes}
        self.sources = [self._source(o) for o in (c.left, c.right)]
        points = {axis for axis in axes if axis not in c.reduced}
        targets = [c.nest.targets[op.number] for op in c.stores]
        widths = [element_in(target).bytes for target in targets]
        steps = zip([c.offsets[op] for op in c.stores], widths, strict=True)
        self.stores = [Access(self._strides(e, width, points), width) for e, width in steps]
        self.arithmetic: dict[Tile, float] = {}

    def cycles(self, choice: Choice) -> float:
        """Cycles of all products on one thread; with a guess for extents that are unknown.

        What comes in order comes while products are computed, what does not is waited for.
        """
        levels = self._levels(choice)
        tiles = sum(axis is not None for axis, _, _ in choice.loops)
        operands = [self._by_level(s, levels, tiles, choice) for s in self.sources]
        results = [[s.lines(v.sizes) for v in levels] for s in self.stores]
        rooms = [sum(lines.room for lines in at) for at in zip(*operands, strict=True)]
        for lines in results:
            # Sums of a tile are not in memory while products are added.
            rooms = [n + lines[k].room * (k <= tiles) for k, n in enumerate(rooms)]
        axes = [*(s.axes for s in self.sources), *(frozenset(s.strides) for s in self.stores)]
        streamed, waited = [0.0] * 3, [0.0] * len(self.sources)
        for k, (cache, rate, piece_rate) in enumerate(self._caches()):
            fits = (n for n, room in enumerate(rooms) if room * LINE <= cache)
            held = next(fits, len(levels) - 1)
            for number, (own, lines) in enumerate(zip(axes, [*operands, *results], strict=True)):
                size = lines[held].count * LINE * _times(own, levels, held)
                cycles = size / (piece_rate if lines[held].pages else rate)
                if lines[held].pages and number < len(waited):
                    waited[number] = max(waited[number], cycles)
                else:
                    # Nothing waits for a store.
                    streamed[k] += cycles
        tiled = math.prod(level.trips for level in levels[1 : tiles + 1])
        looking = sum(self._looking(lines[tiles].pages) for lines in operands) * tiled
        copying = sum(self._copying(source, choice, levels) for source in self.sources)
        return max(self.least(choice), *streamed) + sum(waited) + looking + copying

    def least(self, choice: Choice) -> float:
        """Cycles if all operands were in the first-level cache."""
        tile = choice.tile
        if tile not in self.arithmetic:
            self.arithmetic[tile] = arithmetic(self.contraction, tile, self.target)
        products = math.prod(self.extents.values()) / tile.lanes / choice.group
        return self.arithmetic[tile] * products

    def _caches(self) -> list[tuple[int, int, int]]:
        """The bytes of each cache, and in a cycle those that come into it, in order and not."""
        machine = self.target
        return [
            (machine.l1, machine.l2_rate, machine.l2_piece_rate),
            (machine.l2, machine.l3_rate, machine.l3_piece_rate),
            (machine.l3, machine.memory_rate, machine.memory_rate),
        ]

    def _source(self, operand: Operand) -> Source:
        c, load = self.contraction, operand.load
        axes = frozenset(a for a in (*operand.axes, c.own(operand)) if a in self.extents)
        access = None
        if load is not None:
            width = scalar_type(load.result).bytes
            access = Access(self._strides(c.offsets[load], width, axes), width)
        return Source(operand, axes, access, c.window(operand), c.is_constant(operand))

    def _strides(self, offset: ex.Expr, width: int, axes: frozenset[Axis] | set[Axis]) -> Sizes:
        steps = {axis: offset.coefficient(axis[-1]) for axis in axes}
        known = {axis: 0 if e is None else e.constant for axis, e in steps.items()}
        return {axis: WAY if n is None else abs(n) * width for axis, n in known.items()}

    def _levels(self, choice: Choice) -> list[Level]:
        """The nest, then the loops, outermost first; a chain goes by lines, then by steps."""
        c, sizes = self.contraction, dict(self.extents)
        levels = [Level((), 1, dict(sizes))]
        loops = [(axis, by) for axis, by, _ in choice.loops if axis is not None]
        loops += [(axis, 1) for axis in c.reduced[:-1]]
        loops += [(axis, by) for axis in c.reduced[-1:] for by in (LINE // c.type.bytes, 1)]
        for axis, by in loops:
            size = by if isinstance(by, int) else _known(by)
            trips = max(1, -(-sizes[axis] // size))
            sizes[axis] = min(sizes[axis], size)
            levels.append(Level(axis, trips, dict(sizes)))
        return levels

    def _by_level(
        self, source: Source, levels: Sequence[Level], tiles: int, choice: Choice
    ) -> list[Lines]:
        """What each level touches of an operand; ``tiles`` are the loops around a tile."""
        touched = [self._lines(source, level.sizes, choice) for level in levels]
        of_tile, last = touched[tiles], levels[tiles]
        for k in range(tiles + 1, len(levels) - 1):
            # A part of the chain goes on where the part before ended.
            share = math.prod(levels[k].sizes[a] / last.sizes[a] for a in source.axes)
            touched[k] = replace(of_tile, count=of_tile.count * share, room=touched[k].room)
        return touched

    def _lines(self, source: Source, sizes: Sizes, choice: Choice) -> Lines:
        """What a part touches of an operand, where it lies or in its copy."""
        size = self.contraction.type.bytes
        if source.window is not None:
            return _contiguous(self._elements(source, source.window, sizes) * size)
        if source.access is None or source.operand.name in choice.packs:
            return _contiguous(math.prod(sizes[axis] for axis in source.axes) * size)
        return source.access.lines(sizes)

    def _elements(self, source: Source, window: Window, sizes: Sizes) -> int:
        """The elements of a part of a window."""
        axes = sorted(source.axes)
        key = tuple(sizes[axis] for axis in axes)
        if key not in source.parts:
            left = {a[-1]: (ex.const(0), ex.const(self.extents[a] - sizes[a])) for a in axes}
            source.parts[key] = _known(window.part(left).elements)
        return source.parts[key]

    def _copying(self, source: Source, choice: Choice, levels: Sequence[Level]) -> float:
        """Cycles for writing panels and padded windows while the function runs."""
        is_copied = source.operand.name in choice.packs or source.window is not None
        if not is_copied or source.is_constant:
            return 0.0
        sizes = levels[depth := copied_in(choice, source.operand)].sizes
        times = math.prod(level.trips for level in levels[1 : depth + 1])
        cycles = self._lines(source, sizes, choice).count * LINE / self.target.l2_piece_rate
        own, c = self.contraction.own(source.operand), self.contraction
        if source.access is not None:
            # Panel by panel.
            panel, count, part = choice.tile.columns, 1, dict(sizes)
            if source.operand is c.left:
                panel = choice.tile.rows
            if own is not None and own in sizes:
                count, part[own] = -(-sizes[own] // panel), panel
            read = source.access.lines(part)
            size = read.count * LINE * count
            reading = (
                size / (piece_rate if read.pages else rate)
                for cache, rate, piece_rate in self._caches()
                if size * times > cache
            )
            cycles += max(reading, default=0.0) + self._looking(read.pages) * count
        return times * cycles

    def _looking(self, pages: float) -> float:
        """Cycles for finding pages, one after the other, if these are more than are known."""
        return pages * self.target.page_wait if pages > self.target.pages else 0.0


def _times(axes: Collection[Axis], levels: Sequence[Level], held: int) -> int:
    """How often a part is fetched that stays in a cache inside of a loop.

    Loops right around it that do not move the operand find it there.
    """
    outer = list(levels[1 : held + 1])
    while outer and outer[-1].axis not in axes:
        outer.pop()
    return math.prod(level.trips for level in outer)


def _known(extent: ex.Expr) -> int:
    return GUESSED if extent.constant is None else extent.constant


def _contiguous(size: float) -> Lines:
    lines = max(1.0, size / LINE)
    return Lines(lines, lines)


def _strided(strides: Sequence[tuple[int, int]], width: int) -> Lines:
    """Lines of values at these distances in bytes, and so many of each; the least come first."""
    segment, count, apart = width, 1, 0
    for stride, number in strides:
        if stride <= segment:
            segment += stride * (number - 1)
        else:
            count *= number
            apart = math.gcd(apart, stride)
    # A segment may begin in the middle of a line.
    in_segment = (segment + LINE - width) / LINE
    lines = count * in_segment
    sets = min(min(count, WAY // math.gcd(WAY, max(apart, LINE))) * in_segment, WAY // LINE)
    room = lines if count == 1 or lines <= sets else lines * (WAY // LINE) / sets
    is_apart = count > 1 and strides[-1][0] >= WAY and segment < AHEAD
    return Lines(lines, room, count if is_apart else 0)

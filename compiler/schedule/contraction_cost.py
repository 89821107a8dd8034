"""The cost of a contraction's schedule: arithmetic, and what comes from each level of memory.

A cache holds what the body of a loop touches if its lines fit; the outermost such loop of an
operand is found, and each iteration around it that moves the operand fetches these lines again.
Lines that lie a multiple of a page apart fall into few sets, and take the room of more lines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
    is_piecewise: bool = False
    """Whether they are on pages of their own, so that no processor fetches them ahead."""


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
        stores = [Access(self._strides(c.offsets[s], element_in(t).bytes, set(axes)), 1)
                  for s, t in zip(c.stores, c.nest.targets, strict=False)]  # fmt: skip
        self.stores = stores
        self.arithmetic: dict[Tile, float] = {}

    def cycles(self, choice: Choice) -> float:
        """Cycles of all products on one thread; with a guess for extents that are unknown."""
        tile, machine = choice.tile, self.target
        if tile not in self.arithmetic:
            self.arithmetic[tile] = arithmetic(self.contraction, tile, machine)
        products = math.prod(self.extents.values()) / tile.lanes / choice.group
        levels = self._levels(choice)
        touched = [[self._lines(s, v.sizes, choice) for v in levels] for s in self.sources]
        results = [sum(s.lines(v.sizes).room for s in self.stores) for v in levels]
        rooms = [
            sum(own) for own in zip(results, *([t.room for t in ts] for ts in touched), strict=True)
        ]
        streamed, waited = 0.0, 0.0
        rates = (
            (machine.l1, machine.l2_rate, machine.l2_piece_rate),
            (machine.l2, machine.l3_rate, machine.l3_piece_rate),
            (machine.l3, machine.memory_rate, machine.memory_rate),
        )
        for cache, rate, piece_rate in rates:
            fits = (k for k, room in enumerate(rooms) if room * LINE <= cache)
            held = next(fits, len(levels) - 1)
            for source, lines in zip(self.sources, touched, strict=True):
                size = lines[held].count * LINE * _times(source, levels, held)
                if lines[held].is_piecewise:
                    waited += size / piece_rate
                elif cache == machine.l1:
                    streamed += size / rate
                else:
                    waited += size / rate
        copying = sum(self._copying(source, choice, levels) for source in self.sources)
        return max(self.arithmetic[tile] * products, streamed) + waited + copying

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
        sizes, machine = levels[depth := copied_in(choice, source.operand)].sizes, self.target
        times = math.prod(level.trips for level in levels[1 : depth + 1])
        cycles = self._lines(source, sizes, choice).count * LINE / machine.l2_piece_rate
        if source.access is not None:
            read = source.access.lines(sizes).count * LINE
            cycles += read / machine.l3_rate if read * times > machine.l2 else 0.0
        return times * cycles


def _times(source: Source, levels: Sequence[Level], held: int) -> int:
    """How often a part is fetched that stays in a cache inside of a loop.

    Loops right around it that do not move the operand find it there.
    """
    outer = list(levels[1 : held + 1])
    while outer and outer[-1].axis not in source.axes:
        outer.pop()
    return math.prod(level.trips for level in outer)


def _known(extent: ex.Expr) -> int:
    return GUESSED if extent.constant is None else extent.constant


def _contiguous(size: float) -> Lines:
    lines = max(1.0, size / LINE)
    return Lines(lines, lines)


def _strided(strides: Sequence[tuple[int, int]], width: int) -> Lines:
    """Lines of values at these distances in bytes, and so many of each; the least come first."""
    run, count, apart = width, 1, 0
    for stride, number in strides:
        if stride <= run:
            run += stride * (number - 1)
        else:
            count *= number
            apart = math.gcd(apart, stride)
    # A run may begin in the middle of a line.
    in_run = (run + LINE - width) / LINE
    lines = count * in_run
    sets = min(min(count, WAY // math.gcd(WAY, max(apart, LINE))) * in_run, WAY // LINE)
    room = lines if count == 1 or lines <= sets else lines * (WAY // LINE) / sets
    return Lines(lines, room, count > 1 and strides[-1][0] >= WAY and run < AHEAD)

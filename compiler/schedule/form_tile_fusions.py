"""Group nests that use each other's results into tile fusions, so that tiles stay in a cache.

``nest (scores); nest (softmax); nest (values)  -->  schedule.tile_fusion by [1, 64] { ... }``

A group has a contraction, and each nest reads results of nests before it at the same outer points.
Bytes decide: results larger than the second-level cache need not leave it, but operands that all
tiles read must stay there too, or each tile reads them again.  The padded copy of a convolution's
input counts as a result, so a convolution alone may be a tile fusion, over images; a depthwise one
copies in its own loops.  Tiles never split a windowed axis.  An existing tile fusion stays if it is
legal, so tile fusions can be edited.  Needs plan-buffers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.budgets import FUSED_NESTS
from opc.dialects.buffer import bytes_of, element_in, root
from opc.dialects.repeat import has_repeat
from opc.dialects.schedule import Axis
from opc.dialects.shape import DimsAttr
from opc.dialects.tile_fusion import TileFusionOp
from opc.kernels.place_buffers import place_slices
from opc.passes.function_pass import MachinePass
from opc.support.provenance import fused
from opc.support.target import LENGTH, Target

from .contraction import analyse
from .contraction_loops import CHUNKS, sees_alone
from .cost import even_part, guessed, guessed_bytes
from .split_axes import split_axis
from .stored import is_known
from .tile_fusion import Access, Dims, accesses, by_extents, counts, is_part, moves, part, spreads
from .tiles import tiles_for
from .window import Window

BUFFERS = (loop.SliceOp, loop.ViewOp, loop.ConstantOp)
"""Operations between nests that compute nothing."""
Own = list["int | None"]
"""For each dimension of the first nest of a tile fusion, the same one of another nest."""


def _steps(access: Access, dims: Sequence[int | None]) -> dict[int, ex.Expr]:
    """The steps of an access along the dimensions on which it has any."""
    steps = {d: access.offset.coefficient(d) for d in dims if d is not None}
    return {d: step for d, step in steps.items() if step is not None and step != 0}


def meet(group: Sequence[tuple[kernel.NestOp, Own]], nest: kernel.NestOp) -> Own | None:
    """The dimensions of a nest that are those of a group, by the results of it that the nest reads.

    None if it reads none.
    """
    common: Own | None = None
    for store, own, access in _between(group, nest):
        rank = range(len(nest.extents.data))
        at = {step: d for d, step in _steps(access, rank).items() if nest.extents.data[d] != 1}
        steps = _steps(store, own)
        mine: Own = [at.get(steps[d]) if d is not None and d in steps else None for d in own]
        if common is not None:
            mine = [a if a == b else None for a, b in zip(common, mine, strict=True)]
        common = mine
    return common


def _between(
    group: Sequence[tuple[kernel.NestOp, Own]], nest: kernel.NestOp
) -> Iterator[tuple[Access, Own, Access]]:
    """The stores of a group to buffers that a nest accesses, with these accesses."""
    stores = {root(a.buffer): (a, own) for n, own in group for a in accesses(n) if a.is_store}
    for access in accesses(nest):
        if root(access.buffer) in stores:
            yield *stores[root(access.buffer)], access


def _split(
    group: Sequence[tuple[kernel.NestOp, Own]], nest: kernel.NestOp, machine: Target
) -> bool:
    """Split an axis of a nest, or of one before it, that is several axes of the other one.

    So heads that share keys, and their rows, become separate axes.
    """
    for writer, _ in group:
        stores = [a for a in accesses(writer) if a.is_store]
        for access in accesses(nest):
            for store in stores:
                is_same = root(store.buffer) is root(access.buffer)
                if not is_same or guessed_bytes(store.buffer, LENGTH) <= machine.quarter_l2:
                    continue
                if _split_by(writer, store, access) or _split_by(nest, access, store):
                    return True
    return False


def _split_by(nest: kernel.NestOp, own: Access, other: Access) -> bool:
    """Split an axis of a nest where another access to the same buffer has a step within it."""
    extents = nest.extents.data
    steps = set(_steps(other, range(len(other.extents))).values())
    for d, step in _steps(own, range(len(extents))).items():
        count = extents[d].constant
        if count is None or not ex.is_nonnegative(step):
            continue
        exact = (ex.floordiv(s, step).constant for s in steps if ex.mod(s, step) == 0)
        for size in sorted(n for n in exact if n is not None and 1 < n < count):
            if count % size == 0:
                split_axis(nest, d, size)
                return True
    return False


@dataclass(frozen=True)
class Candidate:
    """Nests that may be a tile fusion over some of their dimensions; tiles cut the last one."""

    dims: Dims
    machine: Target

    @property
    def nests(self) -> list[kernel.NestOp]:
        """The nests, in order."""
        return [nest for nest, _ in self.dims]

    @cached_property
    def extents(self) -> list[int]:
        """Points along each dimension; unknown ones are guessed."""
        first, own = self.dims[0]
        return [guessed([first.extents.data[d]], LENGTH) for d in own if d is not None]

    @cached_property
    def own(self) -> dict[SSAValue, tuple[int, int]]:
        """Bytes of private buffers: in all, and for a point of the last dimension."""
        sizes: dict[SSAValue, tuple[int, int]] = {}
        nests = set(self.nests)
        for buffer, spread in spreads(self.dims).items():
            if is_part(buffer, nests):
                size = row = guessed_bytes(buffer, LENGTH)
                for step, extent in zip(spread.steps, self.extents, strict=True):
                    row //= extent if step is not None else 1
                sizes[buffer] = size, row
        return sizes

    @cached_property
    def padded(self) -> list[tuple[int, int]]:
        """The same of the padded copies of windows."""
        sizes: list[tuple[int, int]] = []
        for window, own in self._copied:
            size = row = guessed(window.extents, LENGTH) * element_in(window.load.source).bytes
            seen = {d for e in window.index for d in e.dims()}
            for d, extent in zip(own, self.extents, strict=True):
                row //= extent if d in seen else 1
            sizes.append((size, row))
        return sizes

    @cached_property
    def _copied(self) -> list[tuple[Window, Sequence[int | None]]]:
        """The windows that are copied with their padding, each with the dimensions of its nest."""
        return [
            (window, own)
            for nest, own in self.dims
            if not _tiles(nest, nest.extents, self.machine)[1]
            for window in _windows(nest)
        ]

    @cached_property
    def outside(self) -> list[tuple[int, Sequence[bool]]]:
        """The buffers that tiles read from outside: bytes, and which dimensions they move along."""
        buffers: dict[SSAValue, tuple[int, Sequence[bool]]] = {}
        for nest, own in self.dims:
            for access in accesses(nest):
                if not access.is_store and root(access.buffer) not in self.own:
                    along = [d in access.offset.dims() for d in own]
                    buffers[access.buffer] = guessed_bytes(access.buffer, LENGTH), along
        return list(buffers.values())

    @cached_property
    def again(self) -> int:
        """Bytes that all tiles along the last dimension read."""
        return sum(
            size // math.prod(n for n, a in zip(self.extents, along, strict=True) if a)
            for size, along in self.outside
            if not along[-1]
        )

    @cached_property
    def reread(self) -> int:
        """Bytes that tiles read again, since they did not stay in the cache."""
        fits = self.again + self.row * self.tile <= self.machine.l2
        tiles = 1 if fits else -(-self.extents[-1] // max(1, self.tile))
        total = 0
        for size, (*outer, last) in self.outside:
            times = math.prod(n for n, a in zip(self.extents, outer, strict=False) if not a)
            total += size * (times * (1 if last else tiles) - 1)
        return total

    @cached_property
    def row(self) -> int:
        """Bytes of a tile for each point along the last dimension."""
        return sum(row for _, row in (*self.own.values(), *self.padded))

    @cached_property
    def step(self) -> int:
        """Points along the last dimension that fill the register tiles of all contractions."""
        points = 1
        for nest, own in self.dims:
            for axis, size in _tiles(nest, nest.extents, self.machine)[0].items():
                points = max(points, size if own[-1] in axis else 1)
        return points

    @cached_property
    def tile(self) -> int:
        """Points of a tile along the last dimension."""
        extent, step = self.extents[-1], self.step
        most = max(step, self.machine.quarter_l2 // max(1, self.row))
        if all(n == 1 for n in self.extents[:-1]):
            most = max(step, min(most, extent // CHUNKS))
        first, own = self.dims[0]
        if first.extents.data[own[-1] or 0].constant is None:
            # Of an unknown length most are whole tiles.
            return most - most % step
        if extent <= most:
            return extent
        size = even_part(extent, most, step)
        return next((n for n in range(size, size * 3 // 4, -1) if extent % n == 0), size)

    @property
    def tiles(self) -> int:
        """The number of tiles, for threads to share."""
        return math.prod(self.extents[:-1]) * -(-self.extents[-1] // self.tile)

    @property
    def stays(self) -> bool:
        """Whether the second-level cache holds all private buffers without tiles."""
        return sum(size for size, _ in (*self.own.values(), *self.padded)) <= self.machine.l2

    @cached_property
    def gain(self) -> int:
        """Bytes that need not leave the second-level cache, less those that are read again."""
        if self.stays or self.row * self.tile > self.machine.half_l2 or self.tiles < CHUNKS:
            return 0
        reads = [root(a.buffer) for nest in self.nests for a in accesses(nest) if not a.is_store]
        sizes = [(1 + reads.count(v)) * size for v, (size, _) in self.own.items()]
        sizes += [2 * size for size, _ in self.padded]
        return sum(sizes) - self.reread

    @property
    def when(self) -> ex.Expr:
        """The condition for tiles of unknown size: there is one, and all would not stay in a cache.

        Fewer points have the loops that suit them: one row of an attention takes half of the time.
        """
        first, own = self.dims[0]
        rows, by = first.extents.data[own[-1] or 0], {k: ex.const(1) for k in range(len(own))}
        written = spreads(self.dims)
        needed = [part(written[buffer], by) for buffer in self.own]
        sizes = [bytes_of(buffer) for buffer in self.own]
        for window, dims in self._copied:
            axes = zip(window.index, window.extents, strict=True)
            needed.append(ex.product(n for e, n in axes if e.dims().isdisjoint(dims)))
            sizes.append(ex.product(window.extents) * element_in(window.load.source).bytes)
        if all(e.constant is not None for e in (rows, *needed)):
            return ex.const(1)
        return ex.atleast(rows, self.tile) * ex.atleast(ex.total_of(sizes), self.machine.l2 + 1)

    def fusion(self) -> TileFusionOp:
        """The tile fusion around its nests, which are detached."""
        by = [ex.const(1)] * (len(self.extents) - 1) + [ex.const(self.tile)]
        over = [[d for d in own if d is not None] for _, own in self.dims]
        fusion = TileFusionOp.of(tuple(by), over, self.nests, self.when)
        fusion.location = fused(nest.location for nest in self.nests)
        return fusion


def _candidate(group: Sequence[tuple[kernel.NestOp, Own]], machine: Target) -> Candidate | None:
    """The tile fusion of a group: over the dimensions that all nests have.

    Tiles cut the dimension for which they read the least again.
    """
    first, mine = group[0]
    windows = {nest: [e for w in _windows(nest) for e in w.index] for nest, _ in group}
    kept = [
        k
        for k, d in enumerate(mine)
        if all(
            own[k] is not None
            and nest.extents.data[own[k] or 0] == first.extents.data[d or 0]
            and moves(nest, [own[k]])
            and not any(own[k] in e.dims() and e.dim() is None for e in windows[nest])
            for nest, own in group
        )
    ]
    while kept:
        written = spreads([(nest, [own[k] for k in kept]) for nest, own in group]).values()
        shared = {k for s in written for k, step in zip(kept, s.steps, strict=True) if step is None}
        if not shared:
            break
        kept = [k for k in kept if k not in shared]
    if not kept or not all(counts(nest, [own[k] for k in kept]) for nest, own in group):
        return None
    # Both versions of a tile fusion with a condition would have panels of the same weights.
    is_sized = all(e.constant is not None for nest, _ in group for e in nest.extents.data)
    if not is_sized and any(map(_has_weights, (nest for nest, _ in group))):
        return None

    def over(order: Sequence[int]) -> Candidate:
        return Candidate([(nest, [own[k] for k in order]) for nest, own in group], machine)

    if over(kept).stays:
        return None
    orders = [[k for k in kept if k != last] + [last] for last in kept]
    return min(map(over, orders), key=lambda c: (c.reread, -c.extents[-1]))


@by_extents
def _windows(nest: kernel.NestOp) -> tuple[Window, ...]:
    """The windows of a nest, if it is a contraction."""
    c = analyse(nest)
    windows = (c.window(operand) for operand in (c.left, c.right)) if c is not None else ()
    return tuple(window for window in windows if window is not None)


@by_extents
def _has_weights(nest: kernel.NestOp) -> bool:
    """Whether an operand of a contraction is constant."""
    c = analyse(nest)
    return c is not None and any(is_known(c, operand) for operand in (c.left, c.right))


@lru_cache(maxsize=64)
def _tiles(nest: kernel.NestOp, extents: DimsAttr, machine: Target) -> tuple[dict[Axis, int], bool]:
    """The size of the register tile of a contraction along each axis; ``extents`` are its own.

    Also whether it copies its window in its own loops.
    """
    c = analyse(nest)
    if c is None:
        return {}, False
    c, tile = tiles_for(c, machine, may_transpose=True)[0]
    sizes = ((c.row, tile.rows), (c.column, tile.columns))
    is_apart = sees_alone(c, tile, machine)
    return {axis: size for axis, size in sizes if axis is not None}, is_apart


def _together(nests: Sequence[kernel.NestOp], machine: Target) -> list[tuple[kernel.NestOp, Own]]:
    """The first nest and those behind it that share dimensions, with axes split where needed."""
    first = nests[0]
    own: Own = [d if e != 1 else None for d, e in enumerate(first.extents.data)]
    group: list[tuple[kernel.NestOp, Own]] = []
    for nest in nests:
        if group and _split(group, nest, machine):
            return _together(nests, machine)
        met = meet(group, nest) if group else own
        if met is None or all(d is None for d in met) or 0 in nest.extents.data:
            break
        group.append((nest, met))
    return group


def _grown(nests: Sequence[kernel.NestOp], machine: Target) -> Candidate | None:
    """The best tile fusion that begins with the first nest, if any pays."""
    group = _together(nests, machine)
    best: Candidate | None = None
    for count in range(1, len(group) + 1):
        if any(n.has_chain for n, _ in group[:count]):
            candidate = _candidate(group[:count], machine)
            if candidate is not None and candidate.gain > (best.gain if best is not None else 0):
                best = candidate
    return best


class FormTileFusionsPass(MachinePass):
    """nest; nest; nest  -->  schedule.tile_fusion by [1, 64] { nest; nest; nest }.

    ``target`` names the machine.
    """

    name = "form-tile-fusions"

    def rewrite(self, function: FuncOp) -> None:
        """Form the tile fusions of one function."""
        block = function.body.block
        ops = [op for op in block.ops if not isinstance(op, BUFFERS)]
        while ops:
            nests: list[kernel.NestOp] = []
            for op in ops[:FUSED_NESTS]:
                if not isinstance(op, kernel.NestOp) or has_repeat(op) or kernel.picks_of(op):
                    break
                nests.append(op)
            best = _grown(nests, self.machine) if nests else None
            if best is not None:
                after = best.nests[-1].next_op
                assert after is not None
                for nest in best.nests:
                    nest.detach()
                block.insert_op_before(best.fusion(), after)
            del ops[: len(best.nests) if best is not None else 1]
        if any(isinstance(op, TileFusionOp) for op in block.ops):
            # All nests of a tile fusion need their buffers at the same time.
            place_slices(function)

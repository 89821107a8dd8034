"""Put nests that work on each other's results into bands, so that tiles of these stay in a cache.

``nest (scores); nest (softmax); nest (values)  -->  schedule.band by [1, 64] { ... }``

Nests that follow one another are tried from each contraction on, or what leads to one, as long as
each reads what those before it wrote at the same outer points (``schedule.bands``).  What a band
pays follows from bytes: results that are larger than the second cache need not go past it, but what
all tiles read must stay there, or is read from further away for each of them.  A band that exists
already stays as it is, if it is legal: who edits one may compile it.  Needs plan-buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.band import BandOp
from opc.dialects.buffer import element_in
from opc.dialects.shape import shape_of
from opc.target import Target, target

from .bands import Dims, accesses, is_part, moves, places, root, shared
from .contraction import analyse
from .plan_contraction import CHUNKS, tile_for

BUFFERS = (loop.SliceOp, loop.ViewOp, loop.ConstantOp)
"""What stands between nests without computing anything."""
PART = 4
"""A tile takes this part of the second cache, at most: what all tiles read needs the rest."""
MOST = 8
"""Nests of a band at most."""

Own = list["int | None"]
"""For each dimension of the first nest of a band, which of another nest's is the same."""


def meet(group: Sequence[tuple[kernel.NestOp, Own]], nest: kernel.NestOp) -> Own | None:
    """Which dimensions of another nest are those of a group, by what it reads of its results.

    None if it reads none.
    """
    stores = {root(a.buffer): (a, own) for n, own in group for a in accesses(n) if a.is_store}
    found: Own | None = None
    for access in accesses(nest):
        if root(access.buffer) not in stores:
            continue
        store, own = stores[root(access.buffer)]
        mine: Own = [None] * len(own)
        if store.buffer is access.buffer:
            at = {e.dim(): p for p, e in enumerate(store.index)}
            index = [None if d is None or d not in at else access.index[at[d]] for d in own]
            mine = [None if e is None else e.dim() for e in index]
        found = mine if found is None else [a if a == b else None for a, b in zip(found, mine)]
    rank = len(nest.extents.data)
    return None if found is None else [d if d is not None and d < rank else None for d in found]


@dataclass(frozen=True)
class Candidate:
    """Nests that may be a band over some of their dimensions, the last of which is cut."""

    dims: Dims
    machine: Target

    @property
    def nests(self) -> list[kernel.NestOp]:
        """The nests, in order."""
        return [nest for nest, _ in self.dims]

    @cached_property
    def extents(self) -> list[int]:
        """Points along each dimension."""
        first, own = self.dims[0]
        found = [first.extents.data[d].constant for d in own if d is not None]
        return [0 if n is None else n for n in found]

    @cached_property
    def own(self) -> dict[SSAValue, tuple[int, int]]:
        """What only the band needs: bytes in all, and of a point along the last dimension."""
        found: dict[SSAValue, tuple[int, int]] = {}
        nests = set(self.nests)
        for buffer in dict.fromkeys(v for nest in self.nests for v in nest.targets):
            if is_part(buffer, nests):
                size = row = _bytes(buffer)
                for place, extent in zip(places(self.dims, buffer), self.extents, strict=True):
                    row //= extent if place is not None else 1
                found[buffer] = size, row
        return found

    @cached_property
    def again(self) -> int:
        """Bytes that all tiles read that differ in the last dimension only."""
        found: dict[SSAValue, int] = {}
        for nest, own in self.dims:
            for access in accesses(nest):
                used = {d for e in access.index for d in e.dims()}
                if access.is_store or access.buffer in self.own or own[-1] in used:
                    continue
                size = _bytes(access.buffer)
                for d, extent in zip(own[:-1], self.extents[:-1], strict=True):
                    size //= extent if d in used else 1
                found[access.buffer] = max(size, found.get(access.buffer, 0))
        return sum(found.values())

    @cached_property
    def row(self) -> int:
        """Bytes that a tile needs for each point along the last dimension."""
        return sum(row for _, row in self.own.values())

    @cached_property
    def step(self) -> int:
        """Points along the last dimension that fill the tiles of all contractions."""
        found = 1
        for nest, own in self.dims:
            c = analyse(nest)
            if c is not None:
                tile, last = tile_for(c, self.machine), own[-1]
                found = max(found, tile.rows if c.row and last in c.row else 1)
                found = max(found, tile.columns if c.column and last in c.column else 1)
        return found

    @cached_property
    def tile(self) -> int:
        """Points of a tile along the last dimension; 0 if there is no good number."""
        extent, step = self.extents[-1], self.step
        most = max(step, self.machine.l2 // PART // max(1, self.row))
        if all(n == 1 for n in self.extents[:-1]):
            most = max(step, min(most, extent // CHUNKS))
        if extent <= most:
            return extent
        tiles = -(-extent // most)
        size = -(-extent // (tiles * step)) * step
        return next((n for n in range(size, 0, -step) if not 0 < extent % n < step), 0)

    @cached_property
    def gain(self) -> int:
        """Bytes that need not go past the second cache, less those that come past it again."""
        if not self.tile or not self.own:
            return 0
        reads = [a.buffer for nest in self.nests for a in accesses(nest) if not a.is_store]
        sizes = [(1 + reads.count(v)) * size for v, (size, _) in self.own.items()]
        if sum(size for size, _ in self.own.values()) <= self.machine.l2:
            return 0
        if self.again + self.row * self.tile <= self.machine.l2:
            return sum(sizes)
        *outer, last = self.extents
        tiles = -(-last // self.tile)
        for extent in outer:
            tiles *= extent
        return sum(sizes) - tiles * self.again

    def band(self) -> BandOp:
        """The band around its nests, which stand nowhere."""
        by = [ex.const(1)] * (len(self.extents) - 1) + [ex.const(self.tile)]
        over = [[d for d in own if d is not None] for _, own in self.dims]
        return BandOp.of(tuple(by), over, self.nests)


def _bytes(buffer: SSAValue) -> int:
    return (ex.product(shape_of(buffer.type)).constant or 0) * element_in(buffer).bytes


def _candidate(group: Sequence[tuple[kernel.NestOp, Own]], machine: Target) -> Candidate | None:
    """What nests are a band over: the dimensions that all have, of which one is cut.

    That is the one along which the most is read again.
    """
    first, mine = group[0]
    kept = [
        k
        for k, d in enumerate(mine)
        if all(
            own[k] is not None and nest.extents.data[own[k] or 0] == first.extents.data[d or 0]
            for nest, own in group
        )
    ]
    for found in shared([(nest, [own[k] for k in kept]) for nest, own in group]).values():
        kept = [k for k, place in zip(list(kept), found, strict=False) if place is not None]
    if not kept or any(first.extents.data[mine[k] or 0].constant is None for k in kept):
        return None

    def over(order: Sequence[int]) -> Candidate:
        return Candidate([(nest, [own[k] for k in order]) for nest, own in group], machine)

    orders = [[k for k in kept if k != last] + [last] for last in kept]
    found = max((over(order) for order in orders), key=lambda c: c.again)
    return found if all(moves(nest, own) for nest, own in found.dims) else None


def _grown(nests: Sequence[kernel.NestOp], machine: Target) -> Candidate | None:
    """The best band that begins with the first of some nests, if any pays."""
    first = nests[0]
    own: Own = [d if e != 1 else None for d, e in enumerate(first.extents.data)]
    group, best = [(first, own)], None
    for nest in nests[1:MOST]:
        met = meet(group, nest)
        if met is None or all(d is None for d in met):
            break
        group.append((nest, met))
        if any(n.has_chain for n, _ in group):
            found = _candidate(group, machine)
            if found is not None and found.gain > (best.gain if best is not None else 0):
                best = found
    return best


def form(function: FuncOp, machine: Target) -> None:
    """Form the bands of one function."""
    block = function.body.block
    ops = [op for op in block.ops if not isinstance(op, BUFFERS)]
    while ops:
        count = next((k for k, op in enumerate(ops) if not isinstance(op, kernel.NestOp)), len(ops))
        nests = [op for op in ops[:count] if isinstance(op, kernel.NestOp)]
        found = _grown(nests, machine) if nests else None
        if found is not None:
            after = found.nests[-1].next_op
            assert after is not None
            for nest in found.nests:
                nest.detach()
            block.insert_op_before(found.band(), after)
        del ops[: len(found.nests) if found is not None else 1]


@dataclass(frozen=True)
class FormBandsPass(ModulePass):
    """See the module's docstring; ``target`` names the machine."""

    name: ClassVar[str] = "form-bands"
    target: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                form(function, target(self.target))

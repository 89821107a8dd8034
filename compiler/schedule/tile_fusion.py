"""What may be a tile fusion, and what memory tiles of it need.

Tiles are independent if none touches what another one writes.  Of a buffer that a nest of the tile
fusion writes, all that the tile fusion accesses lies equally far apart along the dimensions of the
tile fusion, and from one point to the next there is room for all that nests touch at one::

    scores[h*65536 + i*256 + j]    256 apart along i, of which a point has 256: tiles are apart

What nothing else needs of such a buffer is then needed by one tile at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from typing import TypeVar

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.buffer import root, shown, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.indirect import Indirect
from opc.dialects.layout import linearize
from opc.dialects.shape import DimsAttr, Shape, shape_of
from opc.dialects.tile_fusion import TileFusionOp
from opc.errors import InputError
from opc.support.locations import location_of

T = TypeVar("T")


@dataclass(frozen=True)
class Access:
    """A load or a store of a nest, and the offset that it has in the buffer that is seen."""

    buffer: SSAValue
    offset: ex.Expr
    extents: Shape
    """Of the dimensions that the offset is over."""
    is_store: bool


def by_extents(function: Callable[[kernel.NestOp], T]) -> Callable[[kernel.NestOp], T]:
    """Remember what a function says of nests, until the extents change as an axis is split."""

    @lru_cache(maxsize=64)
    def known(nest: kernel.NestOp, extents: DimsAttr) -> T:
        return function(nest)

    return lambda nest: known(nest, nest.extents)


@by_extents
def accesses(nest: kernel.NestOp) -> tuple[Access, ...]:
    """What a nest reads and writes, without what it keeps between its sweeps."""
    return tuple(dict.fromkeys(_found(nest)))


def _found(nest: kernel.NestOp) -> Iterator[Access]:
    offsets = offsets_of(nest)
    for op in nest.body.walk():
        if isinstance(op, kernel.StoreOp):
            target = nest.targets[op.number]
            yield Access(target, offsets[op] + start_of(target), kernel.scope(op), True)
        elif isinstance(op, kernel.LoadOp) and op.default is not None:
            yield _guarded(op)
        elif isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
            offset = offsets[op] + start_of(op.source)
            yield Access(op.source, offset, kernel.scope(op), False)


def _guarded(load: kernel.LoadOp) -> Access:
    """What a load reads that may be outside: anything along the axes on which it may be."""
    shape, extents = shape_of(load.source.type), kernel.scope(load)
    within = [
        e if _is_inside(e, extents, n) else ex.dim(len(extents) + k)
        for k, (e, n) in enumerate(zip(load.index.data, shape, strict=True))
    ]
    offset = linearize(within, shape) + start_of(load.source)
    return Access(load.source, offset, (*extents, *shape), False)


def _is_inside(index: ex.Expr, extents: Shape, size: ex.Expr) -> bool:
    """Whether an index is a dimension, or none, that an axis has room for."""
    ones = (d for d in index.dims() if extents[d] == 1)
    index = index.substitute({d: ex.const(0) for d in ones})
    d = index.dim()
    return index == 0 or (d is not None and extents[d] == size)


Dims = Sequence["tuple[kernel.NestOp, Sequence[int | None]]"]
"""Nests in order, and for each of them which of its dimensions are those of a tile fusion."""


@dataclass(frozen=True)
class Spread:
    """How the points of a tile fusion lie in a buffer."""

    steps: tuple[ex.Expr | None, ...]
    """How far apart what is touched lies along each dimension; None where that is not one number
    for all, or where points share it."""
    width: ex.Expr
    """Elements from the first that a point touches to the last."""


def spreads(dims: Dims) -> dict[SSAValue, Spread]:
    """How the points of a tile fusion lie in each buffer that it writes."""
    found: dict[SSAValue, list[tuple[Access, Sequence[int | None]]]] = {}
    for nest, own in dims:
        for access in accesses(nest):
            found.setdefault(root(access.buffer), []).append((access, own))
    return {
        buffer: _spread(seen, len(dims[0][1]))
        for buffer, seen in found.items()
        if any(access.is_store for access, _ in seen)
    }


def _spread(seen: Sequence[tuple[Access, Sequence[int | None]]], rank: int) -> Spread:
    steps: dict[int, ex.Expr] = {}
    for k in range(rank):
        each = {None if (d := own[k]) is None else a.offset.coefficient(d) for a, own in seen}
        step = each.pop() if len(each) == 1 else None
        if step is not None and step != 0 and not step.dims():
            steps[k] = step
    first, dims = seen[0]
    while True:
        # From the least step on, each has room for all points along those before.
        width = room = _width(seen, steps)
        crowded: int | None = None
        for k in sorted(steps, key=cmp_to_key(lambda a, b: _order(steps[a], steps[b]))):
            if crowded is None and (room is None or not _is_most(steps[k], room)):
                crowded = k
            room = steps[k] * first.extents[dims[k] or 0]
        if crowded is None:
            return Spread(tuple(map(steps.get, range(rank))), width or ex.const(0))
        del steps[crowded]


def _width(
    seen: Sequence[tuple[Access, Sequence[int | None]]], steps: Collection[int]
) -> ex.Expr | None:
    """Elements from the first that a point touches to the last; None if that is unknown."""
    width = ex.const(1)
    for access, own in seen:
        at = {d: ex.const(0) for k in steps if (d := own[k]) is not None}
        rest = access.offset.substitute(at)
        last = ex.upper_bound(rest, dict(enumerate(access.extents)))
        if last is None or not ex.is_nonnegative(rest):
            return None
        width = width if _is_most(width, last + 1) else last + 1
    return width


def _order(a: ex.Expr, b: ex.Expr) -> int:
    return 0 if a == b else 1 if _is_most(a, b) else -1


def _is_most(a: ex.Expr, b: ex.Expr) -> bool:
    """Whether a number is at least another one, for all that is known of them."""
    return all(c >= 0 for _, c in (a - b).terms)


def moves(nest: kernel.NestOp, dims: Sequence[int | None]) -> bool:
    """Whether all that a nest touches moves by equal steps along some of its dimensions."""
    return next(_unmoved(nest, dims), None) is None


def _unmoved(nest: kernel.NestOp, dims: Sequence[int | None]) -> Iterator[Operation]:
    """What has an index that does not: accesses, and indices that are values."""
    for op in nest.body.walk():
        if isinstance(op, Indirect):
            yield op
        elif isinstance(op, kernel.LoadOp) and op.default is not None:
            extents, shape = kernel.scope(op), shape_of(op.source.type)
            if any(
                not e.dims().isdisjoint(dims) and not _is_inside(e, extents, size)
                for e, size in zip(op.index.data, shape, strict=True)
            ):
                yield op
    for op, e in offsets_of(nest).items():
        steps = (e.coefficient(d) for d in dims if d is not None)
        if any(step is None or step.dims() for step in steps):
            yield op


def is_known(nest: kernel.NestOp, dims: Sequence[int | None]) -> bool:
    """Whether a tile's size is known: all extents but those along the tile fusion, and steps.

    Arrays of a tile have a place in a loop, whose size must be a number.
    """
    sweeps = [op for op in nest.body.walk() if isinstance(op, kernel.SweepOp)]
    inner = [e for d, e in enumerate(nest.extents.data) if d not in dims]
    offsets = [access.offset for access in accesses(nest)]
    steps = [e.coefficient(d) for e in offsets for d in dims if d is not None]
    extents = (*inner, *(e for op in sweeps for e in op.extents.data))
    return all(e is not None and e.constant is not None for e in (*extents, *steps))


def check(fusion: TileFusionOp) -> None:
    """Raise InputError unless the tiles of a tile fusion are independent."""
    dims = [(nest, fusion.dims(nest)) for nest in fusion.nests]
    for nest, own in dims:
        # schedule_band_c1: what a nest touches moves with the tile.
        if (op := next(_unmoved(nest, own), None)) is not None:
            raise _fail(
                nest,
                f"{kernel.shown(nest)} has {_index_of(op, nest)} in it, which does "
                f"not move with a tile along {_along(own)}",
            )
        # schedule_band_c3: what a tile has is known.
        if not is_known(nest, own):
            raise _fail(nest, f"of {kernel.shown(nest)} a tile has extents that only a call knows")
    for buffer, found in spreads(dims).items():
        for k, (extent, by) in enumerate(zip(fusion.extents, fusion.tile, strict=True)):
            # schedule_band_c2: what a tile writes, no other one touches.
            if found.steps[k] is None and extent != by:
                raise _shared(buffer, dims, k)


def _shared(buffer: SSAValue, dims: Dims, k: int) -> InputError:
    """The error where tiles along a dimension of a tile fusion share a buffer: which nests do."""
    writers, readers = (
        [
            (nest, own)
            for nest, own in dims
            if any(root(a.buffer) is buffer and a.is_store is stores for a in accesses(nest))
        ]
        for stores in (True, False)
    )
    said = [
        f"{kernel.shown(nest)} {what} it along {_along(own[k : k + 1])}"
        for what, nests in (("writes", writers), ("reads", readers))
        for nest, own in nests
    ]
    return _fail(
        writers[0][0],
        f"tiles touch what others of them write: of {shown(buffer)} none has a part of its own; "
        f"{', '.join(said)}",
    )


def _index_of(op: Operation, nest: kernel.NestOp) -> str:
    """What has an index, and of which buffer."""
    if isinstance(op, kernel.LoadOp | kernel.GatherOp):
        return f"{op.name} of {shown(op.source)}"
    if isinstance(op, kernel.StoreOp | kernel.ScatterOp):
        return f"{op.name} to {shown(nest.targets[op.number])}"
    return op.name


def _along(dims: Sequence[int | None]) -> str:
    return f"[{', '.join(f'd{d}' for d in dims if d is not None)}]"


def _fail(nest: kernel.NestOp, what: str) -> InputError:
    return InputError(f"schedule.tile_fusion: {what}", location_of(nest))


def users(buffer: SSAValue) -> Iterator[Operation]:
    """The nests, or other operations, that use a buffer, also through views."""
    for use in buffer.uses:
        op = use.operation
        if isinstance(op, loop.ViewOp):
            yield from users(op.result)
        else:
            yield _nest_of(op) or op


def is_part(buffer: SSAValue, nests: Collection[Operation]) -> bool:
    """Whether a buffer is a part of the workspace that only some nests need."""
    return isinstance(buffer.owner, loop.SliceOp) and all(op in nests for op in users(buffer))


def private(fusion: TileFusionOp) -> dict[SSAValue, Spread]:
    """The parts of the workspace that only the nests of a tile fusion use; a tile has a part."""
    nests = set(fusion.nests)
    found = spreads([(nest, fusion.dims(nest)) for nest in fusion.nests])
    return {buffer: spread for buffer, spread in found.items() if is_part(buffer, nests)}


def part(spread: Spread, size: Mapping[int, ex.Expr]) -> ex.Expr:
    """The elements that a tile has of a buffer, of ``size`` points along each dimension."""
    steps = enumerate(spread.steps)
    return spread.width + sum(
        (step * (size[k] - 1) for k, step in steps if step is not None), ex.const(0)
    )


def _nest_of(op: Operation) -> Operation | None:
    found: Operation | None = op
    while found is not None and not isinstance(found, kernel.NestOp):
        found = found.parent_op()
    return found

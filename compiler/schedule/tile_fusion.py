"""Check that tiles of a tile fusion are independent, and find the memory that a tile needs.

Tiles are independent if none accesses what another one writes.  That holds if, in each buffer that
the tile fusion writes, all accesses have the same step along each of its dimensions, and the step
has room for all elements that a point accesses::

    scores[h*65536 + i*256 + j]    step 256 along i, 256 elements at a point: independent

A buffer that only the tile fusion uses then needs room for one tile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from typing import TypeAlias, TypeVar

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import root, shown, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.indirect import Indirect
from opc.dialects.layout import linearize
from opc.dialects.shape import DimsAttr, Shape, shape_of
from opc.dialects.tile_fusion import TileFusionOp
from opc.dialects.walking import walk
from opc.errors import InputError
from opc.support.locations import location_of

T = TypeVar("T")


@dataclass(frozen=True)
class Access:
    """A load or a store of a nest, with its offset in the root buffer."""

    buffer: SSAValue
    offset: ex.Expr
    extents: Shape
    """Of the dimensions of the offset."""
    is_store: bool


def by_extents(function: Callable[[kernel.NestOp], T]) -> Callable[[kernel.NestOp], T]:
    """Cache a function of nests; a split axis changes the extents, and so ends an entry."""

    @lru_cache(maxsize=64)
    def known(nest: kernel.NestOp, extents: DimsAttr) -> T:
        return function(nest)

    return lambda nest: known(nest, nest.extents)


@by_extents
def accesses(nest: kernel.NestOp) -> tuple[Access, ...]:
    """The loads and stores of a nest, except of values materialized between its sweeps."""
    return tuple(dict.fromkeys(_accesses(nest)))


_offsets = by_extents(offsets_of)


def _accesses(nest: kernel.NestOp) -> Iterator[Access]:
    offsets = _offsets(nest)
    for op in walk(nest.body):
        if isinstance(op, kernel.StoreOp):
            target = nest.targets[op.number]
            yield Access(target, offsets[op] + start_of(target), kernel.scope(op), True)
        elif isinstance(op, kernel.LoadOp) and op.default is not None:
            yield _guarded(op)
        elif isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
            offset = offsets[op] + start_of(op.source)
            yield Access(op.source, offset, kernel.scope(op), False)


def _guarded(load: kernel.LoadOp) -> Access:
    """A guarded load: it may read any element along the axes on which it may be outside."""
    shape, extents = shape_of(load.source.type), kernel.scope(load)
    within = [
        e if _is_inside(e, extents, n) else ex.dim(len(extents) + k)
        for k, (e, n) in enumerate(zip(load.index.data, shape, strict=True))
    ]
    offset = linearize(within, shape) + start_of(load.source)
    return Access(load.source, offset, (*extents, *shape), False)


def _is_inside(index: ex.Expr, extents: Shape, size: ex.Expr) -> bool:
    """Whether an index is 0, or a dimension of the same extent as the axis."""
    ones = (d for d in index.dims() if extents[d] == 1)
    index = index.substitute({d: ex.const(0) for d in ones})
    d = index.dim()
    return index == 0 or (d is not None and extents[d] == size)


Dims = Sequence["tuple[kernel.NestOp, Sequence[int | None]]"]
"""Nests in order, each with its dimensions that are those of a tile fusion."""


@dataclass(frozen=True)
class Spread:
    """How the points of a tile fusion lie in a buffer."""

    steps: tuple[ex.Expr | None, ...]
    """The step along each dimension; None if accesses differ, or if points share elements."""
    width: ex.Expr
    """Elements from the first to the last that a point accesses."""


def spreads(dims: Dims) -> dict[SSAValue, Spread]:
    """How the points of a tile fusion lie in each buffer that it writes."""
    by_buffer: dict[SSAValue, list[tuple[Access, Sequence[int | None]]]] = {}
    for nest, own in dims:
        for access in accesses(nest):
            by_buffer.setdefault(root(access.buffer), []).append((access, own))
    return {
        buffer: _spread(
            tuple((a.offset, a.extents, tuple(own)) for a, own in seen), len(dims[0][1])
        )
        for buffer, seen in by_buffer.items()
        if any(access.is_store for access, _ in seen)
    }


Seen: TypeAlias = "tuple[tuple[ex.Expr, Shape, tuple[int | None, ...]], ...]"
"""The offsets of accesses, their extents, and the dimensions that are those of a tile fusion."""


# The layers of a network have the same ones.
@lru_cache(maxsize=1 << 12)
def _spread(seen: Seen, rank: int) -> Spread:
    steps: dict[int, ex.Expr] = {}
    for k in range(rank):
        candidates = {None if (d := own[k]) is None else at.coefficient(d) for at, _, own in seen}
        step = candidates.pop() if len(candidates) == 1 else None
        if step is not None and step != 0 and not step.dims():
            steps[k] = step
    _, extents, dims = seen[0]
    while True:
        # From the least step on, each has room for all points along the steps before.
        width = room = _width(seen, steps)
        crowded: int | None = None
        for k in sorted(steps, key=cmp_to_key(lambda a, b: _order(steps[a], steps[b]))):
            if crowded is None and (room is None or not _is_most(steps[k], room)):
                crowded = k
            room = steps[k] * extents[dims[k] or 0]
        if crowded is None:
            return Spread(tuple(map(steps.get, range(rank))), width or ex.const(0))
        del steps[crowded]


def _width(seen: Seen, steps: Collection[int]) -> ex.Expr | None:
    """Elements from the first to the last that a point accesses; None if unknown."""
    width = ex.const(1)
    for offset, extents, own in seen:
        at = {d: ex.const(0) for k in steps if (d := own[k]) is not None}
        inner = offset.substitute(at)
        last = ex.upper_bound(inner, dict(enumerate(extents)))
        if last is None or not ex.is_nonnegative(inner):
            return None
        width = width if _is_most(width, last + 1) else last + 1
    return width


def _order(a: ex.Expr, b: ex.Expr) -> int:
    return 0 if a == b else 1 if _is_most(a, b) else -1


def _is_most(a: ex.Expr, b: ex.Expr) -> bool:
    """Whether a is certain to be at least b."""
    return all(c >= 0 for _, c in (a - b).terms)


def moves(nest: kernel.NestOp, dims: Sequence[int | None]) -> bool:
    """Whether all accesses of a nest have constant steps along some of its dimensions."""
    return next(_unmoved(nest, dims), None) is None


def _unmoved(nest: kernel.NestOp, dims: Sequence[int | None]) -> Iterator[Operation]:
    """The operations whose index has no constant step, or is a value."""
    for op in walk(nest.body):
        if isinstance(op, Indirect):
            yield op
        elif isinstance(op, kernel.LoadOp) and op.default is not None:
            extents, shape = kernel.scope(op), shape_of(op.source.type)
            if any(
                not e.dims().isdisjoint(dims) and not _is_inside(e, extents, size)
                for e, size in zip(op.index.data, shape, strict=True)
            ):
                yield op
    for op, e in _offsets(nest).items():
        steps = (e.coefficient(d) for d in dims if d is not None)
        if any(step is None or step.dims() for step in steps):
            yield op


def counts(nest: kernel.NestOp, dims: Sequence[int | None]) -> bool:
    """Whether indices that are values move by numbers along some dimensions of a nest."""
    values = (e for op, e in _offsets(nest).items() if isinstance(op, body.IndexOp))
    steps = (e.coefficient(d) for e in values for d in dims if d is not None)
    return all(step is not None and step.constant is not None for step in steps)


def check(fusion: TileFusionOp) -> None:
    """Raise InputError unless the tiles of a tile fusion are independent."""
    dims = [(nest, fusion.dims(nest)) for nest in fusion.nests]
    for nest, own in dims:
        # schedule_band_c1: all accesses of a nest move with the tile.
        if (op := next(_unmoved(nest, own), None)) is not None:
            raise _fail(
                nest,
                f"{kernel.shown(nest)} has {_index_of(op, nest)} in it, which does "
                f"not move with a tile along {_along(own)}",
            )
        # schedule_band_c3: indices that are values move by numbers.
        if not counts(nest, own):
            raise _fail(
                nest,
                f"an index that is a value in {kernel.shown(nest)} does not move by a number "
                f"along {_along(own)}",
            )
    for buffer, spread in spreads(dims).items():
        for k, (extent, by) in enumerate(zip(fusion.extents, fusion.tile, strict=True)):
            # schedule_band_c2: no tile accesses what another one writes.
            if spread.steps[k] is None and extent != by:
                raise _shared(buffer, dims, k)


def _shared(buffer: SSAValue, dims: Dims, k: int) -> InputError:
    """The error for tiles that share a buffer along a dimension: it names the nests."""
    writers, readers = (
        [
            (nest, own)
            for nest, own in dims
            if any(root(a.buffer) is buffer and a.is_store is stores for a in accesses(nest))
        ]
        for stores in (True, False)
    )
    uses = [
        f"{kernel.shown(nest)} {verb} it along {_along(own[k : k + 1])}"
        for verb, nests in (("writes", writers), ("reads", readers))
        for nest, own in nests
    ]
    return _fail(
        writers[0][0],
        f"tiles touch what others of them write: of {shown(buffer)} none has a part of its own; "
        f"{', '.join(uses)}",
    )


def _index_of(op: Operation, nest: kernel.NestOp) -> str:
    """An operation with an index, and its buffer."""
    if isinstance(op, kernel.LoadOp | kernel.GatherOp):
        return f"{op.name} of {shown(op.source)}"
    if isinstance(op, kernel.StoreOp | kernel.ScatterOp):
        return f"{op.name} to {shown(nest.targets[op.number])}"
    return op.name


def _along(dims: Sequence[int | None]) -> str:
    return f"[{', '.join(f'd{d}' for d in dims if d is not None)}]"


def _fail(nest: kernel.NestOp, message: str) -> InputError:
    return InputError(f"schedule.tile_fusion: {message}", location_of(nest))


def users(buffer: SSAValue) -> Iterator[Operation]:
    """The nests, or other operations, that use a buffer or a view of it."""
    for use in buffer.uses:
        op = use.operation
        if isinstance(op, loop.ViewOp):
            yield from users(op.result)
        else:
            nest: Operation | None = op
            while nest is not None and not isinstance(nest, kernel.NestOp):
                nest = nest.parent_op()
            yield nest or op


def is_part(buffer: SSAValue, nests: Collection[Operation]) -> bool:
    """Whether a buffer is a part of the workspace that only some nests need."""
    return isinstance(buffer.owner, loop.SliceOp) and all(op in nests for op in users(buffer))


def private(fusion: TileFusionOp) -> dict[SSAValue, Spread]:
    """The parts of the workspace that only the nests of a tile fusion use."""
    nests = set(fusion.nests)
    written = spreads([(nest, fusion.dims(nest)) for nest in fusion.nests])
    return {buffer: spread for buffer, spread in written.items() if is_part(buffer, nests)}


def part(spread: Spread, size: Mapping[int, ex.Expr]) -> ex.Expr:
    """The elements of a buffer for a tile of ``size`` points along each dimension."""
    steps = enumerate(spread.steps)
    return spread.width + sum(
        (step * (size[k] - 1) for k, step in steps if step is not None), ex.const(0)
    )

"""What may be a band, and what memory its points need.

Points of a band are independent if none touches what another one writes.  Of a buffer that a nest
of the band writes, all that the band accesses lies equally far apart along the dimensions of the
band, and from one point to the next there is room for all that nests touch at one::

    scores[h*65536 + i*256 + j]    65536 apart along h, of which a point has so many: they are apart

What nothing else needs of such a buffer is then needed by one point at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, lru_cache
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.band import BandOp
from opc.dialects.buffer import root, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.indirect import is_indirect
from opc.dialects.shape import Shape
from opc.errors import InputError


@dataclass(frozen=True)
class Access:
    """A load or a store of a nest, and the offset that it has in the buffer that is seen."""

    buffer: SSAValue
    offset: ex.Expr
    extents: Shape
    """Of the dimensions that the offset is over."""
    is_store: bool


@lru_cache(maxsize=64)
def accesses(nest: kernel.NestOp) -> tuple[Access, ...]:
    """What a nest reads and writes, without what it keeps between its sweeps."""
    found, offsets = dict[Access, None](), offsets_of(nest)
    for op in nest.body.walk():
        is_store = isinstance(op, kernel.StoreOp)
        if is_store or (
            isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp)
        ):
            buffer = nest.targets[op.number] if isinstance(op, kernel.StoreOp) else op.source
            offset = offsets[op] + start_of(buffer)
            found[Access(buffer, offset, kernel.scope(op), is_store)] = None
    return tuple(found)


Dims: TypeAlias = "Sequence[tuple[kernel.NestOp, Sequence[int]]]"
"""Nests in order, and for each of them which of its dimensions are those of a band."""


@dataclass(frozen=True)
class Spread:
    """How the points of a band lie in a buffer."""

    steps: tuple[ex.Expr | None, ...]
    """How far apart what is touched lies along each dimension; None where that is not one number
    for all, or where points share it."""
    width: ex.Expr
    """Elements from the first that a point touches to the last."""


def spreads(dims: Dims) -> dict[SSAValue, Spread]:
    """How the points of a band lie in each buffer that it writes."""
    found: dict[SSAValue, list[tuple[Access, Sequence[int]]]] = {}
    for nest, own in dims:
        for access in accesses(nest):
            found.setdefault(root(access.buffer), []).append((access, own))
    return {
        buffer: _spread(seen, len(dims[0][1]))
        for buffer, seen in found.items()
        if any(access.is_store for access, _ in seen)
    }


def _spread(seen: Sequence[tuple[Access, Sequence[int]]], rank: int) -> Spread:
    steps: dict[int, ex.Expr] = {}
    for k in range(rank):
        each = {access.offset.coefficient(own[k]) for access, own in seen}
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
            room = steps[k] * first.extents[dims[k]]
        if crowded is None:
            return Spread(tuple(map(steps.get, range(rank))), width or ex.const(0))
        del steps[crowded]


def _width(seen: Sequence[tuple[Access, Sequence[int]]], steps: Collection[int]) -> ex.Expr | None:
    """Elements from the first that a point touches to the last; None if that is unknown."""
    width = ex.const(1)
    for access, own in seen:
        rest = access.offset.substitute({own[k]: ex.const(0) for k in steps})
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


def moves(nest: kernel.NestOp, dims: Sequence[int]) -> bool:
    """Whether all that a nest touches moves by equal steps along some of its dimensions.

    What sees padding does not, nor what takes them, or indices, as values.
    """
    for op in nest.body.walk():
        is_padded = isinstance(op, kernel.LoadOp) and op.default is not None
        is_number = isinstance(op, body.IndexOp) and not op.expr.dims().isdisjoint(dims)
        if is_padded or is_number:
            return False
    if is_indirect(nest):
        return False
    steps = [e.coefficient(d) for e in offsets_of(nest).values() for d in dims]
    return all(step is not None and not step.dims() for step in steps)


def is_known(nest: kernel.NestOp, dims: Sequence[int]) -> bool:
    """Whether all is known of what a point has: all extents but those of the band, and steps.

    Arrays of a point have a place in a loop, whose size must be a number.
    """
    inner = [e for d, e in enumerate(nest.extents.data) if d not in dims]
    inner += [e for sweep in nest.sweeps for e in sweep.extents.data]
    steps = [access.offset.coefficient(d) for access in accesses(nest) for d in dims]
    return all(e is not None and e.constant is not None for e in (*inner, *steps))


def check(band: BandOp) -> None:
    """Raise InputError unless the points of a band are independent."""
    dims = [(nest, band.dims(nest)) for nest in band.nests]
    for nest, own in dims:
        # schedule_band_c1: what a nest touches moves with the point.
        if not moves(nest, own):
            raise InputError("schedule.band: a nest has indices that do not move with a point")
        # schedule_band_c3: what a point has is known.
        if not is_known(nest, own):
            raise InputError("schedule.band: a point has extents that only a call knows")
    # schedule_band_c2: what a point writes, no other one touches.
    if any(None in found.steps for found in spreads(dims).values()):
        raise InputError("schedule.band: points touch what others of them write")


def private(dims: Dims) -> dict[SSAValue, Spread]:
    """The parts of the workspace that only a band needs, of each of which a point has a part."""
    nests = {nest for nest, _ in dims}
    return {
        buffer: spread
        for buffer, spread in spreads(dims).items()
        if isinstance(buffer.owner, loop.SliceOp) and all(op in nests for op in _users(buffer))
    }


def _users(buffer: SSAValue) -> Iterator[Operation]:
    """The nests, or other operations, that use a buffer, also through views."""
    for use in buffer.uses:
        op = use.operation
        if isinstance(op, loop.ViewOp):
            yield from _users(op.result)
        else:
            yield next(iter(kernel.loops_around(op)), op)

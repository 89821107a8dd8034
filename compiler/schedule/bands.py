"""What may be a band, and what memory tiles of it need.

Tiles are independent if none reads or writes what another one writes: of each buffer that a nest
of the band writes, all accesses in it have the dimensions of the band as indices, at the same
places.  What other nests or calls do not see of such a buffer is then needed by one tile at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import kernel, loop
from opc.dialects import expr as ex
from opc.dialects.band import BandOp
from opc.dialects.collapse import offsets_of
from opc.dialects.indirect import is_indirect
from opc.dialects.shape import Shape, shape_of
from opc.errors import InputError


@dataclass(frozen=True)
class Access:
    """A load or a store of a nest, and the index that it has in a buffer."""

    buffer: SSAValue
    index: Shape
    is_store: bool


def accesses(nest: kernel.NestOp) -> Iterator[Access]:
    """What a nest reads and writes, without what it keeps between its sweeps."""
    for op in nest.body.walk():
        if isinstance(op, kernel.StoreOp):
            yield Access(nest.targets[op.number], op.index.data, True)
        elif isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
            yield Access(op.source, op.index.data, False)


def root(buffer: SSAValue) -> SSAValue:
    """The buffer that a view is of."""
    while isinstance(buffer.owner, loop.ViewOp):
        buffer = buffer.owner.source
    return buffer


Dims = Sequence["tuple[kernel.NestOp, Sequence[int | None]]"]
"""Nests in order, and for each of them which of its dimensions are those of a band."""


def places(dims: Dims, buffer: SSAValue) -> list[int | None]:
    """For each dimension of a band, where in the index of a buffer all its nests have it.

    None where they do not, or where the buffer is seen as another one with other extents.
    """
    found: list[set[int]] | None = None
    for nest, own in dims:
        for access in accesses(nest):
            if root(access.buffer) is not root(buffer):
                continue
            is_same = access.buffer is buffer
            index = [e.dim() for e in access.index] if is_same else []
            at = [{p for p, d in enumerate(index) if d == k and k is not None} for k in own]
            found = at if found is None else [a & b for a, b in zip(found, at, strict=True)]
    return [min(f, default=None) for f in found or [set[int]() for _ in dims[0][1]]]


def shared(dims: Dims) -> dict[SSAValue, list[int | None]]:
    """The buffers that nests write, and that they write again or read; and their places.

    None of a tile may touch such an element of another one.
    """
    seen: dict[SSAValue, list[Access]] = {}
    for nest, _ in dims:
        for access in accesses(nest):
            seen.setdefault(root(access.buffer), []).append(access)
    return {
        buffer: places(dims, found[0].buffer)
        for buffer, found in seen.items()
        if len(found) > 1 and any(a.is_store for a in found)
    }


def moves(nest: kernel.NestOp, dims: Sequence[int | None]) -> bool:
    """Whether all that a nest touches moves by equal steps along some of its dimensions."""
    guarded = (isinstance(op, kernel.LoadOp) and op.default is not None for op in nest.body.walk())
    if is_indirect(nest) or any(guarded):
        return False
    return all(
        (step := e.coefficient(d)) is not None and not step.dims()
        for e in offsets_of(nest).values()
        for d in dims
        if d is not None
    )


def check(band: BandOp) -> None:
    """Raise InputError unless the tiles of a band are independent."""
    dims = [(nest, band.dims(nest)) for nest in band.nests]
    for nest, own in dims:
        # schedule_band_c1: what a nest touches moves with the tile.
        if not moves(nest, own):
            raise InputError("schedule.band: a nest has indices that do not move with a tile")
    for found in shared(dims).values():
        for k, (place, extent, by) in enumerate(
            zip(found, band.extents, band.tile, strict=True)
        ):
            # schedule_band_c2: what a tile writes, no other one touches.
            if place is None and extent != by:
                raise InputError(
                    f"schedule.band: tiles along dimension {k} need results of each other"
                )


def is_part(buffer: SSAValue, nests: Collection[Operation]) -> bool:
    """Whether a buffer is a part of the workspace that only some nests need."""
    return isinstance(buffer.owner, loop.SliceOp) and all(
        _nest_of(use.operation) in nests for use in buffer.uses
    )


def private(band: BandOp) -> dict[SSAValue, list[int | None]]:
    """The parts of the workspace that only the nests of a band need, and their places.

    A tile needs as much of one as lies in it.
    """
    dims, nests = [(nest, band.dims(nest)) for nest in band.nests], set(band.nests)
    written = dict.fromkeys(v for nest in band.nests for v in nest.targets)
    return {buffer: places(dims, buffer) for buffer in written if is_part(buffer, nests)}


def part(buffer: SSAValue, at: Sequence[int | None], size: Mapping[int, ex.Expr]) -> Shape:
    """The extents of what a tile has of a buffer, of ``size`` points along the band."""
    shape = list(shape_of(buffer.type))
    for k, place in enumerate(at):
        if place is not None:
            shape[place] = size[k]
    return tuple(shape)


def _nest_of(op: Operation) -> Operation | None:
    found: Operation | None = op
    while found is not None and not isinstance(found, kernel.NestOp):
        found = found.parent_op()
    return found

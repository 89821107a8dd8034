"""Where a nest keeps what one sweep computes for a later one.

A short row is kept in a local array.  A longer one, or a whole column, which no local array could
hold, is kept in an output of the nest that a later sweep overwrites element by element, or that
holds these values anyway::

    sweep: e = exp(x[i, j] - m)            ->  out[i, j] = e
    sweep: out[i, j] = e[j] / s            ->  out[i, j] = out[i, j] / s
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.dialects.shape import Shape, shape_of, tensor_of

from .fusion_sweeps import KEPT_BYTES, Group, Member, Sweeps, pointwise

WORTH = 12
"""Cost from which computing a value again is dearer than writing and reading it."""


def keep_in_outputs(groups: Iterable[Group], sweeps: Sweeps, outside: set[SSAValue]) -> None:
    """Mark members that would be computed again, but can be kept in an output of their nest."""
    for group in groups:
        taken: set[Member] = set()
        for producer in group.members:
            if producer.sweep is None and producer.inner and not producer.kept:
                target = _target(group, producer, sweeps, outside)
                if target is not None and target not in taken:
                    producer.kept = True
                    taken.add(target)


def _target(
    group: Group, producer: Member, sweeps: Sweeps, outside: set[SSAValue]
) -> Member | None:
    """The member whose output can hold the producer's values until they have been used."""
    late = [m for m in group.members if m.slot > producer.slot and sweeps.reads(m, producer)]
    if not late or sweeps.cost_again(group, producer) < WORTH:
        return None
    for member in late:
        for source, index in member.accesses:
            if sweeps.inlining.resolve(source) is producer.value and not (
                source is producer.value and pointwise(member, producer, index)
            ):
                return None
    if producer.value in outside:
        return producer
    last = max(m.slot for m in late)
    type = tensor_of(producer.value).element_type
    return next(
        (
            m
            for m in late
            if m.slot == last
            and m.value in outside
            and m.sweep is None
            and tensor_of(m.value).element_type == type
        ),
        None,
    )


def fits(sweep: kernel.SweepOp) -> bool:
    """Whether what a sweep keeps fits into local arrays."""
    return _kept_bytes(sweep, KEPT_BYTES + 1) <= KEPT_BYTES


def _kept_bytes(sweep: kernel.SweepOp, unknown: int) -> int:
    points = ex.product(sweep.extents.data).constant
    return sum(
        unknown if points is None else points * scalar_type(value).bytes
        for value, kind in zip(sweep.yielded, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    )


def find_outputs(nest: kernel.NestOp, always: bool) -> dict[SSAValue, tuple[SSAValue, ex.Expr]]:
    """For each value kept in an output: its buffer and the offset of an element.

    Offsets are over the dimensions of the sweep that keeps the value.  Values that a local array
    can hold are left out unless ``always``.
    """
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    found: dict[SSAValue, tuple[SSAValue, ex.Expr]] = {}
    taken: set[int] = set()
    for k, sweep in enumerate(sweeps):
        if not always and fits(sweep):
            continue
        for value, kind, result in zip(sweep.yielded, sweep.kinds, sweep.outputs, strict=True):
            if kind.data != kernel.KEEP or not _are_inside(_loads(result), nest):
                continue
            place = _own_store(sweep, value) or _last_store(sweeps[k + 1 :], result, taken)
            if place is not None and place[0] not in taken:
                taken.add(place[0])
                target = nest.targets[place[0]]
                found[result] = target, linearize(place[1], shape_of(target.type))
    return found


Element = tuple[int, Shape]
"""The number of an output, and an index into it."""


def _loads(result: SSAValue) -> list[kernel.LoadOp]:
    return [op for use in result.uses if isinstance(op := use.operation, kernel.LoadOp)]


def _are_inside(loads: list[kernel.LoadOp], nest: kernel.NestOp) -> bool:
    """Whether it depends on the dimensions of sweeps alone which elements are loaded.

    Those of the nest are collapsed before it is known where values are kept.
    """
    rank = len(nest.extents.data)
    return all(d >= rank for load in loads for e in load.index.data for d in e.dims())


def _own_store(sweep: kernel.SweepOp, value: SSAValue) -> Element | None:
    """Where the sweep writes the value to memory itself: nothing is written over it."""
    stores = (op for op in sweep.body.block.ops if isinstance(op, kernel.StoreOp))
    return next(((op.number, op.index.data) for op in stores if op.value is value), None)


def _last_store(later: list[kernel.SweepOp], result: SSAValue, taken: set[int]) -> Element | None:
    """What the last sweep that reads the value writes over it: an output that is still free.

    The index is over the dimensions of the sweep that keeps the value.  That sweep must read each
    element just where it writes over it.
    """
    loads = _loads(result)
    readers = [s for s in later if any(load.parent is s.body.block for load in loads)]
    if not readers or any(load.parent is readers[0].parent for load in loads):
        # What reads it outside of them may come last of all.
        return None
    last = readers[-1]
    indices = {load.index for load in loads if load.parent is last.body.block}
    places = _inverse(last, indices.pop().data, result) if len(indices) == 1 else None
    if places is None:
        return None
    type = tensor_of(result).element_type
    return next(
        (
            (op.number, tuple(e.substitute(places, {}) for e in op.index.data))
            for op in last.body.block.ops
            if isinstance(op, kernel.StoreOp) and op.value.type == type and op.number not in taken
        ),
        None,
    )


def _inverse(
    sweep: kernel.SweepOp, index: Shape, result: SSAValue
) -> dict[ex.Atom, ex.Expr] | None:
    """The dimensions of a sweep in terms of those of the one that keeps what it loads.

    None unless it loads each element at one of its points.
    """
    extents, first = sweep.extents.data, len(kernel.scope(sweep))
    places = {
        ex.Atom("dim", (first + k,)): ex.const(0) for k, extent in enumerate(extents) if extent == 1
    }
    for k, (e, extent) in enumerate(zip(index, shape_of(result.type), strict=True)):
        d = e.dim()
        if extent == 1:
            continue
        if d is None or d < first or extents[d - first] != extent:
            return None
        places[ex.Atom("dim", (d,))] = ex.dim(first + k)
    taken = {e for e in places.values() if e != 0}
    several = sum(extent != 1 for extent in shape_of(result.type))
    return places if len(places) == len(extents) and len(taken) == several else None

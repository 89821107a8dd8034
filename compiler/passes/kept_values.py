"""Where a nest keeps what one sweep computes for a later one.

A short row is kept in a local array.  A longer one, or a whole column, which no local array could
hold, is kept in an output of the nest that a later sweep overwrites element by element, or that
holds these values anyway::

    sweep: e = exp(x[i, j] - m)            ->  out[i, j] = e
    sweep: out[i, j] = e[j] / s            ->  out[i, j] = out[i, j] / s
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.kept import index_in, is_own, stores_to
from opc.dialects.layout import linearize
from opc.dialects.shape import IndexAttr, shape_of, tensor_of

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


def give_places(nest: kernel.NestOp) -> None:
    """Say in which results of a nest the values that its sweeps keep may lie."""
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    taken: set[int] = set()
    # What no local array can hold comes first.
    for sweep in sorted(sweeps, key=fits):
        places = {
            result: _place(nest, sweep, value, result, taken) for value, result, _ in sweep.kept()
        }
        if any(place.data for place in places.values()):
            none = IndexAttr(())
            sweep.properties["places"] = ArrayAttr([places.get(r, none) for r in sweep.outputs])


def _place(
    nest: kernel.NestOp,
    sweep: kernel.SweepOp,
    value: SSAValue,
    result: SSAValue,
    taken: set[int],
) -> IndexAttr:
    """Where a value may lie, in a result that is not taken; empty if nowhere."""
    stores = [op for op in nest.body.walk() if isinstance(op, kernel.StoreOp)]
    for store in sorted(stores, key=lambda store: not is_own(sweep, value, store)):
        index = index_in(sweep, value, result, store)
        if index is None or len(stores_to(nest, store.number)) > 1:
            continue
        if not is_own(sweep, value, store):
            if store.number in taken:
                continue
            taken.add(store.number)
        return IndexAttr((ex.const(store.number), *index))
    return IndexAttr(())


def find_outputs(nest: kernel.NestOp, always: bool) -> dict[SSAValue, tuple[SSAValue, ex.Expr]]:
    """For each value kept in an output: its buffer and the offset of an element.

    Offsets are over the dimensions of the sweep that keeps the value.  Values that a local array
    can hold are left out unless ``always``.
    """
    found: dict[SSAValue, tuple[SSAValue, ex.Expr]] = {}
    for sweep in (op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)):
        for _, result, place in sweep.kept():
            if place.data and (always or not fits(sweep)):
                target = nest.targets[place.data[0].constant or 0]
                found[result] = target, linearize(place.data[1:], shape_of(target.type))
    return found

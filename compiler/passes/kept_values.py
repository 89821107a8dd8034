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
from opc.dialects.shape import shape_of, tensor_of

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

    Values that a local array can hold are left out unless ``always``.
    """
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    found: dict[SSAValue, tuple[SSAValue, ex.Expr]] = {}
    taken: set[int] = set()
    for k, sweep in enumerate(sweeps):
        if not always and fits(sweep):
            continue
        for value, kind, result in zip(sweep.yielded, sweep.kinds, sweep.outputs, strict=True):
            if kind.data != kernel.KEEP:
                continue
            own = _own_store(sweep, value)
            store = own or _last_store(sweeps[k + 1 :], result, value, taken)
            if store is not None and store.number not in taken:
                taken.add(store.number)
                target = nest.targets[store.number]
                found[result] = target, linearize(store.index.data, shape_of(target.type))
    return found


def _own_store(sweep: kernel.SweepOp, value: SSAValue) -> kernel.StoreOp | None:
    """Where the sweep writes the value to memory itself."""
    stores = (op for op in sweep.body.block.ops if isinstance(op, kernel.StoreOp))
    return next((op for op in stores if op.value is value), None)


def _last_store(
    later: list[kernel.SweepOp], result: SSAValue, value: SSAValue, taken: set[int]
) -> kernel.StoreOp | None:
    """A store of the last sweep that reads the value, to an output of the same type, still free."""
    users = [use.operation for use in result.uses]
    readers = [s for s in later if any(user.parent is s.body.block for user in users)]
    if not readers or any(user.parent is readers[0].parent for user in users):
        # What reads it outside of them may come last of all.
        return None
    type = scalar_type(value)
    return next(
        (
            op
            for op in readers[-1].body.block.ops
            if isinstance(op, kernel.StoreOp)
            and scalar_type(op.value) is type
            and op.number not in taken
        ),
        None,
    )

"""Where a nest keeps what one sweep computes for a later one.

A short row is kept in a local array.  A longer one, or a whole column, which no local array could
hold, is kept in an output of the nest that a later sweep overwrites element by element, or that
holds these values anyway::

    sweep: e = exp(x[i, j] - m)            ->  out[i, j] = e
    sweep: out[i, j] = e[j] / s            ->  out[i, j] = out[i, j] / s
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.dialects.materialized import index_in, is_own, stores_to
from opc.dialects.shape import IndexAttr, shape_of
from opc.support.target import KEPT, WORTH

from .fusion_sweeps import Group, Member, Sweeps


def keep_in_outputs(group: Group, sweeps: Sweeps, barred: set[Member]) -> list[Member]:
    """Mark members that would be computed again, but are worth to be kept in an output.

    Those are ``barred`` for which no output was found: :func:`give_places` finds them.
    """
    marked: list[Member] = []
    for producer in group.members:
        if producer.sweep is None and producer.inner and not producer.kept:
            late = any(m.slot > producer.slot and sweeps.reads(m, producer) for m in group.members)
            if late and producer not in barred and sweeps.cost_again(group, producer) >= WORTH:
                producer.kept = True
                marked.append(producer)
    return marked


def fits(sweep: kernel.SweepOp) -> bool:
    """Whether what a sweep keeps fits into local arrays."""
    return _kept_bytes(sweep, KEPT + 1) <= KEPT


def _kept_bytes(sweep: kernel.SweepOp, unknown: int) -> int:
    points = ex.product(sweep.extents.data).constant
    return sum(
        unknown if points is None else points * scalar_type(value).bytes
        for value, kind in zip(sweep.yielded, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    )


def give_places(nest: kernel.NestOp) -> set[SSAValue]:
    """Say in which results of a nest the values that its sweeps keep may lie.

    The kept values that have a place.
    """
    taken, found, none = set[int](), set[SSAValue](), IndexAttr(())
    # What no local array can hold comes first.
    for sweep in sorted(nest.sweeps, key=fits):
        places = {r: _place(nest, sweep, value, r, taken) for value, r, _ in sweep.kept()}
        given = {result for result, place in places.items() if place.data}
        if given:
            sweep.properties["places"] = ArrayAttr([places.get(r, none) for r in sweep.outputs])
        found |= given
    return found


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
    for sweep in nest.sweeps:
        for _, result, place in sweep.kept():
            if place.data and (always or not fits(sweep)):
                target = nest.targets[place.data[0].constant or 0]
                found[result] = target, linearize(place.data[1:], shape_of(target.type))
    return found

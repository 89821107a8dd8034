"""Decides where a nest materializes values that one sweep computes for a later one.

A short row goes to a local array.  A longer row, or a column, goes to an output of the nest that a
later sweep overwrites element by element, or that has these values anyway::

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
from opc.dialects.walking import walk
from opc.support.target import KEPT, WORTH

from .fusion_sweeps import Group, Member, Sweeps


def keep_in_outputs(group: Group, sweeps: Sweeps, barred: set[Member]) -> list[Member]:
    """Mark members to be materialized in an output, where recomputing them costs more.

    ``barred`` are members for which :func:`give_places` found no output.
    """
    marked: list[Member] = []
    for producer in group.members:
        if producer.sweep is None and producer.inner and not producer.kept:
            later = any(m.slot > producer.slot and sweeps.reads(m, producer) for m in group.members)
            if later and producer not in barred and sweeps.cost_again(group, producer) >= WORTH:
                producer.kept = True
                marked.append(producer)
    return marked


def fits(sweep: kernel.SweepOp) -> bool:
    """Whether the materialized values of a sweep fit into local arrays."""
    return _kept_bytes(sweep, KEPT + 1) <= KEPT


def _kept_bytes(sweep: kernel.SweepOp, unknown: int) -> int:
    points = ex.product(sweep.extents.data).constant
    return sum(
        unknown if points is None else points * scalar_type(value).bytes
        for value, kind in zip(sweep.yielded, sweep.kinds, strict=True)
        if kind.data == kernel.KEEP
    )


def give_places(nest: kernel.NestOp) -> set[SSAValue]:
    """Set where materialized values may lie in results of a nest; the values that have a place."""
    taken, placed, none = set[int](), set[SSAValue](), IndexAttr(())
    # Values that fit no local array come first.
    for sweep in sorted(nest.sweeps, key=fits):
        places = {r: _place(nest, sweep, value, r, taken) for value, r, _ in sweep.kept()}
        in_results = {result for result, place in places.items() if place.data}
        if in_results:
            sweep.properties["places"] = ArrayAttr([places.get(r, none) for r in sweep.outputs])
        placed |= in_results
    return placed


def _place(
    nest: kernel.NestOp,
    sweep: kernel.SweepOp,
    value: SSAValue,
    result: SSAValue,
    taken: set[int],
) -> IndexAttr:
    """The number of a free result and an index where a value may lie; empty if there is none."""
    stores = [op for op in walk(nest.body) if isinstance(op, kernel.StoreOp)]
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
    """For each value materialized in an output, its buffer and the offset of an element.

    Offsets are over the dimensions of the sweep that computes the value.  Values that fit a local
    array are left out unless ``always``.
    """
    outputs: dict[SSAValue, tuple[SSAValue, ex.Expr]] = {}
    for sweep in nest.sweeps:
        for _, result, place in sweep.kept():
            if place.data and (always or not fits(sweep)):
                target = nest.targets[place.data[0].constant or 0]
                outputs[result] = target, linearize(place.data[1:], shape_of(target.type))
    return outputs

"""Places for materialized values of sweeps: elements of a result that are overwritten later.

::

    %e, %s = kernel.sweep [8] lanes 64 (keep to 0[d0, d1], sum) { ... }   # exp(x[d0, d1])
    kernel.sweep [8] {
      %k = kernel.load %e[d1] : f32                                 # %e is in result 0
      %q = scalar.apply div(%k, %s) : f32
      kernel.store %q to 0[d0, d1]                                  # until this overwrites it
      kernel.yield
    }

A place is an index over the dimensions of the sweep that materializes the value.  Later sweeps may
have other dimensions: their loads substitute their own index into the place.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.walking import walk

from . import expr as ex
from .kernel import LoadOp, NestOp, StoreOp, SweepOp, scope
from .shape import Shape, shape_of, tensor_of


def loads_of(result: SSAValue) -> list[LoadOp]:
    """The loads of a materialized value."""
    return [op for use in result.uses if isinstance(op := use.operation, LoadOp)]


def stores_to(nest: NestOp, number: int) -> list[StoreOp]:
    """The stores of a nest to one of its results."""
    return [op for op in walk(nest.body) if isinstance(op, StoreOp) and op.number == number]


def is_own(sweep: SweepOp, value: SSAValue, store: StoreOp) -> bool:
    """Whether a store in the sweep itself writes the value that it materializes."""
    return store.value is value and store.parent is sweep.body.block


def index_in(sweep: SweepOp, value: SSAValue, result: SSAValue, store: StoreOp) -> Shape | None:
    """The place of a materialized value in the result of a store; None if it can have none there.

    The store must be the sweep's own store of the value, or be in the last sweep that loads it,
    which must load each element at the same point at which it overwrites it.
    """
    if is_own(sweep, value, store):
        return store.index.data
    loads, last = loads_of(result), store.parent_op()
    indices = {load.index for load in loads if load.parent is store.parent}
    if not isinstance(last, SweepOp) or len(indices) != 1 or store.value.type != value.type:
        return None
    if any(_comes_after(load, last) for load in loads):
        return None
    places = _inverse(last, indices.pop().data, result)
    return None if places is None else tuple(e.substitute(places) for e in store.index.data)


def _comes_after(op: Operation, sweep: SweepOp) -> bool:
    """Whether an operation of the nest is after a sweep."""
    while op.parent is not sweep.parent:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return sweep.is_before_in_block(op)


def _inverse(sweep: SweepOp, index: Shape, result: SSAValue) -> dict[int, ex.Expr] | None:
    """The dimensions of a sweep in terms of those of the sweep whose value it loads.

    None unless the points of the sweep load all elements, each once.
    """
    first, extents, shape = len(scope(sweep)), sweep.extents.data, shape_of(result.type)
    if len(index) != len(shape):
        return None
    left = {first + k: extent for k, extent in enumerate(extents) if extent != 1}
    places = {first + k: ex.const(0) for k in range(len(extents))}
    for k, (e, extent) in enumerate(zip(index, shape, strict=True)):
        d = e.dim()
        if extent == 1:
            continue
        if d is None or left.pop(d, None) != extent:
            return None
        places[d] = ex.dim(first + k)
    return None if left else places


def verify_kept(sweep: SweepOp) -> None:
    """Check the places of a sweep's materialized values."""
    rank = len(scope(sweep))
    for value, result, place in sweep.kept():
        dims = (d for load in loads_of(result) for e in load.index.data for d in e.dims())
        # kept_c1: a load of a materialized value depends on dimensions of sweeps alone.
        if any(d < rank for d in dims):
            raise VerifyException("kernel.sweep: a load of a kept value depends on the nest")
        # kept_c2: a value without a place has a constant size.
        if not place.data and ex.product(shape_of(result.type)).constant is None:
            raise VerifyException(f"kernel.sweep: no place for {tensor_of(result)}")
        if place.data:
            _verify_place(sweep, value, result, place.data)


def _verify_place(sweep: SweepOp, value: SSAValue, result: SSAValue, place: Shape) -> None:
    nest = sweep.parent_op()
    assert isinstance(nest, NestOp)
    number, index = place[0].constant or 0, place[1:]
    stores = stores_to(nest, number)
    wanted = index_in(sweep, value, result, stores[0]) if len(stores) == 1 else None
    # kept_c3: nothing overwrites a value before its last load.
    if wanted is None:
        raise VerifyException(f"kernel.sweep: result {number} cannot hold a value until its load")
    # kept_c4: the place of a value is where the value, or what overwrites it, is stored.
    if wanted != index:
        actual, expected = (", ".join(map(str, e)) for e in (index, wanted))
        raise VerifyException(
            f"kernel.sweep: found a value kept to {number}[{actual}], expected [{expected}]"
        )
    # kept_c5: a result holds at most one materialized value.
    sweeps = nest.sweeps
    held = [
        other
        for around in sweeps
        for kept, other, at in around.kept()
        if at.data[:1] == place[:1] and not is_own(around, kept, stores[0])
    ]
    if len(held) > 1:
        raise VerifyException(f"kernel.sweep: result {number} holds two values")

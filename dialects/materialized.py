"""Where a nest may keep what one sweep computes for a later one: a place in one of its results.

::

    %e, %s = kernel.sweep [8] lanes 64 (keep to 0[d0, d1], sum) { ... }   # exp(x[d0, d1])
    kernel.sweep [8] {
      %k = kernel.load %e[d1] : f32                                 # lies in result 0 until
      %q = scalar.apply div(%k, %s) : f32
      kernel.store %q to 0[d0, d1]                                  # this is written over it
      kernel.yield
    }

A place is an index over the dimensions of the sweep that keeps the value, whatever the dimensions
of the sweeps are that load it or write over it.  A load of the kept value at another index reads
from the place with that index in it.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .kernel import LoadOp, NestOp, StoreOp, SweepOp, scope
from .shape import Shape, shape_of, tensor_of


def loads_of(result: SSAValue) -> list[LoadOp]:
    """The loads of a kept value."""
    return [op for use in result.uses if isinstance(op := use.operation, LoadOp)]


def stores_to(nest: NestOp, number: int) -> list[StoreOp]:
    """The stores of a nest to one of its results."""
    return [op for op in nest.body.walk() if isinstance(op, StoreOp) and op.number == number]


def is_own(sweep: SweepOp, value: SSAValue, store: StoreOp) -> bool:
    """Whether a store of a sweep writes the very value that it keeps."""
    return store.value is value and store.parent is sweep.body.block


def index_in(sweep: SweepOp, value: SSAValue, result: SSAValue, store: StoreOp) -> Shape | None:
    """Where a value that a sweep keeps may lie in what a store writes; None if it may not.

    The store must be the sweep's own of that value; or one of the last sweep that loads it, which
    must load each element just where it writes over it.
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
    """Whether an operation of the nest is behind a sweep."""
    while op.parent is not sweep.parent:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return sweep.is_before_in_block(op)


def _inverse(sweep: SweepOp, index: Shape, result: SSAValue) -> dict[int, ex.Expr] | None:
    """The dimensions of a sweep in terms of those of the one that keeps what it loads.

    None unless each point of the sweep loads an element of its own, and they load all of them.
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
    """Check where a sweep may keep values."""
    rank = len(scope(sweep))
    for value, result, place in sweep.kept():
        dims = (d for load in loads_of(result) for e in load.index.data for d in e.dims())
        # kept_c1: the dimensions of sweeps alone say which element is loaded.
        if any(d < rank for d in dims):
            raise VerifyException("kernel.sweep: a dimension of the nest says what is loaded")
        # kept_c2: a value without a place has a known size.
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
    # kept_c3: nothing is written over a value before it has been loaded.
    if wanted is None:
        raise VerifyException(f"kernel.sweep: result {number} holds no value until it is loaded")
    # kept_c4: a value lies where it is written, or where something is written over it.
    if wanted != index:
        found, expected = (", ".join(map(str, e)) for e in (index, wanted))
        raise VerifyException(f"kernel.sweep: kept to {number}[{found}], not to [{expected}]")
    # kept_c5: a result holds one value until something is written over that.
    sweeps = nest.sweeps
    held = [
        other
        for around in sweeps
        for kept, other, at in around.kept()
        if at.data[:1] == place[:1] and not is_own(around, kept, stores[0])
    ]
    if len(held) > 1:
        raise VerifyException(f"kernel.sweep: result {number} holds two values")

"""Proves that values at the same point of two sweeps of a nest are equal."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex


def sweep_around(value: SSAValue) -> kernel.SweepOp | None:
    """The sweep whose body computes a value."""
    op = value.owner
    parent = op.parent_op() if isinstance(op, Operation) else None
    return parent if isinstance(parent, kernel.SweepOp) else None


def is_same(a: SSAValue, b: SSAValue) -> bool:
    """Whether values at the same point of two sweeps with equal extents are equal."""
    a, b = kept(a), kept(b)
    if a is b:
        return True
    match a.owner, b.owner:
        case kernel.LoadOp() as x, kernel.LoadOp() as y:
            return x.source is y.source and x.properties == y.properties
        case body.ConstantOp() as x, body.ConstantOp() as y:
            return x.properties == y.properties and a.type == b.type
        case body.ApplyOp() as x, body.ApplyOp() as y:
            alike = x.function == y.function and a.type == b.type
            return alike and all(is_same(p, q) for p, q in zip(x.args, y.args, strict=True))
        case _:
            return False


def kept(value: SSAValue) -> SSAValue:
    """For a load of a materialized value at its own point, the value in the earlier sweep."""
    load = value.owner
    if not isinstance(load, kernel.LoadOp) or not isinstance(load.source.owner, kernel.SweepOp):
        return value
    sweep = load.source.owner
    nest, own = sweep.parent_op(), sweep_around(value)
    if not isinstance(nest, kernel.NestOp) or own is None or own.extents != sweep.extents:
        return value
    rank = len(nest.extents.data)
    if load.index.data != tuple(ex.dim(rank + k) for k in range(len(sweep.extents.data))):
        return value
    pairs = zip(sweep.outputs, sweep.yielded, strict=True)
    return kept(next(yielded for result, yielded in pairs if result is load.source))

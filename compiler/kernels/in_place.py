"""Which results of kernels may be written over a tensor that their kernel reads last.

A kernel that reads a tensor only where it writes its result, and no later than that, needs no
memory of its own::

    %m = reduce %g           %g lies in the output from the start
    %r = %g - %m       -->   out[i] = out[i] - m
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import SSAValue

from opc.dialects import kernel
from opc.dialects.opc import movement


def written_over(
    nests: Sequence[kernel.NestOp], wholes: Mapping[SSAValue, SSAValue]
) -> dict[SSAValue, SSAValue]:
    """For tensors that need no memory of their own: the result that is written over each.

    ``wholes`` are the tensors in whose memory others lie, by these.
    """
    found: dict[SSAValue, SSAValue] = {}
    needed: set[SSAValue] = set()
    """What the kernels behind read, and what it is a part of."""
    for part, whole in wholes.items():
        if _is_read_elsewhere(part):
            # By control flow, or by what checks indices: wherever that stands.
            needed.update(_around(whole, wholes))
    for nest in reversed(nests):
        free, values = list(nest.outputs), dict.fromkeys(_sources(nest))
        for value in values:
            needed.update(_around(wholes.get(unshaped(value)), wholes))
        for value in values:
            if value in needed or not isinstance(value.owner, kernel.NestOp):
                continue
            needed.add(value)
            if not all(isinstance(use.operation, kernel.LoadOp) for use in value.uses):
                # A reshape, or what is returned.
                continue
            result = next((r for r in free if _is_read_before(nest, value, r)), None)
            if result is not None:
                free.remove(result)
                found[value] = result
    return found


def _around(whole: SSAValue | None, wholes: Mapping[SSAValue, SSAValue]) -> Iterator[SSAValue]:
    """A tensor that another one is a part of, and those that it is a part of."""
    while whole is not None:
        yield whole
        whole = wholes.get(whole)


def _is_read_elsewhere(value: SSAValue) -> bool:
    """Whether something that is no kernel reads a tensor, also through reshapes."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, movement.ReshapeOp):
            if _is_read_elsewhere(op.result):
                return True
        elif not isinstance(op, kernel.LoadOp | kernel.GatherOp):
            return True
    return False


def unshaped(value: SSAValue) -> SSAValue:
    """The tensor that reshapes lead to."""
    while isinstance(value.owner, movement.ReshapeOp):
        value = value.owner.operands[0]
    return value


def _sources(nest: kernel.NestOp) -> list[SSAValue]:
    """The tensors that it reads, at indices that it computes or at those of its points."""
    return [op.source for op in nest.body.walk() if isinstance(op, kernel.LoadOp | kernel.GatherOp)]


def _loads(nest: kernel.NestOp) -> list[kernel.LoadOp]:
    return [op for op in nest.body.walk() if isinstance(op, kernel.LoadOp)]


def _is_read_before(nest: kernel.NestOp, value: SSAValue, result: SSAValue) -> bool:
    """Whether every element of a tensor is read for its place in the result, and before it."""
    if value.type != result.type or any(
        kind.data == kernel.KEEP
        for op in nest.body.block.ops
        if isinstance(op, kernel.SweepOp)
        for kind in op.kinds
    ):
        # What is kept may lie in the result, too.
        return False
    number = next(k for k, out in enumerate(nest.outputs) if out is result)
    stores = [
        op for op in nest.body.walk() if isinstance(op, kernel.StoreOp) and op.number == number
    ]
    if len(stores) != 1:
        return False  # each fills a part of the result
    (store,) = stores
    loads = [load for load in _loads(nest) if load.source is value]
    return all(load.index == store.index and _comes_before(load, store) for load in loads)


def _comes_before(load: kernel.LoadOp, store: kernel.StoreOp) -> bool:
    """Whether a load is over when its point is stored: ahead in a body, or in an earlier sweep."""
    if load.parent is store.parent:
        assert load.parent is not None
        ops = list(load.parent.ops)
        return ops.index(load) < ops.index(store)
    reading, writing = load.parent_op(), store.parent_op()
    if not isinstance(reading, kernel.SweepOp) or not isinstance(writing, kernel.SweepOp):
        return False
    assert reading.parent is not None
    ops = list(reading.parent.ops)
    return reading.extents == writing.extents and ops.index(reading) < ops.index(writing)

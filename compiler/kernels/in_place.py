"""Finds results that may overwrite a tensor that their kernel is the last to read.

If a kernel reads a tensor only at the index of its store, and not after it, both share a buffer::

    %m = reduce %g           %g is in the output buffer from the start
    %r = %g - %m       -->   out[i] = out[i] - m
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.materialized import stores_to
from opc.dialects.shape import shape_of

from .kernel_forms import unshaped, uses_of

READS = (kernel.LoadOp, kernel.GatherOp)
"""The operations of a kernel that read a tensor."""


def written_over(
    nests: Sequence[kernel.NestOp],
    parents: Mapping[SSAValue, SSAValue],
    donated: Collection[SSAValue] = (),
) -> dict[SSAValue, SSAValue]:
    """For each tensor that needs no buffer of its own, the result that overwrites it.

    ``parents`` maps tensors to those whose buffer they are a part of.  Of the inputs only those
    that are ``donated`` are overwritten; they come first where several tensors could be.
    """
    overwriting: dict[SSAValue, SSAValue] = {}
    needed: set[SSAValue] = set()
    """Tensors that later kernels read, and those whose part they are."""
    for part, parent in parents.items():
        if not all(isinstance(use.operation, READS) for use in uses_of(part)):
            # Control flow or a check of indices may be anywhere in the function.
            needed.update(_enclosing(parent, parents))
    for nest in reversed(nests):
        reads = (op for op in nest.body.walk() if isinstance(op, READS))
        free, sources = list(nest.outputs), dict.fromkeys(op.source for op in reads)
        values = sorted(sources, key=lambda value: value not in donated)
        for value in values:
            needed.update(_enclosing(parents.get(unshaped(value)), parents))
        for value in values:
            is_own = isinstance(value.owner, kernel.NestOp) or value in donated
            if value in needed or not is_own:
                continue
            needed.add(value)
            if not all(isinstance(use.operation, kernel.LoadOp) for use in value.uses):
                # A reshape or a return.
                continue
            result = next((r for r in free if _is_read_before(nest, value, r)), None)
            if result is not None:
                free.remove(result)
                overwriting[value] = result
    return overwriting


def _enclosing(tensor: SSAValue | None, parents: Mapping[SSAValue, SSAValue]) -> Iterator[SSAValue]:
    """A tensor, and all that it is a part of."""
    while tensor is not None:
        yield tensor
        tensor = parents.get(tensor)


def _is_read_before(nest: kernel.NestOp, value: SSAValue, result: SSAValue) -> bool:
    """Whether each element of a tensor is read only at the index of the store, and before it."""
    if value.type != result.type or any(sweep.kept() for sweep in nest.sweeps):
        # Materialized values may be in the result, too.
        return False
    number = next(k for k, out in enumerate(nest.outputs) if out is result)
    stores = stores_to(nest, number)
    if len(stores) > 1 and not stores_once(nest):
        return False
    loads = [op for op in nest.body.walk() if isinstance(op, kernel.LoadOp) and op.source is value]
    return all(
        any(load.index == store.index and _comes_before(load, store) for store in stores)
        for load in loads
    )


def stores_once(nest: kernel.NestOp) -> bool:
    """Whether a nest of one result stores each element of it once, and scatters none."""
    count, size = ex.const(0), ex.product(shape_of(nest.outputs[0].type))
    for op in nest.walk():
        if isinstance(op, kernel.ScatterOp):
            return False
        if isinstance(op, kernel.StoreOp):
            count += ex.product(kernel.scope(op))
    return len(nest.outputs) == 1 and count == size


def _comes_before(load: kernel.LoadOp, store: kernel.StoreOp) -> bool:
    """Whether a load comes before the store of its point: in the same body or an earlier sweep."""
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

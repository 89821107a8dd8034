"""Finds tensors that need no buffer of their own.

A result may overwrite a tensor that its kernel is the last to read, only at the index of its store,
and not after it::

    %m = reduce %g           %g is in the output buffer from the start
    %r = %g - %m       -->   out[i] = out[i] - m

A part of a concatenation that is one contiguous piece of its parent is computed there; its buffer
becomes a view of the parent's, and the sweep is dropped.  Parts may be nested::

    %a = nest {...}; %b = nest {...}
    %c = nest [1] { sweep [32, 49] { load %a; store to [d0, d1, d2] }
                    sweep [64, 49] { load %b; store to [d0, d1 + 32, d2] } }
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.layout import linearize
from opc.dialects.materialized import stores_to
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.dialects.walking import walk
from opc.support.target import LINE

from .kernel_forms import identity, unshaped, uses_of

READS = (kernel.LoadOp, kernel.GatherOp)
"""The operations of a kernel that read a tensor."""


def written_over(
    nests: Sequence[kernel.NestOp],
    parts: Mapping[SSAValue, Part],
    donated: Mapping[SSAValue, SSAValue],
) -> dict[SSAValue, SSAValue]:
    """For each tensor that needs no buffer of its own, the result that overwrites it.

    ``parts`` are the tensors that are computed in a part of another one.  Of the inputs only those
    that are ``donated`` are overwritten, by what lies in the buffer of the returned tensor that
    each is mapped to; they come first where several tensors could be.
    """
    parents = {value: part.parent for value, part in parts.items()}
    moved = {part.sweep for part in parts.values()}
    overwriting: dict[SSAValue, SSAValue] = {}
    needed: set[SSAValue] = set()
    """Tensors that later kernels read, and those whose part they are."""
    for part, parent in parents.items():
        if not all(isinstance(use.operation, READS) for use in uses_of(part)):
            # Control flow or a check of indices may be anywhere in the function.
            needed.update(_enclosing(parent, parents))

    def lies_in(result: SSAValue) -> SSAValue:
        while result in overwriting:
            result = overwriting[result]
        return result

    for nest in reversed(nests):
        reads = (op for op in walk(nest.body) if isinstance(op, READS))
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
            here = [r for r in free if value not in donated or lies_in(r) is donated[value]]
            result = next((r for r in here if _is_read_before(nest, value, r, moved)), None)
            if result is not None:
                free.remove(result)
                overwriting[value] = result
    return overwriting


def _enclosing(tensor: SSAValue | None, parents: Mapping[SSAValue, SSAValue]) -> Iterator[SSAValue]:
    """A tensor, and all that it is a part of."""
    while tensor is not None:
        yield tensor
        tensor = parents.get(tensor)


def _is_read_before(
    nest: kernel.NestOp, value: SSAValue, result: SSAValue, moved: Container[Operation | None]
) -> bool:
    """Whether each element of a tensor is read only at the index of the store, and before it.

    What ``moved`` sweeps store is there before the kernel starts.
    """
    if value.type != result.type or any(sweep.kept() for sweep in nest.sweeps):
        # Materialized values may be in the result, too.
        return False
    number = next(k for k, out in enumerate(nest.outputs) if out is result)
    stores = stores_to(nest, number)
    if len(stores) > 1 and not stores_once(nest):
        return False
    loads = [op for op in walk(nest.body) if isinstance(op, kernel.LoadOp) and op.source is value]
    own = [store for store in stores if store.parent_op() not in moved]
    return all(
        any(load.index == store.index and _comes_before(load, store) for store in own)
        for load in loads
    )


def stores_once(nest: kernel.NestOp) -> bool:
    """Whether a nest of one result stores each element of it once, and scatters none."""
    count, size = ex.const(0), ex.product(shape_of(nest.outputs[0].type))
    for op in walk(nest):
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


@dataclass(frozen=True)
class Part:
    """The position of a tensor in another one, and the sweep that would copy it there."""

    parent: SSAValue
    start: int
    """The number of the first element; it starts a cache line if the parent does."""
    sweep: kernel.SweepOp


def parts_in_place(
    nests: Sequence[kernel.NestOp], may_move: Callable[[SSAValue], bool]
) -> dict[SSAValue, Part]:
    """The tensors that can lie in another one; ``may_move`` tells which are free to move."""
    parts: dict[SSAValue, Part] = {}
    for nest in nests:
        if not stores_once(nest):
            continue
        for sweep in nest.sweeps:
            copied = copied_piece(nest, sweep)
            if copied is None:
                continue
            value, start = copied
            is_aligned = start * element(tensor_of(value)).bytes % LINE == 0
            if is_aligned and value not in parts and may_move(value):
                parts[value] = Part(nest.outputs[0], start, sweep)
    return parts


def copied_piece(nest: kernel.NestOp, sweep: kernel.SweepOp) -> tuple[SSAValue, int] | None:
    """The result of a kernel that a sweep only copies to one piece of another, and its start."""
    match list(sweep.body.block.ops):
        case [kernel.LoadOp() as load, kernel.StoreOp() as store, kernel.YieldOp()]:
            pass
        case _:
            return None
    own = kernel.scope(load)
    part, parent = shape_of(load.source.type), shape_of(nest.outputs[0].type)
    if store.value is not load.result or load.default is not None or part != own:
        return None
    if load.index.data != identity(len(own)) or not _is_piece(part, parent):
        return None
    starts = [e - d for e, d in zip(store.index.data, identity(len(own)), strict=True)]
    start = linearize(starts, parent).constant
    value = unshaped(load.source)
    if start is None or not isinstance(value.owner, kernel.NestOp) or value.owner is nest:
        return None
    return value, start


def _is_piece(part: Shape, parent: Shape) -> bool:
    """Whether a part is contiguous: it has all of its parent behind the first axis above 1."""
    first = next((k for k, e in enumerate(part) if e != 1), len(part))
    known = all(e.constant is not None for e in (*part, *parent))
    return known and part[first + 1 :] == parent[first + 1 :]

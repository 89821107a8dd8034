"""Loops that write to a result, in blocks that go past the caches."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in, index_of

from .loop_parts import At, insert, joined, moved, part_of, put


def outermost(op: loop.ForOp) -> loop.ForOp:
    """The outermost loop around a loop, or that itself."""
    while isinstance(around := op.parent_op(), loop.ForOp):
        op = around
    return op


def is_innermost(op: loop.ForOp) -> bool:
    """Whether no loop is in a loop."""
    return not any(isinstance(o, loop.ForOp) for o in op.body.block.ops)


def store_in(store: Operation) -> tuple[loop.ForOp, loop.StoreOp] | None:
    """A loop that stores one point after the other, and the store."""
    op = store.parent_op()
    if not isinstance(store, loop.StoreOp) or not isinstance(op, loop.ForOp) or op.bounds[2] != 1:
        return None
    dims = list(store.dims)
    if op.variable not in dims or store.index.data[0].coefficient(dims.index(op.variable)) != 1:
        return None
    return op, store


def start_of(op: loop.ForOp, access: loop.StoreOp) -> At:
    """Where the first point of a loop is stored."""
    lower = op.bounds[0], list(op.dims)
    return moved(access.index.data[0], list(access.dims), op.variable, lower)


def is_even(e: ex.Expr, dims: Sequence[SSAValue], line: int) -> bool:
    """Whether an expression is a multiple of so many elements, whatever loops are around."""
    rest = e
    for k in sorted(e.dims()):
        step = e.coefficient(k)
        if step is None:
            return False
        value = dims[k]
        if not isinstance(value, BlockArgument) or not isinstance(
            around := value.block.parent_op(), loop.ForOp
        ):
            return False
        lower = around.bounds[0] * step
        steps = step * around.bounds[2]
        if any(c % line for _, c in steps.terms) or not is_even(lower, list(around.dims), line):
            return False
        rest = rest - ex.dim(k) * step
    return all(c % line == 0 for _, c in rest.terms)


def copied(op: loop.ForOp, store: loop.StoreOp, when: ex.Expr) -> tuple[loop.ForOp, loop.StoreOp]:
    """The loop and its store in a copy of the nest, which now runs where ``when`` is 0 only.

    If that never is, there is no copy.
    """
    if when == 1:
        return op, store
    top = outermost(op)
    copy = top.clone()
    assert top.parent is not None
    top.parent.insert_op_after(copy, top)
    copy.location = top.location
    limit(top, 1 - when)
    found = store_in(next(o for o in copy.walk() if isinstance(o, loop.StoreOp)))
    assert found is not None
    return found


def limit(op: loop.ForOp, when: ex.Expr) -> None:
    """Let a loop run where ``when`` is 1 only."""
    lower, upper, _ = op.bounds
    op.properties["upper"] = index_of(lower + (upper - lower) * when)


def in_blocks(
    op: loop.ForOp, store: loop.StoreOp, size: int, head: At | None = None, tail: At | None = None
) -> tuple[loop.ForOp, loop.StoreOp]:
    """Cut a loop in blocks, but for some first and last points; the loop of one, and its store."""
    lower, upper, _ = op.bounds
    dims, count = list(op.dims), (ex.const(size), list[SSAValue]())
    span = (upper - lower).constant
    if head is not None and tail is not None:
        more, dims = joined(*head, dims)
        less, dims = joined(*tail, dims)
        lower, upper, span = lower + more, upper - less, None
    blocks = loop.ForOp.of(lower, upper, dims, "parallel", size)
    if span is None or span % size != 0:
        end, dims = joined(upper, dims, [blocks.variable])
        count = ex.minimum(size, end - ex.dim(0)), dims
    inside = part_of(op, (ex.dim(0), [blocks.variable]), count)
    blocks.body.block.add_op(inside)
    put(blocks, op)
    return inside, store_to(store.target, inside)


def store_to(buffer: SSAValue, op: loop.ForOp) -> loop.StoreOp:
    """The store of an innermost loop to a buffer."""
    stores = (o for o in op.body.block.ops if isinstance(o, loop.StoreOp))
    return next(o for o in stores if o.target is buffer)


def stream_block(op: loop.ForOp, store: loop.StoreOp, size: int, lines: bool = False) -> None:
    """Let a loop over at most ``size`` points write to an array of its own.

    With ``lines``, these are whole cache lines, if the result starts with one.
    """
    row = loop.LocalOp.of(element_in(store.target), size)
    insert(row, op)
    lower, upper, _ = op.bounds
    at, dims = start_of(op, store)
    count, dims = joined(upper - lower, list(op.dims), dims)
    new = loop.StreamOp.of(row.result, store.target, (ex.const(0), at, count, count), dims)
    if lines:
        new.in_lines()
    assert op.parent is not None
    op.parent.insert_op_after(new, op)
    new.location = op.location
    e, place = joined(lower, list(op.dims), [op.variable])
    own = loop.StoreOp.of(store.value, row.result, ex.dim(0) - e, place)
    put(own, store)

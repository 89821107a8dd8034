"""Reading ahead: what a reduction reads is asked for a page before it is needed.

Along rows only in one sweep of a nest over some memory: others find it in the cache.  Only where it
helps, see :func:`helps`.  Bit by bit, while computing; or a page at a time, but that only in nests
that write little: where a sweep stores as much as is read, it does harm.

Down columns in every sweep that goes row by row, a row at a time, unless that is within a page: no
cache holds the rows of a block until the next sweep.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.shape import shape_of

from .loop_parts import At, Indexed, array_of, has_functions, moved
from .loop_places import NestValues, Place

AnAccess = TypeVar("AnAccess", loop.LoadOp | loop.AccumulateOp, loop.StoreOp)

LINE = 64
"""Bytes of a cache line."""
PAGE = 4096
"""Bytes read ahead: processors see by themselves what comes next within a page only."""
FEW = 2
"""Buffers from which functions are computed, up to which it helps: processors wait for few lines at
a time."""
CACHE = 32 * 1024
"""Bytes that are in the first-level cache anyway."""
LEAST = 256
"""Bytes in a row below which it is not worth the instructions."""
SHORT = 1024
"""Bytes in a row from which the processor may know as much, if it does nothing but read them."""


def loads_by_buffer(sweep: kernel.SweepOp) -> dict[SSAValue, kernel.LoadOp]:
    """One load for each buffer that a sweep reads and that a cache may not hold."""
    found: dict[SSAValue, kernel.LoadOp] = {}
    for op in sweep.body.block.ops:
        if isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
            found.setdefault(op.source, op)
    return {s: op for s, op in found.items() if is_large(s)}


def fresh_loads(
    values: NestValues, sweep: kernel.SweepOp, at_once: bool, row: ex.Expr
) -> list[kernel.LoadOp]:
    """The loads of buffers for which a sweep is to read ahead: the first of its nest to read them.

    Or the last one, if rows are of at most a page and none are written: that computes while nothing
    else is read.  ``at_once`` where a page is asked for at once, not bit by bit while computing.
    """
    stores = any(isinstance(op, kernel.StoreOp) for s in values.sweeps for op in s.body.block.ops)
    later: set[SSAValue] = set()
    if not stores and row.constant is not None:
        for other in values.sweeps[values.sweeps.index(sweep) + 1 :]:
            loads = loads_by_buffer(other).items()
            later |= {source for source, op in loads if row.constant <= page(op)}
    fresh = {s: op for s, op in loads_by_buffer(sweep).items() if s not in values.read | later}
    values.read.update(fresh)
    return [] if stores and at_once else list(fresh.values())


def is_large(buffer: SSAValue, cache: int = CACHE) -> bool:
    """Whether a buffer may be outside of a cache, the first-level one unless given."""
    size = size_of(buffer)
    return size is None or size > cache


def size_of(buffer: SSAValue) -> int | None:
    """The bytes of a buffer, if its extents are known."""
    return (ex.product(shape_of(buffer.type)) * element_in(buffer).bytes).constant


def prefetch(
    here: Place, op: kernel.LoadOp, offset: ex.Expr, ahead: ex.Expr | int, count: ex.Expr | int
) -> None:
    """Ask for ``count`` elements, ``ahead`` of an offset over the place's dimensions."""
    index, dims = here.resolve_all((offset + ahead, ex.Expr.of(count)))
    here.block.add_op(loop.PrefetchOp.of(op.source, index, dims))


def page(op: kernel.LoadOp) -> int:
    """How many elements of a load make up a page."""
    return PAGE // scalar_type(op.result).bytes


def is_wide(extent: ex.Expr, loads: list[kernel.LoadOp]) -> bool:
    """Whether rows of some loads are worth to be asked for."""
    n = extent.constant
    return n is None or any(n * scalar_type(op.result).bytes >= LEAST for op in loads)


def helps(op: kernel.LoadOp, start: ex.Expr, length: ex.Expr, around: int, at_once: bool) -> bool:
    """Whether it helps to ask for what comes after a row of some length.

    Where functions are computed of few buffers, or the sweep is not the first of its nest, memory
    would have nothing to do meanwhile; but a page asked for at once goes before what is needed now.
    Else what asks is in the way of what the processor does by itself:
    where a little is computed, always.  Where nothing is, it helps only after short rows that
    follow one another in memory: within long ones the processor sees by itself what comes next,
    but not beyond what is done at the end of each; and what comes after a row in memory may be
    needed much later.  Rows that nothing else is done with are short below ``SHORT``.

    ``start`` is where rows begin, over the variables of loops, ``around`` the number of the
    innermost of those, and ``at_once`` as for :func:`fresh_loads`.
    """
    sweep, n = op.parent_op(), length.constant
    if not isinstance(sweep, kernel.SweepOp) or sweep.parent is None:
        return True
    if has_functions([sweep]):
        return not at_once and len(loads_by_buffer(sweep)) <= FEW
    sweeps = [o for o in sweep.parent.ops if isinstance(o, kernel.SweepOp)]
    if any(isinstance(o, body.ApplyOp) for o in sweep.walk()):
        return sweep is not sweeps[0]
    if len(sweeps) == 1:
        short = n is not None and n * scalar_type(op.result).bytes < SHORT
    else:
        short = n is None or n < page(op) + (not at_once)
    return short and (around < 0 or start.coefficient(around) == length)


def innermost_steps(op: loop.ForOp) -> loop.ForOp | None:
    """The loop inside of a sweep, or that itself, that goes in steps of many points."""
    if op.bounds[0] != 0 or op.bounds[2] == 1:
        return None
    while True:
        inside = [o for o in op.body.block.ops if isinstance(o, loop.ForOp) and o.bounds[2] > 1]
        if len(inside) != 1:
            return op
        op = inside[0]


def one_of_each(accesses: Iterable[AnAccess]) -> list[AnAccess]:
    """The first access to each buffer."""
    found: dict[SSAValue, AnAccess] = {}
    for access in accesses:
        found.setdefault(array_of(access), access)
    return list(found.values())


def ask_for(
    access: Indexed, along: loop.ForOp, steps: loop.ForOp, row: SSAValue, other: At
) -> None:
    """Let a sweep in steps ask for what a later loop reads or writes of another row, bit by bit.

    Only where that goes through memory in order, and may be outside of the first-level cache.
    """
    buffer, e, dims = array_of(access), access.index.data[0], list(access.dims)
    if not is_large(buffer) or row not in dims or along.variable not in dims:
        return
    if e.coefficient(dims.index(along.variable)) != 1:
        return
    for inner in along.body.walk():
        if isinstance(inner, loop.ForOp):
            e, dims = moved(e, dims, inner.variable, (ex.const(0), []))
    e, dims = moved(e, dims, along.variable, (ex.dim(0), [steps.variable]))
    e, dims = moved(e, dims, row, other)
    index = e, ex.const(steps.bounds[2])
    write = isinstance(access, loop.StoreOp)
    steps.body.block.add_op(loop.PrefetchOp.of(buffer, index, dims, write))

"""Reading ahead: what a reduction reads is asked for a page before it is needed.

Only for the first sweep of a nest over some memory: later ones find it in the cache.  And only
for sweeps that reduce and store nothing: where as much is written as read, asking does harm.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.body import scalar_type
from opc.dialects.shape import shape_of

from .loop_places import NestValues, Place

PAGE = 4096
"""Bytes read ahead: processors see by themselves what comes next within a page only."""
CACHE = 32 * 1024
"""Bytes that are in the first-level cache anyway."""
LEAST = 256
"""Bytes in a row below which it is not worth the instructions."""


def fresh_loads(values: NestValues, sweep: kernel.SweepOp) -> list[kernel.LoadOp]:
    """One load for each buffer that a sweep is the first of its nest to read."""
    ops = list(sweep.body.block.ops)
    found: dict[SSAValue, kernel.LoadOp] = {}
    for op in ops:
        if isinstance(op, kernel.LoadOp) and op.source not in (*values.arrays, *values.read):
            found.setdefault(op.source, op)
    values.read.update(found)
    stores = any(isinstance(op, kernel.StoreOp) for op in ops)
    reduces = any(k.data != kernel.KEEP for k in sweep.kinds)
    return [op for op in found.values() if _is_large(op)] if reduces and not stores else []


def _is_large(op: kernel.LoadOp) -> bool:
    """Whether a buffer may be outside of the first-level cache."""
    size = ex.product(shape_of(op.source.type)).constant
    return size is None or size * scalar_type(op.result).bytes > CACHE


def prefetch(
    here: Place, op: kernel.LoadOp, offset: ex.Expr, ahead: ex.Expr | int, count: ex.Expr | int
) -> None:
    """Ask for ``count`` elements, ``ahead`` of an offset over the place's dimensions."""
    index, dims = here.resolve_all((offset + ahead, ex.Expr.of(count)))
    here.block.add_op(loop.PrefetchOp.of(op.source, index, dims))


def page(op: kernel.LoadOp) -> int:
    """How many elements of a load make up a page."""
    return PAGE // scalar_type(op.result).bytes

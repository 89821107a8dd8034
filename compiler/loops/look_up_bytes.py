"""Looks runs of bytes up in tables of bytes, for which processors have vector instructions.

::

    for i = 0 to 6272 vector { %b = load x[i] : ui8; %v = gather t[cast(%b)]; store %v to y[i] }
      -->
    for i = 0 to 6272 step 4096 parallel { look_up x in t to y[i, i, min(6272 - i, 4096)] }

Threads share the blocks, which the outermost loops have that are longer than one.  The table has
256 entries; that of a signed byte begins with the least one, which is taken off before.  Short rows
stay, and all loops of a machine without vectors.  Runs behind hoist-invariants and simplify-loops,
which leave nothing else in such loops.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import SCALARS, element_in
from opc.dialects.memory_ops import BYTES, ENTRIES
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import LOOKED_UP, SHORT

from .loop_parts import insert, is_along, is_there, joined, most_points, moved

LookUp = tuple[loop.LoadOp, loop.GatherOp, loop.StoreOp]
"""The load of a byte, the gather of its entry, and the store."""


class LookUpBytesPass(FunctionPass):
    """for { store gather t[cast(load x[i])] to y[i] }  -->  loop.look_up x in t to y."""

    name = "look-up-bytes"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite the loops of one function."""
        if SCALARS in function.attributes:
            return
        for op in [op for op in walk(function) if isinstance(op, loop.ForOp)]:
            most = most_points(op)
            look_up = _look_up(op) if most is None or most >= SHORT else None
            if look_up is not None:
                _rewrite(op, look_up, most is None or most > LOOKED_UP)


def _look_up(op: loop.ForOp) -> LookUp | None:
    """The look-up that is all that a vector loop does, contiguous on both sides."""
    ops = [o for o in op.body.block.ops if not isinstance(o, body.ConstantOp)]
    if op.kind.data != "vector" or not ops or not isinstance(store := ops[-1], loop.StoreOp):
        return None
    gather = store.value.owner
    if not isinstance(gather, loop.GatherOp) or not _has_bytes(gather):
        return None
    load, *between = _index_of(gather)
    if not isinstance(load, loop.LoadOp) or {load, *between, gather, store} != set(ops):
        return None
    table, source, target = map(loop.root, (gather.source, load.source, store.target))
    is_same = source is not target or is_there(load, store)
    is_contiguous = is_along(load, op) and is_along(store, op)
    return (load, gather, store) if is_contiguous and is_same and table is not target else None


def _has_bytes(gather: loop.GatherOp) -> bool:
    """Whether a table has an entry of one byte for each byte, and each is its own index."""
    shape, at = shape_of(gather.source.type), gather.index.data[0]
    is_table = shape == (ex.const(ENTRIES),) and element_in(gather.source).bytes == 1
    return is_table and len(gather.dims) == 1 and at == ex.dim(0)


def _index_of(gather: loop.GatherOp) -> list[Operation | Block]:
    """What computes the index of a table, from the load of a byte on; empty if it is no byte."""
    index, counted = gather.dims[0].owner, list[Operation | Block]()
    lowest = 0.0
    if isinstance(index, body.ApplyOp) and index.function.data == "sub":
        value, least = (v.owner for v in index.args)
        lowest = least.number if isinstance(least, body.ConstantOp) else lowest
        counted, index = [index], value
    if not isinstance(index, body.ApplyOp) or index.function.data != "cast":
        return []
    type = scalar_type(index.args[0])
    return [index.args[0].owner, index, *counted] if type in BYTES and type.lowest == lowest else []


def _rewrite(op: loop.ForOp, look_up: LookUp, is_long: bool) -> None:
    """Replace a loop by its look-up, the outermost one by look-ups of blocks."""
    load, gather, store = look_up
    lower, upper, _ = op.bounds
    start, count = (lower, list(op.dims)), (upper - lower, list(op.dims))
    around = None
    if is_long and isinstance(loop.around(op), FuncOp):
        around = loop.ForOp.of(lower, upper, list(op.dims), "parallel", LOOKED_UP)
        end, every = joined(upper, list(op.dims), [around.variable])
        start = ex.dim(0), [around.variable]
        count = ex.minimum(end - ex.dim(0), ex.const(LOOKED_UP)), every
    dims, index = list[SSAValue](), list[ex.Expr]()
    for e, own in (
        moved(load.index.data[0], list(load.dims), op.variable, start),
        moved(store.index.data[0], list(store.dims), op.variable, start),
        count,
    ):
        at, dims = joined(e, own, dims)
        index.append(at)
    look_up_op = loop.LookUpOp.of((load.source, gather.source, store.target), index, dims)
    if around is not None:
        around.body.block.add_op(look_up_op)
    insert(look_up_op if around is None else around, op)
    Rewriter.erase_op(op)

"""Looks runs of bytes up in tables of bytes, for which processors have vector instructions.

::

    for i = 0 to 6272 vector { %b = load x[i] : ui8; %v = gather t[cast(%b)]; store %v to y[i] }
      -->
    for i = 0 to 6272 step 4096 parallel { look_up x in t to y[i, i, min(6272 - i, 4096)] }

    for i = 0 to 6272 vector { ... ; %v = gather t[cast(%b)]; store f(%v) to y[i] }
      -->
    for i = 0 to 6272 step 512 parallel
      look_up x in t to a[i, 0, min(6272 - i, 512)]
      for k = 0 to min(6272 - i, 512) vector { %v = load a[k] : ui8; store f(%v) to y[i + k] }

The table has 256 entries of a byte; that of signed bytes begins with the least one, which is taken
off before.  Threads share the blocks.  Short rows stay, and all loops of a machine without vectors.
Runs behind hoist-invariants and simplify-loops, which leave nothing else in such loops.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import SCALARS, element_in
from opc.dialects.memory_ops import BYTES, ENTRIES
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import BUFFERED, LOOKED_UP, ONE_BUFFER, SHORT

from .loop_parts import (
    PLAIN,
    At,
    block_of,
    from_zero,
    insert,
    is_along,
    is_there,
    joined,
    most_points,
    start_and_count,
)


class LookUpBytesPass(FunctionPass):
    """for { store gather t[cast(load x[i])] to y[i] }  -->  loop.look_up x in t to y."""

    name = "look-up-bytes"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite the loops of one function."""
        if SCALARS in function.attributes:
            return
        for op in [op for op in walk(function) if isinstance(op, loop.ForOp)]:
            most = most_points(op)
            if op.kind.data == "vector" and (most is None or most >= SHORT):
                _rewrite(op, most)


def _look_ups(op: loop.ForOp) -> dict[loop.GatherOp, loop.LoadOp]:
    """The gathers of a loop from tables of bytes, each with the load of the byte."""
    ops = list(op.body.block.ops)
    if not all(isinstance(o, (*PLAIN, loop.GatherOp)) for o in ops):
        return {}
    loads = {o: _byte_of(o) for o in ops if isinstance(o, loop.GatherOp)}
    stores = [o for o in ops if isinstance(o, loop.StoreOp)]
    return {
        gather: load
        for gather, load in loads.items()
        if load is not None and is_along(load, op) and _may_move(gather, load, stores)
    }


def _may_move(gather: loop.GatherOp, load: loop.LoadOp, stores: list[loop.StoreOp]) -> bool:
    """Whether all bytes may be looked up before the stores of a loop."""
    table, source = loop.root(gather.source), loop.root(load.source)
    is_table_kept = all(loop.root(store.target) is not table for store in stores)
    met = [store for store in stores if loop.root(store.target) is source]
    return is_table_kept and all(is_there(load, store) for store in met)


def _byte_of(gather: loop.GatherOp) -> loop.LoadOp | None:
    """The load of a byte that decides what a table of bytes gives; None if there is no such one."""
    is_table = shape_of(gather.source.type) == (ex.const(ENTRIES),)
    is_table &= element_in(gather.source).bytes == 1 and gather.index.data[0] == ex.dim(0)
    if not is_table or len(gather.dims) != 1:
        return None
    number, lowest = gather.dims[0].owner, 0.0
    if isinstance(number, body.ApplyOp) and number.function.data == "sub":
        number, least = (v.owner for v in number.args)
        lowest = least.number if isinstance(least, body.ConstantOp) else lowest
    if not isinstance(number, body.ApplyOp) or number.function.data != "cast":
        return None
    byte, type = number.args[0].owner, scalar_type(number.args[0])
    is_byte = type in BYTES and type.lowest == lowest
    return byte if is_byte and isinstance(byte, loop.LoadOp) else None


def _rewrite(op: loop.ForOp, most: int | None) -> None:
    """Look the bytes of a loop up in front of it, or of one over a block of it."""
    if not (look_ups := _look_ups(op)):
        return
    is_alone = _alone(op, look_ups) is not None
    is_outermost = isinstance(loop.around(op), FuncOp)
    block, last = (LOOKED_UP, LOOKED_UP) if is_alone else (BUFFERED, ONE_BUFFER)
    if (most is not None and most <= last) or (is_alone and not is_outermost):
        part = from_zero(op)
    else:
        points = (op.bounds[1] - op.bounds[0]).constant
        most, is_whole = block, points is not None and points % block == 0
        part = block_of(op, op.bounds[1], block, is_whole)
    Rewriter.erase_op(op)
    look_ups = _look_ups(part)
    store = _alone(part, look_ups)
    for gather, load in look_ups.items():
        count: At = part.bounds[1], list(part.dims)
        (start, number), dims = start_and_count(load, part.variable, count)
        if store is not None:
            (to, _), own = start_and_count(store, part.variable, count)
            to, dims = joined(to, own, dims)
            target = store.target
            Rewriter.erase_op(store)
        else:
            assert most is not None
            local = loop.LocalOp.of(element_in(gather.source), most)
            insert(local, part)
            to, target = ex.const(0), local.result
            insert(entry := loop.LoadOp.of(target, to + ex.dim(0), [part.variable]), gather)
            gather.result.replace_all_uses_with(entry.result)
        buffers: list[SSAValue] = [load.source, gather.source, target]
        insert(loop.LookUpOp.of(buffers, (start, to, number), dims), part)
    for o in reversed(list(part.body.block.ops)):
        if is_trivially_dead(o):
            Rewriter.erase_op(o)
    if part.body.block.is_empty:
        Rewriter.erase_op(part)


def _alone(op: loop.ForOp, look_ups: Collection[loop.GatherOp]) -> loop.StoreOp | None:
    """The store of what a loop looks up, if it does nothing else and that is contiguous."""
    stores = [o for o in op.body.block.ops if isinstance(o, loop.StoreOp)]
    is_alone = len(stores) == 1 and [stores[0].value.owner] == list(look_ups)
    return stores[0] if is_alone and is_along(stores[0], op) else None

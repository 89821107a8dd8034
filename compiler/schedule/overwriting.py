"""Contractions that write their result over an operand which a schedule copies before it is read.

Where the copy is made in loops over axes along which the operand and the result lie alike, a block
of these loops reads what no other block writes::

    for [d1] by 11 { pad right; for [d1] by 1 { ...; y[d1, d2, d3] = ... x[d1, d2 + d4, d3 + d5] } }

Each block has its own channels ``d1`` of both: ``y`` may be ``x``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import Axis, ForOp, IfOp, PackOp, PadOp, TreeOp
from opc.dialects.walking import walk
from opc.kernels.place_buffers import slots

from .contraction import Contraction, Operand, analyse
from .nest_trees import path


def loops_of_copy(c: Contraction, tree: TreeOp, operand: Operand) -> list[ForOp] | None:
    """The loops around the copy of an operand over which the result may be written; None if none.

    Each block of them reads nothing that another one writes.  Of two versions, one might read the
    operand where it lies.
    """
    if any(isinstance(op, IfOp) for op in walk(tree)):
        return None
    copies = [
        op
        for op in walk(tree)
        if isinstance(op, PackOp | PadOp) and op.operand.data == operand.name
    ]
    if operand.load is None or len(copies) != 1:
        return None
    around = path(copies[0])
    return around if all(_lies_alike(c, operand.load, op.axis) for op in around) else None


def begins_early(c: Contraction, tree: TreeOp, operand: Operand) -> bool:
    """Whether the last of several panels begins early, since they do not fill the axis.

    What it reads again has been written over, and is not stored; threads must not write it then.
    """
    packs = [o for o in walk(tree) if isinstance(o, PackOp) and o.operand.data == operand.name]
    own = c.own(operand)
    return any(own in operand.axes and ex.mod(c.extent(own), op.step) != 0 for op in packs)


def _lies_alike(c: Contraction, load: kernel.LoadOp, axis: Axis) -> bool:
    """Whether an axis of the nest is the same axes of what is loaded and of all results."""
    extents = (*c.nest.extents.data, *c.sweep.extents.data)
    ones = {d: ex.const(0) for d, extent in enumerate(extents) if extent == 1}
    index = [e.substitute(ones) for e in load.index.data]
    dims = {d for d in axis if d not in ones}
    for store in c.stores:
        at = [e.substitute(ones) for e in store.index.data]
        places = {k for k, e in enumerate(at) if e.dims() & dims}
        places |= {k for k, e in enumerate(index) if e.dims() & dims}
        if len(at) != len(index) or {at[k] for k in places} != {ex.dim(d) for d in dims}:
            return False
        if any(at[k] != index[k] for k in places):
            return False
    return True


def write_over(function: FuncOp) -> bool:
    """Let results lie in buffers of operands that are copied first; whether any does.

    Nothing else reads such an operand in the nest, or behind it, nor the result in front of it.
    """
    ops = list(function.body.block.ops)
    times = {slot.value: slot for slot in slots(function)}
    is_changed = False
    for at, nest in enumerate(ops):
        if not isinstance(nest, kernel.NestOp) or len(nest.targets) != 1:
            continue
        c, tree, into = analyse(nest), nest.body.block.last_op, nest.targets[0]
        if c is None or not isinstance(tree, TreeOp) or into not in times:
            continue
        c = c.as_in(tree)
        loads = [op.source for op in walk(nest.body) if isinstance(op, kernel.LoadOp)]
        for operand in (c.left, c.right):
            source = operand.load.source if operand.load is not None else into
            is_free = source in times and times[source].last == at == times[into].first
            if not is_free or loads.count(source) > 1 or source.type != into.type:
                continue
            around = loops_of_copy(c, tree, operand)
            if around is not None:
                for op in around if begins_early(c, tree, operand) else ():
                    op.properties["kind"] = StringAttr("serial")
                into.replace_all_uses_with(source)
                times[source] = replace(times[source], last=times.pop(into).last)
                Rewriter.erase_op(cast("Operation", into.owner))
                is_changed = True
                break
    return is_changed

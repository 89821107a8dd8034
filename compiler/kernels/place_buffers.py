"""Assigns workspace offsets again, by the loops that use each buffer.

``loop.slice %workspace[<offset>]  -->  loop.slice %workspace[<another one>]``

``plan-buffers`` places tensors before packed operands are known, and ``lower-schedules`` puts
panels behind them.  This pass places both together; each lives from its first to its last user.
Needs lower-schedules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.bounds import at_most
from opc.dialects.buffer import WORKSPACE
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.shape import IndexAttr
from opc.support.workspace import Slot, bytes_of, place


def slots(function: FuncOp) -> list[Slot]:
    """The buffers in the workspace of a function in loop form, with their sizes and lifetimes."""
    order = {op: k for k, op in enumerate(function.body.block.ops)}
    bounds = data_bounds(data_extents(function.body.block))
    slots: list[Slot] = []
    for op in order:
        if isinstance(op, loop.SliceOp):
            assert isinstance(op.result.type, MemRefType)
            users = list(_users(op.result, order))
            times, versions = [order[user] for user, _ in users], {when for _, when in users}
            size = bytes_of(op.result.type)
            if len(versions) == 1:
                # The other version needs no room for it.
                size = size * versions.pop()
            size = at_most(size, bounds)
            slots.append(Slot(op.result, size, min(times, default=0), max(times, default=0)))
    return sorted(slots, key=lambda slot: slot.first)


def _users(value: SSAValue, order: dict[Operation, int]) -> Iterator[tuple[Operation, ex.Expr]]:
    """The outermost operations that use a buffer, through views too, and whether they use it."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, loop.ViewOp):
            yield from _users(op.result, order)
            continue
        when, block = ex.const(1), op.parent
        while op not in order:
            block, outer = op.parent, op.parent_op()
            assert outer is not None
            op = outer
        if isinstance(op, loop.IfOp):
            when = op.holds if block is op.then.block else 1 - op.holds
        yield op, when


def place_slices(function: FuncOp) -> None:
    """Place the workspace buffers of one function."""
    offsets, total = place(slots(function))
    for value, offset in offsets.items():
        assert isinstance(value.owner, loop.SliceOp)
        value.owner.properties["offset"] = IndexAttr((offset,))
    function.attributes[WORKSPACE] = IndexAttr((total,))


@dataclass(frozen=True)
class PlaceBuffersPass(ModulePass):
    """loop.slice %workspace[4096]  -->  loop.slice %workspace[0]."""

    name: ClassVar[str] = "place-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Place the buffers of all functions."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and WORKSPACE in function.attributes:
                place_slices(function)

"""Write every nest as loops over buffers.

``kernel.nest [4, 8] into (%y) { load; apply; store }  -->  loop.for { loop.for { ... } }``

Dimensions that memory does not tell apart are one loop.  Nests with sweeps are written by
``loops.reduce_nest``; of those without, ``tile_loops`` takes what reads and writes along different
dimensions, and ``flat_rows`` rows that may be too short for vectors.  Nests with a schedule, and
those with indices that are values, are left to lower-schedules.  Needs plan-buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.collapse import collapse
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import TreeOp
from opc.errors import UnsupportedError
from opc.target import Target, target

from . import reduce_nest
from .flat_rows import FlatLowering, Rows, find_rows
from .past_caches import stores_past
from .places import NestValues, Place
from .pointwise import lower_pointwise
from .tile_loops import find_tiling, lower_tiled
from .turned_results import find_turning, lower_turned_results
from .versions import only_if


def lower_nest(nest: kernel.NestOp, block: Block, machine: Target) -> None:
    """Write the loops of a nest into a block; one without points has none."""
    if any(e == 0 for e in nest.extents.data):
        return
    if reduce_nest.has_sweeps(nest):
        reduce_nest.lower(nest, block, machine)
        return
    values = NestValues(nest)
    outer = collapse(0, nest.extents.data, list(values.offsets.values()), 0)
    rows = find_rows(values, outer)
    if rows is not None and rows.width.constant is None:
        _lower_flat(nest, rows, block)
    elif (turning := find_turning(values, outer)) is not None:
        lower_turned_results(values, outer, Place(block, [], dict(outer.places)), turning)
    elif (tiling := find_tiling(values, outer)) is not None:
        lower_tiled(values, outer, Place(block, [], dict(outer.places)), tiling)
    elif rows is not None and not stores_past(nest.body.block.ops):
        _lower_flat(nest, rows, block)
    else:
        lower_pointwise(nest, outer, block)


def _lower_flat(nest: kernel.NestOp, rows: Rows, block: Block) -> None:
    """Two versions for rows of unknown extent: for those that are short, and for others."""
    outer = rows.outer
    is_short = 1 - ex.atleast(rows.width, rows.most + 1)
    before = block.last_op
    FlatLowering(NestValues(nest), rows, Place(block, [], dict(outer.places))).run()
    only_if(is_short, before, block)
    if is_short != 1:
        before = block.last_op
        lower_pointwise(nest, outer, block)
        only_if(1 - is_short, before, block)


def lower(function: FuncOp, machine: Target) -> None:
    """Lower every nest of a function."""
    for op in list(function.body.walk()):
        if not isinstance(op, kernel.NestOp) or isinstance(op.body.block.last_op, TreeOp):
            continue
        if is_indirect(op):
            continue
        if op.has_chain:
            raise UnsupportedError("a contraction has no schedule; run schedule first")
        if any(isinstance(o, kernel.LoadOp) and o.default is not None for o in op.walk()):
            raise UnsupportedError("a guarded load outside of a contraction has no loops yet")
        block, around = Block(), op.parent
        assert around is not None
        lower_nest(op, block, machine)
        for new in list(block.ops):
            new.detach()
            for inner in new.walk():
                inner.location = op.location
            around.insert_op_before(new, op)
        op.detach()
        op.erase()


@dataclass(frozen=True)
class LowerToLoopsPass(ModulePass):
    """See the module's docstring; ``target`` names the machine."""

    name: ClassVar[str] = "lower-to-loops"
    target: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                lower(function, target(self.target))

"""Write every nest as loops over buffers.

``kernel.nest [4, 8] into (%y) { load; apply; store }  -->  loop.for { loop.for { ... } }``

Dimensions are collapsed first.  Reductions follow one order whatever machine runs them: see
``reduction_loops``, ``column_loops`` for nests whose memory runs along a kept dimension (where that
is short, ``folded_columns`` and ``side_by_side``), and ``turned_rows`` for short rows; where their
extent is unknown, ``row_versions``.  Where reading and writing run along different dimensions, see
``tile_loops``.
Nests with a schedule are left to lower-schedules.  Needs plan-buffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.buffer import index_of
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.schedule import TreeOp
from opc.errors import UnsupportedError

from .collapse import Collapsed, collapse
from .column_blocks import runs_along_columns
from .column_loops import ColumnLowering
from .flat_rows import FlatLowering
from .folded_columns import FoldedLowering, find_fold
from .kept_values import find_outputs
from .loop_places import NestValues, Place
from .reduction_loops import SweepLowering
from .row_versions import Version, versions
from .side_by_side import SideBySideLowering, few_unknown, rows_beside, rows_of_unknown
from .split_loops import is_split
from .tile_loops import find_tiling, lower_tiled
from .turned_results import find_turning, lower_turned_results
from .turned_rows import TurnedLowering, has_short_rows


def lower_nest(nest: kernel.NestOp, block: Block) -> None:
    """Write the loops of a nest into a block."""
    values = NestValues(nest)
    outer = collapse(0, nest.extents.data, list(values.offsets.values()), 0)
    place = Place(block, [], dict(outer.places))
    fold = find_fold(outer, values)
    if fold is not None and runs_along_columns(fold.outer, values):
        values.keep(find_outputs(nest, True))
        FoldedLowering(values, outer, fold, Place(block, [], dict(fold.outer.places))).run()
        return
    in_columns = runs_along_columns(outer, values)
    turned = not in_columns and has_short_rows(outer, values)
    if not in_columns and (needed := versions(outer, values)):
        for version in needed:
            _lower_version(nest, outer, version, block)
        return
    if not turned:
        values.keep(find_outputs(nest, in_columns))
    if in_columns and (rows := rows_beside(outer, values)) > 1:
        SideBySideLowering(values, outer, place, rows).run()
    elif in_columns and (most := few_unknown(outer, values)):
        _lower_columns(nest, outer, most, block)
    elif in_columns:
        ColumnLowering(values, outer, place).run()
    elif turned:
        TurnedLowering(values, outer, place).run()
    elif (turning := find_turning(values, outer)) is not None:
        lower_turned_results(values, outer, place, turning)
    elif (tiling := find_tiling(values, outer)) is not None:
        lower_tiled(values, outer, place, tiling)
    else:
        _lower_points(values, outer, place)


def _lower_version(nest: kernel.NestOp, outer: Collapsed, version: Version, block: Block) -> None:
    """Write the loops for rows of some lengths; without any rounds if they are of other ones."""
    values, before = NestValues(nest), block.last_op
    values.least, values.most = version.least, version.most
    place = Place(block, [], dict(outer.places))
    if version.least:
        values.keep(find_outputs(nest, False))
        _lower_points(values, outer, place)
    else:
        (TurnedLowering if values.sweeps else FlatLowering)(values, outer, place).run()
    _only_if(version.condition, before, block)


def _lower_columns(nest: kernel.NestOp, outer: Collapsed, most: int, block: Block) -> None:
    """Write the loops twice: rows go side by side if there are few columns."""
    many = ex.atleast(outer.extents[-1], most + 1)
    for is_few in (True, False):
        values, before = NestValues(nest), block.last_op
        values.keep(find_outputs(nest, True))
        place = Place(block, [], dict(outer.places))
        if is_few:
            rows = rows_of_unknown(outer, values)
            SideBySideLowering(values, outer, place, rows).run()
        else:
            ColumnLowering(values, outer, place).run()
        _only_if(1 - many if is_few else many, before, block)


def _only_if(condition: ex.Expr, before: Operation | None, block: Block) -> None:
    """Let the loops behind an operation have no rounds unless a condition is 1."""
    written = before.next_op if before else block.first_op
    while written is not None:
        assert isinstance(written, loop.ForOp)
        written.properties["upper"] = index_of(written.bounds[1] * condition)
        written = written.next_op


def _lower_points(values: NestValues, outer: Collapsed, here: Place) -> None:
    """One point after the other, with its sweeps inside."""
    split = any(is_split(values.nest.extents.data, s, values.kept) for s in values.sweeps)
    for k, extent in enumerate(outer.extents):
        last = k == len(outer.extents) - 1
        kind = "parallel" if (k == 0 or last) and not split else "serial"
        kind = "vector" if last and not values.sweeps else kind
        here = here.loop(ex.const(0), extent, kind)
    for op in values.nest.body.block.ops:
        if isinstance(op, kernel.SweepOp):
            SweepLowering(values, op).run(here)
        else:
            values.scalar(op, here)


def has_chain(nest: kernel.NestOp) -> bool:
    """Whether a nest is a contraction, which a schedule is written for."""
    sweeps = [op for op in nest.body.block.ops if isinstance(op, kernel.SweepOp)]
    kinds = {kind.data for sweep in sweeps for kind in sweep.kinds}
    return any(kind in REDUCTIONS and REDUCTIONS[kind].is_chain for kind in kinds)


def lower(function: FuncOp) -> None:
    """Lower every nest of a function."""
    for op in list(function.body.block.ops):
        if not isinstance(op, kernel.NestOp) or isinstance(op.body.block.last_op, TreeOp):
            continue
        if has_chain(op):
            raise UnsupportedError("a contraction has no schedule; run schedule first")
        if any(isinstance(o, kernel.LoadOp) and o.default is not None for o in op.walk()):
            raise UnsupportedError("a guarded load outside of a contraction has no loops yet")
        block = Block()
        lower_nest(op, block)
        for new in list(block.ops):
            new.detach()
            for inner in new.walk():
                inner.location = op.location
            function.body.block.insert_op_before(new, op)
        op.detach()
        op.erase()


@dataclass(frozen=True)
class LowerToLoopsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "lower-to-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                lower(function)

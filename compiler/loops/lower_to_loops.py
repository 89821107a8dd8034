"""Write every nest as the loops that its schedule says.

``kernel.nest [4, 8] into (%y) { load; apply; store; schedule.tree {...} }``  -->
``loop.for { loop.for { ... } }``

``lower_points`` lowers nests without sweeps.  In other nests, ``for [d0] by 64`` is a block of 64
points, and each sweep has a loop over them around its steps.  In ``for [d0] by 16 { for [d0] by 1 {
run init 0; ...; run finish 0 }; ... }`` a sweep computes one row of the block at a time; what is
between sweeps is computed for the whole block.  ``lower-schedules`` lowers contractions and nests
whose indices are values.  Equal nests are lowered once (``equal_nests``).  Needs schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from opc.dialects import kernel
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import ForOp, IfOp, PipelineOp
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.passes.function_pass import FunctionPass
from opc.schedule.nest_legality import check
from opc.schedule.nest_trees import loops_around, tree_of
from opc.schedule.point_blocks import assume
from opc.schedule.sweep_loops import sections

from .equal_nests import EqualNests, form_of
from .insertion import Insertion, NestValues
from .loop_parts import choice, replace_by
from .lower_points import lower_points
from .lower_sweeps import lower_all
from .pipeline import PipelineLowering
from .points import Points


def lower_nest(nest: kernel.NestOp, block: Block) -> None:
    """Write the loops of a nest into a block; a nest without points has none."""
    tree = tree_of(nest)
    # The schedule may be edited by hand.
    check(nest, tree)
    if any(e == 0 for e in nest.extents.data):
        return
    tree.detach()
    write = partial(lower_reduce if nest.sweeps else lower_points, nest)
    _write(list(tree.body.block.ops), block, write)


def _write(
    ops: Sequence[Operation], block: Block, write: Callable[[Sequence[Operation], Block], None]
) -> None:
    """Write loops, or two versions of them, between which extents choose at run time."""
    if not isinstance(op := ops[0], IfOp):
        write(ops, block)
        return
    then, otherwise = Block(), Block()
    _write(list(op.then.block.ops), then, write)
    _write(list(op.otherwise.block.ops), otherwise, write)
    block.add_op(choice(op, then, otherwise))


def lower_reduce(nest: kernel.NestOp, ops: Sequence[Operation], block: Block) -> None:
    """Write one version of the loops of a nest with sweeps into a block."""
    loops, ops = loops_around(ops)
    values = NestValues(nest)
    assume(values, loops, op := ops[0])
    # A pipeline has two regions; rows of a block have a loop for each sweep.
    regions = [region for o in ops if isinstance(o, PipelineOp | ForOp) for region in o.regions]
    for part in [ops, *(list(region.block.ops) for region in regions)]:
        values.sections |= {values.sweeps[k]: section for k, section in sections(part).items()}
    points = Points(values, Insertion(block, [], {}), loops)
    if isinstance(op, PipelineOp):
        PipelineLowering(points, op).run()
    else:
        lower_all(points, values.ops, by_rows=isinstance(op, ForOp))


class LowerToLoopsPass(FunctionPass):
    """kernel.nest { load; apply; store; schedule.tree {...} }  -->  loop.for { loop.for {...} }."""

    name = "lower-to-loops"

    def rewrite(self, function: FuncOp) -> None:
        """Lower every nest of a function; equal ones once."""
        equal = EqualNests()
        for op in list(walk(function.body)):
            if not isinstance(op, kernel.NestOp) or op.has_chain or is_indirect(op):
                continue
            if any(isinstance(o, kernel.LoadOp) and o.default is not None for o in walk(op)):
                raise UnsupportedError("a guarded load outside of a contraction has no loops yet")
            replace_by(op, equal.loops(form_of(op), partial(lower_nest, op)))

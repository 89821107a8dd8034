"""The loops of a nest that reduces, as its schedule says: points outside, sweeps inside.

``for [d0] by 64 parallel { run sweep 0; run out }``: a block of 64 points side by side, for which
the sweep and what follows it have loops of their own.

``for [d0] by 16 parallel { for [d0] by 1 serial { run sweep 0 }; run out }``: sweeps take the rows
of the block one after the other, and what stands between them is computed for all, side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from opc.dialects import kernel
from opc.dialects.schedule import ForOp, PipelineOp, RunOp
from opc.schedule.nest_trees import loops_around
from opc.schedule.versions import assume

from .pipeline import PipelineLowering
from .places import NestValues, Place
from .points import Points
from .run import lower_all


def lower_reduce(nest: kernel.NestOp, ops: Sequence[Operation], block: Block) -> None:
    """Write one version of the loops into a block."""
    loops, ops = loops_around(ops)
    values = NestValues(nest)
    for run in (inner for op in ops for inner in op.walk() if isinstance(inner, RunOp)):
        if run.sweep is not None:
            values.ways[values.sweeps[run.number]] = run.way, run.chunk
    assume(values, loops, ops[0])
    points = Points(values, Place(block, [], {}), loops)
    if isinstance(op := ops[0], PipelineOp):
        PipelineLowering(points, op).run()
    else:
        lower_all(points, values.ops, by_rows=isinstance(op, ForOp))

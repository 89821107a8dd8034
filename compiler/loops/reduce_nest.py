"""The loops of a nest that reduces, as its schedule says: points outside, sweeps inside.

``for [d0] by 64 parallel { run sweep 0; run out }``: a block of 64 points side by side, for which
the sweep and what follows it have loops of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

from opc.dialects import kernel
from opc.dialects.schedule import ForOp, PackRowsOp, PipelineOp, RunOp
from opc.kernels.kept_values import find_outputs
from opc.schedule.nest_trees import inside
from opc.schedule.versions import has_one_lane, longest

from .pipeline import PipelineLowering, pipeline_of
from .places import NestValues, Place
from .points import Points
from .run import lower_all


def lower_reduce(nest: kernel.NestOp, ops: Sequence[Operation], block: Block) -> None:
    """Write one version of the loops into a block."""
    loops: list[ForOp] = []
    while isinstance(op := ops[0], ForOp):
        loops.append(op)
        ops = inside(op)
    values = NestValues(nest)
    for run in (inner for op in ops for inner in op.walk() if isinstance(inner, RunOp)):
        if run.sweep is not None:
            values.ways[values.sweeps[run.number]] = run.way, run.chunk
    is_packed = isinstance(ops[0], PackRowsOp)
    values.most = longest(values, ops[0]) if is_packed else None
    has_one = has_one_lane(values, ops[0])
    outer = values.space([op.axis for op in loops])
    here = Place(block, [], {})
    if isinstance(op := ops[0], PipelineOp):
        values.keep(find_outputs(nest, False))
        points = Points(values, outer, here, loops, rows=loops[-1].size)
        PipelineLowering(points, pipeline_of(values, op)).run()
        return
    is_block = any(op.step > 1 for op in loops)
    values.keep({} if is_packed else find_outputs(nest, is_block))
    points = Points(values, outer, here, loops, is_whole=has_one is False and is_block)
    lower_all(points, values.ops, has_one)

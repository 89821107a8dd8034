"""Whether a schedule of a contraction may prefetch an operand where it does."""

from __future__ import annotations

from opc.dialects.schedule import (
    ForOp,
    PackOp,
    PadOp,
    PrefetchPanelOp,
    PrefetchTileOp,
    RunOp,
    TreeOp,
)
from opc.dialects.walking import walk

from .contraction import Contraction
from .nest_trees import fail, path

Prefetch = PrefetchPanelOp | PrefetchTileOp
"""What a step asks for."""


def check_prefetch(c: Contraction, tree: TreeOp, op: Prefetch, step: RunOp) -> None:
    """Check a prefetch, which goes on at each step: by a share of a panel, or with the step.

    Raises :class:`opc.errors.InputError`.
    """
    name, around = op.operand.data, op.parent_op()
    is_inner = isinstance(around, ForOp) and (around.axis, around.kind.data) == (
        (c.reduced or [()])[-1],
        "serial",
    )
    copies = [o for o in walk(tree) if isinstance(o, PackOp | PadOp) and o.operand.data == name]
    is_panel = any(isinstance(o, PackOp) and o.parent_op() is tree for o in copies)
    operand = c.operand(name)
    own = c.own(operand)
    is_along = own in operand.axes and any(loop.axis == own for loop in path(op))
    is_inner = is_inner and around in path(step) and is_along
    # schedule_c49: steps prefetch panels that lie in front of all loops, and that a loop goes over.
    if isinstance(op, PrefetchPanelOp) and not (is_inner and is_panel):
        raise fail(
            f"found {op.name} {name}, expected it in the innermost loop of the chain, and "
            f"schedule.pack {name} in front of all loops",
            op,
        )
    # schedule_c51: steps of one product prefetch what tiles read of an operand where it lies.
    is_here = not copies and operand.load is not None and tree.group == 1
    if isinstance(op, PrefetchTileOp) and not (is_inner and is_here):
        raise fail(
            f"found {op.name} {name}, expected it in the innermost loop of the chain, and {name} "
            "where it lies, neither packed nor padded",
            op,
        )

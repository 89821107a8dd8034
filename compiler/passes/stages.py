"""The operations that are legal after each pass; ``--verify-each`` checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp

from opc.dialects.stages import (
    BUFFERS,
    GRAPH,
    KERNELS,
    LOOPS,
    NORMAL,
    is_legal,
    kinds,
    printed_stage,
    stage_of,
)
from opc.dialects.walking import walk
from opc.errors import OpcError, UsageError
from opc.support.locations import location_of

from .pipeline import STAGES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

ORDER = [name for stage in STAGES.values() for name in stage]
"""All passes in order."""
PLANNED = "plan-buffers"
"""The pass from which on values are buffers."""
LEGAL = {
    "legalize-onnx": (*GRAPH, "openvino.*", "stablehlo.*"),
    "legalize-openvino": (*GRAPH, "stablehlo.*"),
    "legalize-stablehlo": GRAPH,
    "normalize-broadcast": NORMAL,
    "form-kernels": KERNELS,
    PLANNED: BUFFERS,
    "lower-schedules": LOOPS,
}
"""Operations that are legal from each of these passes on; ``opc.*`` is a whole dialect."""


def legal(after: str) -> tuple[str, ...]:
    """Operations that are legal after a pass."""
    return next(LEGAL[p] for p in reversed(ORDER[: ORDER.index(after) + 1]) if p in LEGAL)


def check_graph(module: ModuleOp) -> None:
    """Raise UsageError for a module that ``--emit`` printed at a stage behind those of graphs."""
    stage = printed_stage(module)
    if stage is not None:
        raise UsageError(
            f"found a module at the stage {stage}, expected a graph: opc compile, run and bench "
            "take it, the other commands take the graph that it was printed from",
            location_of(next(iter(module.ops))),
        )


def check_before(module: ModuleOp, name: str) -> None:
    """Raise UsageError, which names the passes to run first, unless a pass takes a module."""
    before = ORDER[: ORDER.index(name)] if name in ORDER else []
    if not before:
        return
    allowed = legal(before[-1])
    unwanted = "tensors" if PLANNED in before else "buffers"
    for op in walk(module):
        has_unwanted = isinstance(op, FuncOp) and unwanted in kinds(op)
        if has_unwanted or not is_legal(op.name, allowed):
            stage = stage_of(module)
            reason = f"its functions take {unwanted}" if has_unwanted else f"it contains {op.name}"
            raise UsageError(
                f"{name}: expected a module at {_expected(name)}, found one at the stage {stage}: "
                f"{reason}; {_advice(name, stage)}",
                location_of(op),
            )


def _expected(name: str) -> str:
    """The stage that a pass takes, and the pass that must have run since."""
    stages = list(STAGES)
    own = next(stage for stage in stages if name in STAGES[stage])
    position = STAGES[own].index(name)
    stage = f"the stage {stages[stages.index(own) - 1]}"
    return stage if position == 0 else f"{stage} after {STAGES[own][position - 1]}"


def _advice(name: str, stage: str) -> str:
    """The passes to run first at a stage, or those that can still run if it is past the pass."""
    stages = list(STAGES)
    done = [n for s in stages[: stages.index(stage) + 1] for n in STAGES[s]]
    if stage == "graph":
        # The types of a graph that was written by hand may be missing.
        done.remove("infer-shapes")
    if first := ORDER[len(done) : ORDER.index(name)]:
        return f"first run -p {','.join(first)}"
    rest = list(dict.fromkeys(ORDER[len(done) :]))
    later = f"one of the later passes: {', '.join(rest)}" if rest else "-t c, which writes C"
    return f"that is after {name}: run it on the source graph, or run {later}"


SCHEDULED = ("schedule", "schedule-partial-tiles")
"""The passes after which every nest without data-dependent indices has a schedule."""


def _check_scheduled(module: ModuleOp, after: str) -> None:
    from opc.dialects.indirect import is_indirect
    from opc.dialects.kernel import NestOp
    from opc.dialects.schedule import TreeOp

    for op in walk(module):
        if not isinstance(op, NestOp) or is_indirect(op):
            continue
        if not isinstance(op.body.block.last_op, TreeOp):
            raise OpcError(f"defect in {after}: a nest has no schedule after it")


def check(module: ModuleOp, after: str) -> None:
    """Verify a module after a pass.  Raises OpcError, which blames the pass."""
    from xdsl.utils.exceptions import VerifyException

    allowed = legal(after)
    for op in walk(module):
        if not is_legal(op.name, allowed):
            raise OpcError(f"defect in {after}: {op.name} is not legal after it")
    if after in SCHEDULED:
        _check_scheduled(module, after)
    try:
        module.verify()
    except VerifyException as e:
        raise OpcError(f"defect in {after}: {e}") from None

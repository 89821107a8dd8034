"""What is legal after each pass; checked under ``--verify-each``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp

from opc.dialects.buffer import OUTPUTS, WORKSPACE
from opc.dialects.named import INPUT_NAMES, RESULT_NAMES
from opc.errors import OpcError, UsageError
from opc.support.locations import location_of

from .pipeline import STAGES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

PLANNED = "plan-buffers"
"""The pass from which on values are buffers."""

SYMBOLS = (
    "opc.require",
    "opc.require_range",
    "opc.split_axes",
    "opc.read_extents",
    "opc.given_extents",
    "opc.data_extent",
)
FUNCTIONS = ("builtin.module", "func.func", "func.return", "opc.scan", "opc.if")
GRAPH = (*FUNCTIONS, "opc.*")
NORMAL = (
    *FUNCTIONS,
    *SYMBOLS,
    "opc.constant",
    "opc.reshape",
    "opc.broadcast",
    "opc.transpose",
    "opc.slice",
    "opc.concat",
    "opc.windows",
    "opc.gather",
    "opc.gather_elements",
    "opc.scatter",
    "opc.scatter_elements",
    "opc.walk",
    "opc.apply",
    "opc.cast",
    "opc.bitcast",
    "opc.extent",
    "opc.iota",
    "opc.matmul",
    "opc.conv",
    "opc.reduce_sum",
    "opc.reduce_prod",
    "opc.reduce_max",
    "opc.reduce_min",
    "opc.reduce_any",
    "opc.reduce_all",
    "opc.argmax",
    "opc.argmin",
    "opc.cum_sum",
    "opc.cum_prod",
)
KERNELS = (*FUNCTIONS, *SYMBOLS, "opc.constant", "opc.reshape", "kernel.*", "scalar.*")
BUFFERS = (*FUNCTIONS, *SYMBOLS, "kernel.*", "scalar.*", "loop.*", "schedule.*")
LOOPS = (*FUNCTIONS, *SYMBOLS, "scalar.*", "loop.*")

LEGAL = {
    "legalize-onnx": (*GRAPH, "openvino.*"),
    "legalize-openvino": GRAPH,
    "normalize-broadcast": NORMAL,
    "form-kernels": KERNELS,
    PLANNED: BUFFERS,
    "lower-schedules": LOOPS,
}
"""Operations that may occur from each of these passes on; ``opc.*`` is all of a dialect."""


def legal(after: str) -> tuple[str, ...]:
    """Operations that may occur after a pass."""
    order = [name for stage in STAGES.values() for name in stage]
    before = order[: order.index(after) + 1]
    return next(LEGAL[name] for name in reversed(before) if name in LEGAL)


def check_before(module: ModuleOp, name: str) -> None:
    """UsageError where a module is not at the stage that a pass takes: what to run instead."""
    order = [n for stage in STAGES.values() for n in stage]
    wanted = order.index(name) if name in order else 0
    if wanted == 0:
        return
    allowed = legal(order[wanted - 1])
    unwanted = "tensors" if PLANNED in order[:wanted] else "buffers"
    for op in module.walk():
        is_other = isinstance(op, FuncOp) and unwanted in _values(op)
        if is_other or not _is_legal(op.name, allowed):
            found = stage_of(module)
            shown = f"its functions take {unwanted}" if is_other else f"there is {op.name} in it"
            raise UsageError(
                f"{name}: it takes {_taken(name)}, and this module is at the stage {found}, since "
                f"{shown}; {_advice(name, found)}",
                location_of(op),
            )


def _taken(name: str) -> str:
    """The stage that a pass takes, and what must have run since."""
    stages = list(STAGES)
    own = next(stage for stage in stages if name in STAGES[stage])
    place = STAGES[own].index(name)
    stage = f"the stage {stages[stages.index(own) - 1]}"
    return stage if place == 0 else f"{stage} after {STAGES[own][place - 1]}"


LATER = ("kernels", "schedule", "loops")
"""Stages behind those of graphs."""
NAMED = (INPUT_NAMES, RESULT_NAMES)
"""What every public function has that ``--emit`` printed at one of these stages."""
PLACED = (OUTPUTS, WORKSPACE)
"""The same where values are buffers."""


def printed_stage(module: ModuleOp) -> str | None:
    """The later stage at which ``--emit`` printed a module; None for a graph, and all else.

    Such a module is compiled from there on.  It is trusted as C is: its form is checked, but not
    whether accesses stay inside of buffers.
    """
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    # Bodies of control flow are private, and nobody calls them by name.
    public = [op for op in functions if op.sym_visibility is None]
    if not all(name in op.attributes for op in public for name in NAMED):
        return None
    found = stage_of(module)
    wanted = () if found == "kernels" else PLACED
    is_whole = all(name in op.attributes for op in functions for name in wanted)
    return found if found in LATER and is_whole else None


def stage_of(module: ModuleOp) -> str:
    """The stage that a module is at, as far as its operations say."""
    operations = list(module.walk())
    dialects = {op.name.partition(".")[0] for op in operations}
    if dialects & {"onnx", "openvino"}:
        return "source"
    if not all(_is_legal(op.name, (*NORMAL, *BUFFERS)) for op in operations):
        return "graph"
    if dialects & {"kernel", "schedule"}:
        planned = any(isinstance(op, FuncOp) and "buffers" in _values(op) for op in operations)
        return "schedule" if planned or "schedule" in dialects else "kernels"
    if "loop" in dialects:
        return "loops"
    return "normal" if any(op.name == "opc.apply" for op in operations) else "graph"


def _advice(name: str, found: str) -> str:
    """What to run first on a module of a stage, or if it is past that, what can be run on it."""
    order = [n for stage in STAGES.values() for n in stage]
    stages = list(STAGES)
    done = [n for stage in stages[: stages.index(found) + 1] for n in STAGES[stage]]
    if found == "graph":
        # The types of a graph that was written by hand may be missing.
        done.remove("infer-shapes")
    first = order[len(done) : order.index(name)]
    if first:
        return f"first run -p {','.join(first)}"
    rest = list(dict.fromkeys(order[len(done) :]))
    later = f"one of the passes after it: {', '.join(rest)}" if rest else "-t c, which writes C"
    return f"that is behind {name}: run it on the graph as it was read, or on this {later}"


def _values(function: FuncOp) -> set[str]:
    """What the arguments and results of a function are."""
    kinds: dict[type[Attribute], str] = {TensorType: "tensors", MemRefType: "buffers"}
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return {kinds[type(t)] for t in types if type(t) in kinds}


def _is_legal(operation: str, allowed: tuple[str, ...]) -> bool:
    return operation in allowed or f"{operation.partition('.')[0]}.*" in allowed


SCHEDULED = ("schedule", "lower-tile-fusions")
"""The passes after which every nest has a schedule, but those with indices that are values."""


def _check_scheduled(module: ModuleOp, after: str) -> None:
    from opc.dialects.indirect import is_indirect
    from opc.dialects.kernel import NestOp
    from opc.dialects.schedule import TreeOp

    for op in module.walk():
        if not isinstance(op, NestOp) or is_indirect(op):
            continue
        if not isinstance(op.body.block.last_op, TreeOp):
            raise OpcError(f"defect in {after}: a nest has no schedule after it")


def check(module: ModuleOp, after: str) -> None:
    """Verify a module after a pass.  Raises OpcError: what is wrong is a defect of the pass."""
    from xdsl.utils.exceptions import VerifyException

    allowed = legal(after)
    for op in module.walk():
        if not _is_legal(op.name, allowed):
            raise OpcError(f"defect in {after}: {op.name} is not legal after it")
    if after in SCHEDULED:
        _check_scheduled(module, after)
    try:
        module.verify()
    except VerifyException as e:
        raise OpcError(f"defect in {after}: {e}") from None

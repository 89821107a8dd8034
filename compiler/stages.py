"""What is legal after each pass; checked under ``--verify-each``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp

from opc.errors import OpcError, UsageError
from opc.locations import location_of
from opc.pipeline import STAGES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

PLANNED = "plan-buffers"
"""The pass from which on values are buffers."""

SYMBOLS = ("opc.require", "opc.split_axes", "opc.read_extents")
FUNCTIONS = ("builtin.module", "func.func", "func.return")
GRAPH = (*FUNCTIONS, "opc.*")
NORMAL = (
    *FUNCTIONS,
    *SYMBOLS,
    "opc.constant",
    "opc.reshape",
    "opc.broadcast",
    "opc.transpose",
    "opc.apply",
    "opc.cast",
    "opc.bitcast",
    "opc.extent",
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
    """UsageError that says which passes a module has to go through before this one."""
    order = [n for stage in STAGES.values() for n in stage]
    earlier = order[: order.index(name)] if name in order else []
    if not earlier:
        return
    allowed = legal(earlier[-1])
    wanted, unwanted = "tensors", "buffers"
    if PLANNED in earlier:
        wanted, unwanted = unwanted, wanted
    for op in module.walk():
        place = location_of(op)
        first = f"first run -p {','.join(earlier)}"
        if not _is_legal(op.name, allowed):
            raise UsageError(f"{name}: {op.name} is gone where this pass begins; {first}", place)
        if isinstance(op, FuncOp) and unwanted in _values(op):
            how = first if PLANNED in earlier else f"it comes before {PLANNED}, which has run"
            raise UsageError(f"{name}: expected {wanted}, found {unwanted}; {how}", place)


def _values(function: FuncOp) -> set[str]:
    """What the arguments and results of a function are."""
    kinds: dict[type[Attribute], str] = {TensorType: "tensors", MemRefType: "buffers"}
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return {kinds[type(t)] for t in types if type(t) in kinds}


def _is_legal(operation: str, allowed: tuple[str, ...]) -> bool:
    return operation in allowed or f"{operation.partition('.')[0]}.*" in allowed


def check(module: ModuleOp, after: str) -> None:
    """Verify a module after a pass.  Raises OpcError: what is wrong is a defect of the pass."""
    from xdsl.utils.exceptions import VerifyException

    allowed = legal(after)
    for op in module.walk():
        if not _is_legal(op.name, allowed):
            raise OpcError(f"defect in {after}: {op.name} is not legal after it")
    try:
        module.verify()
    except VerifyException as e:
        raise OpcError(f"defect in {after}: {e}") from None

"""What is legal after each pass; checked under ``--verify-each``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.errors import OpcError
from opc.pipeline import STAGES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

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
    "plan-buffers": BUFFERS,
    "lower-schedules": LOOPS,
}
"""Operations that may occur from each of these passes on; ``opc.*`` is all of a dialect."""


def legal(after: str) -> tuple[str, ...]:
    """Operations that may occur after a pass."""
    order = [name for stage in STAGES.values() for name in stage]
    before = order[: order.index(after) + 1]
    return next(LEGAL[name] for name in reversed(before) if name in LEGAL)


def check(module: ModuleOp, after: str) -> None:
    """Verify a module after a pass.  Raises OpcError: what is wrong is a defect of the pass."""
    from xdsl.utils.exceptions import VerifyException

    allowed = legal(after)
    for op in module.walk():
        if op.name not in allowed and f"{op.name.partition('.')[0]}.*" not in allowed:
            raise OpcError(f"defect in {after}: {op.name} is not legal after it")
    try:
        module.verify()
    except VerifyException as e:
        raise OpcError(f"defect in {after}: {e}") from None

"""What is legal after each pass; checked under ``--verify-each``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.errors import OpcError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

GRAPH = ("builtin.module", "func.func", "func.return", "opc.*")
NORMAL = ("builtin.module", "func.func", "func.return", "opc.constant", "opc.reshape",
          "opc.broadcast", "opc.transpose", "opc.apply", "opc.cast", "opc.bitcast", "opc.extent",
          "opc.matmul", "opc.reduce_sum", "opc.reduce_prod", "opc.reduce_max", "opc.reduce_min",
          "opc.reduce_any", "opc.reduce_all", "opc.argmax", "opc.argmin", "opc.require",
          "opc.split_axes")
KERNELS = ("builtin.module", "func.func", "func.return", "opc.constant", "opc.reshape",
           "opc.require", "opc.split_axes", "kernel.*", "scalar.*")
BUFFERS = ("builtin.module", "func.func", "func.return", "opc.require", "opc.split_axes",
           "kernel.*", "scalar.*", "loop.*")
LOOPS = ("builtin.module", "func.func", "func.return", "opc.require", "opc.split_axes",
         "scalar.*", "loop.*")

LEGAL = {
    "infer-shapes": GRAPH,
    "fold-constants": GRAPH,
    "normalize-axes": GRAPH,
    "decompose": GRAPH,
    "normalize-broadcast": NORMAL,
    "form-kernels": KERNELS,
    "fuse-kernels": KERNELS,
    "plan-buffers": BUFFERS,
    "lower-to-loops": LOOPS,
    "simplify-loops": LOOPS,
}
"""Operations that may occur after each pass; ``opc.*`` is every operation of a dialect."""


def check(module: ModuleOp, after: str) -> None:
    """Verify a module after a pass.  Raises OpcError: what is wrong is a defect of the pass."""
    from xdsl.utils.exceptions import VerifyException

    allowed = LEGAL[after]
    for op in module.walk():
        if op.name not in allowed and f"{op.name.partition('.')[0]}.*" not in allowed:
            raise OpcError(f"defect in {after}: {op.name} is not legal after it")
    try:
        module.verify()
    except VerifyException as e:
        raise OpcError(f"defect in {after}: {e}") from None

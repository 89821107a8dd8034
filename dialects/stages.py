"""The stage of a module, recognized by its operations.

``compiler/passes/pipeline.py`` has the passes that lead to each stage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp

from opc.dialects.walking import walk

from .buffer import OUTPUTS, WORKSPACE
from .named import INPUT_NAMES, RESULT_NAMES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

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
"""Operations that may occur at stages; ``opc.*`` is a whole dialect."""

LATER = ("kernels", "schedule", "loops")
"""Stages behind those of graphs."""
NAMED = (INPUT_NAMES, RESULT_NAMES)
"""Attributes of each public function that ``--emit`` prints at a later stage."""
PLACED = (OUTPUTS, WORKSPACE)
"""Attributes of each function that ``--emit`` prints where values are buffers."""


def printed_stage(module: ModuleOp) -> str | None:
    """The later stage at which ``--emit`` printed a module; None for any other module.

    Such a module is compiled from that stage on.  It is trusted as C is: its form is checked, but
    not whether accesses stay inside buffers.
    """
    functions = [op for op in walk(module) if isinstance(op, FuncOp)]
    # Bodies of control flow are private, and nobody calls them by name.
    public = [op for op in functions if op.sym_visibility is None]
    if not all(name in op.attributes for op in public for name in NAMED):
        return None
    stage = stage_of(module)
    required = () if stage == "kernels" else PLACED
    is_complete = all(name in op.attributes for op in functions for name in required)
    return stage if stage in LATER and is_complete else None


def stage_of(module: ModuleOp) -> str:
    """The stage of a module, as far as its operations tell."""
    operations = list(walk(module))
    dialects = {op.name.partition(".")[0] for op in operations}
    if dialects & {"onnx", "openvino"}:
        return "source"
    if not all(is_legal(op.name, (*NORMAL, *BUFFERS)) for op in operations):
        return "graph"
    if dialects & {"kernel", "schedule"}:
        is_planned = any(isinstance(op, FuncOp) and "buffers" in kinds(op) for op in operations)
        return "schedule" if is_planned or "schedule" in dialects else "kernels"
    if "loop" in dialects:
        return "loops"
    return "normal" if any(op.name == "opc.apply" for op in operations) else "graph"


def kinds(function: FuncOp) -> set[str]:
    """Whether the arguments and results of a function are tensors, buffers or both."""
    names: dict[type[Attribute], str] = {TensorType: "tensors", MemRefType: "buffers"}
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return {names[type(t)] for t in types if type(t) in names}


def is_legal(operation: str, allowed: tuple[str, ...]) -> bool:
    """Whether an operation's name, or its dialect as ``dialect.*``, is allowed."""
    return operation in allowed or f"{operation.partition('.')[0]}.*" in allowed

"""The registry of dialects, which are imported at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.context import Context

DIALECTS = {
    "builtin": "xdsl.dialects.builtin:Builtin",
    "func": "xdsl.dialects.func:Func",
    "opc": "opc.dialects.opc:Opc",
    "onnx": "opc.dialects.onnx:Onnx",
    "openvino": "opc.dialects.openvino:OpenVino",
    "stablehlo": "opc.dialects.stablehlo:StableHlo",
    "scalar": "opc.dialects.body:Scalar",
    "kernel": "opc.dialects.kernel:Kernel",
    "schedule": "opc.dialects.schedule:Schedule",
    "loop": "opc.dialects.loop:Loop",
}


def resolve(reference: str) -> Any:
    """The object that ``module:name`` names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def context() -> Context:
    """An xDSL context with all dialects, each loaded when the parser meets its name."""
    from xdsl.context import Context

    ctx = Context()
    for name, reference in DIALECTS.items():
        ctx.register_dialect(name, lambda reference=reference: resolve(reference))
    return ctx

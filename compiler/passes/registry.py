"""Every dialect and every pass, as data: nothing is imported until it is used."""

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
    "scalar": "opc.dialects.body:Scalar",
    "kernel": "opc.dialects.kernel:Kernel",
    "schedule": "opc.dialects.schedule:Schedule",
    "loop": "opc.dialects.loop:Loop",
}

PASSES = {
    "legalize-onnx": "opc.frontend.onnx.legalize:LegalizeOnnxPass",
    "legalize-openvino": "opc.frontend.openvino.legalize:LegalizeOpenvinoPass",
    "infer-shapes": "opc.graph.infer_shapes:InferShapesPass",
    "fold-constants": "opc.graph.fold_constants:FoldConstantsPass",
    "sink-constants": "opc.graph.sink_constants:SinkConstantsPass",
    "integer-contractions": "opc.graph.integer_contractions:IntegerContractionsPass",
    "require-ranges": "opc.graph.require_ranges:RequireRangesPass",
    "normalize-axes": "opc.graph.normalize_axes:NormalizeAxesPass",
    "decompose": "opc.graph.decompose:DecomposePass",
    "normalize-broadcast": "opc.graph.normalize_broadcast:NormalizeBroadcastPass",
    "fix-orders": "opc.graph.fix_orders:FixOrdersPass",
    "form-kernels": "opc.kernels.form_kernels:FormKernelsPass",
    "hoist-reductions": "opc.kernels.hoist_reductions:HoistReductionsPass",
    "fuse-kernels": "opc.kernels.fuse_kernels:FuseKernelsPass",
    "form-sweeps": "opc.kernels.form_sweeps:FormSweepsPass",
    "narrow-domains": "opc.kernels.narrow_domains:NarrowDomainsPass",
    "narrow-integers": "opc.kernels.narrow_integers:NarrowIntegersPass",
    "shift-factors": "opc.kernels.shift_factors:ShiftFactorsPass",
    "order-axes": "opc.kernels.order_axes:OrderAxesPass",
    "separate-windows": "opc.kernels.separate_windows:SeparateWindowsPass",
    "unroll-windows": "opc.kernels.unroll_windows:UnrollWindowsPass",
    "sink-pads": "opc.kernels.sink_pads:SinkPadsPass",
    "plan-buffers": "opc.kernels.plan_buffers:PlanBuffersPass",
    "place-buffers": "opc.kernels.place_buffers:PlaceBuffersPass",
    "split-axes": "opc.schedule.split_axes:SplitAxesPass",
    "schedule": "opc.schedule.schedule:SchedulePass",
    "form-bands": "opc.schedule.form_tile_fusions:FormBandsPass",
    "lower-bands": "opc.loops.lower_tile_fusions:LowerBandsPass",
    "lower-to-loops": "opc.loops.lower_to_loops:LowerToLoopsPass",
    "fission": "opc.loops.fission:FissionPass",
    "convert-strips": "opc.loops.convert_narrow_floats:ConvertStripsPass",
    "lower-schedules": "opc.loops.lower_schedules:LowerSchedulesPass",
    "simplify-loops": "opc.loops.simplify_loops:SimplifyLoopsPass",
}

GENERIC_PASSES = {
    "canonicalize": "xdsl.transforms.canonicalize:CanonicalizePass",
    "cse": "xdsl.transforms.common_subexpression_elimination:CommonSubexpressionElimination",
    "dce": "xdsl.transforms.dead_code_elimination:DeadCodeElimination",
}
"""Passes of xDSL that go by what operations say of themselves; they run on every stage."""

READERS: dict[str, str] = {
    ".onnx": "opc.frontend.onnx.reader:read",
    ".onnxtxt": "opc.frontend.onnx.reader:read",
    ".xml": "opc.frontend.openvino.reader:read_openvino",
}
"""For each file suffix other than ``.mlir``: the function from a path to a verified module.

Its second argument is the content of the file, if that was read already.
"""

MODEL_BYTES = {".onnx": 1 << 31, ".onnxtxt": 1 << 31, ".xml": 1 << 28}
"""For each of these, how large a file may be."""


def resolve(reference: str) -> Any:
    """The object that ``module:name`` names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def context() -> Context:
    """An xDSL context that knows every dialect and loads each when its first name is parsed."""
    from xdsl.context import Context

    ctx = Context()
    for name, reference in DIALECTS.items():
        ctx.register_dialect(name, lambda reference=reference: resolve(reference))
    return ctx

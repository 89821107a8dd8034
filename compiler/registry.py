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
    "legalize-onnx": "opc.passes.legalize_onnx:LegalizeOnnxPass",
    "legalize-openvino": "opc.passes.legalize_openvino:LegalizeOpenvinoPass",
    "infer-shapes": "opc.passes.infer_shapes:InferShapesPass",
    "fold-constants": "opc.passes.fold_constants:FoldConstantsPass",
    "integer-contractions": "opc.passes.integer_contractions:IntegerContractionsPass",
    "require-ranges": "opc.passes.require_ranges:RequireRangesPass",
    "normalize-axes": "opc.passes.normalize_axes:NormalizeAxesPass",
    "decompose": "opc.passes.decompose:DecomposePass",
    "normalize-broadcast": "opc.passes.normalize_broadcast:NormalizeBroadcastPass",
    "fix-orders": "opc.passes.fix_orders:FixOrdersPass",
    "form-kernels": "opc.passes.form_kernels:FormKernelsPass",
    "fuse-kernels": "opc.passes.fuse_kernels:FuseKernelsPass",
    "narrow-domains": "opc.passes.narrow_domains:NarrowDomainsPass",
    "narrow-integers": "opc.passes.narrow_integers:NarrowIntegersPass",
    "plan-buffers": "opc.passes.plan_buffers:PlanBuffersPass",
    "place-buffers": "opc.passes.place_buffers:PlaceBuffersPass",
    "split-axes": "opc.passes.split_axes:SplitAxesPass",
    "schedule": "opc.schedule.schedule:SchedulePass",
    "plan-stores": "opc.loops.plan_stores:PlanStoresPass",
    "form-bands": "opc.schedule.form_bands:FormBandsPass",
    "lower-bands": "opc.loops.lower_bands:LowerBandsPass",
    "lower-to-loops": "opc.loops.lower_to_loops:LowerToLoopsPass",
    "cut-chains": "opc.passes.cut_chains:CutChainsPass",
    "fill-vectors": "opc.passes.fill_vectors:FillVectorsPass",
    "convert-strips": "opc.passes.convert_strips:ConvertStripsPass",
    "lower-schedules": "opc.loops.lower_schedules:LowerSchedulesPass",
    "simplify-loops": "opc.passes.simplify_loops:SimplifyLoopsPass",
}

GENERIC_PASSES = {
    "canonicalize": "xdsl.transforms.canonicalize:CanonicalizePass",
    "cse": "xdsl.transforms.common_subexpression_elimination:CommonSubexpressionElimination",
    "dce": "xdsl.transforms.dead_code_elimination:DeadCodeElimination",
}
"""Passes of xDSL that go by what operations say of themselves; they run on every stage."""

READERS: dict[str, str] = {
    ".onnx": "opc.frontend.onnx_reader:read",
    ".onnxtxt": "opc.frontend.onnx_reader:read",
    ".xml": "opc.frontend.openvino_reader:read_openvino",
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

"""All passes by name, in the order of the pipeline: a pass is imported when it is used."""

from __future__ import annotations

PASSES = {
    "legalize-onnx": "opc.frontend.onnx.legalize:LegalizeOnnxPass",
    "legalize-openvino": "opc.frontend.openvino.legalize:LegalizeOpenvinoPass",
    "legalize-stablehlo": "opc.frontend.stablehlo.legalize:LegalizeStablehloPass",
    "infer-shapes": "opc.graph.infer_shapes:InferShapesPass",
    "sink-constants": "opc.graph.sink_constants:SinkConstantsPass",
    "integer-contractions": "opc.graph.integer_contractions:IntegerContractionsPass",
    "split-zero-points": "opc.graph.split_zero_points:SplitZeroPointsPass",
    "fold-constants": "opc.graph.fold_constants:FoldConstantsPass",
    "require-ranges": "opc.graph.require_ranges:RequireRangesPass",
    "normalize-axes": "opc.graph.normalize_axes:NormalizeAxesPass",
    "decompose": "opc.graph.decompose:DecomposePass",
    "flush-weights": "opc.graph.flush_weights:FlushWeightsPass",
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
    "split-axes": "opc.schedule.split_axes:SplitAxesPass",
    "form-tile-fusions": "opc.schedule.form_tile_fusions:FormTileFusionsPass",
    "schedule": "opc.schedule.schedule:SchedulePass",
    "lower-tile-fusions": "opc.loops.lower_tile_fusions:LowerTileFusionsPass",
    "schedule-partial-tiles": "opc.schedule.schedule_partial_tiles:SchedulePartialTilesPass",
    "lower-to-loops": "opc.loops.lower_to_loops:LowerToLoopsPass",
    "simplify-loops": "opc.loops.simplify_loops:SimplifyLoopsPass",
    "fission": "opc.loops.fission:FissionPass",
    "convert-narrow-floats": "opc.loops.convert_narrow_floats:ConvertNarrowFloatsPass",
    "lower-schedules": "opc.loops.lower_schedules:LowerSchedulesPass",
    "hoist-invariants": "opc.loops.hoist_invariants:HoistInvariantsPass",
    "place-buffers": "opc.kernels.place_buffers:PlaceBuffersPass",
}

GENERIC_PASSES = {
    "canonicalize": "xdsl.transforms.canonicalize:CanonicalizePass",
    "cse": "xdsl.transforms.common_subexpression_elimination:CommonSubexpressionElimination",
    "dce": "xdsl.transforms.dead_code_elimination:DeadCodeElimination",
}
"""Passes of xDSL that use only traits of operations, and so run on every stage."""

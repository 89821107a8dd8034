"""Resize and Upsample."""

from __future__ import annotations

from opc.dialects import element as el
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.resize import COORDINATES, ROUNDING, Method
from opc.frontend.models.sizes import Sizes
from opc.frontend.models.sizes import resize as resized

from .node import Node
from .schema import onnx


def _is_stated(node: Node, position: int) -> bool:
    """Whether a list input is present and not empty."""
    return node.has(position) and not any(e == 0 for e in node.shape(position))


@onnx("Upsample", 1, 7, 9, 10)
@onnx("Resize", 10)
def upsample(node: Node) -> Result:
    """Upsample(x, scales) and Resize-10 --> x at positions divided by the scales."""
    rank, scales = node.rank(), None
    if node.since == 1 and node.schema.operator == "Upsample":
        if rank != 4:
            raise node.error(f"expected an input of rank 4, found {shape_text(node.shape())}")
        scales = [1.0, 1.0, node.attr("height_scale"), node.attr("width_scale")]
    elif node.since == 7:
        scales = list(node.attr("scales"))
    mode = {"bilinear": "linear"}.get(node.attr("mode"), node.attr("mode"))
    if mode not in ("nearest", "linear"):
        raise node.error(f"attribute mode is {mode!r}, expected nearest or linear")
    if scales is not None:
        node = node.with_inputs(node.value(0), node.constant(scales, el.F64))
    sizes, method = Sizes(node, range(rank), True, 1), Method(mode, "asymmetric")
    return resized(node, node.traced(0), sizes, method).value


@onnx("Resize", 11, 13, 18, 19)
def resize(node: Node) -> Result:
    """Resize(x, roi, scales, sizes) --> weighted sums along each axis."""
    rank = node.rank()
    chosen = node.attr("axes") if node.since >= 18 else None
    axes = range(rank) if chosen is None else node.axes(chosen, rank)
    mode, coordinates = node.attr("mode"), node.attr("coordinate_transformation_mode")
    rounding = node.attr("nearest_mode")
    if mode not in ("nearest", "linear", "cubic"):
        raise node.error(f"attribute mode is {mode!r}, expected nearest, linear or cubic")
    if coordinates not in COORDINATES or rounding not in ROUNDING.keys() - {"simple"}:
        raise node.error(
            f"attributes coordinate_transformation_mode and nearest_mode are {coordinates!r} "
            f"and {rounding!r}"
        )
    has_sizes = _is_stated(node, 3)
    if _is_stated(node, 2) == has_sizes:
        raise node.error("expected either scales or sizes")
    policy = node.attr("keep_aspect_ratio_policy") if node.since >= 18 else "stretch"
    if policy not in ("stretch", "not_larger", "not_smaller"):
        raise node.error(f"attribute keep_aspect_ratio_policy is {policy!r}")
    method = Method(
        mode,
        coordinates,
        rounding,
        node.attr("cubic_coeff_a"),
        bool(node.attr("exclude_outside")),
        node.since >= 18 and bool(node.attr("antialias")),
    )
    roi = 1 if coordinates == "tf_crop_and_resize" else None
    sizes = Sizes(node, axes, not has_sizes, 3 if has_sizes else 2, roi, policy)
    return resized(node, node.traced(0), sizes, method, node.attr("extrapolation_value")).value

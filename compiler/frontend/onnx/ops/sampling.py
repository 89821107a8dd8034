"""Interpolated values of images: Resize, Upsample, AffineGrid, GridSample and DeformConv.

Positions are computed in the element type of the first input; f16 and bf16 in f32.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import shape_text, type_text
from opc.frontend.models.grid import grid_sampled, is_inside, sampled
from opc.frontend.models.resize import COORDINATES, ROUNDING, Method
from opc.frontend.models.sizes import Sizes
from opc.frontend.models.sizes import resize as resized
from opc.frontend.models.traced import NodeTrace, traced, value
from opc.frontend.models.windows import integers

from .node import Node
from .schema import Result, onnx
from .window import check_kernel_shape


def _steps(trace: NodeTrace, extent: ex.Expr, corners: bool) -> Any:
    """Positions of elements along an axis from -1 to 1, in f64.

    A single element is at 0, also with ``corners``, where the specification is silent.
    """
    k = trace.given(trace.numbers(extent), el.F64)
    if not corners:
        return (k * 2.0 + 1.0) / trace.size(extent) - 1.0
    if extent == 1:
        return k * 0.0
    positions = k * 2.0 / trace.size(ex.maximum(extent - 1, 1)) - 1.0
    if extent.constant is not None:
        return positions
    return positions + (1 - trace.size(ex.nonunit(extent))) * 1.0


@onnx("AffineGrid", 20)
def affine_grid(node: Node) -> Result:
    """AffineGrid(theta, size) --> theta times (x, y, ..., 1) for each element of an image."""
    trace, shape = node.trace, node.shape()
    sizes = node.extents(1)
    rank = len(sizes) - 2
    what = f"theta is {type_text(node[0].type)}, for an image of rank {len(sizes)}"
    if rank not in (2, 3) or len(shape) != 3:
        raise node.error(what)
    for extent, wanted in zip(shape[1:], (rank, rank + 1), strict=True):
        node.require("equal", extent, ex.const(wanted), what)
    node.require("equal", shape[0], sizes[0], "theta and size differ in the batch")
    type = node.wide()
    theta = node.traced(0, type)
    theta = theta.reshape([trace.size(shape[0]), *[1] * rank, rank, rank + 1])
    total = theta[..., rank]
    for k in range(rank):
        steps = _steps(trace, sizes[2 + k], bool(node.attr("align_corners"))).astype(type.name)
        total = total + theta[..., rank - 1 - k] * steps.reshape([-1, *[1] * (rank - k)])
    return value(node, total)


@onnx("GridSample", 16, 20, 22)
def grid_sample(node: Node) -> Result:
    """GridSample(x, grid) --> weighted sum of opc.gather of neighbours."""
    shape, grid = node.shape(), node.shape(1)
    rank = len(shape) - 2
    what = f"grid {type_text(node[1].type)} does not fit {type_text(node[0].type)}"
    if rank < 1 or len(grid) != rank + 2:
        raise node.error(what)
    node.require("equal", grid[-1], ex.const(rank), what)
    padding = node.choice("padding_mode", "zeros", "border", "reflection")
    names = ("linear", "cubic") if node.since >= 20 else ("bilinear", "bicubic")
    mode = node.choice("mode", *names, "nearest").removeprefix("bi")
    element_type = node.element()
    if mode != "nearest" and not element_type.is_float:
        raise node.unsupported(f"mode {mode} for {element_type}")
    node.require("equal", shape[0], grid[0], "x and grid differ in the batch")
    corners = bool(node.attr("align_corners"))
    type = element_type.computed if mode != "nearest" else element_type
    coordinates = node.wide(1)
    x, points = node.traced(0, type), node.traced(1, coordinates)
    return value(node, grid_sampled(x, points, mode, padding, corners))


def between(
    x: Any, at: Sequence[Any], sizes: Sequence[Any], axes: Sequence[int]
) -> list[tuple[Any, Any, Any]]:
    """The four neighbours of positions in the last two axes of x, weights, and whether inside.

    Neighbours are [..., C, positions], the others [..., positions].
    """
    pairs: list[list[tuple[Any, Any]]] = []
    for position in at:
        base = onp.floor(position)
        pairs.append([(base, 1 - (position - base)), (base + 1, position - base)])
    terms: list[tuple[Any, Any, Any]] = []
    for (y, a), (z, b) in itertools.product(*pairs):
        there = is_inside(y, sizes[0]) & is_inside(z, sizes[1])
        terms.append((sampled(x, [y, z], sizes, axes), a * b, there))
    return terms


@onnx("DeformConv", 19, 22)
def deform_conv(node: Node) -> Result:
    """DeformConv(x, w, offset, b, mask) --> opc.matmul of filters and interpolated samples."""
    return deformed(node, within=False)


def deformed(node: Node, *, within: bool) -> Result:
    """DeformConv with zeros around images.

    With ``within``, positions between the last element and the extent take the last element, and
    all other positions outside are 0.
    """
    shape, filters = node.shape(), node.shape(1)
    if len(shape) != 4 or len(filters) != 4:
        raise node.unsupported(
            f"{type_text(node[0].type)} and {type_text(node[1].type)}, expected images"
        )
    kernel = tuple(e.constant or 0 for e in filters[2:])
    groups, parts = node.attr("group"), node.attr("offset_group")
    channels, results = shape[1].constant, filters[0].constant
    if 0 in kernel or channels is None or results is None:
        raise node.unsupported(f"filters {type_text(node[1].type)} for {type_text(node[0].type)}")
    check_kernel_shape(node, kernel, filters)
    height, width = kernel
    if channels % parts or channels % groups or results % groups:
        raise node.error(f"{groups} groups and {parts} offset groups of {channels} channels")
    strides, dilations = (integers(node, name, 2, 1, 1) for name in ("strides", "dilations"))
    pads = integers(node, "pads", 4, 0, 0)
    trace, type = node.trace, node.wide()
    x, w, offset, bias, mask = traced(node, type)
    if len(node.shape(2)) != 4:
        raise node.error(f"offsets {type_text(node[2].type)} do not fit {type_text(node[0].type)}")
    batch, rows, columns = shape[0], *node.shape(2)[2:]
    taps = height * width
    n, out = trace.size(batch), [trace.size(rows), trace.size(columns)]
    x = x.reshape([n, parts, channels // parts, trace.size(shape[2]), trace.size(shape[3])])
    offset = offset.reshape([n, parts, taps, 2, *out])
    at: list[Any] = []
    for k, (extent, size) in enumerate(zip((rows, columns), (height, width), strict=True)):
        reach = ex.const((size - 1) * dilations[k] + 1)
        seen = shape[2 + k] + pads[k] + pads[2 + k] - reach
        wanted = ex.floordiv(seen, ex.const(strides[k])) + 1
        node.require("equal", extent, wanted, "offsets do not fit what filters give")
        steps = trace.given(trace.numbers(extent), type) * float(strides[k]) - float(pads[k])
        steps = steps.reshape([-1, 1] if k == 0 else [1, -1])
        numbers = [(t // width if k == 0 else t % width) * dilations[k] for t in range(taps)]
        moved = trace.constant(numbers, type).reshape([taps, 1, 1])
        at.append(offset[:, :, :, k] + (moved + steps))
    sizes = [trace.size(e) for e in shape[2:]]
    total: Any = None
    zero = trace.constant([0], type).reshape(())
    here: Any = None
    if within:
        here = (at[0] >= 0) & (at[0] < sizes[0]) & (at[1] >= 0) & (at[1] < sizes[1])
        at = [onp.minimum(onp.maximum(v, 0.0), n - 1.0) for v, n in zip(at, sizes, strict=True)]
    for neighbour, weight, there in between(x, at, sizes, (3, 4)):
        term = onp.where(onp.expand_dims(there, 2), neighbour, zero) * onp.expand_dims(weight, 2)
        total = term if total is None else total + term
    if here is not None:
        total = onp.where(onp.expand_dims(here, 2), total, zero)
    if mask is not None:
        total = total * mask.reshape([n, parts, 1, taps, *out])
    total = total.reshape([n, groups, channels // groups * taps, out[0] * out[1]])
    w = w.reshape([groups, results // groups, channels // groups * taps])
    y = (w @ total).reshape([n, results, *out])
    if bias is not None:
        y = y + bias.reshape([results, 1, 1])
    return value(node, y)


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
    mode = node.choice("mode", "nearest", "linear", "bilinear").removeprefix("bi")
    if scales is not None:
        node = node.with_inputs(node.value(0), node.constant(scales, el.F64))
    sizes, method = Sizes(node, range(rank), True, 1), Method(mode, "asymmetric")
    return resized(node, node.traced(0), sizes, method).value


@onnx("Resize", 11, 13, 18, 19)
def resize(node: Node) -> Result:
    """Resize(x, roi, scales, sizes) --> weighted sums along each axis."""
    rank = node.rank()
    chosen = node.attr("axes")
    axes = range(rank) if chosen is None else node.axes(chosen, rank)
    mode = node.choice("mode", "nearest", "linear", "cubic")
    coordinates = node.choice("coordinate_transformation_mode", *COORDINATES)
    rounding = node.choice("nearest_mode", *(name for name in ROUNDING if name != "simple"))
    has_sizes = _is_stated(node, 3)
    if _is_stated(node, 2) == has_sizes:
        raise node.error("expected either scales or sizes")
    policy = node.choice("keep_aspect_ratio_policy", "stretch", "not_larger", "not_smaller")
    method = Method(
        mode,
        coordinates,
        rounding,
        node.attr("cubic_coeff_a"),
        bool(node.attr("exclude_outside")),
        bool(node.attr("antialias")),
    )
    roi = 1 if coordinates == "tf_crop_and_resize" else None
    sizes = Sizes(node, axes, not has_sizes, 3 if has_sizes else 2, roi, policy)
    return resized(node, node.traced(0), sizes, method, node.attr("extrapolation_value")).value

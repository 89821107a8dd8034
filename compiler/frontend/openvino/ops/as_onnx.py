"""Layers equal to ONNX nodes but for the names of inputs and attributes."""

from __future__ import annotations

from functools import partial
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Result, Value
from opc.frontend.models.order import ordered
from opc.frontend.onnx.ops.roi import aligned
from opc.frontend.onnx.ops.sampling import deformed

from .adapter import NodeAdapter, same_as
from .layer import Layer
from .schema import openvino


def _list(layer: Layer, position: int) -> SSAValue | Known:
    """A list of integers in i64."""
    known = layer.known(position)
    if known is not None:
        return kn.of(known.exprs, (len(known.exprs),))
    return layer.cast(layer.reshape(layer[position], (ex.product(layer.shape(position)),)), el.I64)


@openvino("CumSum", 3)
def cum_sum(layer: Layer) -> tuple[Result, ...]:
    """CumSum-3."""
    flags = {name: int(layer.attr(name)) for name in ("exclusive", "reverse")}
    return same_as(layer, "CumSum", 14, layer.inputs, **flags)


@openvino("Einsum", 7)
def einsum(layer: Layer) -> tuple[Result, ...]:
    """Einsum-7."""
    return same_as(layer, "Einsum", 28, layer.inputs, equation=layer.attr("equation"))


@openvino("TopK", 1, 3, 11)
def top_k(layer: Layer) -> tuple[Any, ...]:
    """TopK-1, -3 and -11; with ``sort = index`` the indices found are sorted again."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    extent = layer.shape()[axis]
    (count,) = layer.known_list(1) or layer.read("plain", 1, (), (extent,), 1)
    if count.constant is not None and count.constant < 0:
        raise layer.error(f"k is {extent_text(count)}")
    layer.require("equal", ex.minimum(extent, count), count, "k is more than there are")
    values, places = ordered(layer.traced(0), axis, count, largest=layer.attr("mode") == "max")
    if layer.attr("sort") == "index":
        places, order = ordered(places, axis, count, largest=False)
        values = values.trace.emit(GatherElementsOp, values, order, axis=axis, from_end=False)
    return values, places.astype(layer.attr("index_element_type"))


@openvino("GridSample", 9)
def grid_sample(layer: Layer) -> tuple[Result, ...]:
    """GridSample-9."""
    mode = {"bilinear": "linear", "bicubic": "cubic", "nearest": "nearest"}[layer.attr("mode")]
    padding, corners = layer.attr("padding_mode"), int(layer.attr("align_corners"))
    attributes: dict[str, int | str] = {
        "mode": mode,
        "padding_mode": padding,
        "align_corners": corners,
    }
    return same_as(layer, "GridSample", 20, layer.inputs, **attributes)


@openvino("GroupNormalization", 12)
def group_normalization(layer: Layer) -> tuple[Result, ...]:
    """GroupNormalization-12."""
    groups, epsilon = layer.attr("num_groups"), float(layer.attr("epsilon"))
    attributes: dict[str, int | float] = {"num_groups": groups, "epsilon": epsilon}
    return same_as(layer, "GroupNormalization", 21, layer.inputs, **attributes)


@openvino("BatchNormInference", 1, 5)
def batch_norm(layer: Layer) -> tuple[Result, ...]:
    """BatchNormInference-1, whose data is the third input, and -5."""
    inputs = layer.inputs if layer.schema.since >= 5 else [layer.inputs[k] for k in (2, 0, 1, 3, 4)]
    epsilon = float(layer.attr("epsilon"))
    return same_as(layer, "BatchNormalization", 15, inputs, epsilon=epsilon)


@openvino("ReverseSequence", 1)
def reverse_sequence(layer: Layer) -> tuple[Result, ...]:
    """ReverseSequence-1."""
    batch = layer.axis(layer.attr("batch_axis"), layer.rank())
    time = layer.axis(layer.attr("seq_axis"), layer.rank())
    inputs = [layer.inputs[0], layer.cast(layer[1], el.I64)]
    return same_as(layer, "ReverseSequence", 28, inputs, batch_axis=batch, time_axis=time)


@openvino("ROIAlign", 3, 9)
def roi_align(layer: Layer) -> Value:
    """ROIAlign-3 and -9; mode max takes the maximum of interpolated samples.

    half_pixel_for_nn subtracts 1/2 from the scaled regions; half_pixel also takes their corners
    as centres of pixels before.
    """
    mode = layer.attr("aligned_mode") if layer.schema.since >= 9 else "asymmetric"
    regions = layer[1]
    if mode == "half_pixel":
        regions = (layer.traced(1) + 0.5).value
    attributes: dict[str, int | float | str] = {
        "mode": layer.attr("mode"),
        "output_height": layer.attr("pooled_h"),
        "output_width": layer.attr("pooled_w"),
        "sampling_ratio": layer.attr("sampling_ratio"),
        "spatial_scale": float(layer.attr("spatial_scale")),
        "coordinate_transformation_mode": (
            "output_half_pixel" if mode == "asymmetric" else "half_pixel"
        ),
    }
    inputs = [layer.inputs[0], regions, layer.cast(layer[2], el.I64)]
    node = NodeAdapter(layer, "RoiAlign", 22, inputs, attributes)
    return node.legalized(partial(aligned, of_parts=False))


@openvino("Col2Im", 15)
def col2im(layer: Layer) -> tuple[Result, ...]:
    """Col2Im-15."""
    rank = 2
    attributes = {name: list(layer.attr(name)) or [1] * rank for name in ("strides", "dilations")}
    ends = [list(layer.attr(name)) or [0] * rank for name in ("pads_begin", "pads_end")]
    inputs = [layer.inputs[0], _list(layer, 1), _list(layer, 2)]
    return same_as(layer, "Col2Im", 18, inputs, pads=[*ends[0], *ends[1]], **attributes)


@openvino("DeformableConvolution", 1, 8)
def deformable_convolution(layer: Layer) -> Value:
    """DeformableConvolution-1 and -8; only -8 can pad images with zeros."""
    if layer.attr("auto_pad") not in ("explicit", "notset"):
        raise layer.unsupported(f"auto_pad {layer.attr('auto_pad')} is not supported")
    x, offsets, filters = layer.inputs[:3]
    mask = layer.inputs[3] if layer.has(3) else None
    attributes: dict[str, int | list[int]] = {
        "strides": list(layer.attr("strides")),
        "dilations": list(layer.attr("dilations")),
        "pads": [*layer.attr("pads_begin"), *layer.attr("pads_end")],
        "group": layer.attr("group"),
        "offset_group": layer.attr("deformable_group"),
    }
    within = layer.schema.since < 8 or not layer.attr("bilinear_interpolation_pad")
    node = NodeAdapter(layer, "DeformConv", 22, [x, filters, offsets, None, mask], attributes)
    return node.legalized(partial(deformed, within=within))


def _signal_sizes(layer: Layer, count: int) -> list[SSAValue | Known | None]:
    """The length of the transform along each axis; None for that of the signal."""
    known = layer.known_list(2) if layer.has(2) else (ex.const(-1),) * count
    if known is None:
        raise layer.unsupported("input signal_size is not known when compiling")
    if len(known) != count:
        raise layer.error(f"{len(known)} signal sizes for {count} axes")
    return [None if e == -1 else kn.of([e], ()) for e in known]


@openvino("DFT", 7)
@openvino("IDFT", 7)
@openvino("RDFT", 9)
@openvino("IRDFT", 9)
def fourier(layer: Layer) -> tuple[Result, ...]:
    """DFT-7, IDFT-7, RDFT-9 and IRDFT-9: a transform along each axis.

    RDFT transforms the last axis first and keeps half of the spectrum; IRDFT transforms it last.
    """
    real, inverse = layer.schema.type in ("RDFT", "IRDFT"), layer.schema.type.startswith("I")
    x = layer[0]
    shape = layer.shape()
    rank = len(shape) - (0 if real and not inverse else 1)
    axes = layer.axes(layer.numbers(1), rank)
    sizes = _signal_sizes(layer, len(axes))
    steps = list(zip(axes, sizes, strict=True))
    if real and not inverse:
        x, steps = layer.reshape(x, (*shape, 1)), steps[::-1]
    for k, (axis, size) in enumerate(steps):
        half = real and k == (len(steps) - 1 if inverse else 0)
        if half and inverse and size is None:
            size = kn.of([2 * (shape_of(tensor_of(x))[axis] - 1)], ())
        inputs = [x, size, kn.of([axis], ())]
        flags = {"inverse": int(inverse), "onesided": int(half)}
        x = layer.tensor(same_as(layer, "DFT", 20, inputs, **flags)[0])
    if real and inverse:
        x = layer.reshape(x, shape_of(tensor_of(x))[:-1])
    return (x,)

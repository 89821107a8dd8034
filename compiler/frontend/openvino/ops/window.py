"""What filters and windows see: convolutions, whose filters may be in groups, and pooling."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.opc.reduction import ArgMaxOp, ReduceSumOp
from opc.dialects.shape import Shape, element, shape_of, shape_text, tensor_of
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.moving import positions
from opc.frontend.models.padding import same_pads, with_unknown_pads
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.pooling import Windows, lowest

from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def listed(layer: Layer, name: str, count: int, least: int) -> tuple[int, ...]:
    """An attribute with a number for each spatial axis; an error if it is none."""
    values: tuple[int, ...] = layer.attr(name)
    if len(values) != count or any(v < least for v in values):
        raise layer.error(
            f"attribute {name} is {list(values)}, expected {count} integers from {least} on"
        )
    return values


def _pads(
    layer: Layer,
    kernel: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
) -> tuple[IntExpr, ...]:
    """The pads before each spatial axis, then after each."""
    rank, auto = len(kernel), layer.attr("auto_pad")
    if auto in ("explicit", "notset"):
        begin, end = (layer.attr(name) for name in ("pads_begin", "pads_end"))
        if any(v < 0 for v in (*begin, *end)):
            raise layer.unsupported(f"pads {list(begin)} and {list(end)}: negative ones cut off")
        return (*listed(layer, "pads_begin", rank, 0), *listed(layer, "pads_end", rank, 0))
    if auto == "valid":
        return (0,) * (2 * rank)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    return same_pads(layer.shape()[2:], reach, strides, auto == "same_upper")


def _conv(layer: Layer, groups: int, filters: SSAValue, shape: tuple[ex.Expr, ...]) -> SSAValue:
    """opc.conv of the first input; ``shape`` is that of the filters [F, C / groups, kernel...]."""
    x = layer.shape()
    if len(x) != len(shape):
        raise layer.error(f"an input {shape_text(x)} and filters {shape_text(shape)} do not fit")
    kernel = [e.constant for e in shape[2:]]
    if any(k is None for k in kernel):
        raise layer.unsupported(f"the extents of filters {shape_text(shape)} are unknown")
    rank = len(kernel)
    strides, dilations = (listed(layer, name, rank, 1) for name in ("strides", "dilations"))
    pads = _pads(layer, tuple(k or 0 for k in kernel), strides, dilations)
    data, filters = layer.widened(layer[0]), layer.widened(filters)
    data, left = with_unknown_pads(layer, data, pads, layer.constant(0, element(tensor_of(data))))
    y = layer.add(
        ConvOp(data, filters, strides=strides, dilations=dilations, pads=left, groups=groups)
    )
    return layer.cast(y, layer.element())


def convolution(layer: Layer) -> SSAValue:
    """Convolution-1: filters [F, C, kernel...] --> opc.conv."""
    return _conv(layer, 1, layer[1], layer.shape(1))


def joined_groups(layer: Layer) -> tuple[int, SSAValue, Shape]:
    """How many groups filters [G, A / G, ...] have, and them as [A, ...], with that shape."""
    shape = layer.shape(1)
    groups = shape[0].constant if shape else None
    if len(shape) < 4 or groups is None:
        raise layer.unsupported(f"filters {shape_text(shape)}: expected a known number of groups")
    joined = (shape[0] * shape[1], *shape[2:])
    return groups, layer.reshape(layer[1], joined), joined


def group_convolution(layer: Layer) -> SSAValue:
    """GroupConvolution-1: filters [G, F / G, C / G, kernel...] --> opc.conv with groups."""
    return _conv(layer, *joined_groups(layer))


def _windows(layer: Layer) -> Windows:
    rank = layer.rank() - 2
    if rank < 1:
        raise layer.error(f"no axes to pool: the input is {shape_text(layer.shape())}")
    kernel, strides = listed(layer, "kernel", rank, 1), listed(layer, "strides", rank, 1)
    has_dilations = layer.schema.has("dilations")
    dilations = listed(layer, "dilations", rank, 1) if has_dilations else (1,) * rank
    pads = _pads(layer, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    rounding = layer.attr("rounding_type")
    if rounding == "floor" or layer.attr("auto_pad") in ("same_upper", "same_lower"):
        return windows
    return windows.rounded_up(layer.shape()[2:], rounding == "ceil_torch")


def max_pool(layer: Layer) -> tuple[SSAValue | None, ...]:
    """MaxPool-1, -8 and -14 --> opc.reduce_max of the windows, and where it stood."""
    windows, outputs = _windows(layer), layer.op.outputs
    is_asked = len(outputs) > 1 and outputs[1].first_use is not None
    places = _places(layer, windows) if is_asked else None
    return windows.greatest(layer, layer[0]), places


def _places(layer: Layer, windows: Windows) -> SSAValue:
    """The number of the greatest element of each window among those from an axis on."""
    n, shape, rank = Numbers(layer), layer.shape(), len(windows.kernel)
    view = windows.view(layer, layer[0], lowest(layer, layer.element()))
    whole = shape_of(tensor_of(view))[:-rank]
    flat = layer.reshape(view, (*whole, math.prod(windows.kernel)))
    best = layer.add(ArgMaxOp(flat, axis=-1))
    first = layer.axis(layer.attr("axis"), len(shape))
    total = n.of(0)
    for axis in range(first, len(shape)):
        at = positions(layer, whole[axis], axis, len(shape))
        k = axis - 2
        if k >= 0:
            step = n.apply(b.DivOp, best, math.prod(windows.kernel[k + 1 :]))
            step = n.mul(n.apply(b.ModOp, step, windows.kernel[k]), windows.dilations[k])
            start = n.sub(n.mul(at, windows.strides[k]), windows.before[k])
            at = n.add(start, step)
            if windows.before[k] != 0:
                # Padding comes first where no element is more: then the first element is meant.
                at = n.apply(b.MaxOp, at, n.apply(b.ModOp, start, windows.dilations[k]))
        total = n.add(n.mul(total, shape[axis]), at)
    found = layer.broadcast(total, whole)
    return layer.cast(found, layer.attr("index_element_type"))


def average_pool(layer: Layer) -> SSAValue:
    """AvgPool-1, -14 and -16 --> the sum of the windows by how many elements each has."""
    windows, x = _windows(layer), layer.widened(layer[0])
    type = element(tensor_of(x))
    view = windows.view(layer, x, layer.constant(0, type))
    total = layer.add(ReduceSumOp(view, axes=windows.axes))
    if layer.attr("exclude_pad") or not any((*windows.before, *windows.after)):
        counts = windows.counts(layer, layer.shape()[2:], type, includes=False)
    else:
        # What rounding up adds counts too, but only beside pads, as OpenVINO itself counts it.
        counts = layer.constant(math.prod(windows.kernel), type)
    return layer.cast(layer.binary("div", total, counts), layer.element())


_WINDOW = (
    "strides:ints! dilations:ints! pads_begin:ints! pads_end:ints! "
    "auto_pad:explicit|notset|same_upper|same_lower|valid=explicit"
)
add("Convolution", 1, "data:T filters:T", el.FLOAT, convolution, _WINDOW)
add("GroupConvolution", 1, "data:T filters:T", el.FLOAT, group_convolution, _WINDOW)

_POOL = (
    "strides:ints! pads_begin:ints! pads_end:ints! kernel:ints! "
    "auto_pad:explicit|notset|same_upper|same_lower|valid=explicit "
)
_ROUNDING = "rounding_type:floor|ceil=floor"
_TORCH = "rounding_type:floor|ceil|ceil_torch=floor"
_POSITIONS = " dilations:ints! index_element_type:type=i64 axis:int=0"
_NUMBERS = el.FLOAT | {el.BY_NAME[n] for n in ("i8", "ui8", "i32", "i64")}
add("MaxPool", 1, "data:T", _NUMBERS, max_pool, _POOL + _ROUNDING)
add("MaxPool", 8, "data:T", _NUMBERS, max_pool, _POOL + _ROUNDING + _POSITIONS)
add("MaxPool", 14, "data:T", _NUMBERS, max_pool, _POOL + _TORCH + _POSITIONS)
add("AvgPool", 1, "data:T", el.FLOAT, average_pool, f"{_POOL}exclude_pad:bool! {_ROUNDING}")
add("AvgPool", 14, "data:T", el.FLOAT, average_pool, f"{_POOL}exclude_pad:bool! {_TORCH}")
_HOLES = f"{_POOL}exclude_pad:bool! dilations:ints! {_TORCH}"
add("AvgPool", 16, "data:T", el.FLOAT, average_pool, _HOLES)

"""What filters see: convolutions, whose filters may be in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.shape import shape_text
from opc.frontend.padding import same_pads

from .row import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def _listed(layer: Layer, name: str, count: int, least: int) -> tuple[int, ...]:
    values: tuple[int, ...] = layer.attr(name)
    if len(values) != count or any(v < least for v in values):
        raise layer.error(
            f"attribute {name} is {list(values)}, expected {count} integers from {least} on"
        )
    return values


def _conv(layer: Layer, groups: int, filters: SSAValue, shape: tuple[ex.Expr, ...]) -> SSAValue:
    """opc.conv of the first input; ``shape`` is that of the filters [F, C / groups, kernel...]."""
    x = layer.shape()
    if len(x) != len(shape):
        raise layer.error(f"an input {shape_text(x)} and filters {shape_text(shape)} do not fit")
    kernel = [e.constant for e in shape[2:]]
    if any(k is None for k in kernel):
        raise layer.unsupported(f"the extents of filters {shape_text(shape)} are unknown")
    rank, auto = len(kernel), layer.attr("auto_pad")
    strides, dilations = (_listed(layer, name, rank, 1) for name in ("strides", "dilations"))
    pads = (0,) * (2 * rank)
    if auto in ("explicit", "notset"):
        begin, end = (layer.attr(name) for name in ("pads_begin", "pads_end"))
        if any(v < 0 for v in (*begin, *end)):
            raise layer.unsupported(f"pads {list(begin)} and {list(end)}: negative ones cut off")
        pads = (*_listed(layer, "pads_begin", rank, 0), *_listed(layer, "pads_end", rank, 0))
    elif auto != "valid":
        reach = [((k or 0) - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
        pads = same_pads(x[2:], reach, strides, auto == "same_upper", layer.unsupported)
    type = layer.element()
    y = layer.add(
        ConvOp(
            layer.widened(layer[0]),
            layer.widened(filters),
            strides=strides,
            dilations=dilations,
            pads=pads,
            groups=groups,
        )
    )
    return layer.cast(y, type)


def convolution(layer: Layer) -> SSAValue:
    """Convolution-1: filters [F, C, kernel...] --> opc.conv."""
    return _conv(layer, 1, layer[1], layer.shape(1))


def group_convolution(layer: Layer) -> SSAValue:
    """GroupConvolution-1: filters [G, F / G, C / G, kernel...] --> opc.conv with groups."""
    shape = layer.shape(1)
    groups = shape[0].constant if shape else None
    if len(shape) < 4 or groups is None:
        raise layer.unsupported(f"filters {shape_text(shape)}: expected a known number of groups")
    joined = (shape[0] * shape[1], *shape[2:])
    return _conv(layer, groups, layer.reshape(layer[1], joined), joined)


_WINDOW = (
    "strides:ints! dilations:ints! pads_begin:ints! pads_end:ints! "
    "auto_pad:explicit|notset|same_upper|same_lower|valid=explicit"
)
add("Convolution", 1, "data:T filters:T", el.FLOAT, convolution, _WINDOW)
add("GroupConvolution", 1, "data:T filters:T", el.FLOAT, group_convolution, _WINDOW)

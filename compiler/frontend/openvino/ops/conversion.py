"""Conversions between element types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.frontend.models.known import Known

from .row import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def _converted(layer: Layer, type: el.ElementType) -> SSAValue | Known:
    if type.is_small:
        raise layer.unsupported(f"a conversion to {type} is not supported")
    known = layer.wrapped(0)
    if known is not None and type.bits > known.type.bits:
        known = layer.exact(known)
    if known is not None and type.is_integer:
        found = Known(known.array, type)
        if found.fits():
            return found
    return layer.cast(layer[0], type)


def convert(layer: Layer) -> SSAValue | Known:
    """Convert-1: integers wrap, floats truncate toward zero; all but 0 is true."""
    return _converted(layer, layer.attr("destination_type"))


def convert_like(layer: Layer) -> SSAValue | Known:
    """ConvertLike-1: the element type of the second input, whose values do not matter."""
    return _converted(layer, layer.element(1))


add("Convert", 1, "data:T", el.STORED, convert, "destination_type:type!")
add("ConvertLike", 1, "data:T like:L", {"T": el.STORED, "L": el.ANY}, convert_like)

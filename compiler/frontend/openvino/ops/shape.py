"""Operators about shapes: Broadcast, Reshape, Squeeze, Unsqueeze, Transpose, ShapeOf, Range."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import TransposeOp
from opc.dialects.openvino import CHOSEN, YieldOp
from opc.dialects.shape import Shape, broadcast_shapes
from opc.frontend.models import known as kn
from opc.frontend.models import shaping
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Result
from opc.frontend.onnx.ops.shapes import ones

from .adapter import NodeAdapter
from .broadcasting import run_of
from .layer import Layer
from .schema import openvino


@openvino("Reshape", 1)
def reshape(layer: Layer) -> Result:
    """Reshape-1: with special_zero 0 copies an extent; one -1 is inferred."""
    return shaping.reshape(layer, layer.known_list(1), layer.attr("special_zero"))


@openvino("Squeeze", 1, 15)
def squeeze(layer: Layer) -> Result | tuple[Result | None, ...]:
    """Squeeze-1 and -15: removes listed axes of extent 1, or all of them without a list.

    A listed axis with another extent stays.  An unknown one is required to be 1, or tested at run
    time with allow_axis_skip.  A scalar stays as it is, also with axis 0.
    """
    shape, rank = layer.shape(0), layer.rank()
    axes = layer.known_numbers(1) if layer.has(1) else ()
    if axes is None:
        return layer.reshape(layer[0], layer.read("squeeze", 1, shape))
    gone = sorted({layer.axis(axis, rank or 1) for axis in axes})
    if not axes or (layer.schema.has("allow_axis_skip") and layer.attr("allow_axis_skip")):
        among = gone[:rank] if axes else range(rank)
        node = NodeAdapter(layer, "Squeeze", 25, layer.inputs[:1])
        chosen = node.legalized(lambda n: ones(n, layer.op, CHOSEN, YieldOp, among))
        if isinstance(chosen, tuple):
            return chosen
        return shaping.reshaped(layer, [e for k, e in enumerate(shape) if k not in chosen])
    return shaping.reshaped(
        layer, [e for k, e in enumerate(shape) if k not in gone or e.constant not in (None, 1)]
    )


@openvino("Unsqueeze", 1)
def unsqueeze(layer: Layer) -> Result:
    """Unsqueeze-1: new axes of extent 1, at these positions of the result."""
    return shaping.unsqueezed(layer, layer.known_numbers(1))


@openvino("Transpose", 1)
def transpose(layer: Layer) -> SSAValue:
    """Transpose-1: an empty order reverses the axes."""
    rank, order = layer.rank(), layer.numbers(1)
    if any(axis < 0 for axis in order):
        raise layer.error(f"order {list(order)} has a negative axis")
    return layer.add(TransposeOp(layer[0], permutation=order or tuple(reversed(range(rank)))))


@openvino("ShapeOf", 1, 3)
def shape_of(layer: Layer) -> Known:
    """ShapeOf-0 and -3: the extents, in i64 or i32."""
    type = el.BY_NAME[layer.attr("output_type")] if layer.schema.has("output_type") else el.I64
    return kn.of(layer.shape(0), (layer.rank(),), type)


@openvino("Broadcast", 1, 3)
def broadcast(layer: Layer) -> SSAValue:
    """Broadcast-1 and -3: by NumPy's rule, by axes_mapping, or bidirectional."""
    mode = layer.attr("mode")
    if mode == "none":
        # OpenVINO's writer stores this for mode explicit of Broadcast-1.
        mode = "explicit"
    # OpenVINO's writer gives Broadcast-1 an axes_mapping in every mode.
    expected = mode == "explicit" or (layer.schema.since == 1 and layer.has(2))
    if layer.has(2) != expected:
        raise layer.error(
            f"mode {mode} with {len(layer.inputs)} inputs: axes_mapping belongs to mode explicit"
        )
    source, wanted = layer.shape(0), layer.known_list(1)
    if layer.rank(1) != 1:
        raise layer.error("target_shape must be 1-D")
    if wanted is None:
        rule = "expand" if mode == "bidirectional" else "plain"
        target = layer.read(rule, 1, source if rule == "expand" else ())
    elif mode == "bidirectional":
        try:
            target = broadcast_shapes([source, wanted])
        except VerifyException as error:
            raise layer.error(str(error)) from None
        for x, y in zip(reversed(source), reversed(wanted), strict=False):
            layer.require("broadcast", x, y, "extents do not broadcast")
    else:
        target = wanted
    for extent in target:
        if extent.constant is not None and extent.constant < 0:
            raise layer.error(f"extent {extent_text(extent)} of the target shape is negative")
    if mode == "pdpd":
        return run_of(layer, layer[0], target, layer.attr("axis"))
    x = layer[0]
    if mode == "explicit":
        x = layer.reshape(x, _mapped(layer, source, len(target)))
    return layer.broadcast(x, target)


def _mapped(layer: Layer, source: Shape, rank: int) -> list[ex.Expr]:
    """The source with its axes at the positions in axes_mapping."""
    places = layer.numbers(2)
    if len(places) != len(source):
        raise layer.error(f"axes_mapping has {len(places)} axes, the data {len(source)}")
    if list(places) != sorted(set(places)) or any(not 0 <= p < rank for p in places):
        raise layer.error(
            f"axes_mapping {list(places)} must be sorted, unique and within [0, {rank - 1}]"
        )
    extents = dict(zip(places, source, strict=True))
    return [extents.get(k, ex.const(1)) for k in range(rank)]


def _whole(layer: Layer, position: int) -> ex.Expr | None:
    """A known integer, possibly written as a float."""
    known = layer.known_list(position)
    if known is not None:
        return known[0] if len(known) == 1 else None
    number = layer.number(position)
    return ex.const(int(number)) if number is not None and number.is_integer() else None


@openvino("Range", 1, 4)
def range_(layer: Layer) -> Result:
    """Range-1 and -4: start, start + step, ... before stop; evaluate.py has known ones."""
    type: el.ElementType = layer.element() if layer.schema.since < 4 else layer.attr("output_type")
    bounds = [_whole(layer, k) for k in range(3)] if type.is_integer else []
    return shaping.range_of(layer, type, bounds)

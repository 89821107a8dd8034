"""Layers that the schemas of ONNX legalize, under other names of inputs and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, StringAttr, f32, i64
from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.onnx import NodeOp, UnknownType
from opc.dialects.opc.indexing import GatherElementsOp
from opc.dialects.opc.symbols import RequireOp
from opc.errors import InputError, UnsupportedError
from opc.frontend.models import known as kn
from opc.frontend.models.known import Known
from opc.frontend.models.op_builder import Result, Value
from opc.frontend.models.order import ordered
from opc.frontend.onnx.ops import SCHEMAS
from opc.frontend.onnx.ops.node import Node
from opc.frontend.onnx.ops.roi import aligned
from opc.frontend.onnx.ops.sampling import deformed
from opc.frontend.tail_duplication import Tail

from .layer import Layer
from .schema import Legalize, openvino

T = TypeVar("T")


def _attribute(value: Any) -> Attribute:
    """The attribute of a number, a text, or a list of integers."""
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, float):
        return FloatAttr(value, f32)
    if isinstance(value, int):
        return IntegerAttr(int(value), i64)
    return DenseArrayBase.from_list(i64, list(value))


class NodeAdapter(Node):
    """A layer as a node of ONNX; errors name the layer."""

    def __init__(
        self,
        layer: Layer,
        operator: str,
        since: int,
        inputs: Sequence[Value | None],
        attributes: Mapping[str, Any] | None = None,
        outputs: int | None = None,
    ) -> None:
        encoded = {name: _attribute(value) for name, value in (attributes or {}).items()}
        types = [UnknownType()] * (len(layer.op.outputs) if outputs is None else outputs)
        op = NodeOp.of(operator, since, [], encoded, types)
        op.location = layer.op.location
        super().__init__(op, SCHEMAS[operator][since], inputs, 0, layer.insert, layer.into)
        self.layer = layer

    def legalized(self, legalize: Callable[[Node], T]) -> T:
        """Legalize the node by a function, while the node is in the module."""
        self.layer.insert(self.op)
        results = legalize(self)
        self.op.detach()
        return results

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail[Any]:
        """The operations behind the layer, which its branches may compute."""
        assert branch is not None
        return Tail(self.into, self.layer.op, branch)

    def state(self, need: RequireOp) -> None:
        """Insert a requirement."""
        self.insert(need)

    def note(self, text: str) -> None:
        """Nothing: notes are about nodes of ONNX."""

    def error(self, message: str) -> InputError:
        """What is wrong with the layer."""
        return self.layer.error(message)

    def unsupported(self, message: str) -> UnsupportedError:
        """What opc cannot compile about the layer."""
        return self.layer.unsupported(message)


def same_as(
    layer: Layer, operator: str, since: int, inputs: Sequence[Value | None], **attributes: Any
) -> tuple[Result, ...]:
    """The results of the node of ONNX with these inputs and attributes."""
    node = NodeAdapter(layer, operator, since, inputs, attributes)
    result = node.legalized(node.schema.legalize)
    results = result if isinstance(result, tuple) else (result,)
    return tuple(layer.tensor(r) for r in results if r is not None)


def _list(layer: Layer, position: int) -> SSAValue | Known:
    """A list of integers in i64."""
    known = layer.known(position)
    if known is not None:
        return kn.of(known.exprs, (len(known.exprs),))
    return layer.cast(layer.reshape(layer[position], (ex.product(layer.shape(position)),)), el.I64)


def renamed(operator: str, since: int, *names: str) -> Legalize:
    """The node of ONNX with the inputs of the layer, and with these attributes of it."""

    def legalize(layer: Layer) -> tuple[Result, ...]:
        attributes = {name: layer.attr(name) for name in names}
        return same_as(layer, operator, since, layer.inputs, **attributes)

    return legalize


openvino("BatchNormInference", 5)(renamed("BatchNormalization", 15, "epsilon"))
openvino("CumSum", 3)(renamed("CumSum", 14, "exclusive", "reverse"))
openvino("Einsum", 7)(renamed("Einsum", 28, "equation"))
openvino("GroupNormalization", 12)(renamed("GroupNormalization", 21, "num_groups", "epsilon"))


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
    attributes = {name: layer.attr(name) for name in ("padding_mode", "align_corners")}
    mode = layer.attr("mode").removeprefix("bi")
    return same_as(layer, "GridSample", 20, layer.inputs, mode=mode, **attributes)


@openvino("BatchNormInference", 1)
def batch_norm(layer: Layer) -> tuple[Result, ...]:
    """BatchNormInference-1, whose data is the third input."""
    inputs = [layer.inputs[k] for k in (2, 0, 1, 3, 4)]
    return same_as(layer, "BatchNormalization", 15, inputs, epsilon=layer.attr("epsilon"))


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
    attributes = {
        "mode": layer.attr("mode"),
        "output_height": layer.attr("pooled_h"),
        "output_width": layer.attr("pooled_w"),
        "sampling_ratio": layer.attr("sampling_ratio"),
        "spatial_scale": layer.attr("spatial_scale"),
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
    attributes = {name: layer.attr(name) or (1, 1) for name in ("strides", "dilations")}
    first, last = (layer.attr(name) or (0, 0) for name in ("pads_begin", "pads_end"))
    inputs = [layer.inputs[0], _list(layer, 1), _list(layer, 2)]
    return same_as(layer, "Col2Im", 18, inputs, pads=(*first, *last), **attributes)


@openvino("DeformableConvolution", 1, 8)
def deformable_convolution(layer: Layer) -> Value:
    """DeformableConvolution-1 and -8; only -8 can pad images with zeros."""
    if layer.attr("auto_pad") not in ("explicit", "notset"):
        raise layer.unsupported(f"auto_pad {layer.attr('auto_pad')} is not supported")
    x, offsets, filters = layer.inputs[:3]
    mask = layer.inputs[3] if layer.has(3) else None
    attributes = {name: layer.attr(name) for name in ("strides", "dilations", "group")}
    attributes["pads"] = (*layer.attr("pads_begin"), *layer.attr("pads_end"))
    attributes["offset_group"] = layer.attr("deformable_group")
    within = layer.schema.since < 8 or not layer.attr("bilinear_interpolation_pad")
    node = NodeAdapter(layer, "DeformConv", 22, [x, filters, offsets, None, mask], attributes)
    return node.legalized(partial(deformed, within=within))

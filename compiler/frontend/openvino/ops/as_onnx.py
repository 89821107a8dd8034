"""Layers that the schemas of ONNX legalize, under other names of inputs and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from opc.frontend.models.op_builder import Value
from opc.frontend.models.order import ordered
from opc.frontend.onnx.ops import SCHEMAS
from opc.frontend.onnx.ops.node import Node
from opc.frontend.onnx.ops.roi import aligned
from opc.frontend.onnx.ops.sampling import deformed
from opc.frontend.tail_duplication import Tail

from .layer import Data, Layer, Long
from .schema import openvino

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
) -> tuple[Any, ...]:
    """The results of the node of ONNX with these inputs and attributes, as arrays."""
    node = NodeAdapter(layer, operator, since, inputs, attributes)
    result = node.legalized(node.schema.legalize)
    results = result if isinstance(result, tuple) else (result,)
    return tuple(layer.trace.array(layer.tensor(r)) for r in results if r is not None)


def node(operator: str, since: int, names: str = "") -> Callable[..., Any]:
    """The node of ONNX with the attributes of the layer and its inputs, in the order of ``names``.

    By default it has all of them in their order.
    """

    def function(layer: Layer, **attributes: Any) -> tuple[Any, ...]:
        places = {spec.name: k for k, spec in enumerate(layer.schema.inputs)}
        inputs = [layer.inputs[places[n]] for n in names.split()] or layer.inputs
        return same_as(layer, operator, since, inputs, **attributes)

    return function


openvino("BatchNormInference")(node("BatchNormalization", 15, "data gamma beta mean variance"))
openvino("CumSum")(node("CumSum", 14))
openvino("Einsum")(node("Einsum", 28))
openvino("GroupNormalization")(node("GroupNormalization", 21))


@openvino("TopK", 1, 3, 11)
def top_k(layer: Layer, data: Data, *, axis: int, mode: str, sort: str) -> tuple[Any, Any]:
    """TopK-1, -3 and -11; with ``sort = index`` the indices found are sorted again."""
    axis = layer.axis(axis, data.ndim)
    extent = data.extents[axis]
    (count,) = layer.known_list(1) or layer.read("plain", 1, (), (extent,), 1)
    if count.constant is not None and count.constant < 0:
        raise layer.error(f"k is {extent_text(count)}")
    layer.require("equal", ex.minimum(extent, count), count, "k is more than there are")
    values, places = ordered(data, axis, count, largest=mode == "max")
    if sort == "index":
        places, order = ordered(places, axis, count, largest=False)
        values = values.trace.emit(GatherElementsOp, values, order, axis=axis, from_end=False)
    return values, places


@openvino("GridSample", 9)
def grid_sample(layer: Layer, *, mode: str, **attributes: Any) -> tuple[Any, ...]:
    """GridSample-9."""
    mode = mode.removeprefix("bi")
    return same_as(layer, "GridSample", 20, layer.inputs, **attributes | {"mode": mode})


@openvino("ReverseSequence", 1)
def reverse_sequence(layer: Layer, data: Data, seq_lengths: Long, **axes: int) -> tuple[Any, ...]:
    """ReverseSequence-1."""
    batch, time = (layer.axis(axes[name], data.ndim) for name in ("batch_axis", "seq_axis"))
    inputs = [data, seq_lengths]
    return same_as(layer, "ReverseSequence", 28, inputs, batch_axis=batch, time_axis=time)


@openvino("ROIAlign", 3, 9)
def roi_align(
    layer: Layer, *inputs: Data, aligned_mode: str = "asymmetric", **others: Any
) -> Value:
    """ROIAlign-3 and -9; mode max takes the maximum of interpolated samples.

    half_pixel_for_nn subtracts 1/2 from the scaled regions; half_pixel also takes their corners
    as centres of pixels before.
    """
    data, regions, images = inputs
    regions = regions + 0.5 if aligned_mode == "half_pixel" else regions
    half = "output_half_pixel" if aligned_mode == "asymmetric" else "half_pixel"
    sizes = {f"output_{name}": others[f"pooled_{name[0]}"] for name in ("height", "width")}
    others |= {**sizes, "coordinate_transformation_mode": half}
    node = NodeAdapter(layer, "RoiAlign", 22, [data, regions, images.astype(el.I64)], others)
    return node.legalized(lambda n: aligned(n, of_parts=False))


@openvino("Col2Im", 15)
def col2im(layer: Layer, data: Data, **attributes: Any) -> tuple[Any, ...]:
    """Col2Im-15."""
    strides, dilations = (attributes[name] or (1, 1) for name in ("strides", "dilations"))
    pads = [n for name in ("pads_begin", "pads_end") for n in attributes[name] or (0, 0)]
    how = {"strides": strides, "dilations": dilations, "pads": pads}
    return same_as(layer, "Col2Im", 18, [data, _list(layer, 1), _list(layer, 2)], **how)


def _list(layer: Layer, position: int) -> SSAValue | Known:
    """A list of integers in i64."""
    known = layer.known(position)
    if known is not None:
        return kn.of(known.exprs, (len(known.exprs),))
    return layer.cast(layer.reshape(layer[position], (ex.product(layer.shape(position)),)), el.I64)


@openvino("DeformableConvolution", 1, 8)
def deformable_convolution(
    layer: Layer, *inputs: Data, bilinear_interpolation_pad: bool = False, **others: Any
) -> Value:
    """DeformableConvolution-1 and -8; only -8 can pad images with zeros."""
    if others["auto_pad"] not in ("explicit", "notset"):
        raise layer.unsupported(f"auto_pad {others['auto_pad']} is not supported")
    others["pads"] = (*others["pads_begin"], *others["pads_end"])
    others["offset_group"] = others["deformable_group"]
    data, offsets, filters, *mask = inputs
    inputs = (data, filters, offsets, None, *mask)
    node = NodeAdapter(layer, "DeformConv", 22, inputs, others)
    return node.legalized(lambda n: deformed(n, within=not bilinear_interpolation_pad))

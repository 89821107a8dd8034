"""Reductions over axes that are an input, constant or not."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.opc import reduction as r
from opc.dialects.shape import shape_of, tensor_of

from .layer import Layer
from .schema import Legalize, openvino


def reduced(layer: Layer, kind: type[r.Reduction], x: SSAValue, keepdims: bool) -> SSAValue:
    """A reduction of x over the axes in input 1; over none of them, x itself."""
    axes = layer.known_numbers(1)
    if axes is None:
        return layer.add(kind(x, layer[1], keepdims=keepdims or None))
    axes = layer.axes(axes, len(shape_of(tensor_of(x))))
    return layer.add(kind(x, axes=axes, keepdims=keepdims or None))


def reduction(kind: type[r.Reduction]) -> Legalize:
    """An empty list of axes is the identity; ``keep_dims`` is false by default."""

    def legalize(layer: Layer) -> SSAValue:
        return reduced(layer, kind, layer[0], layer.attr("keep_dims"))

    return legalize


for _name in ["Sum", "Min", "Max", "Mean", "Prod", "L1", "L2"]:
    openvino(f"Reduce{_name}")(reduction(getattr(r, f"Reduce{_name}Op")))
openvino("ReduceLogicalAnd")(reduction(r.ReduceAllOp))
openvino("ReduceLogicalOr")(reduction(r.ReduceAnyOp))

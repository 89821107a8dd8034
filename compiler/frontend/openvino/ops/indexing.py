"""Gather and scatter layers."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp, ScatterElementsOp, ScatterOp
from opc.dialects.shape import shape_of, tensor_of
from opc.frontend.models import indirect
from opc.frontend.models.indirect import is_numeric

from .layer import Layer
from .schema import openvino

REDUCTIONS = {"none": "none", "sum": "add", "sub": "add", "prod": "mul", "max": "max", "min": "min"}
"""OpenVINO's reductions --> those of opc.scatter; sub adds -x."""


@openvino("Gather", 1, 7, 8)
def gather(layer: Layer) -> SSAValue:
    """Gather-1, -7 and -8 --> opc.gather.

    Negative indices count from the end in Gather-8; of shapes, as in OpenVINO, in each version.
    """
    rank, indices = layer.rank(0), layer.rank(1)
    axis = layer.axis(layer.one_number(2), rank)
    batch = layer.attr("batch_dims") if layer.schema.since >= 7 else 0
    batch = batch + indices if batch < 0 else batch
    if not 0 <= batch <= min(axis, indices):
        raise layer.error(
            f"attribute batch_dims is {batch} for axis {axis} and indices of rank {indices}"
        )
    from_end = layer.schema.since >= 8 or layer.known(0) is not None
    return layer.add(GatherOp(layer[0], layer[1], axes=[axis], batch=batch, from_end=from_end))


@openvino("GatherElements", 6)
def gather_elements(layer: Layer) -> SSAValue:
    """GatherElements-6 --> opc.gather_elements."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    return layer.add(GatherElementsOp(layer[0], layer[1], axis=axis))


@openvino("GatherND", 5, 8)
def gather_nd(layer: Layer) -> Any:
    """GatherND-5 and -8 --> opc.gather; GatherND-5 merges the axes in common."""
    batch = layer.attr("batch_dims")
    result = indirect.gather_nd(layer, batch)
    if layer.schema.since >= 8 or batch < 2:
        return result
    return result.reshape((ex.product(result.extents[:batch]), *result.extents[batch:]))


@openvino("ScatterUpdate", 3)
def scatter_update(layer: Layer) -> SSAValue:
    """ScatterUpdate-3 --> opc.scatter."""
    axis = layer.axis(layer.one_number(3), layer.rank())
    return layer.add(ScatterOp(layer[0], layer[2], layer[1], axes=[axis]))


def _reduction(layer: Layer) -> str:
    """OpenVINO's name of the layer's reduction."""
    name = str(layer.attr("reduction")) if layer.schema.has("reduction") else "none"
    if name == "mean" or (name != "none" and not is_numeric(layer)):
        raise layer.unsupported(f"reduction {name} of {layer.element()}")
    return name


@openvino("ScatterElementsUpdate", 3, 12)
def scatter_elements(layer: Layer) -> SSAValue:
    """ScatterElementsUpdate-3 and -12 --> opc.scatter_elements.

    Without ``use_init_val``, updated elements start as the neutral element.
    """
    axis, name = layer.axis(layer.one_number(3), layer.rank()), _reduction(layer)
    x, indices, updates = (layer[k] for k in range(3))
    if name != "none" and not layer.attr("use_init_val"):
        neutral = layer.constant(_neutral(name, layer.element()), layer.element())
        shape = shape_of(tensor_of(updates))
        x = layer.add(ScatterElementsOp(x, layer.broadcast(neutral, shape), indices, axis=axis))
    reduction = REDUCTIONS[name]
    return layer.add(ScatterElementsOp(x, updates, indices, axis=axis, reduction=reduction))


def _neutral(name: str, type: el.ElementType) -> int | float:
    """The neutral element of a reduction; of add it is -0, since -0 + -0 is -0."""
    if name in ("max", "min"):
        return type.lowest if name == "max" else type.highest
    return 1 if name == "prod" else -0.0 if type.is_float else 0


@openvino("ScatterNDUpdate", 3, 15)
def scatter_nd(layer: Layer) -> Any:
    """ScatterNDUpdate-3 and -15 --> opc.scatter along the first axes."""
    name, updates = _reduction(layer), layer.traced(2)
    return indirect.scatter_nd(layer, -updates if name == "sub" else updates, REDUCTIONS[name])

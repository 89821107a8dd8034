"""Inverses of matrices by Gauss-Jordan elimination with partial pivoting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .schema import openvino


def _step(inner: Builder, arguments: Sequence[SSAValue]) -> tuple[Values, Values]:
    """Make column k of [B, n, 2n] that of the unit matrix, after a swap with the pivot row."""
    trace = NodeTrace(inner)
    k, a = map(trace.array, arguments)
    _, n, both = shape_of(tensor_of(arguments[1]))
    rows = trace.given(trace.numbers(n), el.I64).reshape(-1, 1)
    columns = trace.given(trace.numbers(both), el.I64)
    zero = np.zeros((), a.dtype)

    def row(number: Any) -> Any:
        return onp.where(rows == number, a, zero).sum(axis=1, keepdims=True)

    column = onp.where(columns == k, a, zero).sum(axis=2)
    rank = onp.where(rows.reshape(-1) >= k, onp.abs(column), -1)
    at = onp.argmax(rank, axis=1, keepdims=True).reshape(-1, 1, 1)
    top, other = row(at), row(k)
    pivot = onp.where(columns == k, top, zero).sum(axis=2, keepdims=True)
    scaled = top / pivot
    swapped = onp.where(rows == at, other, a)
    factor = onp.where(columns == k, swapped, zero).sum(axis=2, keepdims=True)
    reduced = onp.where(rows == k, scaled, swapped - factor * scaled)
    return [reduced.value], []


@openvino("Inverse", 14)
def inverse(layer: Layer) -> SSAValue:
    """Inverse-14 --> opc.scan over the columns; ``adjoint`` transposes the result."""
    shape = layer.shape()
    if len(shape) < 2:
        raise layer.error(f"{shape_text(shape)} is not a matrix")
    layer.require("equal", shape[-1], shape[-2], "the matrix is not square")
    batch, n = ex.product(shape[:-2]), shape[-1]
    x = layer.reshape(layer.widened(layer[0]), (batch, n, n))
    type, trace = element(tensor_of(x)), NodeTrace(layer)
    places = trace.given(trace.numbers(n), el.I64)
    unit = (places.reshape(-1, 1) == places).astype(type.name).value
    unit = layer.broadcast(unit, (batch, n, n))
    both = onp.concatenate([trace.array(x), trace.array(unit)], axis=2)
    (pairs,), _ = scan(layer, layer.op, n, ([both.value], [], []), _step, has_index=True)
    result = trace.array(pairs)[:, :, trace.size(n) :]
    if layer.attr("adjoint"):
        result = result.transpose([0, 2, 1])
    return layer.cast(layer.reshape(result.value, shape), layer.element())

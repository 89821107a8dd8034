"""Variants of ONNX operators, such as Trilu, Pad and Range, and small ones, such as CDist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import type_text
from opc.frontend.models import known as kn
from opc.frontend.models.inverse import inverted
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace, traced, value
from opc.frontend.models.unique import different

from ..indexing import gather_nd
from ..layout import trilu
from ..node import Node
from ..normalization import wide
from ..padding import pad
from ..parts import range_
from ..sampling import grid_sample
from ..schema import SCHEMAS, onnx
from ..window import conv
from .fused import MS, fused_conv
from .quantized import transposed


def same(function: Callable[[Node], Any], operator: str, since: int) -> Callable[[Node], Any]:
    """The legalization as a version of an ONNX operator."""
    return lambda node: function(node.with_inputs(*node.inputs, schema=SCHEMAS[operator][since]))


@onnx(f"{MS}Pad", 1)
def padded(node: Node) -> Result:
    """Pad(x, pads, value) --> Pad-13 of ONNX; pads may be a matrix of one row."""
    x, pads, *rest = node.inputs
    if pads is not None and len(node.shape(1)) == 2:
        known, count = node.known(1), ex.product(node.shape(1))
        pads = node.reshape(node[1], (count,)) if known is None else kn.vector(known.exprs)
    return pad(node.with_inputs(x, pads, *rest, schema=SCHEMAS["Pad"][13]))


@onnx(f"{MS}Range", 1)
def counted(node: Node) -> Result:
    """Range(start, limit, delta) --> Range-11 of ONNX; delta is 1 by default."""
    start, limit, *rest = node.inputs
    step = rest[0] if rest else node.constant(1, node.element())
    return range_(node.with_inputs(start, limit, step, schema=SCHEMAS["Range"][11]))


@onnx(f"{MS}ExpandDims", 1)
def expand(node: Node) -> Result:
    """ExpandDims(x, axis) --> x with an axis of extent 1."""
    known = node.known(1)
    numbers = None if known is None else known.constants()
    if not numbers:
        raise node.unsupported("the axis is not known when compiling")
    shape = node.shape()
    axis = node.axis(int(numbers[0]), len(shape) + 1)
    return node.reshape(node[0], (*shape[:axis], 1, *shape[axis:]))


@onnx(f"{MS}Unique", 1)
def unique(node: Node) -> tuple[Result, ...]:
    """Unique(x) --> distinct elements in order, their index for each element, their counts."""
    y, groups = different(node.traced(0), None, False)
    return y.value, groups.inverse.value, groups.counts.value


@onnx(f"{MS}TorchEmbedding", 1)
def embedding(node: Node) -> Result:
    """TorchEmbedding(weights, indices) --> opc.gather; other inputs are for training."""
    return node.add(GatherOp(node[0], node[1], axes=(0,), from_end=False))


@onnx(f"{MS}CDist", 1)
def distances(node: Node) -> Result:
    """CDist(a, b) --> distances of all pairs of rows, or their squares."""
    a, c = traced(node)
    if a.ndim != 2 or c.ndim != 2:
        raise node.error(
            f"{type_text(node[0].type)} and {type_text(node[1].type)} are not matrices"
        )
    metric = node.attr("metric")
    if metric not in ("euclidean", "sqeuclidean"):
        raise node.unsupported(f'metric "{metric}", expected euclidean or sqeuclidean')
    total = onp.sum(onp.square(onp.expand_dims(a, 1) - c), axis=2)
    return value(node, onp.sqrt(total) if metric == "euclidean" else total)


@onnx(f"{MS}IsAllFinite", 1)
def all_finite(node: Node) -> Result:
    """IsAllFinite(x, ...) --> whether no element is infinite or NaN."""
    bad: Sequence[Callable[[Any], Any]] = (onp.isinf, onp.isnan)
    if node.attr("isinf_only"):
        bad = bad[:1]
    elif node.attr("isnan_only"):
        bad = bad[1:]
    trace, total = NodeTrace(node), None
    for k in range(len(node.inputs)):
        x = trace.array(node.cast(node[k], wide(node.element(k))))
        for test in bad:
            is_bad = onp.any(test(x))
            total = is_bad if total is None else total | is_bad
    assert total is not None
    return onp.logical_not(total).value


@onnx(f"{MS}ComplexMul", 1)
def _pairs(node: Node, sign: int = 1) -> Result:
    """Complex products, with parts along the last axis; b is conjugated if sign is -1."""
    a, c = traced(node)
    for x in (a, c):
        node.require("equal", x.extents[-1], ex.const(2), "the last axis has two parts")
    parts = [
        a[..., 0] * c[..., 0] - a[..., 1] * c[..., 1] * sign,
        a[..., 1] * c[..., 0] + a[..., 0] * c[..., 1] * sign,
    ]
    return value(node, onp.stack(parts, axis=-1))


onnx(f"{MS}ComplexMulConj", 1)(partial(_pairs, sign=-1))


@onnx(f"{MS}Inverse", 1)
def inverse(node: Node) -> Result:
    """Inverse(x) --> opc.scan over the columns of [x | identity]."""
    return inverted(node)


@onnx(f"{MS}NhwcConv", 1)
def last_conv(node: Node) -> Result:
    """NhwcConv(x, w, b) --> Conv, transposed from channels last in x and w."""
    x, w, *rest = node.inputs
    assert x is not None and w is not None
    filters = transposed(node, node.tensor(w), True)
    inner = node.with_inputs(
        transposed(node, node.tensor(x), True), filters, *rest, schema=SCHEMAS["Conv"][11]
    )
    return transposed(node, node.tensor(conv(inner)), False)


@onnx(f"{MS}NhwcFusedConv", 1)
def last_fused_conv(node: Node) -> Result:
    """NhwcFusedConv(x, w, b, z) --> FusedConv, transposed from channels last in x and z."""
    x, w, bias, z = [*node.inputs, None, None][:4]
    assert x is not None
    z = None if z is None else transposed(node, node.tensor(z), True)
    schema = SCHEMAS[f"{MS}FusedConv"][1]
    inner = node.with_inputs(transposed(node, node.tensor(x), True), w, bias, z, schema=schema)
    return transposed(node, node.tensor(fused_conv(inner)), False)


onnx(f"{MS}Trilu", 1)(same(trilu, "Trilu", 14))
onnx(f"{MS}GatherND", 1)(same(gather_nd, "GatherND", 11))
onnx(f"{MS}GridSample", 1)(same(grid_sample, "GridSample", 16))

"""Variants of ONNX operators, such as Trilu, Pad and Range, and small ones, such as CDist."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.frontend.models.traced import traced, value
from opc.frontend.models.unique import different

from ..node import Node
from ..schema import Result, onnx
from .fused import MS


@onnx(f"{MS}Pad", 1)
def padded(node: Node) -> Result:
    """Pad(x, pads, value) --> Pad-13 of ONNX; pads may be a matrix of one row."""
    x, pads, *rest = node.inputs
    if pads is not None and len(node.shape(1)) == 2:
        pads = node.reshape(node[1], (ex.product(node.shape(1)),))
    return node.apply("Pad", 13, x, pads, *rest)


@onnx(f"{MS}Range", 1)
def counted(node: Node) -> Result:
    """Range(start, limit, delta) --> Range-11 of ONNX; delta is 1 by default."""
    start, limit, *rest = node.inputs
    step = rest[0] if rest else node.constant(1, node.element())
    return node.apply("Range", 11, start, limit, step)


@onnx(f"{MS}ExpandDims", 1)
def expand(node: Node) -> Result:
    """ExpandDims(x, axis) --> x with an axis of extent 1."""
    numbers = node.known_numbers(1)
    if not numbers:
        raise node.unsupported("the axis is not known when compiling")
    shape = node.shape()
    axis = node.axis(numbers[0], len(shape) + 1)
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
    for k in range(2):
        node.ranked(k, 2)
    (a, c), metric = traced(node), node.choice("metric", "euclidean", "sqeuclidean")
    total = onp.sum(onp.square(onp.expand_dims(a, 1) - c), axis=2)
    return value(node, onp.sqrt(total) if metric == "euclidean" else total)


@onnx(f"{MS}IsAllFinite", 1)
def all_finite(node: Node) -> Result:
    """IsAllFinite(x, ...) --> whether no element is infinite or NaN."""
    tests: list[Callable[[Any], Any]] = [onp.isinf, onp.isnan]
    if node.attr("isinf_only"):
        del tests[1]
    elif node.attr("isnan_only"):
        del tests[0]
    arrays = [node.traced(k, node.wide(k)) for k in range(len(node.inputs))]
    return onp.logical_not(
        reduce(onp.bitwise_or, [onp.any(test(x)) for x in arrays for test in tests])
    )


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


@onnx(f"{MS}Trilu", 1)
@onnx(f"{MS}GatherND", 1)
@onnx(f"{MS}GridSample", 1)
def as_in_onnx(node: Node) -> Result:
    """Trilu-14, GatherND-11 or GridSample-16."""
    name = node.operator.removeprefix(MS)
    return node.apply(name, {"Trilu": 14, "GatherND": 11, "GridSample": 16}[name], *node.inputs)

"""Selected elements: NonZero, Compress, Unique, NonMaxSuppression and TopK."""

from __future__ import annotations

from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import shape_text
from opc.frontend.models.compaction import kept, nonzero
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import CENTRED, UPRIGHT, Limits, select
from opc.frontend.models.traced import gathered
from opc.frontend.models.unique import different

from .node import Node
from .schema import Result, onnx


@onnx("NonZero", 9, 13)
def non_zero(node: Node) -> Result:
    """NonZero(x) --> the indices of nonzero elements, [rank, count]."""
    known = node.known(0)
    numbers = None if known is None else known.constants()
    if known is not None and numbers is not None and known.shape:
        indices = np.array(np.nonzero(np.reshape(np.array(numbers, object), known.shape)))
        return node.constant(indices, el.I64)
    return nonzero(node.traced(0)).value


@onnx("Compress", 9, 11, 28)
def compress(node: Node) -> Result:
    """Compress(x, condition) {axis} --> the parts of x where the condition holds."""
    node.ranked(1, 1)
    x, axis = node.traced(0), node.attr("axis")
    if axis is None:
        x, axis = x.reshape((ex.product(node.shape()),)), 0
    else:
        axis = node.axis(axis, len(node.shape()))
    return gathered(x, [axis], kept(node.traced(1))).value


@onnx("Unique", 11, 28)
def unique_of(node: Node) -> tuple[Result, ...]:
    """Unique(x) {axis, sorted} --> distinct parts, first indices, inverse, counts."""
    axis, is_sorted = node.attr("axis"), node.choice("sorted", 0, 1)
    chosen = None if axis is None else node.axis(axis, len(node.shape()))
    part, groups = different(node.traced(0), chosen, bool(is_sorted))
    return tuple(v.value for v in (part, groups.first, groups.inverse, groups.counts))


@onnx("NonMaxSuppression", 10, 11)
def non_max_suppression(node: Node) -> Result:
    """NonMaxSuppression(boxes, scores, ...) --> (batch, class, box) of each selected box."""
    node.dims("N M 4", "N C M")
    centred = node.choice("center_point_box", 0, 1)
    numbers = node.known_numbers(2) if node.has(2) else [0]
    limits = Limits(
        _scalar(node, 2, el.I64),
        None if numbers is None else int(numbers[0]),
        _scalar(node, 3, el.F32),
        _scalar(node, 4, el.F32) if node.has(4) else None,
    )
    kind = CENTRED if centred else UPRIGHT
    return select(node.traced(0), node.traced(1), limits, kind).triples().value


def _scalar(node: Node, position: int, type: el.ElementType) -> Any:
    """A one-element input as an array of rank 0, by default 0."""
    if not node.has(position):
        return node.trace.constant(0, type)
    return node.one(position)


def _count(node: Node, most: ex.Expr) -> ex.Expr:
    """The number k, of at most ``most`` elements."""
    if len(node.shape(1)) != 1 or node.shape(1)[0].constant not in (None, 1):
        raise node.error(f"input K is {shape_text(node.shape(1))}, expected [1]")
    known = node.known_list(1)
    (count,) = node.read("plain", 1, (), (most,), 1) if known is None else known
    if count.constant is not None and count.constant < 0:
        raise node.error(f"k is {extent_text(count)}")
    return count


@onnx("TopK", 1, 10, 11, 24)
def top_k(node: Node) -> tuple[Result, Result]:
    """TopK(x, k) {axis, largest} --> the k greatest or least elements.

    The result is sorted, even with sorted = 0.
    """
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    count = _count(node, shape[axis])
    node.require("equal", ex.minimum(shape[axis], count), count, "k is more than there are")
    values, places = ordered(node.traced(0), axis, count, largest=bool(node.attr("largest")))
    return values.value, places.value

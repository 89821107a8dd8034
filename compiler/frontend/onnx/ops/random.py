"""Random operators.

With a seed and a known shape, numbers are constants that the ONNX reference draws.  All others come
from a counter-based generator (``opc.frontend.models.random``), whose key is the seed or an input
of the function.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Shape
from opc.frontend.models.elementary import logarithm
from opc.frontend.models.random import Stream, drawn_classes
from opc.frontend.models.traced import NodeTrace, traced, value

from .node import Node
from .schema import Result, onnx

MOST_NUMBERS = 1 << 24
"""The most numbers drawn at compile time."""

Draw = Callable[[np.random.RandomState, tuple[int, ...]], Any]


def computed_in(type: el.ElementType) -> el.ElementType:
    """The type in which numbers of a type are computed."""
    return el.F64 if type is el.F64 else el.F32


def _seed(node: Node) -> int | None:
    """The seed of a node, or None."""
    if not node.given("seed"):
        return None
    seed = node.attr("seed")  # a float, which may be NaN
    if not 0 <= seed < 1 << 32:
        raise node.unsupported(f"seed {seed} is not in [0, 2^32)")
    return int(seed)


def stream(node: Node) -> Stream:
    """The node's stream of random numbers, from its seed or the caller's."""
    seed = _seed(node)
    return node.stream(None if seed is None else node.constant(seed, el.BY_NAME["ui64"]))


def drawn(node: Node, shape: Shape, draw: Draw) -> Any:
    """Constant random numbers in f64; None if they must be computed."""
    seed = _seed(node)
    extents = [e.constant for e in shape]
    known = tuple(e for e in extents if e is not None)
    if seed is None or len(known) < len(extents) or prod(known) > MOST_NUMBERS:
        return None
    return draw(np.random.RandomState(seed), known)


def gaussian(state: np.random.RandomState, shape: tuple[int, ...]) -> Any:
    """The numbers of ``state.standard_normal`` up to last bits, by opc's own logarithms.

    This is the polar method: pairs inside the unit circle give two numbers each.
    """
    count, chunks = prod(shape), list[Any]()
    missing = count
    while missing > 0:
        pairs = 2.0 * state.random_sample((missing // 2 + 1, 2)) - 1.0
        squares = pairs[:, 0] * pairs[:, 0] + pairs[:, 1] * pairs[:, 1]
        is_inside = (squares < 1.0) & (squares != 0.0)
        pairs, squares = pairs[is_inside], squares[is_inside]
        scale = np.sqrt(-2.0 * logarithm(squares) / squares)
        chunks.append((scale[:, None] * pairs[:, ::-1]).reshape(-1))
        missing -= chunks[-1].size
    return np.concatenate([np.zeros(0), *chunks])[:count].reshape(shape)


Compute = Callable[[Stream, NodeTrace, Shape, el.ElementType], Any]


def _scaled(node: Node, draw: Draw, compute: Compute, scale: float, start: float) -> Result:
    """Random numbers, scaled as in the reference, in the result type."""
    type = node.type_in("dtype", default=node.element() if node.inputs else None)
    shape = node.shape() if node.inputs else tuple(map(ex.const, node.attr("shape")))
    numbers = drawn(node, shape, draw)
    if numbers is not None:
        numbers = numbers.astype(type.dtype)
        return node.constant(numbers * type.dtype.type(scale) + type.dtype.type(start), type)
    wide = computed_in(type)
    x = compute(stream(node), node.trace, shape, wide)
    return value(node, x * scale + start, type)


@onnx("RandomUniform", 1, 22)
@onnx("RandomUniformLike", 1, 22)
def uniform(node: Node) -> Result:
    """RandomUniform --> uniform numbers in [low, high)."""
    low, high = node.attr("low"), node.attr("high")
    return _scaled(node, lambda s, shape: s.random_sample(shape), Stream.uniform, high - low, low)


@onnx("RandomNormal", 1, 22)
@onnx("RandomNormalLike", 1, 22)
def normal(node: Node) -> Result:
    """RandomNormal --> normal numbers."""
    scale, mean = node.attr("scale"), node.attr("mean")
    return _scaled(node, gaussian, Stream.normal, scale, mean)


@onnx("Dropout", 1, 6, 7, 10, 12, 13, 22)
def dropout(node: Node) -> tuple[Result | None, ...]:
    """Dropout(x) --> x, and a mask that is all true, unless training."""
    training = node.since < 7 and not node.attr("is_test")
    if node.since >= 12 and node.has(2) and node.known_numbers(2) != [0]:
        ratio = node.inputs[1] if node.has(1) else None
        by = ratio.owner if isinstance(ratio, SSAValue) else None
        if not isinstance(by, ConstantOp) or by.array().any():
            return _trained(node)
    if training:
        raise node.unsupported(
            "training mode is not supported; export the model for inference, with is_test = 1"
        )
    if len(node.op.outputs) < 2:
        return (node.value(0),)
    type = el.I1 if node.since >= 10 else node.element()
    return node.value(0), node.broadcast(node.constant(1, type), node.shape())


def _trained(node: Node) -> tuple[Result, ...]:
    """Dropout(x, ratio, mode) while training --> x / (1 - ratio) where a random number is >= ratio.

    Ratio and mode may be known only at run time.
    """
    shape, trace = node.shape(), node.trace
    type = computed_in(node.element())
    numbers = drawn(node, shape, lambda s, extents: s.uniform(0, 1.0, extents))
    x = node.traced(0, type)
    ratio: Any = trace.constant(0.5, type)
    if node.has(1):
        ratio = node.traced(1, type).reshape(())
    if numbers is not None:
        kept = trace.constant(numbers, el.F64) >= ratio.astype("f64")
    else:
        kept = stream(node).uniform(trace, shape, type) >= ratio
    trains: Any = ratio != 0
    if node.has(2):
        trains = trains & node.traced(2).reshape(())
    zero = trace.constant(0, type)
    y = onp.where(trains, onp.where(kept, x * (1 / (1 - ratio)), zero), x)
    mask = kept | onp.logical_not(trains)
    return value(node, y), value(node, mask, el.I1)


@onnx("Multinomial", 7, 22)
def multinomial(node: Node) -> Result:
    """Multinomial(x) --> for each row, classes drawn with probabilities softmax(x)."""
    node.ranked(0, 2)
    count = node.at_least("sample_size", 0)
    type = node.type_in("dtype", lambda t: t.name in ("i32", "i64"))
    (logits,) = traced(node, computed_in(node.element()))
    shares = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    return value(node, drawn_classes(shares, ex.const(count), stream(node)), type)


@onnx("Bernoulli", 15, 22)
def bernoulli(node: Node) -> Result:
    """Bernoulli(p) --> 1 where a random number is below p, as specified.

    The function body in the specification contradicts this: it has 1 with probability 1 - p.
    """
    type = node.type_in("dtype", lambda type: True, node.element())
    (share,) = traced(node, computed_in(node.element()))
    numbers = stream(node).uniform(share.trace, node.shape(), share.element)
    return value(node, numbers < share, type)

"""Random numbers from a seed: constants, those that the ONNX reference draws from it.

A seed gives the same numbers in every call.  Without one there is nothing to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models.op_builder import Result

from .conversion import DATA_TYPES
from .node import Node
from .row import BF16, CLASSIC, FLOAT, Legalize, add, element_named
from .traced import NodeTrace, value

MOST_NUMBERS = 1 << 24
"""How many may be drawn when compiling."""

Draw = Callable[[np.random.RandomState, tuple[int, ...]], Any]


def drawn(node: Node, shape: Shape, draw: Draw) -> Any:
    """Numbers of a shape, in f64."""
    if not node.given("seed"):
        raise node.unsupported("random numbers without a seed")
    extents = [e.constant for e in shape]
    known = tuple(e for e in extents if e is not None)
    if len(known) < len(extents) or prod(known) > MOST_NUMBERS:
        raise node.unsupported(
            f"random numbers of shape {shape_text(shape)}: it must be known when compiling, "
            f"and at most {MOST_NUMBERS}"
        )
    seed = node.attr("seed")  # a float, which may be NaN
    if not 0 <= seed < 1 << 32:
        raise node.unsupported(f"seed {seed} is not in [0, 2^32)")
    return draw(np.random.RandomState(int(seed)), known)


def _type(node: Node) -> el.ElementType:
    number = node.attr("dtype")
    type = node.element() if number is None else element_named(DATA_TYPES.get(number, ""))
    if type is None or not type.is_float or type.bits < 16:
        raise node.error(f"attribute dtype is {number}, which is no type of random numbers")
    return type


def _scaled(node: Node, shape: Shape, draw: Draw, scale: float, start: float) -> Result:
    """Numbers as the reference scales them, in the type of the result."""
    type = _type(node)
    found = drawn(node, shape, draw).astype(type.dtype)
    return node.constant(found * type.dtype.type(scale) + type.dtype.type(start), type)


def uniform(node: Node) -> Result:
    """RandomUniform --> numbers from low to high."""
    low, high = node.attr("low"), node.attr("high")
    return _scaled(node, _shape(node), lambda s, shape: s.random_sample(shape), high - low, low)


def normal(node: Node) -> Result:
    """RandomNormal --> numbers around a mean."""
    return _scaled(
        node,
        _shape(node),
        lambda s, shape: s.standard_normal(shape),
        node.attr("scale"),
        node.attr("mean"),
    )


def _shape(node: Node) -> Shape:
    return node.shape() if node.inputs else tuple(map(ex.const, node.attr("shape")))


_NORMAL, _UNIFORM = "mean:float=0 scale:float=1", "high:float=1 low:float=0"
for _since, _types in ((1, FLOAT), (22, FLOAT | BF16)):
    _listed: tuple[tuple[str, Legalize, str], ...] = (
        ("RandomNormal", normal, _NORMAL),
        ("RandomUniform", uniform, _UNIFORM),
    )
    for _name, _legalize, _attributes in _listed:
        add(
            _name,
            _since,
            "-> output:T",
            _types,
            _legalize,
            f"dtype:int=1 seed:float shape:ints! {_attributes}",
        )
    add(
        "RandomNormalLike",
        _since,
        "input:T1 -> output:T2",
        {"T1": CLASSIC | (_types & BF16), "T2": _types},
        normal,
        f"dtype:int seed:float {_NORMAL}",
    )


def dropout(node: Node) -> tuple[Result, ...]:
    """Dropout(x, ratio, mode) while training --> x / (1 - ratio) where a number is not below ratio.

    Ratio and mode may be known only when the function runs.
    """
    shape, trace = node.shape(), NodeTrace(node)
    numbers = drawn(node, shape, lambda s, extents: s.uniform(0, 1.0, extents))
    type = el.F64 if node.element() is el.F64 else el.F32
    x = trace.array(node.cast(node[0], type))
    ratio: Any = trace.constant(0.5, type)
    if node.has(1):
        ratio = trace.array(node.reshape(node.cast(node[1], type), ()))
    kept = trace.constant(numbers, el.F64) >= ratio.astype("f64")
    trains: Any = ratio != 0
    if node.has(2):
        trains = trains & trace.array(node.reshape(node[2], ()))
    zero = trace.constant(0, type)
    y = onp.where(trains, onp.where(kept, x * (1 / (1 - ratio)), zero), x)
    mask = kept | onp.logical_not(trains)
    return value(node, y), value(node, mask, el.I1)

"""Reductions along axes and in windows, with bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import reduction as r
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import WindowsOp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.traced import reversed_along
from opc.frontend.stablehlo.node import Node, operation

from .indexing import scattered
from .shaping import as_numbers, padded

REDUCERS: dict[str, tuple[type[OpcOp], Any, Any]] = {
    "stablehlo.add": (r.ReduceSumOp, onp.add, 0),
    "stablehlo.multiply": (r.ReduceProdOp, onp.multiply, 1),
    "stablehlo.maximum": (r.ReduceMaxOp, onp.maximum, None),
    "stablehlo.minimum": (r.ReduceMinOp, onp.minimum, None),
}
"""Body --> the reduction, the function of two, and its neutral value."""
OF_BOOLEANS: dict[str, tuple[type[OpcOp], Any, Any]] = {
    "stablehlo.add": (r.ReduceAnyOp, onp.add, 0),
    "stablehlo.or": (r.ReduceAnyOp, onp.logical_or, 0),
    "stablehlo.maximum": (r.ReduceAnyOp, onp.maximum, 0),
    "stablehlo.and": (r.ReduceAllOp, onp.logical_and, 1),
    "stablehlo.multiply": (r.ReduceAllOp, onp.multiply, 1),
    "stablehlo.minimum": (r.ReduceAllOp, onp.minimum, 1),
}


UNROLLED = 32
"""Windows of at most so many elements are summed one by one, in row-major order."""


@operation("reduce")
def reduce(*arrays: Any, node: Node) -> list[Any]:
    """Arrays with some axes combined to one element each."""
    named = node.attributes.get("dimensions", [])
    half = len(arrays) // 2
    return reduced(node, arrays[:half], arrays[half:], node.axes(named, arrays[0].ndim))


def reduced(
    node: Node, arrays: Sequence[Any], inits: Sequence[Any], axes: Sequence[int]
) -> list[Any]:
    """Arrays combined along axes, and with the initial values."""
    name = node.attributes.get("combiner") or node.only_operator(0)
    x = arrays[0]
    known = (OF_BOOLEANS if x.element is el.I1 else REDUCERS).get(str(name))
    if known is None or len(arrays) > 1 or x.element.is_small:
        return folded(node, arrays, inits, axes)
    op, both, neutral = known
    result = node.trace.emit(op, x, axes=tuple(axes), keepdims=False) if axes else x
    owner = inits[0].value.owner
    if neutral is not None and isinstance(owner, ConstantOp) and (owner.array() == neutral).all():
        return [result]
    return [both(inits[0], result)]


def folded(
    node: Node, arrays: Sequence[Any], inits: Sequence[Any], axes: Sequence[int]
) -> list[Any]:
    """Elements combined one after the other by the body, in row-major order of the axes."""
    rest = [k for k in range(arrays[0].ndim) if k not in axes]
    shape = [arrays[0].extents[k] for k in rest]
    count = ex.product([arrays[0].extents[k] for k in axes])
    lines = [x.transpose([*axes, *rest]).reshape([count, *shape]) for x in arrays]
    starts = [onp.broadcast_to(x, shape) for x in inits]
    half = len(arrays)

    def step(*arguments: Any) -> tuple[Arrays, Arrays]:
        own = arguments[0].extents
        return [onp.broadcast_to(v, own) for v in node.body(0, arguments)[:half]], []

    results, _ = scan(count, starts, lines, [], step)
    return results


@dataclass(frozen=True)
class Geometry:
    """The windows of an operation, with a number for each axis."""

    sizes: Sequence[IntExpr]
    strides: Sequence[IntExpr]
    dilations: Sequence[IntExpr]
    spread: Sequence[IntExpr]
    """The dilations of the array."""
    pads: Sequence[Sequence[IntExpr]]

    @staticmethod
    def of(node: Node, position: int | None = None) -> Geometry:
        """By attributes, or by operands from a position on."""
        if position is not None:
            lists = [as_numbers(node.extents(position + k)) for k in range(4)]
            sizes, strides, spread, dilations = lists
            pads = [as_numbers(pair) for pair in node.pairs(position + 4)]
            return Geometry(sizes, strides, dilations, spread, pads)
        own, sizes = node.attributes, node.attr("window_dimensions")
        others = ("window_strides", "window_dilations", "base_dilations")
        strides, dilations, spread = (own.get(name) or [1] * len(sizes) for name in others)
        pads = own.get("padding") or [[0, 0]] * len(sizes)
        return Geometry(sizes, strides, dilations, spread, pads)

    def windows(self, node: Node, x: Any, value: Any) -> Any:
        """Windows of x, padded with a value: positions, then elements of a window."""
        numbers = [self.sizes, self.strides, self.dilations, self.spread]
        if not all(isinstance(n, int) for own in numbers for n in own):
            raise node.unsupported("windows of unknown extent but for totals up to each element")
        low, high = ([pair[k] for pair in self.pads] for k in (0, 1))
        x = padded(node, x, value, low, high, [n - 1 for n in cast("list[int]", self.spread)])
        return node.trace.emit(
            WindowsOp, x, sizes=self.sizes, strides=self.strides, dilations=self.dilations
        )


@operation("reduce_window", "dynamic_reduce_window")
def reduce_window(*operands: Any, node: Node) -> list[Any]:
    """Arrays combined in windows."""
    is_dynamic = node.operator == "stablehlo.dynamic_reduce_window"
    arrays = operands[:-5] if is_dynamic else operands
    half, rank = len(arrays) // 2, arrays[0].ndim
    inits, own = arrays[half:], Geometry.of(node, len(arrays) if is_dynamic else None)
    if half == 1:
        totals = cumulated(node, arrays[0], inits[0], own)
        if totals is not None:
            return [totals]
    every = [own.windows(node, x, init) for x, init in zip(arrays[:half], inits, strict=True)]
    sizes = cast("list[int]", own.sizes)
    count = math.prod(sizes)
    known = node.only_operator(0)
    if count <= UNROLLED and known in ("stablehlo.add", "stablehlo.multiply"):
        # In row-major order, the initial value first.
        total = inits[0]
        for place in np.ndindex(*sizes):
            total = REDUCERS[known][1](total, every[0][(..., *place)])
        return [total]
    return reduced(node, every, inits, range(rank, 2 * rank))


def cumulated(node: Node, x: Any, init: Any, own: Geometry) -> Any:
    """Totals of all elements up to each one, or from each one on, by any body.

    None if the windows are others, and for a body of its own where the extent is known.
    """
    name, rank, pads = node.only_operator(0), x.ndim, own.pads
    long = [k for k, n in enumerate(own.sizes) if n != 1]
    if len(long) != 1 or any(n != 1 for n in (*own.strides, *own.dilations, *own.spread)):
        return None
    axis, size = long[0], own.sizes[long[0]]
    before, after = (
        [pair if k == axis else [0, 0] for k in range(rank)]
        for pair in ([size - 1, 0], [0, size - 1])
    )
    if x.extents[axis] != size or pads not in (before, after):
        return None
    functions = {"stablehlo.add": onp.cumsum, "stablehlo.multiply": onp.cumprod}
    owner = init.value.owner
    neutral = int(name == "stablehlo.multiply")
    is_neutral = isinstance(owner, ConstantOp) and (owner.array() == neutral).all()
    if name in functions and is_neutral and not (x.element is el.I1 or x.element.is_small):
        line = reversed_along(x, [axis]) if pads == after else x
        totals = functions[name](line, axis=axis, dtype=x.element)
        return reversed_along(totals, [axis]) if pads == after else totals
    if name not in EXACT and ex.Expr.of(size).constant is not None:
        return None

    def step(total: Any, new: Any) -> tuple[Arrays, Arrays]:
        both = [onp.broadcast_to(node.body(0, [total, new])[0], new.extents)]
        return both, both

    moved = onp.moveaxis(x, axis, 0)
    start = onp.broadcast_to(init, moved.extents[1:])
    _, (totals,) = scan(size, [start], [moved], [], step, is_reversed=pads == after)
    return onp.moveaxis(totals, 0, axis)


EXACT = ("stablehlo.maximum", "stablehlo.minimum", "stablehlo.and", "stablehlo.or")
"""Bodies that give the same in every order."""


@operation("map")
def map_(*arrays: Any, node: Node) -> list[Any]:
    """A body for each element."""
    return [onp.broadcast_to(v, arrays[0].extents) for v in node.body(0, arrays)]


@operation("select_and_scatter")
def select_and_scatter(x: Any, source: Any, init: Any, *, node: Node) -> Any:
    """The elements of ``source``, combined at the places that ``select`` chooses in windows."""
    shape = x.extents
    count = ex.product(shape)
    places = node.trace.positions(count).reshape(shape)
    minus = node.trace.constant(-1, el.I64)
    own = Geometry.of(node)
    values = own.windows(node, x, node.trace.constant(0, x.element))
    numbers = own.windows(node, places, minus)
    rank = x.ndim
    positions, size = values.extents[:rank], ex.product(values.extents[rank:])
    order = [*range(rank, 2 * rank), *range(rank)]
    lines = [v.transpose(order).reshape([size, *positions]) for v in (values, numbers)]
    first = [node.trace.full(positions, v, type) for v, type in ((0, x.element), (-1, el.I64))]

    def step(value: Any, place: Any, new: Any, number: Any) -> tuple[Arrays, Arrays]:
        (keeps,) = node.body(0, [value, new])
        # A place of -1 is none.
        stays = (number == -1) | ((place != -1) & keeps)
        return [onp.where(stays, value, new), onp.where(stays, place, number)], []

    (_, place), _ = scan(size, first, lines, [], step)
    start = onp.broadcast_to(init, [count])
    flat = place.reshape([source.size])
    result = scattered(node, [start], flat, [source.reshape([source.size])], 1)
    return result[0].reshape(shape)

"""The order in which values are combined: what makes a sum of floats one result and no other.

A sum or product of floats goes over runs of neighbouring axes, one run at a time, the innermost
first (``runs``, ``lanes``, ``reduce``).  Its order follows from the shape of the operand and its
element type alone: not from layout, fusion, tiles, vectors or threads, nor from what is known of
extents when compiling.

A contraction is a chain of fused multiply-adds from +0 along the contracted axes, in the order in
which the operator names them and in blocks of ``BLOCK``; the blocks are added to +0 one after the
other (``chain``).  So rows, columns, tiles, packing and threads change no bit: none of them is in
the chain.

Who changes a bit of this changes ``opc.support.interface.CONTRACT``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .element import ElementType
from .shape import Shape, parse_expr
from .special import fma, rounded_once

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Kind: TypeAlias = Literal["sum", "prod"]
T = TypeVar("T")

ORDERED: dict[str, tuple[Any, float]] = {"sum": (np.add, 0.0), "prod": (np.multiply, 1.0)}
"""Reductions whose order shows for floats: how to combine two values, what a total starts at."""
LANES = 64
"""Lanes of f32, which f16 and bf16 are added in; f64 has half as many, which are as many bytes."""
GROUP = 8
"""Values of a lane that are combined pairwise."""
GROUPS = 16
"""Groups that are combined in order; what they give is a block."""
BLOCK = 512
"""Products in one chain.

The error of a chain grows with its length n, in the worst case as n u, usually as sqrt(n) u.  After
12 layers of BERT, results are 1.6 to 5.2e-6 of the largest value from those in f64; with chains of
4096 products 2.8 to 7.6e-6, for 1 % less time.  Of 2^20 products in blocks the error stays below
2560 u, and so within 4 sqrt(n) u.
"""


CACHED = 1 << 14
"""Sums of products that NumPy computes at a time."""


@irdl_attr_definition
class OrderAttr(Data[ex.Expr]):
    """The order of a sum or product along one run: in how many lanes, ``#opc.order<lanes 64>``."""

    name = "opc.order"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ex.Expr:
        """Parse ``<lanes 64>``."""
        with parser.in_angle_brackets():
            parser.parse_keyword("lanes")
            return parse_expr(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f"<lanes {self.data}>")


def decode(attr: Attribute) -> ex.Expr:
    """The lanes of an order.  VerifyException if the attribute is none."""
    if not isinstance(attr, OrderAttr):
        raise VerifyException(f"expected #opc.order<lanes N>, found {attr}")
    return attr.data


def is_ordered(kind: str, type: ElementType) -> bool:
    """Whether a reduction of an element type has an order that shows."""
    return kind in ORDERED and type.is_float


def runs(axes: Sequence[int]) -> list[tuple[int, ...]]:
    """Sorted axes as runs of neighbours, outermost first: ``(0, 2, 3)  -->  (0,), (2, 3)``."""
    found: list[tuple[int, ...]] = []
    for axis in axes:
        if found and found[-1][-1] == axis - 1:
            found[-1] = (*found[-1], axis)
        else:
            found.append((axis,))
    return found


def kept_behind(shape: Shape, axes: Sequence[int]) -> ex.Expr:
    """How many elements are kept behind a run of axes, if no others of the shape are reduced."""
    return ex.product(shape[axes[-1] + 1 :])


def lanes(kept: int | ex.Expr, type: ElementType) -> ex.Expr:
    """The lanes of a run behind which there are ``kept`` elements: C in max(1, 2^floor(log2(W/C))).

    These are W lanes along a row, where C is 1, and one down more than W/2 columns; fewer columns
    go side by side with those of the next rows.  W is ``LANES``, or half of it for f64.
    """
    return ex.pow2(ex.floordiv(LANES * 4 // max(4, type.bytes), ex.maximum(kept, 1)))


def reduce(x: Array, lanes: int, kind: Kind) -> Array:
    """Reduce the last axis of x, of f32 or f64, in order.

    Value j goes to lane j mod ``lanes``.  In a lane, ``GROUP`` consecutive values are combined
    pairwise, ``GROUPS`` groups in order to a total that starts at +0 (products: 1), and the blocks
    that these are in a balanced tree over their numbers: 2k with 2k + 1, then pairs of pairs.  Lane
    k is combined with lane k + lanes/2, halving.  What is not there is not combined with anything;
    that is as if it were +0 (1), since a total is never -0.
    """
    combine, start = ORDERED[kind]
    while lanes // 2 >= max(x.shape[-1], 1):
        lanes //= 2  # nothing is in the others
    with np.errstate(all="ignore"):
        count = -(-x.shape[-1] // lanes)
        padded = np.full((*x.shape[:-1], count * lanes), start, x.dtype)
        padded[..., : x.shape[-1]] = x
        values = np.moveaxis(padded.reshape(*x.shape[:-1], count, lanes), -2, 0)
        groups = _by(values, GROUP, lambda v: _pairwise(v, combine))
        blocks = _by(groups, GROUPS, lambda v: _in_order(v, combine, start))
        empty = np.full((*x.shape[:-1], lanes), start, x.dtype)
        found = _pairwise(blocks, combine) if len(blocks) else empty
        while lanes > 1:
            lanes //= 2
            found = combine(found[..., :lanes], found[..., lanes:])
    return np.asarray(found[..., 0])


def _by(values: Array, size: int, combine: Callable[[Array], Array]) -> Array:
    """What ``combine`` makes of each ``size`` values of the first axis, and of those left over."""
    whole = len(values) // size
    parts: list[Array] = []
    if whole:
        split = values[: whole * size].reshape(whole, size, *values.shape[1:])
        parts.append(combine(np.moveaxis(split, 1, 0)))
    if len(values) % size:
        parts.append(combine(values[whole * size :])[None])
    return np.concatenate(parts) if parts else values


def _pairwise(values: Array, combine: Any) -> Array:
    """((v0 + v1) + (v2 + v3)) + ..., of what is there."""
    while len(values) > 1:
        paired = combine(values[:-1:2], values[1::2])
        values = np.concatenate([paired, values[len(values) & ~1 :]])
    return values[0]


def _in_order(values: Array, combine: Any, start: float) -> Array:
    """((start + v0) + v1) + ..."""
    total = np.full(values.shape[1:], start, values.dtype)
    for value in values:
        total = combine(total, value)
    return total


def at_once(values: Sequence[T], lanes: int, combine: Callable[[T, T], T]) -> T:
    """The same of one or more values that are written down one by one, without the start.

    A lane has less than a block of them.
    """
    lane = [_lane(values[k::lanes], combine) for k in range(min(lanes, len(values)))]
    while lanes > 1:
        lanes //= 2
        sums = [combine(a, b) for a, b in zip(lane, lane[lanes:], strict=False)]
        lane = [*sums, *lane[len(sums) : lanes]]
    return lane[0]


def _lane(values: Sequence[T], combine: Callable[[T, T], T]) -> T:
    """The values of a lane: groups in order."""
    groups = [pairwise(values[k : k + GROUP], combine) for k in range(0, len(values), GROUP)]
    return functools.reduce(combine, groups)


def pairwise(values: Sequence[T], combine: Callable[[T, T], T]) -> T:
    """Values in pairs, pairs of pairs; what has no partner goes on as it is."""
    while len(values) > 1:
        paired = [combine(*pair) for pair in zip(values[::2], values[1::2], strict=False)]
        values = [*paired, *values[len(values) & ~1 :]]
    return values[0]


def chain(a: Array, b: Array) -> Array:
    """The sum of products along the last axis, in order; a and b are f32 or f64 and broadcast.

    Integers wrap, so that their sums need no order.
    """
    if a.dtype.kind != "f":
        return np.asarray(np.einsum("...k,...k->...", a, b, dtype=a.dtype))
    *shape, _ = np.broadcast_shapes(a.shape, b.shape)
    pieces = min(shape[0], -(-math.prod(shape) // CACHED)) if shape else 1
    if pieces > 1:
        whole = len(shape) + 1
        sides = [
            np.array_split(x, pieces) if x.ndim == whole and len(x) > 1 else [x] * pieces
            for x in (a, b)
        ]
        return np.concatenate([chain(*parts) for parts in zip(*sides, strict=True)])
    return _chain(a, b, tuple(shape))


def _chain(a: Array, b: Array, shape: tuple[int, ...]) -> Array:
    """The same with the positions first, each in one piece, and numbers of f32 in f64."""
    left, right = (np.ascontiguousarray(np.moveaxis(x, -1, 0), np.float64) for x in (a, b))
    is_single, total = a.dtype == np.float32, np.zeros(shape, np.float64)
    for start in range(0, a.shape[-1], BLOCK):
        block, end = np.zeros_like(total), start + BLOCK
        for x, y in zip(left[start:end], right[start:end], strict=True):
            block = rounded_once(x * y, block) if is_single else fma(x, y, block)
        # Of two numbers of f32, the sum in f64 is rounded as if only once.
        total = (total + block).astype(a.dtype).astype(np.float64)
    return total.astype(a.dtype)

"""Sums of products: dot_general and convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.einsum_plan import LETTERS
from opc.dialects.opc.contraction import ContractOp
from opc.frontend.models.parts import IntExpr
from opc.frontend.models.traced import reversed_along
from opc.frontend.models.windows import convolved
from opc.frontend.stablehlo.node import Node, operation

from .shaping import as_numbers, padded


@operation("dot_general", "dot")
def dot_general(x: Any, y: Any, *, node: Node) -> Any:
    """Sums of products over contracted axes, for each index of the batch axes."""
    return dotted(node, x, y, *axes(node, x, y))


@operation("chlo.ragged_dot")
def ragged_dot(
    x: Any, y: Any, sizes: Any, *, ragged_dot_dimension_numbers: dict[str, list[int]], node: Node
) -> Any:
    """dot_general of groups of rows of x, of these sizes, and the parts of y along an axis."""
    numbers = ragged_dot_dimension_numbers
    (ragged,), groups = numbers["lhs_ragged_dimensions"], numbers["rhs_group_dimensions"]
    batch, contracted = (
        [numbers[f"{side}_{kind}_dimensions"] for side in ("lhs", "rhs")]
        for kind in ("batching", "contracting")
    )
    if len(groups) != 1 or ragged in (*batch[0], *contracted[0]):
        raise node.unsupported("groups of a contracted or a batch axis")
    ends = onp.cumsum(sizes.astype("i64"), 0)
    rows = node.trace.positions(x.extents[ragged]).reshape((-1, 1))
    inside = (rows < ends) & (rows >= ends - sizes)
    shape = [1] * x.ndim
    shape[ragged] = x.extents[ragged]
    inside = inside.reshape([*shape, sizes.extents[0]])
    # A row is zero for all groups but its own.
    apart = onp.where(inside, onp.expand_dims(x, -1), 0)
    contracted = [[*contracted[0], x.ndim], [*contracted[1], groups[0]]]
    return dotted(node, apart, y, batch, contracted)


def dotted(node: Node, x: Any, y: Any, batch: list[list[int]], contracted: list[list[int]]) -> Any:
    """Sums of products over pairs of axes, for each index of other pairs."""
    letters = iter(LETTERS)
    left = [next(letters) for _ in range(x.ndim)]
    right = [next(letters) for _ in range(y.ndim)]
    for a, b in (*zip(*batch, strict=True), *zip(*contracted, strict=True)):
        right[b] = left[a]
    result = [left[a] for a in batch[0]]
    result += [k for n, k in enumerate(left) if n not in (*batch[0], *contracted[0])]
    result += [k for n, k in enumerate(right) if n not in (*batch[1], *contracted[1])]
    equation = f"{''.join(left)},{''.join(right)}->{''.join(result)}"

    def multiply(a: Any, b: Any) -> Any:
        return node.trace.emit(ContractOp, a, b, equation=equation)

    return product(node, x, y, multiply)


def axes(node: Node, x: Any, y: Any) -> tuple[list[list[int]], list[list[int]]]:
    """The batch axes and the contracted axes of both operands."""
    if node.operator == "stablehlo.dot":
        return [[], []], [[x.ndim - 1], [0]]
    numbers: dict[str, list[int]] = node.attributes.get("dot_dimension_numbers", {})
    names = ("batching_dim", "contracting_dim")
    batch, contracted = (
        node.attributes.get(f"{n}s")
        or [numbers.get(f"{side}_{n}ensions", []) for side in ("lhs", "rhs")]
        for n in names
    )
    return batch, contracted


def product(node: Node, x: Any, y: Any, multiply: Any) -> Any:
    """A sum of products in the element type of the result, or in a wider one."""
    kind = node.kind
    wide = kind
    if kind.is_small or x.element.is_small or y.element.is_small:
        wide = el.F32 if kind.is_float or kind.small == "float" else el.BY_NAME["i32"]
    elif kind.is_float and x.element.is_float and x.element.bits > kind.bits:
        wide = x.element
    return multiply(x.astype(wide), y.astype(wide)).astype(kind)


@operation("convolution", "dynamic_conv")
def convolution(x: Any, filters: Any, *pads: Any, node: Node) -> Any:
    """Sums of products of filters with windows of x."""
    attributes = node.attributes
    window: dict[str, Any] = attributes.get("window", {})
    numbers = attributes.get("dim_numbers") or node.attr("dimension_numbers")
    inputs, kernel, output = ([str(k) for k in part] for part in numbers)
    rank = x.ndim - 2

    def ints(short: str, long: str, default: int) -> list[int]:
        return [int(n) for n in window.get(short, attributes.get(long)) or [default] * rank]

    strides, spread = ints("stride", "window_strides", 1), ints("lhs_dilate", "lhs_dilation", 1)
    dilations, flips = ints("rhs_dilate", "rhs_dilation", 1), ints("reverse", "window_reversal", 0)
    pairs: list[list[IntExpr]] = window.get("pad", attributes.get("padding")) or [[0, 0]] * rank
    if pads:
        pairs = [as_numbers(pair) for pair in node.pairs(2)]
    space = [str(k) for k in range(rank)]
    x = x.transpose([inputs.index(k) for k in ("b", "f", *space)])
    w = filters.transpose([kernel.index(k) for k in ("o", "i", *space)])
    w = reversed_along(w, [k + 2 for k, flip in enumerate(flips) if flip])
    if any(e == 0 for e in node.result_shape):
        return node.trace.full(node.result_shape, 0, node.kind)
    groups = int(attributes.get("feature_group_count", 1))
    batches = int(attributes.get("batch_group_count", 1))
    low, high = ([0, 0, *(p[k] for p in pairs)] for k in (0, 1))
    known_pads = [n for n in (*low, *high) if isinstance(n, int)]
    if any(n != 1 for n in spread) or min(known_pads) < 0:
        if len(known_pads) < len(low) + len(high):
            raise node.unsupported("with a dilation, a padding that is not known when compiling")
        zero = node.trace.constant(0, x.element)
        x = padded(node, x, zero, low, high, [0, 0, *(n - 1 for n in spread)])
        low, high = [0] * len(low), [0] * len(high)
    if batches > 1:
        # Parts of the batch see filters of their own, as groups of channels do.
        n, c, *rest = x.extents
        part = n.constant
        if part is None:
            raise node.unsupported("batch_group_count of a batch whose extent is not known")
        x = x.reshape([batches, part // batches, c, *rest])
        x = x.transpose([1, 0, 2, *range(3, x.ndim)])
        x = x.reshape([part // batches, c * batches, *rest])
        groups = batches

    def multiply(a: Any, b: Any) -> Any:
        return spatial(node, a, b, strides, dilations, low[2:], high[2:], groups)

    result = product(node, x, w, multiply)
    names = ["b", "f", *space]
    return result.transpose([names.index(k) for k in output])


def spatial(
    node: Node,
    x: Any,
    w: Any,
    strides: Sequence[int],
    dilations: Sequence[int],
    low: Sequence[IntExpr],
    high: Sequence[IntExpr],
    groups: int,
) -> Any:
    """opc.conv, which has at least one spatial axis."""
    if x.ndim > 2:
        return convolved(x, w, strides, dilations, [*low, *high], groups)
    x, w = (v.reshape([*v.extents, 1]) for v in (x, w))
    result = convolved(x, w, [1], [1], [0, 0], groups)
    return result.reshape(result.extents[:2])

"""Sums of products: matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.frontend.models.windows import convolved
from opc.frontend.torch.node import Node, aten


@aten("addmm", "baddbmm", computes=True)
def addmm(bias: Any, x: Any, y: Any, *, node: Node, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * bias + alpha * (x @ y); a bias times 0 does not count."""
    product = onp.matmul(x, y)
    product = product if alpha == 1 else product * node.number(alpha, product.element)
    if beta == 0:
        return product
    return product + (bias if beta == 1 else bias * node.number(beta, bias.element))


@aten("_int_mm")
def whole_product(x: Any, y: Any, *, node: Node) -> Any:
    """x @ y of small integers, in i32."""
    return onp.matmul(x.astype(node.kind()), y.astype(node.kind()))


@aten("convolution", computes=True)
def convolution(
    x: Any,
    filters: Any,
    bias: Any,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    is_transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Any:
    """A convolution of x [N, C, spatial...], or a transposed one, plus a bias for each channel."""
    rank = x.ndim - 2
    strides, padding, dilations, output_padding = (
        list(v) * (rank // len(v)) for v in (strides, padding, dilations, output_padding)
    )
    pads = [*padding, *padding]
    if is_transposed:
        how: dict[str, Any] = {"strides": strides, "dilations": dilations, "pads": pads}
        how["output_padding"] = output_padding
        y = onp.conv_transpose(x, filters, **how, groups=groups)
    else:
        y = convolved(x, filters, strides, dilations, list(map(ex.Expr.of, pads)), groups)
    return y if bias is None else y + bias.reshape((-1, *[1] * rank))


@aten("convolution_backward", computes=True)
def convolution_gradient(
    gradient: Any,
    x: Any,
    filters: Any,
    bias_sizes: Any,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    is_transposed: bool,
    output_padding: Sequence[int],
    groups: int,
    wanted: Sequence[bool],
    *,
    node: Node,
) -> tuple[Any, ...]:
    """The gradients of x, the filters and the bias; None for those that are not wanted."""
    rank = x.ndim - 2
    strides, padding, dilations = (
        list(v) * (rank // len(v)) for v in (strides, padding, dilations)
    )
    how: dict[str, Any] = {"strides": strides, "dilations": dilations, "groups": groups}
    how["pads"] = [*padding, *padding]
    of_x: Any = None
    if wanted[0] and is_transposed:
        of_x = onp.conv(gradient, filters, **how)
    elif wanted[0]:
        rest: list[int] = []
        for k in range(rank):
            reach = (filters.extents[2 + k] - 1) * dilations[k] + 1
            left = ex.mod(x.extents[2 + k] + 2 * padding[k] - reach, strides[k]).constant
            if left is None:
                raise node.unsupported("an image whose extents are not known when compiling")
            rest.append(left)
        of_x = onp.conv_transpose(gradient, filters, **how, output_padding=rest)
    of_filters: Any = None
    if wanted[1]:
        source, taps = (gradient, x) if is_transposed else (x, gradient)
        of_filters = _filter_gradient(source, taps, filters, how)
    of_bias = onp.sum(gradient, (0, *range(2, 2 + rank))) if wanted[2] else None
    return of_x, of_filters, of_bias


def _filter_gradient(x: Any, y: Any, filters: Any, how: dict[str, Any]) -> Any:
    """The gradient of filters [F, C / groups, ...]: x as images, y [N, F, ...] as filters.

    The batch is what is summed over; strides and dilations exchange their places.
    """
    batch, channels, *space = x.extents
    groups = how["groups"]
    share = ex.floordiv(channels, groups)
    apart = onp.moveaxis(x.reshape((batch, groups, share, *space)), (2, 1), (0, 1))
    x = apart.reshape((share, groups * batch, *space))
    pads = {"pads": how["pads"], "groups": groups}
    sums = onp.conv(
        x, onp.swapaxes(y, 0, 1), strides=how["dilations"], dilations=how["strides"], **pads
    )
    within = tuple(slice(e.constant) for e in filters.extents[2:])
    return onp.swapaxes(sums, 0, 1)[(slice(None), slice(None), *within)]

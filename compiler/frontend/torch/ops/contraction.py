"""Sums of products: matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.frontend.models.windows import convolved
from opc.frontend.torch.node import Node, aten


@aten("mm", "bmm", computes=True)
def matmul(x: Any, y: Any) -> Any:
    """The product of matrices."""
    return onp.matmul(x, y)


@aten("addmm", "baddbmm", computes=True)
def addmm(bias: Any, x: Any, y: Any, *, node: Node, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * bias + alpha * (x @ y); a bias times 0 does not count."""
    product = onp.matmul(x, y)
    product = product if alpha == 1 else product * node.number(alpha, product.element)
    if beta == 0:
        return product
    return product + (bias if beta == 1 else bias * node.number(beta, bias.element))


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

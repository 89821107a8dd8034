"""Distances of pairs of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.models.traced import gathered
from opc.frontend.torch.node import Node, aten


def norm(x: Any, p: float) -> Any:
    """The p-norm along the last axis."""
    size = onp.abs(x)
    if p == 0:
        return onp.sum((size != 0).astype(x.element), -1)
    if p == 1:
        return onp.sum(size, -1)
    if p == 2:
        return onp.sqrt(onp.sum(x * x, -1))
    if p == math.inf:
        return onp.max(size, -1)
    return onp.power(onp.sum(onp.power(size, p), -1), 1.0 / p)


@aten("_cdist_forward", computes=True)
def cdist(x: Any, y: Any, p: float, mode: Any, *, node: Node) -> Any:
    """The distance of each row of x and each row of y."""
    apart = onp.expand_dims(x, -2) - onp.expand_dims(y, -3)
    return (
        norm(apart, p) if x.extents[-1] != 0 else node.trace.full(apart.extents[:-1], 0, x.element)
    )


@aten("_pdist_forward", computes=True)
def pdist(x: Any, p: float = 2.0, *, node: Node) -> Any:
    """The distances of all pairs of rows, the first row's first."""
    rows = x.extents[0].constant
    if rows is None:
        raise node.unsupported("a number of rows that is not known when compiling")
    left, right = (
        gathered(x, [0], node.trace.constant(places, el.I64)) for places in np.triu_indices(rows, 1)
    )
    return norm(left - right, p)

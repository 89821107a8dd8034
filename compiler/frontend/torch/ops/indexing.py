"""Operators that move elements to computed places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import (
    GatherElementsOp,
    GatherOp,
    ScatterOp,
)
from opc.frontend.torch.node import Node, aten

UPDATES = {"sum": "add", "prod": "mul", "amax": "max", "amin": "min", "mean": "add"}
"""``scatter_reduce`` --> how an update is combined with an element."""


@aten("embedding")
def embedding(weights: Any, indices: Any, *options: Any, node: Node) -> Any:
    """The rows of a table at indices."""
    return node.emit(GatherOp, weights, indices, axes=[0], from_end=False)


@aten("index_select")
def index_select(x: Any, axis: int, indices: Any, *, node: Node) -> Any:
    """The parts of x at a list of indices of an axis."""
    if not x.ndim:
        return node.shaped(x, node.shape_of_result())
    return node.emit(GatherOp, x, indices.reshape((-1,)), axes=[axis], from_end=False)


@aten("gather")
def gather(x: Any, axis: int, indices: Any, sparse: bool = False, *, node: Node) -> Any:
    """For each index the element at its position, with the index along one axis."""
    if not x.ndim or not indices.ndim:
        x, indices = (v if v.ndim else v.reshape((1,)) for v in (x, indices))
    y = node.emit(GatherElementsOp, x, indices, axis=axis, from_end=False)
    return node.shaped(y, node.shape_of_result())


def indexed(
    x: Any, indices: Sequence[Any], node: Node
) -> tuple[Any, list[int], list[Any], list[int]]:
    """x with its indexed axes in front if they are not neighbours, these axes, their indices in
    i64, and the order of x's axes."""
    axes = [k for k, place in enumerate(indices) if place is not None]
    order = list(range(x.ndim))
    if axes != list(range(axes[0], axes[0] + len(axes))):
        order = [*axes, *(k for k in order if k not in axes)]
        x, axes = onp.transpose(x, order), list(range(len(axes)))
    places = [place.astype(el.I64) for place in indices if place is not None]
    return x, axes, places, order


@aten("index.Tensor", "_unsafe_index.Tensor")
def index(x: Any, indices: Sequence[Any], *, node: Node) -> Any:
    """The parts of x at indices that broadcast, along some axes; some may be negative."""
    x, axes, places, _ = indexed(x, indices, node)
    return node.emit(GatherOp, x, *places, axes=axes)


@aten("index_put", "_unsafe_index_put")
def index_put(
    x: Any, indices: Sequence[Any], values: Any, accumulate: bool = False, *, node: Node
) -> Any:
    """x with values at indices, replaced or added."""
    shape = x.extents
    x, axes, places, order = indexed(x, indices, node)
    wanted = node.emit(GatherOp, x, *places, axes=axes).extents
    values = node.stretched(values.astype(x.element), wanted)
    how = "add" if accumulate else "none"
    y = node.emit(ScatterOp, x, values, *places, axes=axes, reduction=how)
    back = [order.index(k) for k in range(len(shape))]
    return onp.transpose(y, back) if order != back else y

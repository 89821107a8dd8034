"""Operators that move elements to places that are known when compiling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc.parts import TO_THE_END
from opc.frontend.models.parts import bounded, sliced
from opc.frontend.torch.node import Node, aten


@aten("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze.dim", "squeeze.dims", "squeeze")
def reshaped(x: Any, *how: Any, node: Node) -> Any:
    """The same elements in the shape that PyTorch says."""
    return node.shaped(x, node.shape_of_result())


@aten("expand")
def expand(x: Any, size: Any, *, node: Node, implicit: bool = False) -> Any:
    """x stretched to a shape."""
    return node.stretched(x, node.shape_of_result())


@aten("permute")
def permute(x: Any, order: Sequence[int]) -> Any:
    """Axes in another order."""
    return onp.transpose(x, tuple(order)) if x.ndim else x


@aten("slice.Tensor")
def slice_(
    x: Any, axis: int = 0, start: Any = None, stop: Any = None, step: int = 1, *, node: Node
) -> Any:
    """Every step-th element from a start to before a stop, which may be outside."""
    first = ex.const(0) if start is None else ex.Expr.of(start)
    last = ex.const(TO_THE_END) if stop is None else ex.Expr.of(stop)
    axis = node.axis(axis, x.ndim)
    bounds = bounded(node, x.extents, [axis], [first], [last], [step])
    return node.trace.array(sliced(node, x.value, [axis], bounds))


@aten("select.int")
def select(x: Any, axis: int, index: Any, *, node: Node) -> Any:
    """The elements at one index of an axis, without the axis."""
    axis = node.axis(axis, x.ndim)
    return x[(*[slice(None)] * axis, index)]


@aten("cat")
def concatenate(arrays: Sequence[Any], axis: int = 0, *, node: Node) -> Any:
    """Arrays one after the other along an axis; lists without elements do not count."""
    rank = len(node.shape_of_result())
    kept = [x.astype(node.kind()) for x in arrays if x.ndim == rank]
    return onp.concatenate(kept, axis=axis) if len(kept) > 1 else kept[0]


@aten("split_with_sizes")
def split(x: Any, sizes: Sequence[Any], axis: int = 0, *, node: Node) -> list[Any]:
    """Parts of these sizes along an axis."""
    axis, start, parts = node.axis(axis, x.ndim), ex.const(0), list[Any]()
    for size in sizes:
        stop = start + size
        parts.append(node.trace.array(sliced(node, x.value, [axis], [(start, stop, 1)])))
        start = stop
    return parts

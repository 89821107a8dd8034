"""Reductions along axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.frontend.torch.node import Node, aten


def over(x: Any, axes: Any) -> tuple[int, ...] | None:
    """Axes as one, a list, or None or an empty list for all; a scalar has none."""
    named = [axes] if isinstance(axes, int) else axes
    return tuple(named) if named and x.ndim else None


@aten("sum.dim_IntList", "sum", "prod", "prod.dim_int", "mean", "mean.dim", computes=True)
def total(x: Any, axes: Any = None, keeps: bool = False, *, node: Node, dtype: Any = None) -> Any:
    """The sum, product or mean of elements, in the type of the result."""
    name = node.operator.split(".")[1]
    function: Callable[..., Any] = {"sum": onp.sum, "prod": onp.prod, "mean": onp.mean}[name]
    type = el.F32 if node.kind().is_small_float else node.kind()
    result = function(x.astype(type), over(x, axes), dtype=type, keepdims=keeps and x.ndim > 0)
    return result.astype(type)


@aten("amax", "amin", computes=True)
def extreme(x: Any, axes: Sequence[int] = (), keeps: bool = False, *, node: Node) -> Any:
    """The greatest or least element."""
    function = onp.max if "amax" in node.operator else onp.min
    return function(x, over(x, axes), keepdims=keeps and x.ndim > 0)


@aten("any", "any.dim", "any.dims", "all", "all.dim", "all.dims")
def truth(x: Any, axes: Any = None, keeps: bool = False, *, node: Node) -> Any:
    """Whether any or all elements are not zero."""
    function = onp.any if ".any" in node.operator else onp.all
    return function(x, over(x, axes), keepdims=keeps and x.ndim > 0).astype(node.kind())

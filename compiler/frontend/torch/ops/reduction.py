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
    type = node.kind().computed
    if type is el.I1:
        function = onp.all if name == "prod" else onp.any
        return function(x, over(x, axes), keepdims=keeps and x.ndim > 0)
    result = function(x.astype(type), over(x, axes), dtype=type, keepdims=keeps and x.ndim > 0)
    return result.astype(type)


@aten("amax", "amin", "max", "min", computes=True)
def extreme(x: Any, axes: Sequence[int] = (), keeps: bool = False, *, node: Node) -> Any:
    """The greatest or least element."""
    function = onp.max if "max" in node.operator else onp.min
    return function(x, over(x, axes), keepdims=keeps and x.ndim > 0)


@aten("any", "any.dim", "any.dims", "all", "all.dim", "all.dims")
def truth(x: Any, axes: Any = None, keeps: bool = False, *, node: Node) -> Any:
    """Whether any or all elements are not zero."""
    function = onp.any if ".any" in node.operator else onp.all
    return function(x, over(x, axes), keepdims=keeps and x.ndim > 0).astype(node.kind())


@aten("argmax", "argmin")
def position(x: Any, axis: int | None = None, keeps: bool = False, *, node: Node) -> Any:
    """The first position of the greatest or least element, or of NaN."""
    function = onp.argmax if "argmax" in node.operator else onp.argmin
    axis = axis if x.ndim else None
    y = function(x.reshape((-1,)), 0) if axis is None else function(x, axis)
    return node.shaped(y.astype(el.I64), node.shape_of_result())


@aten("max.dim", "min.dim")
def extreme_along(x: Any, axis: int, keeps: bool = False, *, node: Node) -> tuple[Any, ...]:
    """The greatest or least element along an axis, and its first position."""
    is_max = node.operator.startswith("aten.max")
    axes = (axis,) if x.ndim else None
    values = (onp.max if is_max else onp.min)(x, axes)
    place = (onp.argmax if is_max else onp.argmin)(x if x.ndim else x.reshape((1,)), axis)
    shape = node.shape_of_result()
    return node.shaped(values, shape), node.shaped(place.astype(el.I64), shape)


@aten("var.correction", "var.dim", computes=True)
def variance(
    x: Any, axes: Any = None, unbiased: bool = True, keeps: bool = False, *, node: Node, **how: Any
) -> Any:
    """The mean squared distance from the mean, the sum divided by count - correction."""
    correction = how.get("correction", int(unbiased))
    correction = 1 if correction is None else correction
    return onp.var(
        x,
        over(x, axes),
        correction=correction,
        keepdims=bool(how.get("keepdim", keeps)) and x.ndim > 0,
    )

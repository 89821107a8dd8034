"""Sorting, the first elements in order, and totals up to each element."""

from __future__ import annotations

import math
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.order import ordered
from opc.frontend.torch.node import Node, aten

I8 = el.BY_NAME["i8"]


def _ordered(x: Any, axis: int, count: Any, largest: bool, node: Node) -> tuple[Any, ...]:
    lined = x if x.ndim else x.reshape((1,))
    keys = lined.astype(I8) if x.element is el.I1 else lined
    axis = node.axis(axis, lined.ndim)
    count = lined.extents[axis] if count is None else ex.Expr.of(count)
    values, places = ordered(keys, axis, count, largest=largest)
    return tuple(
        node.shaped(v, node.shape_of_result(k))
        for k, v in enumerate((values.astype(x.element), places))
    )


@aten("sort", "sort.stable")
def sort(x: Any, axis: int = -1, descending: bool = False, *, node: Node, **how: Any) -> Any:
    """Elements in order, equal ones as they were, and their positions."""
    named = {"axis": axis, "descending": descending, **how}
    axis = named.get("dim", named["axis"])
    return _ordered(x, axis, None, bool(named["descending"]), node)


@aten("topk")
def topk(
    x: Any, count: Any, axis: int = -1, largest: bool = True, sorted: bool = True, *, node: Node
) -> tuple[Any, ...]:
    """The greatest or least elements in order, and their positions."""
    return _ordered(x, axis, count, largest, node)


@aten("cummax", "cummin")
def running_extreme(x: Any, axis: int, *, node: Node) -> tuple[Any, ...]:
    """The greatest or least of all elements up to each one, and its last position."""
    is_ahead = onp.greater_equal if "max" in node.operator else onp.less_equal
    lined = x.reshape((1,)) if not x.ndim else x.astype(I8) if x.element is el.I1 else x

    def step(index: Any, best: Any, place: Any, new: Any) -> tuple[Arrays, Arrays]:
        takes = (index == 0) | is_ahead(new, best)
        takes = takes | onp.isnan(new) if new.element.is_float else takes
        kept = [onp.where(takes, new, best), onp.where(takes, index, place)]
        return kept, kept

    moved = onp.moveaxis(lined, axis, 0)
    first = [node.trace.full(moved.extents[1:], 0, t) for t in (moved.element, el.I64)]
    _, results = scan(moved.extents[0], first, [moved], [], step, has_index=True)
    values, places = (onp.moveaxis(v, 0, axis).reshape(x.shape) for v in results)
    return values.astype(x.element), places


@aten("logcumsumexp", computes=True)
def running_log_sum(x: Any, axis: int, *, node: Node) -> Any:
    """The logarithm of the sum of exponentials of all elements up to each one."""

    def step(total: Any, new: Any) -> tuple[Arrays, Arrays]:
        high, low = onp.maximum(total, new), onp.minimum(total, new)
        both = onp.where(onp.isfinite(low), high + onp.log1p(onp.exp(low - high)), high)
        return [both], [both]

    moved = onp.moveaxis(x if x.ndim else x.reshape((1,)), axis, 0)
    none = node.trace.full(moved.extents[1:], -math.inf, x.element)
    _, (result,) = scan(moved.extents[0], [none], [moved], [], step)
    return onp.moveaxis(result, 0, axis).reshape(x.shape)


@aten("cumsum", "cumprod", computes=True)
def cumulative(x: Any, axis: int, *, node: Node, dtype: Any = None) -> Any:
    """The sum or product of all elements up to each one along an axis."""
    function = onp.cumsum if "cumsum" in node.operator else onp.cumprod
    type = node.kind().computed
    x = x.astype(type)
    return function(x, axis=axis, dtype=type) if x.ndim else x

"""Sorting, the first elements in order, and totals up to each element."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
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


@aten("cumsum", "cumprod", computes=True)
def cumulative(x: Any, axis: int, *, node: Node, dtype: Any = None) -> Any:
    """The sum or product of all elements up to each one along an axis."""
    function = onp.cumsum if "cumsum" in node.operator else onp.cumprod
    type = el.F32 if node.kind().is_small_float else node.kind()
    x = x.astype(type)
    return function(x, axis=axis, dtype=type) if x.ndim else x

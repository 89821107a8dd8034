"""Tensors whose axes lie in memory in another order than they are counted."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from importlib import import_module
from operator import is_not
from typing import Any

Order = tuple[int, ...]
"""Axes, the outermost in memory first."""

_EXTENTS = (1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049)
"""What symbols are taken for, one after the other, where strides are compared."""


def memory_order(tensor: Any) -> Order | None:
    """The order of the axes of a dense tensor; None if it is contiguous, or is not dense.

    ``tensor`` describes it with extents and strides, which may be symbols.
    """
    extents, strides = _numbers([*tensor.shape]), _numbers([*tensor.shape, *tensor.stride()])
    strides = strides[len(extents) :]
    axes = sorted(range(len(extents)), key=lambda k: -strides[k])
    size = 1
    for axis in reversed(axes):
        if extents[axis] != 1 and strides[axis] != size:
            return None
        size *= extents[axis]
    moved = [axis for axis in axes if extents[axis] != 1]
    return tuple(axes) if moved != sorted(moved) and size else None


def _numbers(values: list[Any]) -> list[int]:
    """Numbers and symbolic ones as numbers."""
    expressions = [value.node.expr if hasattr(value, "node") else value for value in values]
    symbols = sorted({s for e in expressions for s in getattr(e, "free_symbols", ())}, key=str)
    places = {s: _EXTENTS[k % len(_EXTENTS)] for k, s in enumerate(symbols)}
    return [int(e.subs(places)) if hasattr(e, "subs") else int(e) for e in expressions]


def inverse(order: Order) -> Order:
    """The order that undoes another."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def in_memory_order(
    graph_module: Any, weights: Collection[int]
) -> tuple[dict[int, Order], list[Order | None]]:
    """Make arguments and results contiguous: their axes are in the order of memory from now on.

    ::

        f(x) = relu(x)  -->  f(x) = permute(relu(permute(x, inverse)), order)

    The orders of arguments, by their places, and of results.
    """
    permute = import_module("torch").ops.aten.permute.default
    graph = graph_module.graph
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    inputs: dict[int, Order] = {}
    for place, node in enumerate(placeholders):
        described = node.meta.get("val")
        order = memory_order(described) if hasattr(described, "stride") else None
        if order is None or place in weights:
            continue
        inputs[place] = order
        # Placeholders of a part stand between calls.
        with graph.inserting_after(node):
            moved = graph.call_function(permute, (node, inverse(order)))
        node.replace_all_uses_with(moved, partial(is_not, moved))
        moved.meta["val"], node.meta["val"] = described, described.permute(order)
    (end,) = (node for node in graph.nodes if node.op == "output")
    results = list(end.args[0])
    orders = [memory_order(node.meta["val"]) for node in results]
    for k, order in enumerate(orders):
        if order is not None:
            with graph.inserting_before(end):
                moved = graph.call_function(permute, (results[k], order))
            moved.meta["val"] = results[k].meta["val"].permute(order)
            results[k] = moved
    end.args = (tuple(results),)
    graph_module.recompile()
    return inputs, orders

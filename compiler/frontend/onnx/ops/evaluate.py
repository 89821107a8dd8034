"""Evaluates nodes on values known at compile time, such as computed shapes.

An entry returns the elements of the result, or None if they are known only at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.budgets import limit
from opc.frontend.models import known as kn
from opc.frontend.models import known_values as kv
from opc.frontend.models.known import Elements, Known

from .node import Node

Evaluate: TypeAlias = "Callable[[Node, Sequence[Known]], Elements | None]"


def evaluate(node: Node) -> Known | None:
    """The result of a node if its inputs are known, else None."""
    name = node.schema.operator
    entry = EVALUATE.get(name)
    if entry is None or not node.inputs:
        return None
    known = [None if v is None else node.wrapped(k) for k, v in enumerate(node.inputs)]
    present = [k for k in known if k is not None]
    if len(present) != len(node.inputs) and None in (
        k for k, v in zip(known, node.inputs, strict=True) if v is not None
    ):
        return None
    type = present[1 if name == "Where" else 0].type
    function = ELEMENTWISE.get(name)
    return kv.evaluated(lambda: entry(node, present), present, function, type, node.exact)


def _elementwise(node: Node, args: Sequence[Known]) -> Elements | None:
    if node.since < 7 and node.schema.operator not in ("Neg", "Not"):
        return None
    name = ELEMENTWISE[node.schema.operator]
    if name == "mod" and node.attr("fmod"):
        name = "fmod"
    return kn.joined(kv.ELEMENTWISE[name], args)


def _gather(node: Node, args: Sequence[Known]) -> Elements | None:
    data, indices = args[0].array, args[1]
    axis = node.axis(node.attr("axis"), data.ndim)
    return kv.taken(data, indices, axis)


def _concat(node: Node, args: Sequence[Known]) -> Elements | None:
    axis = node.attr("axis")
    rank = args[0].array.ndim
    return kv.put_together(args, node.axis(1 if axis is None else axis, rank))


def _slice(node: Node, args: Sequence[Known]) -> Elements | None:
    data = args[0].array
    if node.since < 10:
        starts, ends, axes = (node.attr(n) for n in ("starts", "ends", "axes"))
        starts, ends = (tuple(map(ex.const, v)) for v in (starts, ends))
        steps = None
    else:
        known = [None if v is None else node.known(k) for k, v in enumerate(node.inputs)]
        exprs = [None if v is None else v.exprs for v in (*known[1:], None, None)]
        starts, ends = exprs[:2]
        axes, steps = (None if v is None else kv.numbers(*v) for v in exprs[2:4])
    if starts is None or ends is None:
        return None
    axes = range(len(starts)) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    normalized = [node.axis(axis, data.ndim) for axis in axes]
    return kv.part(data, list(zip(normalized, starts, ends, steps, strict=True)))


def _range(node: Node, args: Sequence[Known]) -> Elements | None:
    start, limit, delta = (a.exprs[0] for a in args)
    if delta == 0:
        raise node.error("the delta is 0, expected another number")
    return kv.counted(start, limit, delta)


def _expand(node: Node, args: Sequence[Known]) -> Elements | None:
    """Expands lists only: tensors of higher rank are not shapes."""
    data, wanted = args[0].array, kv.numbers(*args[1].exprs)
    if data.ndim > 1 or len(wanted) != 1 or wanted[0] > limit("elements"):
        return None
    return np.broadcast_to(data, np.broadcast_shapes(data.shape, tuple(wanted)))


def _reduce(kind: str) -> Evaluate:
    def entry(node: Node, args: Sequence[Known]) -> Elements | None:
        data = args[0].array
        chosen = (
            kv.numbers(*args[1].exprs)
            if len(args) > 1
            else (node.attr("axes") if len(node.schema.inputs) == 1 else None)
        )
        if not chosen and len(node.schema.inputs) > 1 and node.attr("noop_with_empty_axes"):
            return data
        axes = node.axes(chosen, data.ndim) if chosen else tuple(range(data.ndim))
        return kv.reduced(kind, data, axes, bool(node.attr("keepdims")))

    return entry


ELEMENTWISE = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Neg": "neg",
    "Div": "div",
    "Mod": "mod",
    "Max": "max",
    "Min": "min",
    "And": "and",
    "Or": "or",
    "Xor": "xor",
    "Equal": "equal",
    "Less": "less",
    "Greater": "greater",
    "LessOrEqual": "less_equal",
    "GreaterOrEqual": "greater_equal",
    "Where": "where",
    "Not": "not",
}
"""Elementwise operators, and their names in ``opc.frontend.models.known_values``."""
EVALUATE: dict[str, Evaluate] = {
    **dict.fromkeys(ELEMENTWISE, _elementwise),
    "Gather": _gather,
    "Concat": _concat,
    "Slice": _slice,
    "Transpose": lambda node, args: kv.transposed(args[0].array, node.attr("perm")),
    "Range": _range,
    "Expand": _expand,
    "ReduceProd": _reduce("prod"),
    "ReduceSum": _reduce("sum"),
}
"""The evaluated operators.  Legalizing Reshape, Squeeze, Cast and others keeps known values."""

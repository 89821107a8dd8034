"""Nodes on values that are known when compiling, as models compute shapes: evaluated at once.

An entry gives the elements of the result, or None where only a run can tell.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import check

from . import known as kn
from .known import Elements, Known
from .node import Node

Evaluate: TypeAlias = "Callable[[Node, Sequence[Known]], Elements | None]"


class _Undecided(Exception):  # no error: the node is left to run
    """What is asked for depends on the extents."""


def evaluate(node: Node) -> Known | None:
    """The result of a node whose inputs are all known, None if it must be run."""
    entry = EVALUATE.get(node.row.operator)
    if entry is None or not node.inputs:
        return None
    known = [None if v is None else node.known(k) for k, v in enumerate(node.inputs)]
    present = [k for k in known if k is not None]
    if len(present) != len(node.inputs) and None in (
        k for k, v in zip(known, node.inputs, strict=True) if v is not None
    ):
        return None
    # Integers narrower than 32 bits are no shapes, and wrap where these would not.
    if any(k.type.name not in ("i64", "i32", "i1") for k in present):
        return None
    try:
        array = entry(node, present)
    except (_Undecided, ValueError, IndexError):
        # What is wrong is said by the legalizing function.
        return None
    if array is None:
        return None
    boolean = node.row.operator in ("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
    values = present[1] if node.row.operator == "Where" else present[0]
    result = Known(_objects(array), el.I1 if boolean else values.type)
    result.check_size()
    return result if result.fits() else None


def _objects(array: Any) -> Elements:
    found = np.empty(np.shape(array), object)
    found.reshape(-1)[:] = [
        ex.Expr.of(v if isinstance(v, ex.Expr) else int(v)) for v in np.reshape(array, -1)
    ]
    return found


def _elementwise(fn: Callable[..., Any]) -> Evaluate:
    def entry(node: Node, args: Sequence[Known]) -> Elements | None:
        if node.since < 7 and node.row.operator not in ("Neg", "Not"):
            return None
        return kn.joined(fn, args)

    return entry


def _numbers(*values: ex.Expr) -> list[int]:
    found = [v.constant for v in values]
    if None in found:
        raise _Undecided
    return [v for v in found if v is not None]


def _divide(a: ex.Expr, b: ex.Expr) -> Any:
    if b.constant is None or b.constant <= 0 or not _is_extent(a):
        x, y = _numbers(a, b)
        if not y:
            raise _Undecided
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return ex.floordiv(a, b)


def _is_extent(e: ex.Expr) -> bool:
    """Whether an expression is certainly not negative: no term is."""
    return all(c >= 0 for _, c in e.terms)


def _mod(a: ex.Expr, b: ex.Expr) -> Any:
    if b.constant is None or b.constant <= 0 or not _is_extent(a):
        x, y = _numbers(a, b)
        if not y:
            raise _Undecided
        return x % y
    return ex.mod(a, b)


def _equal(a: ex.Expr, b: ex.Expr) -> bool:
    if a == b:
        return True
    for x, y in ((a, b), (b, a)):
        if _is_extent(x) and y.constant is not None and y.constant < 0:
            return False
    x, y = _numbers(a, b)
    return x == y


def _compare(fn: Callable[[int, int], bool]) -> Evaluate:
    def compare(a: ex.Expr, b: ex.Expr) -> bool:
        return fn(*_numbers(a, b))

    return _elementwise(compare)


def _not(a: ex.Expr) -> bool:
    return not _numbers(a)[0]


def _select(c: ex.Expr, a: ex.Expr, b: ex.Expr) -> ex.Expr:
    return a if a == b or _numbers(c)[0] else b


def _extreme(fn: Callable[..., int]) -> Evaluate:
    def pick(*values: ex.Expr) -> Any:
        return values[0] if len(set(values)) == 1 else fn(_numbers(*values))

    return _elementwise(pick)


def _gather(node: Node, args: Sequence[Known]) -> Elements | None:
    data, indices = args[0].array, args[1]
    axis = node.axis(node.attr("axis"), data.ndim, node.since >= 11)
    places = np.array(_numbers(*indices.exprs), np.int64).reshape(indices.shape)
    if node.since < 11 and (places < 0).any():
        raise node.error("negative indices are not in this version")
    others = prod(data.shape[:axis] + data.shape[axis + 1 :])
    check("the result", "elements", others * places.size)
    return np.take(data, places, axis=axis)


def _concat(node: Node, args: Sequence[Known]) -> Elements | None:
    axis = node.attr("axis")
    rank = args[0].array.ndim
    axis = node.axis(1 if axis is None else axis, rank, node.since >= 11)
    check("the result", "elements", sum(a.array.size for a in args))
    return np.concatenate([a.array for a in args], axis=axis)


def _slice(node: Node, args: Sequence[Known]) -> Elements | None:
    data = args[0].array
    if node.since < 10:
        starts, ends, axes = (node.attr(n) for n in ("starts", "ends", "axes"))
        steps = None
    else:
        known = [None if v is None else node.known(k) for k, v in enumerate(node.inputs)]
        given = [None if v is None else _numbers(*v.exprs) for v in known[1:]]
        starts, ends, axes, steps = (*given, None, None, None, None)[:4]
    if starts is None or ends is None:
        return None
    axes = range(len(starts)) if axes is None else axes
    index = [slice(None)] * data.ndim
    steps = [1] * len(starts) if steps is None else steps
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        k = node.axis(axis, data.ndim)
        index[k] = slice(*_clamped(start, end, step, data.shape[k]))
    return data[tuple(index)]


def _clamped(start: int, end: int, step: int, extent: int) -> tuple[int, int | None, int]:
    if not step:
        raise _Undecided
    start += extent if start < 0 else 0
    end += extent if end < 0 else 0
    if step > 0:
        return min(max(start, 0), extent), min(max(end, 0), extent), step
    end = min(max(end, -1), extent - 1)
    return min(max(start, 0), extent - 1), None if end < 0 else end, step


def _range(node: Node, args: Sequence[Known]) -> Elements | None:
    start, limit, delta = _numbers(*(a.exprs[0] for a in args))
    if not delta:
        return None
    check("the result", "elements", len(range(start, limit, delta)))
    return np.array(range(start, limit, delta), object)


def _reduce(fn: Callable[[Elements, tuple[int, ...], bool], Any]) -> Evaluate:
    def entry(node: Node, args: Sequence[Known]) -> Elements | None:
        data = args[0].array
        listed = (
            _numbers(*args[1].exprs)
            if len(args) > 1
            else (node.attr("axes") if len(node.row.inputs) == 1 else None)
        )
        if not listed and len(node.row.inputs) > 1 and node.attr("noop_with_empty_axes"):
            return data
        axes = node.axes(listed, data.ndim, node.since >= 11) if listed else tuple(range(data.ndim))
        return np.asarray(fn(data, axes, bool(node.attr("keepdims"))), object)

    return entry


EVALUATE: dict[str, Evaluate] = {
    "Add": _elementwise(operator.add),
    "Sub": _elementwise(operator.sub),
    "Mul": _elementwise(operator.mul),
    "Neg": _elementwise(operator.neg),
    "Div": _elementwise(_divide),
    "Mod": _elementwise(_mod),
    "Max": _extreme(max),
    "Min": _extreme(min),
    "Equal": _elementwise(_equal),
    "Less": _compare(operator.lt),
    "Greater": _compare(operator.gt),
    "LessOrEqual": _compare(operator.le),
    "GreaterOrEqual": _compare(operator.ge),
    "Where": _elementwise(_select),
    "Not": _elementwise(_not),
    "Gather": _gather,
    "Concat": _concat,
    "Slice": _slice,
    "Range": _range,
    "ReduceProd": _reduce(lambda a, axes, keep: np.prod(a, axis=axes, keepdims=keep)),
    "ReduceSum": _reduce(lambda a, axes, keep: np.sum(a, axis=axes, keepdims=keep)),
}
"""The operators that are evaluated; Reshape, Squeeze, Cast and others keep what is known anyway."""

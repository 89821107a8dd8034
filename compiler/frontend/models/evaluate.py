"""Evaluates nodes whose inputs are known when compiling, such as computed shapes.

An entry returns the elements of the result, or None if they are known only at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from opc.dialects import element as el
from opc.dialects.budgets import limit

from . import known as kn
from . import known_values as kv
from .known import Elements, Known

Evaluate: TypeAlias = "Callable[[Any, Sequence[Known]], Elements | None]"


def named(text: str) -> dict[str, str]:
    """``"Add:add Sub:sub"``: operators, and their names in ``known_values.ELEMENTWISE``."""
    pairs = (pair.partition(":") for pair in text.split())
    return {operator: name for operator, _, name in pairs}


def evaluated(
    call: Any,
    entries: Mapping[str, Evaluate],
    functions: Mapping[str, str],
    type: el.ElementType | None = None,
) -> Known | None:
    """The result of a node if its inputs are known, else None; ``type`` is usually theirs.

    ``functions`` are the elementwise entries, in whose results elements may wrap.
    """
    entry, inputs = entries.get(call.operator), [k for k in range(len(call.inputs)) if call.has(k)]
    if entry is None or not inputs:
        return None
    known: list[Known] = []
    for k in inputs:
        value = call.wrapped(k)
        if value is None:
            return None
        known.append(value)
    function = functions.get(call.operator)
    type = type or known[function == "where"].type
    return kv.evaluated(lambda: entry(call, known), known, function, type, call.exact)


def elementwise(name: str, args: Sequence[Known]) -> Elements | None:
    """A function of ``known_values.ELEMENTWISE``."""
    return kn.joined(kv.ELEMENTWISE[name], args)


def concat(call: Any, args: Sequence[Known]) -> Elements | None:
    """Concatenation along attribute ``axis``."""
    axis = call.attr("axis")
    return kv.put_together(args, call.axis(1 if axis is None else axis, args[0].array.ndim))


def counted(call: Any, args: Sequence[Known]) -> Elements | None:
    """start, start + step, ... before stop."""
    return kv.counted(*(a.exprs[0] for a in args))


def part(starts: int, stops: int, axes: int, steps: int) -> Evaluate:
    """``start:stop:step`` along axes, each the position of an input."""

    def entry(call: Any, args: Sequence[Known]) -> Elements | None:
        data = args[0].array
        bounds = [call.known(k) if call.has(k) else None for k in (starts, stops, axes, steps)]
        first, last, named, by = (None if v is None else v.exprs for v in bounds)
        if first is None or last is None:
            return None
        places = range(len(first)) if named is None else kv.numbers(*named)
        strides = [1] * len(first) if by is None else kv.numbers(*by)
        places = [call.axis(axis, data.ndim) for axis in places]
        return kv.part(data, list(zip(places, first, last, strides, strict=True)))

    return entry


def expanded(data: Elements, wanted: tuple[int, ...], both: bool = True) -> Elements | None:
    """Broadcast to a shape, or with ``both`` to the common one."""
    shape = np.broadcast_shapes(data.shape, wanted) if both else wanted
    return np.broadcast_to(data, shape) if np.prod(shape) <= limit("elements") else None


def _reduced(kind: str, call: Any, args: Sequence[Known]) -> Elements | None:
    data, has = args[0].array, call.schema.has
    chosen: Any = call.attr("axes") if has("axes") else None
    if len(args) > 1:
        chosen = kv.numbers(*args[1].exprs)
    if not chosen and has("noop_with_empty_axes") and call.attr("noop_with_empty_axes"):
        return data
    # ONNX reduces all axes if it lists none.
    keeps = call.attr("keepdims" if has("keepdims") else "keep_dims")
    axes = range(data.ndim) if not chosen and has("keepdims") else chosen
    return kv.reduced(kind, data, call.axes(axes, data.ndim), bool(keeps))


REDUCTIONS: dict[str, Evaluate] = {
    "ReduceProd": partial(_reduced, "prod"),
    "ReduceSum": partial(_reduced, "sum"),
}

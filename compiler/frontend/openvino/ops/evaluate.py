"""Layers on values that are known when compiling, as models compute shapes: evaluated at once.

An entry gives the elements of the result, or None where only a run can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.budgets import limit
from opc.frontend.models import known as kn
from opc.frontend.models import known_values as kv
from opc.frontend.models.known import Elements, Known

if TYPE_CHECKING:
    from .layer import Layer

Evaluate: TypeAlias = "Callable[[Layer, Sequence[Known]], Elements | None]"


def evaluate(layer: Layer) -> Known | None:
    """The result of a layer whose inputs are all known, None if it must be run."""
    entry = EVALUATE.get(layer.schema.type)
    if entry is None:
        return None
    known = [layer.wrapped(k) for k in range(len(layer.inputs))]
    present = [k for k in known if k is not None]
    if not present or len(present) != len(known):
        return None
    name = layer.schema.type
    type = present[name == "Select"].type
    if name == "Range" and layer.schema.since >= 4:
        type = layer.attr("output_type")
    function = "div" if name == "Divide" else ELEMENTWISE.get(name)
    return kv.evaluated(lambda: entry(layer, present), present, function, type, layer.exact)


def _transpose(layer: Layer, args: Sequence[Known]) -> Elements | None:
    return kv.transposed(args[0].array, kv.numbers(*args[1].exprs))


def _elementwise(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if len(args) > 1 and layer.attr("auto_broadcast") != "numpy":
        return None
    return kn.joined(kv.ELEMENTWISE[ELEMENTWISE[layer.schema.type]], args)


def _divide(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if layer.attr("auto_broadcast") != "numpy":
        return None
    return kn.joined(kv.floor_divided if layer.attr("m_pythondiv") else kv.divided, args)


def _gather(layer: Layer, args: Sequence[Known]) -> Elements | None:
    data, places = args[0].array, kv.numbers(*args[1].exprs)
    axis = layer.axis(kv.numbers(*args[2].exprs)[0], data.ndim)
    if layer.schema.since >= 7 and layer.attr("batch_dims"):
        return None
    # Of shapes OpenVINO counts negative indices from the end in every version.
    least = -data.shape[axis]
    if any(not least <= k < data.shape[axis] for k in places):
        raise layer.error(f"an index is outside [{least}, {data.shape[axis] - 1}]")
    return kv.taken(data, args[1], axis)


def _concat(layer: Layer, args: Sequence[Known]) -> Elements | None:
    return kv.put_together(args, layer.axis(layer.attr("axis"), args[0].array.ndim))


def _slice(layer: Layer, args: Sequence[Known]) -> Elements | None:
    data, starts, stops, steps, *rest = args
    count = len(starts.exprs)
    listed = kv.numbers(*rest[0].exprs) if rest else range(count)
    axes = layer.axes(list(listed), data.array.ndim)
    each = zip(axes, starts.exprs, stops.exprs, kv.numbers(*steps.exprs), strict=True)
    return kv.part(data.array, list(each))


def _strided_slice(layer: Layer, args: Sequence[Known]) -> Elements | None:
    """One list of bounds: a part of a shape, or one extent of it."""
    data, starts, stops, *rest = args
    if data.array.ndim != 1 or len(starts.exprs) != 1 or len(stops.exprs) != 1:
        return None
    begin, end, new, shrunk, dots = (
        any(layer.attr(f"{name}_mask"))
        for name in ("begin", "end", "new_axis", "shrink_axis", "ellipsis")
    )
    step = kv.numbers(*rest[0].exprs)[0] if rest and not shrunk else 1
    if new or dots or step < 1:
        return None
    extent = data.array.shape[0]
    first = 0 if begin and not shrunk else kv.numbers(*starts.exprs)[0]
    if shrunk:
        return data.array[first].reshape(()) if -extent <= first < extent else None
    last = extent if end else kv.numbers(*stops.exprs)[0]
    return kv.part(data.array, [(0, ex.const(first), ex.const(last), step)])


def _range(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if layer.schema.since >= 4 and not layer.attr("output_type").is_integer:
        return None
    return kv.counted(*(a.exprs[0] for a in args))


def _reduce(kind: str) -> Evaluate:
    def entry(layer: Layer, args: Sequence[Known]) -> Elements | None:
        axes = layer.axes(kv.numbers(*args[1].exprs), args[0].array.ndim)
        return kv.reduced(kind, args[0].array, axes, layer.attr("keep_dims"))

    return entry


def _broadcast(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if layer.attr("mode") not in ("numpy", "bidirectional") or len(args) > 2:
        return None
    wanted = tuple(kv.numbers(*args[1].exprs))
    data = args[0].array
    shape = wanted if layer.attr("mode") == "numpy" else np.broadcast_shapes(data.shape, wanted)
    return np.broadcast_to(data, shape) if np.prod(shape) <= limit("elements") else None


def _scatter(layer: Layer, args: Sequence[Known]) -> Elements | None:
    data, indices, updates, axis = args
    if data.array.ndim != 1 or indices.array.ndim > 1 or kv.numbers(*axis.exprs) not in ([0], [-1]):
        return None
    found = data.array.copy()
    for place, value in zip(kv.numbers(*indices.exprs), updates.exprs, strict=True):
        found[place] = value
    return found


ELEMENTWISE = {
    "Add": "add",
    "Subtract": "sub",
    "Multiply": "mul",
    "Negative": "neg",
    "FloorMod": "mod",
    "Maximum": "max",
    "Minimum": "min",
    "LogicalAnd": "and",
    "LogicalOr": "or",
    "LogicalXor": "xor",
    "Equal": "equal",
    "NotEqual": "not_equal",
    "Less": "less",
    "Greater": "greater",
    "LessEqual": "less_equal",
    "GreaterEqual": "greater_equal",
    "Select": "where",
    "LogicalNot": "not",
}
"""Layers of elements, and what they are called in ``opc.frontend.models.known_values``."""
EVALUATE: dict[str, Evaluate] = {
    # Values that are known are integers.
    **dict.fromkeys(("Floor", "Ceiling"), lambda _, args: args[0].array),
    **dict.fromkeys(ELEMENTWISE, _elementwise),
    "Divide": _divide,
    "Gather": _gather,
    "Concat": _concat,
    "Slice": _slice,
    "Transpose": _transpose,
    "Range": _range,
    "StridedSlice": _strided_slice,
    "ReduceProd": _reduce("prod"),
    "ReduceSum": _reduce("sum"),
    "Broadcast": _broadcast,
    "ScatterUpdate": _scatter,
}
"""The layers that are evaluated; Reshape, Squeeze, Convert and others keep what is known anyway."""

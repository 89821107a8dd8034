"""Constant evaluation of layers on known values, such as computed shapes."""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.frontend.models import evaluate as ev
from opc.frontend.models import known as kn
from opc.frontend.models import known_values as kv
from opc.frontend.models.evaluate import Evaluate
from opc.frontend.models.known import Elements, Known

from .layer import Layer


def evaluate(layer: Layer) -> Known | None:
    """The result of a layer whose inputs are all known; None if it is computed at run time."""
    type = None
    if layer.operator == "Range" and layer.schema.since >= 4:
        type = layer.attr("output_type")
        if not type.is_integer:
            return None
    return ev.evaluated(layer, EVALUATE, {**ELEMENTWISE, "Divide": "div"}, type)


def _elementwise(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if len(args) > 1 and layer.attr("auto_broadcast") != "numpy":
        return None
    return ev.elementwise(ELEMENTWISE[layer.operator], args)


def _divide(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if layer.attr("auto_broadcast") != "numpy":
        return None
    return kn.joined(kv.floor_divided if layer.attr("m_pythondiv") else kv.divided, args)


def _gather(layer: Layer, args: Sequence[Known]) -> Elements | None:
    data, places = args[0].array, kv.numbers(*args[1].exprs)
    axis = layer.axis(kv.numbers(*args[2].exprs)[0], data.ndim)
    if layer.schema.since >= 7 and layer.attr("batch_dims"):
        return None
    # On shapes, OpenVINO counts negative indices from the end in every version.
    least = -data.shape[axis]
    if any(not least <= k < data.shape[axis] for k in places):
        raise layer.error(f"an index is outside [{least}, {data.shape[axis] - 1}]")
    return kv.taken(data, args[1], axis)


def _strided_slice(layer: Layer, args: Sequence[Known]) -> Elements | None:
    """One list of bounds: a slice of a shape, or one extent of it."""
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


def _broadcast(layer: Layer, args: Sequence[Known]) -> Elements | None:
    if layer.attr("mode") not in ("numpy", "bidirectional") or len(args) > 2:
        return None
    wanted = tuple(kv.numbers(*args[1].exprs))
    return ev.expanded(args[0].array, wanted, layer.attr("mode") == "bidirectional")


def _scatter(layer: Layer, args: Sequence[Known]) -> Elements | None:
    data, indices, updates, axis = args
    if data.array.ndim != 1 or indices.array.ndim > 1 or kv.numbers(*axis.exprs) not in ([0], [-1]):
        return None
    result = data.array.copy()
    for place, value in zip(kv.numbers(*indices.exprs), updates.exprs, strict=True):
        result[place] = value
    return result


ELEMENTWISE = ev.named(
    "Add:add Subtract:sub Multiply:mul Negative:neg FloorMod:mod Maximum:max Minimum:min "
    "LogicalAnd:and LogicalOr:or LogicalXor:xor Equal:equal NotEqual:not_equal Less:less "
    "Greater:greater LessEqual:less_equal GreaterEqual:greater_equal Select:where LogicalNot:not"
)
EVALUATE: dict[str, Evaluate] = {
    # Values that are known are integers.
    **dict.fromkeys(("Floor", "Ceiling"), lambda _, args: args[0].array),
    **dict.fromkeys(ELEMENTWISE, _elementwise),
    "Divide": _divide,
    "Gather": _gather,
    **ev.REDUCTIONS,
    "Concat": ev.concat,
    "Slice": ev.part(1, 2, 4, 3),
    "Transpose": lambda _, args: kv.transposed(args[0].array, kv.numbers(*args[1].exprs)),
    "Range": ev.counted,
    "StridedSlice": _strided_slice,
    "Broadcast": _broadcast,
    "ScatterUpdate": _scatter,
}
"""The layers that are evaluated; Reshape, Squeeze, Convert and others keep known values anyway."""

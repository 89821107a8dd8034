"""Shapes and parts: Broadcast, Reshape, Transpose, Range, Concat, Split, Slice, Pad and others."""

from __future__ import annotations

from typing import Any

from xdsl.utils.exceptions import VerifyException

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import TransposeOp
from opc.dialects.opc.parts import TO_THE_END, ConcatOp
from opc.dialects.openvino import CHOSEN, YieldOp
from opc.dialects.shape import Shape, broadcast_shapes, shape_text
from opc.frontend.models import known as kn
from opc.frontend.models import shaping
from opc.frontend.models.known import Known
from opc.frontend.models.pads import CUT_LAST
from opc.frontend.models.parts import bounded, sliced
from opc.frontend.onnx.ops.shapes import ones

from .as_onnx import NodeAdapter
from .layer import Data, Layer, Number, Numbers, Scalar, run_of
from .schema import openvino


@openvino("Reshape", 1)
def reshape(layer: Layer, *, special_zero: bool) -> Any:
    """Reshape-1: with special_zero 0 copies an extent; one -1 is inferred."""
    return shaping.reshape(layer, layer.known_list(1), special_zero)


@openvino("Squeeze", 1, 15)
def squeeze(layer: Layer, *, allow_axis_skip: bool = False) -> Any:
    """Squeeze-1 and -15: removes listed axes of extent 1, or all of them without a list.

    A listed axis with another extent stays.  An unknown one is required to be 1, or tested at run
    time with allow_axis_skip.  A scalar stays as it is, also with axis 0.
    """
    shape, rank = layer.shape(0), layer.rank()
    axes = layer.known_numbers(1) if layer.has(1) else ()
    if axes is None:
        return layer.reshape(layer[0], layer.read("squeeze", 1, shape))
    gone = sorted({layer.axis(axis, rank or 1) for axis in axes})
    if not axes or allow_axis_skip:
        among = gone[:rank] if axes else range(rank)
        node = NodeAdapter(layer, "Squeeze", 25, layer.inputs[:1])
        chosen = node.legalized(lambda n: ones(n, layer.op, CHOSEN, YieldOp, among))
        if isinstance(chosen, tuple):
            return chosen
        return shaping.reshaped(layer, [e for k, e in enumerate(shape) if k not in chosen])
    return shaping.reshaped(
        layer, [e for k, e in enumerate(shape) if k not in gone or e.constant not in (None, 1)]
    )


@openvino("Unsqueeze", 1)
def unsqueeze(layer: Layer) -> Any:
    """Unsqueeze-1: new axes of extent 1, at these positions of the result."""
    return shaping.unsqueezed(layer, layer.known_numbers(1))


@openvino("Transpose", 1)
def transpose(layer: Layer, data: Data, order: Numbers) -> Any:
    """Transpose-1: an empty order reverses the axes."""
    if any(axis < 0 for axis in order):
        raise layer.error(f"order {order} has a negative axis")
    order = order or list(reversed(range(data.ndim)))
    return data.trace.emit(TransposeOp, data, permutation=tuple(order))


@openvino("ShapeOf", 1, 3)
def extents_of(data: Data, *, output_type: str = "i64") -> Known:
    """ShapeOf-0 and -3: the extents, in i64 or i32."""
    return kn.of(data.extents, (data.ndim,), el.BY_NAME[output_type])


@openvino("Broadcast", 1, 3)
def broadcast(layer: Layer, data: Data, *, mode: str, axis: int = -1) -> Any:
    """Broadcast-1 and -3: by NumPy's rule, by axes_mapping, or bidirectional."""
    if mode == "none":
        # OpenVINO's writer stores this for mode explicit of Broadcast-1.
        mode = "explicit"
    # OpenVINO's writer gives Broadcast-1 an axes_mapping in every mode.
    expected = mode == "explicit" or (layer.schema.since == 1 and layer.has(2))
    if layer.has(2) != expected:
        raise layer.error(
            f"mode {mode} with {len(layer.inputs)} inputs: axes_mapping belongs to mode explicit"
        )
    source, wanted = data.extents, layer.known_list(1)
    if layer.rank(1) != 1:
        raise layer.error("target_shape must be 1-D")
    if wanted is None:
        rule = "expand" if mode == "bidirectional" else "plain"
        target = layer.read(rule, 1, source if rule == "expand" else ())
    elif mode == "bidirectional":
        try:
            target = broadcast_shapes([source, wanted])
        except VerifyException as error:
            raise layer.error(str(error)) from None
        for x, y in zip(reversed(source), reversed(wanted), strict=False):
            layer.require("broadcast", x, y, "extents do not broadcast")
    else:
        target = wanted
    for extent in target:
        if extent.constant is not None and extent.constant < 0:
            raise layer.error(f"extent {extent_text(extent)} of the target shape is negative")
    if mode == "pdpd":
        return run_of(layer, data.value, target, axis)
    x = data.value
    if mode == "explicit":
        x = layer.reshape(x, _mapped(layer, source, len(target)))
    return layer.broadcast(x, target)


def _mapped(layer: Layer, source: Shape, rank: int) -> list[ex.Expr]:
    """The source with its axes at the positions in axes_mapping."""
    places = layer.numbers(2)
    if len(places) != len(source):
        raise layer.error(f"axes_mapping has {len(places)} axes, the data {len(source)}")
    if list(places) != sorted(set(places)) or any(not 0 <= p < rank for p in places):
        raise layer.error(
            f"axes_mapping {list(places)} must be sorted, unique and within [0, {rank - 1}]"
        )
    extents = dict(zip(places, source, strict=True))
    return [extents.get(k, ex.const(1)) for k in range(rank)]


def _whole(layer: Layer, position: int) -> ex.Expr | None:
    """A known integer, possibly written as a float."""
    known = layer.known_list(position)
    if known is not None:
        return known[0] if len(known) == 1 else None
    number = layer.number(position)
    return ex.const(int(number)) if number is not None and number.is_integer() else None


@openvino("Range", 1, 4)
def range_(layer: Layer, *, output_type: el.ElementType | None = None) -> Any:
    """Range-1 and -4: start, start + step, ... before stop; evaluate.py has known ones."""
    type = output_type or layer.element()
    bounds = [_whole(layer, k) for k in range(3)] if type.is_integer else []
    return shaping.range_of(layer, type, bounds)


@openvino("Concat", 1)
def concat(layer: Layer, *data: Data, axis: int) -> Any:
    """Concat-1 --> opc.concat."""
    return layer.trace.emit(ConcatOp, *data, axis=layer.axis(axis, data[0].ndim))


@openvino("Split", 1)
def split(layer: Layer, data: Data, axis: Number, *, num_splits: int) -> tuple[Any, ...]:
    """Split-1: equal parts, each an opc.slice."""
    axis, count = layer.axis(axis, data.ndim), num_splits
    if count < 1:
        raise layer.error(f"attribute num_splits is {count}, expected 1 or more")
    extent = data.extents[axis]
    layer.require("divides", extent, ex.const(count), "the parts are not equal")
    return shaping.split(layer, axis, [ex.floordiv(extent, count)] * count)


def _lengths(layer: Layer, extent: ex.Expr) -> Shape:
    """The lengths of VariadicSplit; -1 is the rest of the extent."""
    known = layer.known_list(2)
    if known is None:
        trace = layer.trace
        lengths: Any = layer.traced(2).astype("int64")
        rest = trace.number(extent) - onp.sum(onp.where(lengths == -1, 0, lengths), axis=0)
        return layer.read_value("plain", onp.where(lengths == -1, rest, lengths).value)
    if known.count(ex.const(-1)) > 1 or any((e.constant or 0) < -1 for e in known):
        raise layer.error(f"lengths {shape_text(known)}: one can be -1, none less")
    rest = ex.total_of(e for e in known if e != -1)
    if ex.const(-1) not in known:
        return known
    layer.require("equal", ex.minimum(extent, rest), rest, "the lengths exceed the extent")
    return tuple(extent - rest if e == -1 else e for e in known)


@openvino("VariadicSplit", 1)
def variadic_split(layer: Layer, data: Data, axis: Number) -> tuple[Any, ...]:
    """VariadicSplit-1: parts of these lengths; one may be -1, the rest."""
    axis = layer.axis(axis, data.ndim)
    lengths = _lengths(layer, data.extents[axis])
    layer.require("equal", ex.total_of(lengths), data.extents[axis], "the lengths do not sum up")
    return shaping.split(layer, axis, lengths)


@openvino("Slice", 8)
def slice_parts(layer: Layer) -> Any:
    """Slice-8: start, stop, step and axes, by NumPy's rule --> opc.slice.

    Bounds known at run time only --> an opc.gather along each axis.
    """
    return shaping.slice_by(layer, 1, 2, 3, 4)


def _place(layer: Layer, place: ex.Expr, extent: ex.Expr) -> tuple[ex.Expr, ex.Expr]:
    """The bounds of one index of an axis; an error if it is out of range."""
    known = place.constant
    least = place + 1 if known is None or known >= 0 else ex.const(-known)
    layer.require(
        "equal", ex.minimum(extent, least), least, f"there is no place {extent_text(place)}"
    )
    return place, ex.const(TO_THE_END) if known == -1 else place + 1


@openvino("StridedSlice", 1)
def strided_slice(layer: Layer, data: Data, **masks: tuple[int, ...]) -> Any:
    """StridedSlice-1: NumPy's basic indexing, one list entry for each index.

    Masks turn an entry into an open bound, a new axis, a removed axis, or ``...``.
    """
    lists = [layer.known_list(k) for k in (1, 2)]
    count = layer.shape(1)[0].constant if layer.rank(1) == 1 else None
    strides = layer.known_numbers(3) if layer.has(3) else [1] * (count or 0)
    if count is None or None in lists or strides is None:
        raise layer.unsupported("begin, end and strides are not known when compiling")
    begins, ends = (v or () for v in lists)
    if not len(begins) == len(ends) == len(strides):
        raise layer.error(f"{len(begins)} begins, {len(ends)} ends and {len(strides)} strides")
    begin, end, new, shrunk, dots = (
        [k < len(mask) and bool(mask[k]) for k in range(count)] for mask in masks.values()
    )
    rank, shape = data.ndim, data.extents
    if dots.count(True) > 1:
        raise layer.error("ellipsis_mask marks more than one place")
    taken = sum(not new[k] and not dots[k] for k in range(count))
    if taken > rank:
        raise layer.error(f"{taken} places for rank {rank}")
    bounds: list[tuple[int, ex.Expr, ex.Expr, int]] = []
    target: list[int | None] = []
    """The axis of the slice for each axis of the result, None for a new one."""
    axis = 0
    for k in range(count):
        if dots[k]:
            target += range(axis, axis + rank - taken)
            axis += rank - taken
        elif new[k]:
            target.append(None)
        elif shrunk[k]:
            bounds.append((axis, *_place(layer, begins[k], shape[axis]), 1))
            axis += 1
        else:
            first = ex.const(0 if strides[k] > 0 else TO_THE_END) if begin[k] else begins[k]
            last = ex.const(TO_THE_END if strides[k] > 0 else -TO_THE_END) if end[k] else ends[k]
            bounds.append((axis, first, last, strides[k]))
            target.append(axis)
            axis += 1
    axes, starts, stops, steps = (
        (list(v) for v in zip(*bounds, strict=True)) if bounds else [()] * 4
    )
    part = sliced(layer, data.value, axes, bounded(layer, shape, axes, starts, stops, steps))
    x, every = layer.trace.array(part), [*target, *range(axis, rank)]
    return x.reshape([ex.const(1) if a is None else x.extents[a] for a in every])


@openvino("Pad", 1, 12)
def pad(layer: Layer, data: Data, pad_value: Scalar, *, pad_mode: str) -> Any:
    """Pad-1 and -12 --> opc.concat along each axis; negative pads of Pad-12 crop.

    Pads known at run time only --> an opc.gather along each axis.
    """
    value = layer.trace.constant(0, data.element) if pad_value is None else pad_value
    known = [layer.known_numbers(k) for k in (1, 2)]
    pads: list[list[Any]] = [[ex.const(n) for n in v or ()] for v in known]
    if None in known:
        pads = [shaping.scalars(shaping.elements(layer, k, None)) for k in (1, 2)]
    elif layer.schema.since < 12 and any(n < 0 for v in known for n in v or ()):
        raise layer.error(f"pads {known[0]} and {known[1]}: one is negative")
    befores, afters = pads
    return shaping.pad(layer, range(data.ndim), befores, afters, value, pad_mode, CUT_LAST)

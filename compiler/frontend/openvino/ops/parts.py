"""Layers that slice or join tensors: Concat, Split, Slice, Pad."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.parts import TO_THE_END, ConcatOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models import shaping
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pads import CUT_LAST
from opc.frontend.models.parts import bounded, sliced

from .layer import Layer
from .schema import openvino


@openvino("Concat", 1)
def concat(layer: Layer) -> SSAValue:
    """Concat-1 --> opc.concat."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    return layer.add(ConcatOp(*(layer[k] for k in range(len(layer.inputs))), axis=axis))


@openvino("Split", 1)
def split(layer: Layer) -> tuple[Result, ...]:
    """Split-1: equal parts, each an opc.slice."""
    axis, count = layer.axis(layer.one_number(1), layer.rank()), layer.attr("num_splits")
    if count < 1:
        raise layer.error(f"attribute num_splits is {count}, expected 1 or more")
    extent = layer.shape()[axis]
    layer.require("divides", extent, ex.const(count), "the parts are not equal")
    length = ex.floordiv(extent, count)
    return shaping.split(layer, axis, [length] * count)


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
def variadic_split(layer: Layer) -> tuple[Result, ...]:
    """VariadicSplit-1: parts of these lengths; one may be -1, the rest."""
    axis = layer.axis(layer.one_number(1), layer.rank())
    extent = layer.shape()[axis]
    lengths = _lengths(layer, extent)
    layer.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    return shaping.split(layer, axis, lengths)


@openvino("Slice", 8)
def slice_parts(layer: Layer) -> Any:
    """Slice-8: start, stop, step and axes, by NumPy's rule --> opc.slice.

    Bounds known at run time only --> an opc.gather along each axis.
    """
    return shaping.slice_by(layer, 1, 2, 3, 4)


def _mask(layer: Layer, name: str, count: int) -> list[bool]:
    mask = [bool(n) for n in layer.attr(name)]
    return (mask + [False] * count)[:count]


def _place(layer: Layer, place: ex.Expr, extent: ex.Expr) -> tuple[ex.Expr, ex.Expr]:
    """The bounds of one index of an axis; an error if it is out of range."""
    known = place.constant
    least = place + 1 if known is None or known >= 0 else ex.const(-known)
    layer.require(
        "equal", ex.minimum(extent, least), least, f"there is no place {extent_text(place)}"
    )
    return place, ex.const(TO_THE_END) if known == -1 else place + 1


@openvino("StridedSlice", 1)
def strided_slice(layer: Layer) -> SSAValue:
    """StridedSlice-1: NumPy's basic indexing, one list entry for each index.

    Masks turn an entry into an open bound, a new axis, a removed axis, or ``...``.
    """
    lists = [layer.known_list(k) for k in (1, 2)]
    steps = layer.known_numbers(3) if layer.has(3) else None
    count = layer.shape(1)[0].constant if layer.rank(1) == 1 else None
    if count is None or any(v is None for v in lists) or (layer.has(3) and steps is None):
        raise layer.unsupported("begin, end and strides are not known when compiling")
    begins, ends = ([*(v or ())] for v in lists)
    strides = [1] * count if steps is None else list(steps)
    if not len(begins) == len(ends) == len(strides):
        raise layer.error(f"{len(begins)} begins, {len(ends)} ends and {len(strides)} strides")
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    begin, end, new, shrunk, dots = (_mask(layer, name, count) for name in names)
    rank, shape = layer.rank(), layer.shape()
    if dots.count(True) > 1:
        raise layer.error("ellipsis_mask marks more than one place")
    taken = sum(not new[k] and not dots[k] for k in range(count))
    if taken > rank:
        raise layer.error(f"{taken} places for rank {rank}")
    axes: list[int] = []
    bounds: list[tuple[ex.Expr, ex.Expr, int]] = []
    target: list[int | None] = []
    """The axis of the slice for each axis of the result, None for a new one."""
    axis = 0
    for k in range(count):
        if dots[k]:
            target += range(axis, axis + rank - taken)
            axis += rank - taken
        elif new[k]:
            target.append(None)
        else:
            by = 1 if shrunk[k] else strides[k]
            first = ex.const(0 if by > 0 else TO_THE_END) if begin[k] else begins[k]
            last = ex.const(TO_THE_END if by > 0 else -TO_THE_END) if end[k] else ends[k]
            if shrunk[k]:
                first, last = _place(layer, begins[k], shape[axis])
            else:
                target.append(axis)
            axes.append(axis)
            bounds.append((first, last, by))
            axis += 1
    target += range(axis, rank)
    starts, stops = [bound[0] for bound in bounds], [bound[1] for bound in bounds]
    steps_of = [bound[2] for bound in bounds]
    x = sliced(layer, layer[0], axes, bounded(layer, shape, axes, starts, stops, steps_of))
    extents = shape_of(tensor_of(x))
    return layer.reshape(x, [ex.const(1) if a is None else extents[a] for a in target])


@openvino("Pad", 1, 12)
def pad(layer: Layer) -> Any:
    """Pad-1 and -12 --> opc.concat along each axis; negative pads of Pad-12 crop.

    Pads known at run time only --> an opc.gather along each axis.
    """
    mode, axes = layer.attr("pad_mode"), range(layer.rank())
    value = layer.traced(3) if layer.has(3) else layer.trace.constant(0, layer.element())
    value = value.reshape(())
    known = [layer.known_numbers(k) for k in (1, 2)]
    if None in known:
        first, last = (shaping.scalars(shaping.elements(layer, k, None)) for k in (1, 2))
        return shaping.pad(layer, axes, first, last, value, mode, CUT_LAST)
    before, after = (v or [] for v in known)
    if layer.schema.since < 12 and min((*before, *after), default=0) < 0:
        raise layer.error(f"pads {before} and {after}: one is negative")
    first, last = (tuple(map(ex.const, v)) for v in (before, after))
    return shaping.pad(layer, axes, first, last, value, mode, CUT_LAST)

"""Reshape, Squeeze, Unsqueeze, Split, Slice, Pad and Range of a node's first input.

Numbers that are known when compiling give slices and reshapes.  Others, i64 arrays of rank 0, are
read at run time: slices and ranges are gathers at computed indices, whose extents
``opc.read_extents`` reads before execution if possible; otherwise they are data-dependent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.bounds import is_extent
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import ReshapeOp
from opc.dialects.opc.parts import is_bound
from opc.dialects.shape import UNKNOWN, Shape, shape_of, shape_text, tensor_of, tensor_type

from .call import Call
from .pads import CUT_FIRST, padded, padded_at_run_time
from .parts import bounded, sliced
from .traced import NodeTrace, gathered, quotient


def not_negative(call: Call, extents: Sequence[ex.Expr]) -> Shape:
    """The extents.  InputError if one is negative."""
    for e in extents:
        if e.constant is not None and e.constant < 0:
            raise call.error(f"extent {extent_text(e)} is negative")
    return tuple(extents)


def reshaped(call: Call, extents: Sequence[ex.Expr]) -> SSAValue:
    """The input in another shape."""
    if tuple(extents) == call.shape():
        return call[0]
    source = tensor_of(call[0])
    type = ReshapeOp.infer([source], {"result_type": tensor_type(source.element_type, extents)})
    return call.add(ReshapeOp(call[0], result_type=type))


def reshape(call: Call, wanted: Sequence[ex.Expr] | None, copies: bool) -> SSAValue:
    """The input in a shape, input 1 unless it is known; -1 is inferred, 0 copies if ``copies``."""
    source, target = call.shape(), list[ex.Expr]()
    if wanted is None:
        return reshaped(call, call.read("reshape" if copies else "reshape_allowzero", 1, source))
    for k, e in enumerate(wanted):
        if e == 0 and copies:
            if k >= len(source):
                raise call.error(f"extent 0 at axis {k} keeps none of {shape_text(source)}")
            target.append(source[k])
        else:
            target.append(UNKNOWN if e == -1 else e)
    if target.count(UNKNOWN) > 1:
        raise call.error("-1 is given more than once")
    not_negative(call, [e for e in target if e != UNKNOWN])
    if UNKNOWN in target:
        k, full = target.index(UNKNOWN), list(source)
        rest = target[:k] + target[k + 1 :]
        # Cancel common extents instead of dividing: a product of symbols may be 0.
        for e in list(rest):
            if e in full:
                rest.remove(e)
                full.remove(e)
        count, others = ex.product(full), ex.product(rest)
        if others == 0:
            raise call.error("-1 cannot be inferred beside an extent of 0")
        if others == 1:
            target[k] = count
        elif (a := count.constant) is not None and (b := others.constant) and not a % b:
            target[k] = ex.const(a // b)
    return reshaped(call, target)


def unsqueezed(call: Call, axes: Sequence[int] | None) -> SSAValue:
    """The input with axes of extent 1 at these indices of the result; input 1 unless known."""
    extents = list(call.shape())
    if axes is None:
        return reshaped(call, call.read("unsqueeze", 1, tuple(extents)))
    for k in sorted(call.axes(axes, len(extents) + len(axes))):
        extents.insert(k, ex.const(1))
    return reshaped(call, extents)


def split(
    call: Call, axis: int, lengths: Sequence[ex.Expr], x: SSAValue | None = None
) -> tuple[SSAValue, ...]:
    """Parts of x, by default the input, along an axis."""
    x = call[0] if x is None else x
    extent = shape_of(x.type)[axis]
    parts: list[SSAValue] = []
    start = ex.const(0)
    for length in lengths:
        stop = start + length
        stop = stop if is_bound(stop, extent) else extent
        parts.append(sliced(call, x, [axis], [(start, stop, 1)]))
        start = stop
    return tuple(parts)


def elements(call: Call, position: int, count: int | None) -> Any:
    """A list of ``count`` integers, or of a known number if it is None, as an i64 array."""
    shape, name = call.shape(position), call.input_name(position)
    values = call.list_of_known_length(call[position], name, count) if len(shape) == 1 else None
    if values is None:
        expected = "a known number of" if count is None else str(count)
        raise call.unsupported(f"input {name} is {shape_text(shape)}, expected {expected} elements")
    return call.trace.array(values).astype(el.I64)


def scalars(line: Any) -> list[Any]:
    """The elements of a list of known length."""
    return [line[k] for k in range(line.shape[0])]


def slice_by(call: Call, starts: int, stops: int, steps: int, axes: int) -> Any:
    """The input from starts to stops in steps along axes, each the position of an input.

    Axes and steps may be absent.
    """
    rank = call.rank()
    lists = [call.known_list(k) for k in (starts, stops)]
    by, named = (call.known_numbers(k) if call.has(k) else [] for k in (steps, axes))
    if None not in lists and by is not None and named is not None:
        first, last = (v or () for v in lists)
        named = named if call.has(axes) else list(range(len(first)))
        by = by if call.has(steps) else [1] * len(first)
        return slice_known(call, first, last, by, named)
    firsts = elements(call, starts, None)
    count = firsts.shape[0]
    lasts = elements(call, stops, count)
    strides = (
        elements(call, steps, count) if call.has(steps) else call.trace.full((count,), 1, el.I64)
    )
    if named is not None:
        named = call.axes(named, rank) if call.has(axes) else range(count)
        if len(named) != count:
            raise call.error(f"{count} starts for {len(named)} axes")
        return run_time_slice(
            call, list(zip(named, *map(scalars, (firsts, lasts, strides)), strict=True))
        )
    # Axes that are not listed are not sliced.
    places = elements(call, axes, count)
    first, fits = beside(places, firsts, rank, 0)
    last, _ = beside(places, lasts, rank, (1 << 63) - 1)
    step, _ = beside(places, strides, rank, 1)
    return run_time_slice(call, list(zip(range(rank), first, last, step, strict=True)), fits)


def slice_known(
    call: Call,
    starts: Sequence[ex.Expr],
    stops: Sequence[ex.Expr],
    steps: Sequence[int],
    axes: Sequence[int],
) -> Any:
    """The input from starts to stops in steps along axes."""
    if not len(starts) == len(stops) == len(steps) == len(axes):
        raise call.error(
            f"{len(starts)} starts, {len(stops)} ends, {len(axes)} axes and {len(steps)} steps"
        )
    places = call.axes(axes, call.rank())
    bounds = bounded(call, call.shape(), places, starts, stops, steps)
    return call.trace.array(sliced(call, call[0], places, bounds))


def are_pads(pads: Sequence[ex.Expr] | None) -> bool:
    """Whether pads are known when compiling, at least their signs."""
    return pads is not None and all(e.constant is not None or is_extent(e) for e in pads)


def pad(
    call: Call,
    axes: Sequence[int],
    befores: Sequence[Any],
    afters: Sequence[Any],
    value: Any,
    mode: str,
    order: str = CUT_FIRST,
    fits: Any = None,
) -> Any:
    """The input padded along axes by extents, or by i64 arrays of rank 0."""
    if not len(befores) == len(afters) == len(axes):
        raise call.error(f"{len(befores) + len(afters)} pads for {len(axes)} axes")
    pads = list(zip(axes, befores, afters, strict=True))
    x = call.traced(0)
    if not all(isinstance(p, ex.Expr) for p in (*befores, *afters)):
        return padded_at_run_time(x, pads, value, mode, fits, call.read_value, order)
    for axis, before, after in pads:
        x = padded(x, axis, before, after, value, mode, order)
    return x


def range_of(call: Call, type: el.ElementType, known: Sequence[ex.Expr | None]) -> Any:
    """start, start + step, ... before stop: inputs 0 to 2, or numbers if they are ``known``."""
    first, last, by = known if known else (None, None, None)
    step = None if by is None else by.constant
    if first is not None and last is not None and step:
        distance = last - first
        if step == 1 or distance.constant is not None:
            count = ex.floordiv(distance * (1 if step > 0 else -1) + (abs(step) - 1), abs(step))
            count = count if ex.is_nonnegative(count) else ex.maximum(count, 0)
            places = (
                call.trace.positions(count) if step == 1 else call.trace.positions(count) * step
            )
            return (places if first == 0 else places + call.trace.number(first)).astype(type)
    start, limit, step = (call.traced(k, type.computed).reshape(()) for k in range(3))
    return run_time_range(call, start, limit, step).astype(type)


def beside(axes: Any, values: Any, rank: int, absent: int) -> tuple[list[Any], Any]:
    """The value listed for each axis, ``absent`` for axes that are not listed.

    Also whether the axes are valid for the rank and differ.
    """
    trace: NodeTrace = axes.trace
    row = onp.where(axes < 0, axes + rank, axes).reshape(1, -1)
    here = row == trace.positions(ex.const(rank)).reshape(rank, 1)
    chosen = onp.sum(onp.where(here, values.reshape(1, -1), 0), axis=1)
    counts = onp.sum(here.astype("int64"), axis=1)
    chosen = onp.where(counts == 0, absent, chosen)
    length = trace.number(axes.extents[0])
    fits = (onp.sum(counts, axis=0) == length) & onp.all(counts < 2, axis=0)
    return [chosen[k] for k in range(rank)], fits


def slice_bounds(start: Any, stop: Any, step: Any, extent: Any) -> tuple[Any, Any]:
    """The first index of ``start:stop:step`` along an axis, and the number of elements.

    As in ONNX, a start before the axis is index 0 if the step is negative.  A step of 0 gives -1
    elements, which makes the call fail.
    """
    backwards = step < 0
    most = extent - 1

    def placed(place: Any, least: int) -> Any:
        behind = onp.maximum(place, onp.subtract(-1, extent)) + extent
        place = onp.where(place < 0, behind, place)
        forward = onp.minimum(onp.maximum(place, 0), extent)
        return onp.where(backwards, onp.minimum(onp.maximum(place, least), most), forward)

    first, last = placed(start, 0), placed(stop, -1)
    length = onp.where(backwards, first - last, last - first)
    # The least integer has no absolute value.
    wide = onp.where(backwards, onp.subtract(0, onp.maximum(step, -(1 << 62))), step)
    count = onp.where(onp.less(0, length), quotient(length - 1, wide) + 1, 0)
    return first, onp.where(step == 0, -1, count)


def run_time_slice(
    call: Call, bounds: Sequence[tuple[int, Any, Any, Any]], fits: Any = None
) -> Any:
    """Input 0 with ``start:stop:step`` along axes; ``bounds`` are (axis, start, stop, step).

    Unless ``fits``, the call fails.
    """
    trace, x, shape = call.trace, call.traced(0), call.shape()
    ranges = [slice_bounds(a, z, by, trace.number(shape[axis])) for axis, a, z, by in bounds]
    if not ranges:
        return x
    sizes = onp.stack([count for _, count in ranges])
    sizes = sizes if fits is None else onp.where(fits, sizes, -1)
    counts = call.read_value("plain", sizes.value, (), tuple(shape[axis] for axis, *_ in bounds))
    for (axis, _, _, step), (first, _), count in zip(bounds, ranges, counts, strict=True):
        x = gathered(x, [axis], first + trace.positions(count) * step)
    return x


def run_time_range(call: Call, begin: Any, limit: Any, step: Any) -> Any:
    """begin, begin + step, ... before limit; all of rank 0 and one element type.

    A step of 0 is an error when the function runs.
    """
    a, z, by = begin, limit, step
    if begin.element.is_float:
        a, z, by = (v.astype("float64") for v in (a, z, by))
        count = onp.maximum(onp.ceil((z - a) / by).astype("int64"), 0)
    else:
        # Distances need one bit more than the signed type has.
        wide = "uint64" if begin.element.kind == "unsigned" else "int64"
        a, z, by = (v.astype(wide) for v in (a, z, by))
        forward = onp.less(0, by)
        first, last = onp.where(forward, a, z), onp.where(forward, z, a)
        distance = (last - first).astype("uint64")
        length = onp.where(forward, by, onp.subtract(0, by)).astype("uint64")
        most = onp.minimum(quotient(distance - 1, length) + 1, el.I64.highest).astype("int64")
        count = onp.where(first < last, most, 0)
    count = onp.where(by == 0, -1, count)
    (extent,) = call.read_value("plain", count.value)
    return begin + call.trace.positions(extent).astype(begin.element) * step

"""Layers that take parts of tensors or put them together: Concat, Split, Slice, Pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc import binary as b
from opc.dialects.opc.parts import TO_THE_END, ConcatOp, is_bound
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of
from opc.frontend.models.indexed import Numbers, run_time_slice
from opc.frontend.models.known import Known
from opc.frontend.models.pads import CUT_LAST, padded, padded_at_run_time
from opc.frontend.models.parts import bounded, sliced

from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from opc.frontend.models.op_builder import Result

    from .layer import Layer


def concat(layer: Layer) -> SSAValue:
    """Concat-1 --> opc.concat."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    return layer.add(ConcatOp(*(layer[k] for k in range(len(layer.inputs))), axis=axis))


def _parts(
    layer: Layer, axis: int, bounds: Sequence[tuple[ex.Expr, ex.Expr]]
) -> tuple[Result, ...]:
    """Parts of an axis, of what is known as what is known."""
    known, numbers = layer.known(0), [(a.constant, b.constant) for a, b in bounds]
    if known is not None and all(None not in pair for pair in numbers):
        before = (slice(None),) * axis
        return tuple(Known(known.array[(*before, slice(a, b))], known.type) for a, b in numbers)
    return tuple(sliced(layer, layer[0], [axis], [(a, b, 1)]) for a, b in bounds)


def split(layer: Layer) -> tuple[Result, ...]:
    """Split-1: equal parts, each an opc.slice."""
    axis, count = layer.axis(layer.one_number(1), layer.rank()), layer.attr("num_splits")
    if count < 1:
        raise layer.error(f"attribute num_splits is {count}, expected 1 or more")
    extent = layer.shape()[axis]
    layer.require("divides", extent, ex.const(count), "the parts are not equal")
    length = ex.floordiv(extent, count)
    return _parts(layer, axis, [(length * k, length * (k + 1)) for k in range(count)])


def _lengths(layer: Layer, extent: ex.Expr) -> Shape:
    """The lengths of parts of an axis."""
    known = layer.known_list(2)
    if known is None:
        n, given = Numbers(layer), layer.cast(layer[2], el.I64)
        is_rest = n.apply(b.EqualOp, given, -1)
        total = layer.add(ReduceSumOp(n.where(is_rest, 0, given), axes=(0,)))
        return layer.read_value("plain", n.where(is_rest, n.sub(extent, total), given))
    if known.count(ex.const(-1)) > 1 or any((e.constant or 0) < -1 for e in known):
        raise layer.error(f"lengths {shape_text(known)}: one can be -1, none less")
    rest = ex.total_of(e for e in known if e != -1)
    if ex.const(-1) not in known:
        return known
    layer.require("equal", ex.minimum(extent, rest), rest, "the lengths exceed the extent")
    return tuple(extent - rest if e == -1 else e for e in known)


def variadic_split(layer: Layer) -> tuple[Result, ...]:
    """VariadicSplit-1: parts of these lengths, of which one may be -1, what is left."""
    axis = layer.axis(layer.one_number(1), layer.rank())
    extent = layer.shape()[axis]
    lengths = _lengths(layer, extent)
    layer.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    bounds: list[tuple[ex.Expr, ex.Expr]] = []
    start = ex.const(0)
    for length in lengths:
        stop = start + length
        end = stop if is_bound(stop, extent) else extent
        bounds.append((start, end))
        start = end
    return _parts(layer, axis, bounds)


def _elements(layer: Layer, position: int) -> list[SSAValue]:
    """The elements of a list of integers, each an i64 tensor of rank 0."""
    name = layer.schema.input(position).name
    is_list = layer.rank(position) == 1
    values = layer.list_of_known_length(layer[position], name) if is_list else None
    if values is None:
        raise layer.unsupported(f"input {name} is no list of a known length")
    n, values = Numbers(layer), layer.cast(values, el.I64)
    return [n.element(values, k) for k in range(tensor_of(values).get_shape()[0])]


def slice_parts(layer: Layer) -> SSAValue:
    """Slice-8: start, stop, step and axes, by NumPy's rule --> opc.slice.

    Bounds that only a run knows --> an opc.gather along each axis.
    """
    counts = [layer.shape(k)[0].constant if layer.rank(k) == 1 else None for k in (1, 2, 3)]
    listed = layer.numbers(4) if layer.has(4) else tuple(range(counts[0] or 0))
    if counts != [len(listed)] * 3:
        raise layer.error(
            f"{counts[0]} starts, {counts[1]} stops, {counts[2]} steps, {len(listed)} axes"
        )
    return part(layer, layer.axes(listed, layer.rank()))


def part(layer: Layer, axes: Sequence[int]) -> SSAValue:
    """Input 0 from the starts in input 1 up to the stops in input 2, in the steps in input 3."""
    starts, stops, steps = layer.known_list(1), layer.known_list(2), layer.known_numbers(3)
    if starts is not None and stops is not None and steps is not None:
        bounds = bounded(layer, layer.shape(), axes, starts, stops, steps)
        return sliced(layer, layer[0], axes, bounds)
    values = [_elements(layer, k) for k in (1, 2, 3)]
    each = list(zip(axes, *values, strict=True))
    return run_time_slice(layer, layer[0], each, None, layer.read_value)


def _mask(layer: Layer, name: str, count: int) -> list[bool]:
    given = [bool(n) for n in layer.attr(name)]
    return (given + [False] * count)[:count]


def _place(layer: Layer, place: ex.Expr, extent: ex.Expr) -> tuple[ex.Expr, ex.Expr]:
    """The bounds of one place of an axis, which must be there."""
    known = place.constant
    least = place + 1 if known is None or known >= 0 else ex.const(-known)
    layer.require(
        "equal", ex.minimum(extent, least), least, f"there is no place {extent_text(place)}"
    )
    return place, ex.const(TO_THE_END) if known == -1 else place + 1


def strided_slice(layer: Layer) -> SSAValue:
    """StridedSlice-1: NumPy's indices, a place of each list for each of them.

    By masks a place is no bound but the end of its axis, a new axis, an axis that goes, or ``...``.
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
    """Which axis of the part each axis of the result is, None for a new one."""
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
    found = shape_of(tensor_of(x))
    return layer.reshape(x, [ex.const(1) if a is None else found[a] for a in target])


def pad(layer: Layer) -> SSAValue:
    """Pad-1 and -12 --> opc.concat along each axis; negative pads of Pad-12 cut off.

    Pads that only a run knows --> an opc.gather along each axis.
    """
    shape, mode = layer.shape(), layer.attr("pad_mode")
    value = layer[3] if layer.has(3) else layer.constant(0, layer.element())
    value = layer.reshape(value, ())
    before, after = layer.known_numbers(1), layer.known_numbers(2)
    if before is None or after is None:
        pads = [_elements(layer, k) for k in (1, 2)]
        if [len(p) for p in pads] != [len(shape)] * 2:
            raise layer.error(f"{len(pads[0])} and {len(pads[1])} pads for rank {len(shape)}")
        each = list(zip(range(len(shape)), *pads, strict=True))
        return padded_at_run_time(
            layer, layer[0], each, value, mode, None, layer.read_value, CUT_LAST
        )
    if not len(before) == len(after) == len(shape):
        raise layer.error(f"{len(before)} and {len(after)} pads for rank {len(shape)}")
    if layer.schema.since < 12 and min((*before, *after), default=0) < 0:
        raise layer.error(f"pads {list(before)} and {list(after)}: one is negative")
    x = layer[0]
    for axis, (first, last) in enumerate(zip(before, after, strict=True)):
        x = padded(layer, x, axis, first, last, value, mode, CUT_LAST)
    return x


_TYPES = {"T": el.ANY, "I": el.INTEGER, "J": el.INTEGER, "K": el.INTEGER, "L": el.INTEGER}
add("Concat", 1, "data:T*", {"T": el.ANY}, concat, "axis:int!")
add("Split", 1, "data:T axis:I", _TYPES, split, "num_splits:int!")
add("VariadicSplit", 1, "data:T axis:I split_lengths:J", _TYPES, variadic_split)
add("Slice", 8, "data:T start:I stop:J step:K axes:L?", _TYPES, slice_parts)
add(
    "StridedSlice",
    1,
    "data:T begin:I end:J stride:K?",
    _TYPES,
    strided_slice,
    "begin_mask:ints! end_mask:ints! new_axis_mask:ints= shrink_axis_mask:ints= "
    "ellipsis_mask:ints=",
)
_MODES = "pad_mode:constant|edge|reflect|symmetric!"
add("Pad", 1, "data:T pads_begin:I pads_end:J pad_value:T?", _TYPES, pad, _MODES)
add("Pad", 12, "data:T pads_begin:I pads_end:J pad_value:T?", _TYPES, pad, _MODES)

"""Layers that take parts of tensors or put them together: Concat, Split, Slice, Pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.parts import ConcatOp, is_bound
from opc.frontend.parts import padded, sliced

from .row import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer


def concat(layer: Layer) -> SSAValue:
    """Concat-1 --> opc.concat."""
    axis = layer.axis(layer.attr("axis"), layer.rank())
    return layer.add(ConcatOp(*(layer[k] for k in range(len(layer.inputs))), axis=axis))


def _numbers(layer: Layer, position: int) -> tuple[int, ...]:
    found = layer.known_numbers(position)
    if found is None:
        name = layer.row.input(position).name
        raise layer.unsupported(f"input {name} is not known when compiling")
    return found


def _axis(layer: Layer) -> int:
    axes = _numbers(layer, 1)
    if len(axes) != 1:
        raise layer.error(f"input axis has {len(axes)} elements, expected one")
    return layer.axis(axes[0], layer.rank())


def split(layer: Layer) -> tuple[SSAValue, ...]:
    """Split-1: equal parts, each an opc.slice."""
    axis, count = _axis(layer), layer.attr("num_splits")
    if count < 1:
        raise layer.error(f"attribute num_splits is {count}, expected 1 or more")
    extent = layer.shape()[axis]
    layer.require("divides", extent, ex.const(count), "the parts are not equal")
    length = ex.floordiv(extent, count)
    bounds = [(length * k, length * (k + 1), 1) for k in range(count)]
    return tuple(sliced(layer, layer[0], [axis], [bound]) for bound in bounds)


def variadic_split(layer: Layer) -> tuple[SSAValue, ...]:
    """VariadicSplit-1: parts of these lengths, of which one may be -1, what is left."""
    axis = _axis(layer)
    extent = layer.shape()[axis]
    numbers = _numbers(layer, 2)
    if numbers.count(-1) > 1 or min(numbers, default=0) < -1:
        raise layer.error(f"lengths {list(numbers)}: one can be -1, none less")
    lengths = [ex.const(n) for n in numbers]
    rest = ex.total_of(e for e in lengths if e != -1)
    if ex.const(-1) in lengths:
        layer.require("equal", ex.minimum(extent, rest), rest, "the lengths exceed the extent")
        lengths = [extent - rest if e == -1 else e for e in lengths]
    else:
        layer.require("equal", rest, extent, "the lengths do not sum up")
    results: list[SSAValue] = []
    start = ex.const(0)
    for length in lengths:
        stop = start + length
        end = stop if is_bound(stop, extent) else extent
        results.append(sliced(layer, layer[0], [axis], [(start, end, 1)]))
        start = end
    return tuple(results)


def slice_parts(layer: Layer) -> SSAValue:
    """Slice-8: start, stop, step and axes, by NumPy's rule --> opc.slice."""
    starts, stops, steps = (_numbers(layer, k) for k in (1, 2, 3))
    listed = _numbers(layer, 4) if layer.has(4) else tuple(range(len(starts)))
    if not len(starts) == len(stops) == len(steps) == len(listed):
        raise layer.error(
            f"{len(starts)} starts, {len(stops)} stops, {len(steps)} steps, {len(listed)} axes"
        )
    axes = layer.axes(listed, layer.rank())
    return sliced(layer, layer[0], axes, list(zip(starts, stops, steps, strict=True)))


def pad(layer: Layer) -> SSAValue:
    """Pad-1 and -12 --> opc.concat along each axis; negative pads of Pad-12 cut off."""
    before, after = _numbers(layer, 1), _numbers(layer, 2)
    shape, mode = layer.shape(), layer.attr("pad_mode")
    if not len(before) == len(after) == len(shape):
        raise layer.error(f"{len(before)} and {len(after)} pads for rank {len(shape)}")
    if layer.row.since < 12 and min((*before, *after), default=0) < 0:
        raise layer.error(f"pads {list(before)} and {list(after)}: one is negative")
    if mode == "symmetric":
        raise layer.unsupported("mode symmetric is not supported")
    value = layer[3] if layer.has(3) else layer.constant(0, layer.element())
    x = layer[0]
    for axis, (first, last) in enumerate(zip(before, after, strict=True)):
        x = padded(layer, x, axis, first, last, layer.reshape(value, ()), mode)
    return x


_TYPES = {"T": el.ANY, "I": el.INTEGER, "J": el.INTEGER, "K": el.INTEGER, "L": el.INTEGER}
add("Concat", 1, "data:T*", {"T": el.ANY}, concat, "axis:int!")
add("Split", 1, "data:T axis:I", _TYPES, split, "num_splits:int!")
add("VariadicSplit", 1, "data:T axis:I split_lengths:J", _TYPES, variadic_split)
add("Slice", 8, "data:T start:I stop:J step:K axes:L?", _TYPES, slice_parts)
_MODES = "pad_mode:constant|edge|reflect|symmetric!"
add("Pad", 1, "data:T pads_begin:I pads_end:J pad_value:T?", _TYPES, pad, _MODES)
add("Pad", 12, "data:T pads_begin:I pads_end:J pad_value:T?", _TYPES, pad, _MODES)

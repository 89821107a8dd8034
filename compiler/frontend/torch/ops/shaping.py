"""Operators that move elements to places that are known when compiling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.opc.parts import TO_THE_END, WindowsOp
from opc.frontend.models.moving import tiled
from opc.frontend.models.parts import bounded, sliced
from opc.frontend.models.shaping import split
from opc.frontend.models.traced import gathered, lined, reversed_along
from opc.frontend.torch.node import Node, aten


@aten("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze.dim", "squeeze.dims", "squeeze")
def reshaped(x: Any, *how: Any, node: Node) -> Any:
    """The same elements in the shape that PyTorch says."""
    return node.shaped(x, node.shape_of_result())


@aten("expand")
def expand(x: Any, size: Any, *, node: Node, implicit: bool = False) -> Any:
    """x stretched to a shape."""
    return node.stretched(x, node.shape_of_result())


@aten("permute")
def permute(x: Any, order: Sequence[int]) -> Any:
    """Axes in another order."""
    return onp.transpose(x, tuple(order)) if x.ndim else x


@aten("slice.Tensor")
def slice_(
    x: Any, axis: int = 0, start: Any = None, stop: Any = None, step: int = 1, *, node: Node
) -> Any:
    """Every step-th element from a start to before a stop, which may be outside."""
    first = ex.const(0) if start is None else ex.Expr.of(start)
    last = ex.const(TO_THE_END) if stop is None else ex.Expr.of(stop)
    axis = node.axis(axis, x.ndim)
    bounds = bounded(node, x.extents, [axis], [first], [last], [step])
    return node.trace.array(sliced(node, x.value, [axis], bounds))


@aten("select.int")
def select(x: Any, axis: int, index: Any, *, node: Node) -> Any:
    """The elements at one index of an axis, without the axis."""
    axis = node.axis(axis, x.ndim)
    return x[(*[slice(None)] * axis, index)]


@aten("cat")
def concatenate(arrays: Sequence[Any], axis: int = 0, *, node: Node) -> Any:
    """Arrays one after the other along an axis; lists without elements do not count."""
    rank = len(node.shape_of_result())
    kept = [x.astype(node.kind()) for x in arrays if x.ndim == rank]
    return onp.concatenate(kept, axis=axis) if len(kept) > 1 else kept[0]


@aten("split_with_sizes")
def split_with_sizes(x: Any, sizes: Sequence[Any], axis: int = 0, *, node: Node) -> list[Any]:
    """Parts of these sizes along an axis."""
    lengths = list(map(ex.Expr.of, sizes))
    return [node.trace.array(v) for v in split(node, node.axis(axis, x.ndim), lengths, x.value)]


@aten("flip")
def flip(x: Any, axes: Sequence[int]) -> Any:
    """Elements in the opposite order along some axes."""
    return reversed_along(x, axes)


@aten("repeat")
def repeat(x: Any, counts: Sequence[Any], *, node: Node) -> Any:
    """Copies of x along each axis, and along new ones in front."""
    lead = len(counts) - x.ndim
    x = node.shaped(x, [*[1] * lead, *x.extents])
    return tiled(node, x, list(map(ex.Expr.of, counts)))


@aten("diagonal")
def diagonal(x: Any, offset: int = 0, first: int = 0, second: int = 1, *, node: Node) -> Any:
    """A diagonal of the matrices in two axes, as the last axis."""
    x = onp.moveaxis(x, (first, second), (-2, -1))
    (*lead, rows, columns), count = x.extents, node.shape_of_result()[-1]
    line = node.trace.positions(count)
    start = offset if offset >= 0 else columns * -offset
    places = onp.add(onp.multiply(line, columns + 1), start)
    flat = node.shaped(x, [*lead, rows * columns])
    return gathered(flat, [len(lead)], places)


def places_in_memory(
    node: Node, shape: Sequence[ex.Expr], strides: Sequence[Any], offset: Any
) -> Any:
    """The places of elements at multiples of strides in the memory of the first argument."""
    source = node.node.args[0].meta["val"]
    size = source.untyped_storage().nbytes() // source.element_size()
    is_part = size != source.numel() or source.storage_offset() != 0
    if is_part or not source.is_contiguous():
        raise node.unsupported("the memory of a tensor that is a part or in another order")
    place = node.number(offset or 0, el.I64)
    for k, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        line = lined(node.trace.positions(extent), k, len(shape))
        place = place + onp.multiply(line, stride)
    return place


@aten("as_strided")
def as_strided(
    x: Any, shape: Sequence[Any], strides: Sequence[Any], offset: Any = None, *, node: Node
) -> Any:
    """The elements of the memory of x at multiples of strides, from an offset."""
    place = places_in_memory(node, node.shape_of_result(), strides, offset)
    return gathered(node.shaped(x, [ex.product(x.extents)]), [0], place)


@aten("as_strided_scatter")
def as_strided_scatter(
    x: Any,
    source: Any,
    shape: Sequence[Any],
    strides: Sequence[Any],
    offset: Any = None,
    *,
    node: Node,
) -> Any:
    """x with the elements of its memory at multiples of strides replaced."""
    place = places_in_memory(node, source.extents, strides, offset)
    flat = node.shaped(x, [ex.product(x.extents)])
    y = node.emit(ScatterOp, flat, source.astype(x.element), place, axes=[0], from_end=False)
    return node.shaped(y, x.extents)


@aten("unfold")
def unfold(x: Any, axis: int, size: int, step: int, *, node: Node) -> Any:
    """The windows of an axis, of which the elements are the last axis."""
    if not x.ndim:
        return node.shaped(x, node.shape_of_result())
    moved = onp.moveaxis(x, axis, -1)
    view = node.emit(WindowsOp, moved, sizes=[size], strides=[step], dilations=[1])
    return onp.moveaxis(view, -2, node.axis(axis, x.ndim))


@aten("slice_scatter")
def slice_scatter(
    x: Any,
    source: Any,
    axis: int = 0,
    start: Any = None,
    stop: Any = None,
    step: int = 1,
    *,
    node: Node,
) -> Any:
    """x with every step-th element from a start on replaced."""
    axis = node.axis(axis, x.ndim)
    extent = x.extents[axis]
    first = ex.const(0) if start is None else ex.Expr.of(start)
    last = ex.const(TO_THE_END) if stop is None else ex.Expr.of(stop)
    ((begin, _, _),) = bounded(node, x.extents, [axis], [first], [last], [step])
    begin = ex.Expr.of(begin)
    if begin.constant is not None and begin.constant < 0:
        begin = ex.maximum(extent + begin, 0)
    count = source.extents[axis]
    source = node.stretched(source.astype(x.element), _with(x.extents, axis, count))
    if count == extent:
        return source
    places = onp.add(onp.multiply(node.trace.positions(count), step), begin)
    return node.emit(ScatterOp, x, source, places, axes=[axis], from_end=False)


def _with(shape: Sequence[ex.Expr], axis: int, extent: ex.Expr) -> list[ex.Expr]:
    return [extent if k == axis else e for k, e in enumerate(shape)]


@aten("select_scatter")
def select_scatter(x: Any, source: Any, axis: int, index: Any, *, node: Node) -> Any:
    """x with the elements at one index of an axis replaced."""
    axis = node.axis(axis, x.ndim)
    place = node.number(index, el.I64).reshape((1,))
    source = node.stretched(onp.expand_dims(source, axis), _with(x.extents, axis, ex.const(1)))
    return node.emit(ScatterOp, x, source.astype(x.element), place, axes=[axis])

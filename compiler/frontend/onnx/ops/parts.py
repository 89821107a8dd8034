"""Slice, Split, Concat and Gather."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.parts import TO_THE_END, ConcatOp
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import bounded, sliced

from .node import Node
from .run_time import slice_at_run_time
from .schema import onnx
from .shapes import extents_in


def _extents(node: Node, position: int, what: str) -> Sequence[ex.Expr] | None:
    """A list input known at compile time; None if absent."""
    if not node.has(position):
        return None
    extents = extents_in(node, position)
    if extents is None:
        raise node.unsupported(f"{what} are not known when compiling")
    return extents


def _numbers(node: Node, values: Sequence[ex.Expr], what: str) -> list[int]:
    constants = [e.constant for e in values]
    numbers = [n for n in constants if n is not None]
    if len(numbers) != len(constants):
        raise node.unsupported(f"{what} are not known when compiling")
    return numbers


def numbers_in(node: Node, position: int, what: str) -> list[int]:
    """The numbers of a list input.  UnsupportedError unless known at compile time."""
    return _numbers(node, _extents(node, position, what) or (), what)


def _is_known(node: Node, position: int) -> bool:
    """Whether a list input is known at compile time or absent."""
    return not node.has(position) or extents_in(node, position) is not None


@onnx("Slice", 1, 10, 11, 13)
def slice_parts(node: Node) -> Result:
    """Slice(x, starts, ends, axes, steps) --> opc.slice."""
    lists: list[Sequence[ex.Expr] | None]
    if node.since < 10:
        written = [node.attr(name) for name in ("starts", "ends", "axes")]
        lists = [None if v is None else tuple(map(ex.const, v)) for v in written]
        lists.append(None)
    else:
        if not all(_is_known(node, k) for k in range(1, 5)):
            return slice_at_run_time(node)
        names = ("starts", "ends", "axes", "steps")
        lists = [_extents(node, k, name) for k, name in enumerate(names, 1)]
    starts, ends, axes, steps = lists
    assert starts is not None and ends is not None
    rank, count = len(node.shape()), len(starts)
    numbers = range(count) if axes is None else _numbers(node, axes, "axes")
    strides = [1] * count if steps is None else _numbers(node, steps, "steps")
    if not count == len(ends) == len(numbers) == len(strides):
        raise node.error(
            f"{count} starts, {len(ends)} ends, {len(numbers)} axes and {len(strides)} steps"
        )
    normalized = node.axes(list(numbers), rank)
    bounds = bounded(node, node.shape(), normalized, starts, ends, strides)
    return sliced(node, node[0], normalized, bounds)


@onnx("Split", 1, 2, 11, 13, 18)
def split(node: Node) -> tuple[Result, ...]:
    """Split(x, lengths) {axis} --> an opc.slice for each output."""
    count, shape = len(node.op.outputs), node.shape()
    axis = node.axis(node.attr("axis") or 0, len(shape))
    extent = shape[axis]
    lengths: Sequence[ex.Expr] | None
    if node.since in (2, 11):
        written = node.attr("split")
        lengths = None if written is None else tuple(map(ex.const, written))
    else:
        lengths = _extents(node, 1, "the lengths") if _is_known(node, 1) else node.read("plain", 1)
        if node.since == 1 and lengths is None and node.attr("split") is not None:
            lengths = tuple(map(ex.const, node.attr("split")))
    wanted = node.attr("num_outputs") if node.since >= 18 else None
    if wanted is not None and (lengths is not None or wanted != count):
        raise node.error(f"num_outputs {wanted} beside {count} outputs or a list of lengths")
    if lengths is None:
        if node.since < 18:
            node.require("divides", extent, ex.const(count), "the parts are not equal")
        # Since version 18 the last part may be smaller.
        lengths = (ex.floordiv(extent + (count - 1), count),) * count
    elif len(lengths) != count:
        raise node.error(f"{len(lengths)} lengths for {count} outputs")
    elif any((n := e.constant) is not None and n < 0 for e in lengths):
        raise node.error("a length is negative")
    else:
        node.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    results: list[Result] = []
    start = ex.const(0)
    for length in lengths:
        results.append(sliced(node, node[0], [axis], [(start, start + length, 1)]))
        start += length
    return tuple(results)


@onnx("Concat", 1, 4, 11, 13)
def concat(node: Node) -> Result:
    """Concat(x, y, ...) {axis} --> opc.concat."""
    axis = node.attr("axis")
    axis = node.axis(1 if axis is None else axis, len(node.shape()))
    return node.add(ConcatOp(*node.tensors(), axis=axis))


@onnx("Gather", 1, 11, 13)
def gather(node: Node) -> Result:
    """Gather(x, indices) {axis} --> opc.gather; opc.slice for known indices evenly spaced."""
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    known = node.known(1)
    numbers = None if known is None else known.constants()
    if known is None or numbers is None:
        return _gathered(node, axis)
    flat = [int(n) for n in numbers]
    extent = shape[axis]
    if extent.constant is None and flat and min(flat) < 0 <= max(flat):
        return _gathered(node, axis)
    if extent.constant is not None:
        n = extent.constant
        if any(not -n <= k < n for k in flat):
            raise node.error(f"an index of {flat} is outside of axis {axis}, which has {n}")
        flat = [k % n for k in flat]
    elif flat:
        least = max(*(k + 1 for k in flat), *(-k for k in flat), 1)
        node.require("equal", ex.minimum(extent, least), ex.const(least), "an index is outside")
    steps = {b - a for a, b in itertools.pairwise(flat)}
    if len(steps) > 1 or 0 in steps:
        return _gathered(node, axis)
    step = min(steps, default=1)
    start = flat[0] if flat else 0
    stop = start + step * len(flat)
    if start >= 0 > stop:
        stop = -TO_THE_END
    elif start < 0 <= stop:
        stop = TO_THE_END
    part = sliced(node, node[0], [axis], [(start, stop, step)])
    return node.reshape(part, [*shape[:axis], *known.shape, *shape[axis + 1 :]])


def _gathered(node: Node, axis: int) -> Result:
    return node.add(GatherOp(node[0], node[1], axes=[axis]))

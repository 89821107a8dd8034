"""Range, Slice and Pad with data-dependent extents."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.shape import shape_text, tensor_of, type_text
from opc.frontend.models.indexed import (
    Numbers,
    range_of_extents,
    run_time_range,
    run_time_slice,
)
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pads import padded_at_run_time

from .node import Node
from .normalization import wide
from .schema import onnx


def _list(node: Node, position: int, count: int | None) -> SSAValue | None:
    """An input as a 1-D i64 tensor of ``count`` elements; None if absent."""
    if not node.has(position):
        return None
    shape, name = node.shape(position), node.schema.input(position).name
    values = node.list_of_known_length(node[position], name, count) if len(shape) == 1 else None
    if values is None:
        expected = "a known number of" if count is None else str(count)
        raise node.unsupported(f"input {name} is {shape_text(shape)}, expected {expected} elements")
    return node.cast(values, el.I64)


def _length(values: SSAValue) -> int:
    return tensor_of(values).get_shape()[0]


def _axes(node: Node, position: int) -> list[int] | None:
    """The axes if known at compile time, else None."""
    rank = len(node.shape())
    if not node.has(position):
        return list(range(rank))
    numbers = node.known_numbers(position)
    return None if numbers is None else list(node.axes(numbers, rank))


def slice_at_run_time(node: Node) -> Result:
    """Slice(x, starts, ends, axes, steps) --> an opc.gather along each axis."""
    starts, n, rank = _list(node, 1, None), Numbers(node), len(node.shape())
    assert starts is not None
    count = _length(starts)
    ends, steps = (_list(node, k, count) for k in (2, 4))
    assert ends is not None
    if steps is None:
        steps = node.broadcast(n.of(1), (count,))
    axes = _axes(node, 3)
    if axes is not None:
        axes = axes if node.has(3) else axes[:count]
        if len(axes) != count:
            raise node.error(f"{count} starts for {len(axes)} axes")
        lists = ([n.element(v, k) for k in range(count)] for v in (starts, ends, steps))
        return run_time_slice(
            node, node[0], list(zip(axes, *lists, strict=True)), None, node.read_value
        )
    named = _list(node, 3, count)
    assert named is not None
    # Axes that are not listed are not sliced.
    firsts, fits = n.beside(named, starts, rank, 0)
    lasts, _ = n.beside(named, ends, rank, (1 << 63) - 1)
    strides, _ = n.beside(named, steps, rank, 1)
    bounds = list(zip(range(rank), firsts, lasts, strides, strict=True))
    return run_time_slice(node, node[0], bounds, fits, node.read_value)


def pad_at_run_time(node: Node, value: SSAValue, mode: str) -> Result:
    """Pad(x, pads, value, axes) {mode} --> an opc.gather along each axis."""
    pads, n, rank = _list(node, 1, None), Numbers(node), len(node.shape())
    assert pads is not None
    count = _length(pads) // 2
    if _length(pads) % 2:
        raise node.error(f"{_length(pads)} pads, expected an even number")
    axes = _axes(node, 3) if node.since >= 18 else list(range(rank))
    if axes is not None:
        if len(axes) != count:
            raise node.error(f"{2 * count} pads for {len(axes)} axes, expected twice as many")
        parts = [n.element(pads, k) for k in range(2 * count)]
        bounds = list(zip(axes, parts[:count], parts[count:], strict=True))
        return padded_at_run_time(node, node[0], bounds, value, mode, None, node.read_value)
    named = _list(node, 3, count)
    assert named is not None
    halves = node.reshape(pads, (2, count))
    befores, fits = n.beside(named, node.part(halves, 0), rank, 0)
    afters, _ = n.beside(named, node.part(halves, 1), rank, 0)
    bounds = list(zip(range(rank), befores, afters, strict=True))
    return padded_at_run_time(node, node[0], bounds, value, mode, fits, node.read_value)


@onnx("Range", 11, 27)
def range_(node: Node) -> Result:
    """Range(start, limit, delta) --> start + position * delta; see evaluate.py for constants."""
    for k, name in enumerate(("start", "limit", "delta")):
        if len(node.shape(k)) > 1:
            raise node.error(f"{name} is {type_text(node[k].type)}, expected a scalar")
    known = [node.known(k) for k in range(3)]
    if all(k is not None and k.array.size == 1 for k in known):
        first, last, by = (k.exprs[0] for k in known if k is not None)
        result = range_of_extents(node, first, last, by, node.element())
        if result is not None:
            return result
    start, limit, step = (
        node.cast(node.reshape(node[k], ()), wide(node.element())) for k in range(3)
    )
    return node.cast(run_time_range(node, start, limit, step, node.read_value), node.element())

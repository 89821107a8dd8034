"""ReverseSequence, MaxUnpool and Col2Im."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.shape import Shape, type_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace, taken, value
from opc.frontend.models.windows import integers

from .node import Node
from .schema import onnx


@onnx("ReverseSequence", 10, 28)
def reverse_sequence(node: Node) -> Result:
    """ReverseSequence(x, lengths) --> opc.gather with the start of each sequence reversed."""
    time: int = node.attr("time_axis")
    batch: int = node.attr("batch_axis")
    shape, trace = node.shape(), NodeTrace(node)
    if {time, batch} != {0, 1} or len(shape) < 2 or len(node.shape(1)) != 1:
        raise node.error(
            f"time_axis = {time} and batch_axis = {batch} of {type_text(node[0].type)}, "
            "with lengths "
            f"{type_text(node[1].type)}"
        )
    node.require("equal", node.shape(1)[0], shape[batch], "a length for each sequence")
    x, lengths = trace.array(node[0]), trace.array(node[1]).reshape(-1, 1)
    rows = onp.swapaxes(x, 0, 1) if batch else x
    steps = trace.given(trace.numbers(shape[time]), el.I64)
    indices = onp.where(steps < lengths, lengths - 1 - steps, steps)
    result = taken(rows, indices, axes=(1,), batch=1)
    return value(node, onp.swapaxes(result, 0, 1) if batch else result)


@onnx("MaxUnpool", 9, 11, 22)
def max_unpool(node: Node) -> Result:
    """MaxUnpool(x, indices) --> opc.scatter of x into zeros, at indices of the flat result."""
    shape, trace = node.shape(), NodeTrace(node)
    kernel: tuple[int, ...] = node.attr("kernel_shape")
    rank = len(kernel)
    if len(shape) != rank + 2 or node.shape(1) != shape:
        raise node.error(f"kernel_shape {list(kernel)} and places {type_text(node[1].type)}")
    strides, pads = integers(node, "strides", rank, 1, 1), integers(node, "pads", 2 * rank, 0, 0)
    pooled = tuple(
        (e - 1) * s + k - pads[j] - pads[rank + j]
        for j, (e, s, k) in enumerate(zip(shape[2:], strides, kernel, strict=True))
    )
    full = (*shape[:2], *pooled)
    count = ex.product(full)
    x, indices = (trace.array(node[k]).reshape(-1) for k in (0, 1))
    zeros = trace.array(node.broadcast(node.constant(0, x.element), (count,)))
    flat = trace.emit(ScatterOp, zeros, x, indices, axes=(0,), from_end=False)
    result = flat.reshape([trace.size(e) for e in full])
    if node.has(2):
        wanted = node.extents(2)
        if len(wanted) != len(full):
            raise node.error(f"output_shape has {len(wanted)} elements for rank {len(full)}")
        result = _filled(node, result, full, wanted)
    return value(node, result)


def _filled(node: Node, x: Any, shape: Shape, wanted: Shape) -> Any:
    """x padded with zeros at the end to a shape."""
    for axis, (a, b) in enumerate(zip(shape, wanted, strict=True)):
        if a == b:
            continue
        node.require("equal", ex.minimum(a, b), a, "output_shape is less than what was pooled")
        more = [*wanted[:axis], b - a, *shape[axis + 1 :]]
        zeros = node.broadcast(node.constant(0, x.element), more)
        x = onp.concatenate([x, x.trace.array(zeros)], axis=axis)
    return x


@onnx("Col2Im", 18)
def columns_to_image(node: Node) -> Result:
    """Col2Im(x, image, block) --> opc.scatter with addition of blocks."""
    shape, trace = node.shape(), NodeTrace(node)
    image, block = (node.extents(k) for k in (1, 2))
    rank = len(image)
    if len(shape) != 3 or len(block) != rank or not rank:
        raise node.error(f"{type_text(node[0].type)} are no columns of blocks of rank {len(block)}")
    strides, dilations = (integers(node, name, rank, 1, 1) for name in ("strides", "dilations"))
    pads = integers(node, "pads", 2 * rank, 0, 0)
    padded = [e + pads[k] + pads[rank + k] for k, e in enumerate(image)]
    taps = ex.product(block)
    steps = [
        ex.floordiv(p - (b - 1) * d - 1, ex.const(s)) + 1
        for p, b, d, s in zip(padded, block, dilations, strides, strict=True)
    ]
    node.require("equal", ex.product(steps), shape[2], "there is no column for each block")
    node.require("divides", shape[1], taps, "channels are no whole blocks")
    channels = ex.floordiv(shape[1], taps)
    index: Any = 0
    for k in range(rank):
        # Blocks, and positions within them, are numbered in row-major order.
        tap = trace.given(trace.numbers(block[k]), el.I64)
        step = trace.given(trace.numbers(steps[k]), el.I64)
        tap = tap.reshape([-1, *[1] * (rank - 1 - k), *[1] * rank])
        step = step.reshape([-1, *[1] * (rank - 1 - k)])
        index = index * trace.size(padded[k]) + (tap * dilations[k] + step * strides[k])
    lead = [trace.size(shape[0]), trace.size(channels)]
    full = (shape[0], channels, ex.product(padded))
    x = trace.array(node[0]).reshape([*lead, trace.size(taps * ex.product(steps))])
    zeros = trace.array(node.broadcast(node.constant(0, x.element), full))
    flat = trace.emit(
        ScatterOp, zeros, x, index.reshape(-1), axes=(2,), reduction="add", from_end=False
    )
    result = flat.reshape([*lead, *map(trace.size, padded)])
    for k, extent in enumerate(image):
        if pads[k] or pads[rank + k]:
            at = (slice(None),) * (2 + k)
            result = result[(*at, slice(pads[k], pads[k] + trace.size(extent)))]
    return value(node, result)

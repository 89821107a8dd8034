"""CTCLoss: the negative log-likelihood of labels under scores of classes at each step.

The forward algorithm over the labels with blanks between them: a scan carries the log-probability
of all paths that end at each of these positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherOp, ScatterElementsOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import element, shape_of, shape_text, tensor_of
from opc.frontend.models.bodies import Values, scan
from opc.frontend.models.compaction import before, counted
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.parts import sliced
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .schema import openvino


def in_front(layer: Layer, values: SSAValue, marks: SSAValue, fill: int) -> SSAValue:
    """The marked elements of i64 [T, N] at the front of each column, then ``fill``."""
    n, (times, count) = Numbers(layer), shape_of(tensor_of(values))
    room = layer.broadcast(n.of(fill), (times + 1, count))
    places = n.where(marks, before(layer, marks), times)
    every = layer.add(ScatterElementsOp(room, values, places, axis=0, from_end=False))
    return layer.reshape(sliced(layer, every, [0], [(0, times, 1)]), (times, count))


def _labels(layer: Layer, trace: NodeTrace, lengths: Any) -> tuple[Any, Any]:
    """The labels [N, T] without repeats or duplicates, as attributes say, and their counts [N]."""
    labels = trace.array(layer.cast(layer[2], el.I64))
    count, times = labels.extents
    number: Any = trace.given(trace.numbers(times), el.I64)
    is_one = number < lengths[:, None]
    if layer.attr("unique"):
        is_same = labels[:, :, None] == labels[:, None]
        is_one = is_one & ~onp.any(is_same & (number < number[:, None]), axis=2)
    elif layer.attr("preprocess_collapse_repeated"):
        first = layer.broadcast(layer.constant(0, el.I64), (count, 1))
        shifted = trace.array(layer.add(ConcatOp(first, labels.value, axis=1)))[:, :-1]
        is_one = is_one & ((labels != shifted) | (number == 0))
    columns = [layer.transpose(v.value, (1, 0)) for v in (labels, is_one)]
    packed = trace.array(in_front(layer, columns[0], columns[1], 0))
    return packed.transpose([1, 0]), trace.array(counted(layer, columns[1]))


def _behind(builder: Builder, x: SSAValue, places: int, value: float) -> SSAValue:
    """x [N, S] shifted right along its rows, filled from the left with a number."""
    rows, width = shape_of(tensor_of(x))
    front = builder.broadcast(builder.constant(value, element(tensor_of(x))), (rows, places))
    line = builder.add(ConcatOp(front, x, axis=1))
    return builder.reshape(sliced(builder, line, [1], [(0, width, 1)]), (rows, width))


@openvino("CTCLoss", 4)
def ctc_loss(layer: Layer) -> SSAValue:
    """CTCLoss-4: scores [N, T, C], lengths, labels [N, T], lengths, blank --> [N].

    As in OpenVINO, a label equal to the blank counts as a label.
    """
    if layer.rank() != 3 or layer.rank(2) != 2:
        raise layer.error(
            f"scores {shape_text(layer.shape())}, labels {shape_text(layer.shape(2))}"
        )
    count, times, classes = layer.shape()
    for k, axis, extent in ((1, 0, count), (2, 0, count), (2, 1, times), (3, 0, count)):
        layer.require("equal", layer.shape(k)[axis], extent, "scores, labels and lengths differ")
    trace, result_type = NodeTrace(layer), layer.element()
    scores = trace.array(layer.widened(layer[0]))
    type = element(tensor_of(scores.value))
    steps, lengths = (trace.array(layer.cast(layer[k], el.I64)) for k in (1, 3))
    labels, total = _labels(layer, trace, lengths)
    blank = trace.array(
        layer.cast(layer.scalar(4), el.I64) if layer.has(4) else Numbers(layer).of(classes - 1)
    )
    # Blanks alternate with labels: [N, 2 T + 1].
    width = times * 2 + 1
    pairs = onp.stack([blank + labels * 0, labels], axis=2)
    last = layer.broadcast(blank.value, (count, 1))
    line = layer.reshape(pairs.value, (count, times * 2))
    path: Any = trace.array(layer.add(ConcatOp(line, last, axis=1)))
    row: Any = trace.given(trace.numbers(count), el.I64)[:, None]
    likely = onp.log_softmax(scores, axis=2)
    log_probs = trace.emit(GatherOp, likely, row, path, axes=(0, 2), from_end=False)
    # The gather puts the axes of indices in front: [N, 2 T + 1, T].
    log_probs = log_probs.transpose([2, 0, 1])
    is_blank = path == blank
    # A path may skip the blank between different labels.
    skips = ~trace.array(_behind(layer, is_blank.value, 2, 1))
    captured = [skips, steps]
    if layer.attr("ctc_merge_repeated"):
        captured[0] = skips & (path != trace.array(_behind(layer, path.value, 2, -1)))
    else:
        captured.append(is_blank)
    number: Any = trace.given(trace.numbers(width), el.I64)
    none = trace.constant(-np.inf, type)
    start = onp.where(number == 0, trace.constant(0, type), none)
    start = layer.broadcast(start.value, (count, width))

    def step(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        own = NodeTrace(inner)
        index, now, new, skips, steps, *others = (own.array(v) for v in arguments)
        least = own.constant(-np.inf, type)
        terms: list[Any] = [
            onp.where(others[0], now, least) if others else now,
            own.array(_behind(inner, now.value, 1, -np.inf)),
            onp.where(skips, own.array(_behind(inner, now.value, 2, -np.inf)), least),
        ]
        most = onp.maximum(onp.maximum(terms[0], terms[1]), terms[2])
        most = onp.where(most == least, own.constant(0, type), most)
        weights = [onp.exp(term - most) for term in terms]
        score = onp.log(weights[0] + weights[1] + weights[2]) + most + new
        return [onp.where((index < steps)[:, None], score, now).value], []

    held = [v.value for v in captured]
    ((end,), _) = scan(
        layer, layer.op, times, ([start], [log_probs.value], held), step, has_index=True
    )
    at = (total * 2)[:, None]
    is_last = (number == at) | (number == at - 1)
    finals = onp.where(is_last, trace.array(end), none)
    most = finals.max(axis=1)
    most = onp.where(most == none, trace.constant(0, type), most)
    loss = -(onp.log(onp.exp(finals - most[:, None]).sum(axis=1)) + most)
    return layer.cast(loss.value, result_type)

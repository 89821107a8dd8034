"""Sequences: recurrent networks, and connectionist temporal classification.

The CTC loss is the negative log-likelihood of labels under scores of classes at each step, by the
forward algorithm over the labels with blanks between them: a scan carries the log-probability of
all paths that end at each of these positions.  Decoding takes the best class of each step, without
repeats and blanks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.indexing import ScatterElementsOp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.compaction import before, counted
from opc.frontend.models.recurrent import (
    FUNCTIONS,
    GATES,
    Cell,
    Weights,
    activation,
    direction,
    one_step,
)
from opc.frontend.models.traced import extended, front, gathered
from opc.frontend.python.elementwise import widened

from .layer import Attributes, Data, Layer, Long, LongScalar, Wide
from .schema import openvino

WAYS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
STATES = {"RNN": 1, "GRU": 1, "LSTM": 2}
"""How many states a cell has."""
IOFC = (1, 3, 0, 2)
"""The positions of the gates i, o, f and c in OpenVINO's order f, i, c, o."""


def _cell(layer: Layer, kind: str, a: Attributes) -> Cell:
    if a.hidden_size < 1:
        raise layer.error(f"attribute hidden_size is {a.hidden_size}, expected 1 or more")
    if len(a.activations) != FUNCTIONS[kind]:
        raise layer.error(f"found {len(a.activations)} activations, expected {FUNCTIONS[kind]}")
    for name in a.activations:
        if name not in ("relu", "sigmoid", "tanh"):
            raise layer.unsupported(f'activation "{name}", expected relu, sigmoid or tanh')
    # OpenVINO's writer stores 0 for no clipping.
    clip = a.clip or math.inf
    if not clip >= 0:
        raise layer.error(f"attribute clip is {clip}, expected 0 or more")
    functions = tuple(activation(name, ()) for name in a.activations)
    return Cell(kind, a.hidden_size, functions, clip, kind == "GRU" and a.linear_before_reset)


def _weights(cell: Cell, *arrays: Any) -> Weights:
    """The weights of one direction, in the order of gates of ``models/recurrent.py``."""
    values: list[Any] = list(map(widened, arrays))
    hidden, (w, r, bias) = cell.hidden, values
    if cell.kind == "LSTM":
        w, r, bias = (
            onp.concatenate([x[k * hidden : (k + 1) * hidden] for k in IOFC]) for x in (w, r, bias)
        )
    if not cell.linear_before_reset:
        return Weights((w.T,), (r.T,), bias)
    first, last = bias[: 3 * hidden], bias[3 * hidden :]
    none = bias.trace.full((2 * hidden,), 0.0, bias.element)
    return Weights((w.T,), (r.T,), first, onp.concatenate([none, last]))


def _shapes(cell: Cell, lead: str = "") -> list[str]:
    """The shapes of weights and biases; the gate h of a GRU may have two biases."""
    rows, biases = GATES[cell.kind], GATES[cell.kind] + int(cell.linear_before_reset)
    columns = (f"{rows * cell.hidden} I", f"{rows * cell.hidden} {cell.hidden}")
    return [f"{lead}{text}" for text in (*columns, biases * cell.hidden)]


@openvino("RNNCell", 1, kind="RNN")
@openvino("GRUCell", 3, kind="GRU")
@openvino("LSTMCell", 1, 4, kind="LSTM")
def cell(layer: Layer, X: Wide, a: Attributes, *, kind: str) -> tuple[Any, ...]:
    """RNNCell, GRUCell and LSTMCell: one step.  Files do not contain peepholes of LSTMCell-1."""
    if kind == "LSTM" and layer.schema.since == 1 and a.input_forget:
        raise layer.unsupported("input_forget is not supported")
    if kind == "LSTM" and layer.schema.since == 1 and a.weights_format != "fico":
        raise layer.unsupported("weights_format is not fico, which the runtime takes it for")
    config, count = _cell(layer, kind, a), STATES[kind]
    layer.dims("N I", *[f"N {config.hidden}"] * count, *_shapes(config))
    states = [layer.wide(1 + k) for k in range(count)]
    weights = _weights(config, *(layer.traced(1 + count + k) for k in range(3)))
    return tuple(one_step(config, weights, X, states))


@openvino("RNNSequence", 5, kind="RNN")
@openvino("GRUSequence", 5, kind="GRU")
@openvino("LSTMSequence", 5, kind="LSTM")
def sequence(
    layer: Layer, X: Wide, sequence_lengths: Long, a: Attributes, *, kind: str
) -> tuple[Any, ...]:
    """RNNSequence, GRUSequence and LSTMSequence --> an opc.scan for each direction."""
    config, count, directions = _cell(layer, kind, a), STATES[kind], WAYS[a.direction]
    lead = f"{len(directions)} "
    states = [f"N {lead}{config.hidden}"] * count
    layer.dims("N T I", *states, "N", *_shapes(config, lead))
    x, outputs, finals = X.transpose(1, 0, 2), list[Any](), list[list[Any]]()
    for k, is_reversed in enumerate(directions):
        weights = _weights(config, *(layer.traced(2 + count + n)[k] for n in range(3)))
        states = [layer.wide(1 + n)[:, k] for n in range(count)]
        y, last = direction(config, weights, x, states, sequence_lengths, is_reversed)
        outputs.append(y.transpose(1, 0, 2))
        finals.append(last)
    return onp.stack(outputs, 1), *(onp.stack([f[n] for f in finals], 1) for n in range(count))


def _in_front(values: Any, marks: Any, fill: int) -> Any:
    """The marked elements of i64 [T, N] at the front of each column, then ``fill``."""
    trace, (times, count) = values.trace, values.extents
    room = trace.full((times + 1, count), fill, el.I64)
    places = onp.where(marks, before(marks), times)
    every = trace.emit(ScatterElementsOp, room, values, places, axis=0, from_end=False)
    return front(every, 0, times)


def _labels(labels: Any, lengths: Any, a: Attributes) -> tuple[Any, Any]:
    """The labels [N, T] without repeats or duplicates, as attributes say, and their counts [N]."""
    number: Any = labels.trace.line(labels.extents[1])
    is_one = number < lengths[:, None]
    if a.unique:
        is_same = labels[:, :, None] == labels[:, None]
        is_one = is_one & ~onp.any(is_same & (number < number[:, None]), axis=2)
    elif a.preprocess_collapse_repeated:
        is_one = is_one & ((labels != _behind(labels, 1, 1, 0)) | (number == 0))
    return _in_front(labels.T, is_one.T, 0).T, counted(is_one.T)


def _behind(x: Any, axis: int, places: int, value: float) -> Any:
    """x shifted along an axis, filled from the front with a number."""
    return front(extended(x, axis, places, 0, value), axis, x.extents[axis])


@openvino("CTCLoss", 4)
def ctc_loss(
    layer: Layer,
    logits: Wide,
    logit_length: Long,
    labels: Long,
    label_length: Long,
    blank_index: LongScalar,
    a: Attributes,
) -> Any:
    """CTCLoss-4: scores [N, T, C], lengths, labels [N, T], lengths, blank --> [N].

    As in OpenVINO, a label equal to the blank counts as a label.
    """
    count, times, classes = layer.dims("N T C", "N", "N T", "N")
    trace = layer.trace
    labels, total = _labels(labels, label_length, a)
    # By default the blank is the last class.
    blank = trace.number(classes - 1) if blank_index is None else blank_index
    # Blanks alternate with labels: [N, 2 T + 1].
    width = times * 2 + 1
    pairs = onp.stack([blank + labels * 0, labels], axis=2).reshape((count, times * 2))
    path = onp.concatenate([pairs, onp.broadcast_to(blank, (count, 1))], axis=1)
    log_probs = gathered(onp.log_softmax(logits, axis=2), (0, 2), trace.line(count)[:, None], path)
    # The gather puts the axes of indices in front: [N, 2 T + 1, T].
    log_probs = log_probs.transpose([2, 0, 1])
    is_blank = path == blank
    # A path may skip the blank between different labels.
    skips = ~_behind(is_blank, 1, 2, 1)
    captured = [skips, logit_length]
    if a.ctc_merge_repeated:
        captured[0] = skips & (path != _behind(path, 1, 2, -1))
    else:
        captured.append(is_blank)
    number: Any = trace.line(width)
    start = onp.where(number == 0, trace.constant(0, logits.element), -np.inf)
    start = onp.broadcast_to(start, (count, width))

    def step(
        index: Any, now: Any, new: Any, skips: Any, steps: Any, *others: Any
    ) -> tuple[Arrays, Arrays]:
        terms: list[Any] = [
            onp.where(others[0], now, -np.inf) if others else now,
            _behind(now, 1, 1, -np.inf),
            onp.where(skips, _behind(now, 1, 2, -np.inf), -np.inf),
        ]
        most = onp.maximum(onp.maximum(terms[0], terms[1]), terms[2])
        most = onp.where(most == -np.inf, 0, most)
        weights = [onp.exp(term - most) for term in terms]
        score = onp.log(weights[0] + weights[1] + weights[2]) + most + new
        return [onp.where((index < steps)[:, None], score, now)], []

    ((end,), _) = scan(times, [start], [log_probs], captured, step, has_index=True)
    at = (total * 2)[:, None]
    finals = onp.where((number == at) | (number == at - 1), end, -np.inf)
    most = finals.max(axis=1)
    most = onp.where(most == -np.inf, 0, most)
    return -(onp.log(onp.exp(finals - most[:, None]).sum(axis=1)) + most)


def _decoded(classes: Any, marks: Any, blank: Any, merges: bool) -> tuple[Any, Any]:
    """The marked classes of [T, N] without blanks and repeats, padded with -1; their counts [N]."""
    marks = marks & (classes != blank)
    if merges:
        marks = marks & (classes != _behind(classes, 0, 1, -1))
    return _in_front(classes, marks, -1), counted(marks)


@openvino("CTCGreedyDecoder", 1)
def decode(layer: Layer, data: Data, sequence_mask: Data, *, ctc_merge_repeated: bool) -> Any:
    """CTCGreedyDecoder-1: scores [T, N, C] --> [N, T, 1, 1]; the mask is 0 after a sequence."""
    times, count, classes = layer.dims("T N C")
    marks = onp.cumprod((sequence_mask != 0).astype(el.I64), 0) == 1
    best, blank = onp.argmax(data, axis=2), layer.trace.number(classes - 1)
    decoded, _ = _decoded(best, marks, blank, ctc_merge_repeated)
    return decoded.T.reshape((count, times, 1, 1))


@openvino("CTCGreedyDecoderSeqLen", 6)
def decode_lengths(
    layer: Layer,
    data: Data,
    sequence_length: Long,
    blank_index: LongScalar,
    *,
    merge_repeated: bool,
) -> tuple[Any, Any]:
    """CTCGreedyDecoderSeqLen-6: scores [N, T, C] --> classes [N, T], and their counts [N]."""
    count, times, classes = layer.dims("N T C", "N")
    marks = layer.trace.positions(times).reshape(-1, 1) < sequence_length.reshape((1, count))
    best = onp.argmax(data, axis=2)
    blank = layer.trace.number(classes - 1) if blank_index is None else blank_index
    decoded, total = _decoded(best.T, marks, blank, merge_repeated)
    return decoded.T, total

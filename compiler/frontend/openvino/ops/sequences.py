"""Sequences: recurrent networks, and connectionist temporal classification.

The CTC loss is the negative log-likelihood of labels under scores of classes at each step, by the
forward algorithm over the labels with blanks between them: a scan carries the log-probability of
all paths that end at each of these positions.  Decoding takes the best class of each step, without
repeats and blanks.
"""

from __future__ import annotations

import math
from functools import partial
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
from opc.frontend.models.traced import extended, front, gathered, value
from opc.frontend.python.elementwise import widened

from .layer import Layer
from .schema import openvino

WAYS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
IOFC = (1, 3, 0, 2)
"""The positions of the gates i, o, f and c in OpenVINO's order f, i, c, o."""


def _cell(layer: Layer, kind: str) -> Cell:
    hidden, names = layer.attr("hidden_size"), layer.attr("activations")
    if hidden < 1:
        raise layer.error(f"attribute hidden_size is {hidden}, expected 1 or more")
    if len(names) != FUNCTIONS[kind]:
        raise layer.error(f"found {len(names)} activations, expected {FUNCTIONS[kind]}")
    for name in names:
        if name not in ("relu", "sigmoid", "tanh"):
            raise layer.unsupported(f'activation "{name}", expected relu, sigmoid or tanh')
    # OpenVINO's writer stores 0 for no clipping.
    clip = layer.attr("clip") or math.inf
    if not clip >= 0:
        raise layer.error(f"attribute clip is {clip}, expected 0 or more")
    resets = kind == "GRU" and layer.attr("linear_before_reset")
    return Cell(kind, hidden, tuple(activation(n, ()) for n in names), clip, resets)


def _weights(cell: Cell, *arrays: Any) -> Weights:
    """The weights of one direction, in the order of gates of ``models/recurrent.py``."""
    values: list[Any] = list(map(widened, arrays))
    hidden, (w, r, bias) = cell.hidden, values
    if cell.kind == "LSTM":
        w, r, bias = (
            onp.concatenate([x[k * hidden : (k + 1) * hidden] for k in IOFC]) for x in (w, r, bias)
        )
    if not cell.linear_before_reset:
        return Weights(w, r, bias)
    first, last = bias[: 3 * hidden], bias[3 * hidden :]
    none = bias.trace.full((2 * hidden,), 0.0, bias.element)
    return Weights(w, r, first, onp.concatenate([none, last]))


def _shapes(cell: Cell, lead: str = "") -> list[str]:
    """The shapes of weights and biases; the gate h of a GRU may have two biases."""
    rows, biases = GATES[cell.kind], GATES[cell.kind] + int(cell.linear_before_reset)
    columns = (f"{rows * cell.hidden} I", f"{rows * cell.hidden} {cell.hidden}")
    return [f"{lead}{text}" for text in (*columns, biases * cell.hidden)]


def _states(kind: str) -> int:
    return 2 if kind == "LSTM" else 1


def cell(layer: Layer, kind: str) -> tuple[Any, ...]:
    """RNNCell, GRUCell and LSTMCell: one step."""
    config, count = _cell(layer, kind), _states(kind)
    layer.dims("N I", *[f"N {config.hidden}"] * count, *_shapes(config))
    at = 1 + count
    x, *states = (widened(layer.traced(k)) for k in range(at))
    weights = _weights(config, *(layer.traced(at + k) for k in range(3)))
    return tuple(value(layer, v) for v in one_step(config, weights, x, states))


@openvino("LSTMCell", 1)
def lstm_cell_1(layer: Layer) -> tuple[Any, ...]:
    """LSTMCell-1: as LSTMCell-4; files do not contain its peepholes."""
    if layer.attr("input_forget"):
        raise layer.unsupported("input_forget is not supported")
    if layer.attr("weights_format") != "fico":
        raise layer.unsupported("weights_format is not fico, which the runtime takes it for")
    return cell(layer, "LSTM")


def sequence(layer: Layer, kind: str) -> tuple[Any, ...]:
    """RNNSequence, GRUSequence and LSTMSequence --> an opc.scan for each direction."""
    config, count, directions = _cell(layer, kind), _states(kind), WAYS[layer.attr("direction")]
    at, lead = 2 + count, f"{len(directions)} "
    states = [f"N {lead}{config.hidden}"] * count
    layer.dims("N T I", *states, "N", *_shapes(config, lead))
    x = widened(layer.traced(0)).transpose(1, 0, 2)
    lengths = layer.traced(1 + count, el.I64)
    outputs: list[Any] = []
    finals: list[list[Any]] = []
    for k, is_reversed in enumerate(directions):
        weights = _weights(config, *(layer.traced(at + n)[k] for n in range(3)))
        states = [widened(layer.traced(1 + n))[:, k] for n in range(count)]
        y, last = direction(config, weights, x, states, lengths, is_reversed)
        outputs.append(y.transpose(1, 0, 2))
        finals.append(last)
    results = [onp.stack(outputs, 1)]
    results += [onp.stack([f[n] for f in finals], 1) for n in range(count)]
    return tuple(value(layer, v) for v in results)


for _kind, _since in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
    openvino(f"{_kind}Cell", _since)(partial(cell, kind=_kind))
    openvino(f"{_kind}Sequence", 5)(partial(sequence, kind=_kind))


def _in_front(values: Any, marks: Any, fill: int) -> Any:
    """The marked elements of i64 [T, N] at the front of each column, then ``fill``."""
    trace, (times, count) = values.trace, values.extents
    room = trace.full((times + 1, count), fill, el.I64)
    places = onp.where(marks, before(marks), times)
    every = trace.emit(ScatterElementsOp, room, values, places, axis=0, from_end=False)
    return front(every, 0, times)


def _blank(layer: Layer, position: int, classes: Any) -> Any:
    """The number of the blank, by default the last class."""
    if layer.has(position):
        return layer.scalar(position, el.I64)
    return layer.trace.number(classes - 1)


def _labels(layer: Layer, lengths: Any) -> tuple[Any, Any]:
    """The labels [N, T] without repeats or duplicates, as attributes say, and their counts [N]."""
    labels = layer.traced(2, el.I64)
    times = labels.extents[1]
    number: Any = layer.trace.line(times)
    is_one = number < lengths[:, None]
    if layer.attr("unique"):
        is_same = labels[:, :, None] == labels[:, None]
        is_one = is_one & ~onp.any(is_same & (number < number[:, None]), axis=2)
    elif layer.attr("preprocess_collapse_repeated"):
        is_one = is_one & ((labels != _behind(labels, 1, 1, 0)) | (number == 0))
    return _in_front(labels.T, is_one.T, 0).T, counted(is_one.T)


def _behind(x: Any, axis: int, places: int, value: float) -> Any:
    """x shifted along an axis, filled from the front with a number."""
    return front(extended(x, axis, places, 0, value), axis, x.extents[axis])


@openvino("CTCLoss", 4)
def ctc_loss(layer: Layer) -> Any:
    """CTCLoss-4: scores [N, T, C], lengths, labels [N, T], lengths, blank --> [N].

    As in OpenVINO, a label equal to the blank counts as a label.
    """
    count, times, classes = layer.dims("N T C", "N", "N T", "N")
    trace, scores = layer.trace, widened(layer.traced(0))
    steps, lengths = (layer.traced(k, el.I64) for k in (1, 3))
    labels, total = _labels(layer, lengths)
    blank = _blank(layer, 4, classes)
    # Blanks alternate with labels: [N, 2 T + 1].
    width = times * 2 + 1
    pairs = onp.stack([blank + labels * 0, labels], axis=2).reshape((count, times * 2))
    path = onp.concatenate([pairs, onp.broadcast_to(blank, (count, 1))], axis=1)
    log_probs = gathered(onp.log_softmax(scores, axis=2), (0, 2), trace.line(count)[:, None], path)
    # The gather puts the axes of indices in front: [N, 2 T + 1, T].
    log_probs = log_probs.transpose([2, 0, 1])
    is_blank = path == blank
    # A path may skip the blank between different labels.
    skips = ~_behind(is_blank, 1, 2, 1)
    captured = [skips, steps]
    if layer.attr("ctc_merge_repeated"):
        captured[0] = skips & (path != _behind(path, 1, 2, -1))
    else:
        captured.append(is_blank)
    number: Any = trace.line(width)
    start = onp.where(number == 0, trace.constant(0, scores.element), -np.inf)
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
    loss = -(onp.log(onp.exp(finals - most[:, None]).sum(axis=1)) + most)
    return loss.astype(layer.element())


def _decoded(layer: Layer, classes: Any, marks: Any, blank: Any) -> tuple[Any, Any]:
    """The marked classes of [T, N] without blanks and repeats, padded with -1; their counts [N]."""
    marks = marks & (classes != blank)
    merges = "merge_repeated" if layer.schema.since >= 6 else "ctc_merge_repeated"
    if layer.attr(merges):
        marks = marks & (classes != _behind(classes, 0, 1, -1))
    return _in_front(classes, marks, -1), counted(marks)


@openvino("CTCGreedyDecoder", 1)
def decode(layer: Layer) -> Any:
    """CTCGreedyDecoder-1: scores [T, N, C] --> [N, T, 1, 1]; the mask is 0 after a sequence."""
    times, count, classes = layer.dims("T N C")
    some = (layer.traced(1) != 0).astype(el.I64)
    marks = onp.cumprod(some, 0) == 1
    best = onp.argmax(layer.traced(0), axis=2)
    decoded, _ = _decoded(layer, best, marks, layer.trace.number(classes - 1))
    return decoded.T.reshape((count, times, 1, 1)).astype(layer.element())


@openvino("CTCGreedyDecoderSeqLen", 6)
def decode_lengths(layer: Layer) -> tuple[Any, Any]:
    """CTCGreedyDecoderSeqLen-6: scores [N, T, C] --> classes [N, T], and their counts [N]."""
    count, times, classes = layer.dims("N T C", "N")
    lengths = layer.traced(1, el.I64).reshape((1, count))
    marks = layer.trace.positions(times).reshape(-1, 1) < lengths
    best = onp.argmax(layer.traced(0), axis=2)
    decoded, total = _decoded(layer, best.T, marks, _blank(layer, 2, classes))
    types = layer.attr("classes_index_type"), layer.attr("sequence_length_type")
    return decoded.T.astype(types[0]), total.astype(types[1])

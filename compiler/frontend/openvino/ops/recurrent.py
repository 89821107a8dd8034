"""Recurrent networks: cells, and sequences of them."""

from __future__ import annotations

import math
from functools import partial

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, element, tensor_of
from opc.frontend.models.parts import sliced
from opc.frontend.models.recurrent import (
    FUNCTIONS,
    GATES,
    Cell,
    Weights,
    activation,
    direction,
    one_step,
)

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


def _gates(layer: Layer, cell: Cell, x: SSAValue) -> SSAValue:
    """Weights or biases in the order of gates of ``opc.frontend.models.recurrent``."""
    if cell.kind != "LSTM":
        return x
    parts = [sliced(layer, x, [0], [(k * cell.hidden, (k + 1) * cell.hidden, 1)]) for k in IOFC]
    return layer.concat(parts, 0)


def _weights(layer: Layer, cell: Cell, w: SSAValue, r: SSAValue, bias: SSAValue) -> Weights:
    """The weights of one direction."""
    w, r = (_gates(layer, cell, layer.widened(x)) for x in (w, r))
    bias = layer.widened(bias)
    if not cell.linear_before_reset:
        return Weights(w, r, _gates(layer, cell, bias))
    hidden = cell.hidden
    first, last = (
        sliced(layer, bias, [0], [(a * hidden, b * hidden, 1)]) for a, b in ((0, 3), (3, 4))
    )
    zeros = layer.constant(0.0, element(tensor_of(bias)))
    none = layer.broadcast(zeros, (2 * hidden,))
    return Weights(w, r, first, layer.concat([none, last], 0))


def _check(layer: Layer, cell: Cell, at: int, directions: tuple[int, ...], inputs: ex.Expr) -> None:
    """Check weights and biases, the inputs from a position on."""
    rows = GATES[cell.kind] * cell.hidden
    layer.expect(at, (*directions, rows, inputs))
    layer.expect(at + 1, (*directions, rows, cell.hidden))
    # The gate h of a GRU has two biases with linear_before_reset.
    biases = GATES[cell.kind] + int(cell.linear_before_reset)
    layer.expect(at + 2, (*directions, biases * cell.hidden))


def _states(kind: str) -> int:
    return 2 if kind == "LSTM" else 1


def cell(layer: Layer, kind: str) -> tuple[SSAValue, ...]:
    """RNNCell, GRUCell and LSTMCell: one step."""
    config, count = _cell(layer, kind), _states(kind)
    if layer.rank() != 2:
        raise layer.error(
            f"input {layer.schema.inputs[0].name} has rank {layer.rank()}, expected 2"
        )
    batch, inputs = layer.shape()
    for k in range(count):
        layer.expect(1 + k, (batch, config.hidden))
    at = 1 + count
    _check(layer, config, at, (), inputs)
    weights = _weights(layer, config, layer[at], layer[at + 1], layer[at + 2])
    x, *states = (layer.widened(layer[k]) for k in range(at))
    results = one_step(layer, config, weights, x, states)
    return tuple(layer.cast(v, layer.element()) for v in results)


@openvino("LSTMCell", 1)
def lstm_cell_1(layer: Layer) -> tuple[SSAValue, ...]:
    """LSTMCell-1: as LSTMCell-4; files do not contain its peepholes."""
    if layer.attr("input_forget"):
        raise layer.unsupported("input_forget is not supported")
    if layer.attr("weights_format") != "fico":
        raise layer.unsupported("weights_format is not fico, which the runtime takes it for")
    return cell(layer, "LSTM")


def sequence(layer: Layer, kind: str) -> tuple[SSAValue, ...]:
    """RNNSequence, GRUSequence and LSTMSequence --> an opc.scan for each direction."""
    config, count, directions = _cell(layer, kind), _states(kind), WAYS[layer.attr("direction")]
    if layer.rank() != 3:
        raise layer.error(
            f"input {layer.schema.inputs[0].name} has rank {layer.rank()}, expected 3"
        )
    batch, _, inputs = layer.shape()
    state: Shape = (batch, ex.const(len(directions)), ex.const(config.hidden))
    for k in range(count):
        layer.expect(1 + k, state)
    layer.expect(1 + count, (batch,))
    at = 2 + count
    _check(layer, config, at, (len(directions),), inputs)
    x = layer.transpose(layer.widened(layer[0]), (1, 0, 2))
    lengths = layer.cast(layer[1 + count], el.I64)
    outputs: list[SSAValue] = []
    finals: list[list[SSAValue]] = []
    for k, is_reversed in enumerate(directions):
        parts = [layer.part(layer[at + n], k) for n in range(3)]
        weights = _weights(layer, config, *parts)
        states = [layer.part(layer.widened(layer[1 + n]), k, 1) for n in range(count)]
        y, last = direction(layer, layer.op, config, weights, x, states, lengths, is_reversed)
        outputs.append(layer.transpose(y, (1, 0, 2)))
        finals.append(last)
    results = [layer.stack(outputs, 1)]
    results += [layer.stack([f[n] for f in finals], 1) for n in range(count)]
    return tuple(layer.cast(v, layer.element()) for v in results)


for _kind, _since in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
    openvino(f"{_kind}Cell", _since)(partial(cell, kind=_kind))
    openvino(f"{_kind}Sequence", 5)(partial(sequence, kind=_kind))

"""Recurrent networks: cells, and sequences of them."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape
from opc.frontend.models.recurrent import (
    FUNCTIONS,
    GATES,
    Cell,
    Weights,
    activation,
    direction,
    one_step,
)
from opc.frontend.models.traced import value
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
        return Weights((w.T,), (r.T,), bias)
    first, last = bias[: 3 * hidden], bias[3 * hidden :]
    none = bias.trace.full((2 * hidden,), 0.0, bias.element)
    return Weights((w.T,), (r.T,), first, onp.concatenate([none, last]))


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


def cell(layer: Layer, kind: str) -> tuple[Any, ...]:
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

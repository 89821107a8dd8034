"""Recurrent networks: cells, and sequences of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

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

from .schema import add

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .layer import Layer

WAYS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
IOFC = (1, 3, 0, 2)
"""Where the gates i, o, f and c are among f, i, c and o, which is OpenVINO's order."""


def _cell(layer: Layer, kind: str) -> Cell:
    hidden, names = layer.attr("hidden_size"), layer.attr("activations")
    if hidden < 1:
        raise layer.error(f"attribute hidden_size is {hidden}, expected 1 or more")
    if len(names) != FUNCTIONS[kind]:
        raise layer.error(f"found {len(names)} activations, expected {FUNCTIONS[kind]}")
    for name in names:
        if name not in ("relu", "sigmoid", "tanh"):
            raise layer.unsupported(f'activation "{name}", expected relu, sigmoid or tanh')
    # OpenVINO's writer says 0 where nothing is clipped.
    clip = layer.attr("clip") or math.inf
    if not clip >= 0:
        raise layer.error(f"attribute clip is {clip}, expected 0 or more")
    resets = kind == "GRU" and layer.attr("linear_before_reset")
    return Cell(kind, hidden, tuple(activation(n, ()) for n in names), clip, resets)


def _expect(layer: Layer, position: int, shape: Sequence[ex.Expr | int]) -> None:
    """The input has that shape; an error if it cannot have it."""
    found, wanted = layer.shape(position), tuple(map(ex.Expr.of, shape))
    name = layer.schema.input(position).name
    if len(found) != len(wanted):
        raise layer.error(f"input {name} has rank {len(found)}, expected {len(wanted)}")
    for e, f in zip(found, wanted, strict=True):
        layer.require("equal", e, f, f"an extent of input {name} does not fit")


def _bias_parts(cell: Cell) -> int:
    """How many gates have a bias: h of a GRU may have two."""
    return GATES[cell.kind] + int(cell.linear_before_reset)


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


def _check(layer: Layer, cell: Cell, at: int, ways: tuple[int, ...], inputs: ex.Expr) -> None:
    """Check weights and biases, the inputs from a position on."""
    rows = GATES[cell.kind] * cell.hidden
    _expect(layer, at, (*ways, rows, inputs))
    _expect(layer, at + 1, (*ways, rows, cell.hidden))
    _expect(layer, at + 2, (*ways, _bias_parts(cell) * cell.hidden))


def _states(kind: str) -> int:
    return 2 if kind == "LSTM" else 1


def cell(layer: Layer, kind: str) -> tuple[SSAValue, ...]:
    """RNNCell, GRUCell and LSTMCell: one step."""
    made, count = _cell(layer, kind), _states(kind)
    if layer.rank() != 2:
        raise layer.error(
            f"input {layer.schema.inputs[0].name} has rank {layer.rank()}, expected 2"
        )
    batch, inputs = layer.shape()
    for k in range(count):
        _expect(layer, 1 + k, (batch, made.hidden))
    at = 1 + count
    _check(layer, made, at, (), inputs)
    weights = _weights(layer, made, layer[at], layer[at + 1], layer[at + 2])
    x, *states = (layer.widened(layer[k]) for k in range(at))
    found = one_step(layer, made, weights, x, states)
    return tuple(layer.cast(v, layer.element()) for v in found)


def lstm_cell_1(layer: Layer) -> tuple[SSAValue, ...]:
    """LSTMCell-1: as LSTMCell-4; the peepholes that it has in memory are not written to files."""
    if layer.attr("input_forget"):
        raise layer.unsupported("input_forget is not supported")
    if layer.attr("weights_format") != "fico":
        raise layer.unsupported("weights_format is not fico, which the runtime takes it for")
    return cell(layer, "LSTM")


def sequence(layer: Layer, kind: str) -> tuple[SSAValue, ...]:
    """RNNSequence, GRUSequence and LSTMSequence --> an opc.scan for each direction."""
    made, count, ways = _cell(layer, kind), _states(kind), WAYS[layer.attr("direction")]
    if layer.rank() != 3:
        raise layer.error(
            f"input {layer.schema.inputs[0].name} has rank {layer.rank()}, expected 3"
        )
    batch, _, inputs = layer.shape()
    state: Shape = (batch, ex.const(len(ways)), ex.const(made.hidden))
    for k in range(count):
        _expect(layer, 1 + k, state)
    _expect(layer, 1 + count, (batch,))
    at = 2 + count
    _check(layer, made, at, (len(ways),), inputs)
    x = layer.transpose(layer.widened(layer[0]), (1, 0, 2))
    lengths = layer.cast(layer[1 + count], el.I64)
    outputs: list[SSAValue] = []
    finals: list[list[SSAValue]] = []
    for k, is_reversed in enumerate(ways):
        parts = [layer.part(layer[at + n], k) for n in range(3)]
        weights = _weights(layer, made, *parts)
        states = [layer.part(layer.widened(layer[1 + n]), k, 1) for n in range(count)]
        y, last = direction(layer, layer.op, made, weights, x, states, lengths, is_reversed)
        outputs.append(layer.transpose(y, (1, 0, 2)))
        finals.append(last)
    results = [layer.stack(outputs, 1)]
    results += [layer.stack([f[n] for f in finals], 1) for n in range(count)]
    return tuple(layer.cast(v, layer.element()) for v in results)


_LENGTHS = frozenset({el.BY_NAME["i32"], el.I64})
for _kind, _usual, _since in (
    ("RNN", "tanh", 1),
    ("GRU", "sigmoid,tanh", 3),
    ("LSTM", "sigmoid,tanh,tanh", 4),
):
    _own = " linear_before_reset:bool=false" if _kind == "GRU" else ""
    _attributes = (
        f"hidden_size:int! activations:words={_usual} activations_alpha:floats= "
        f"activations_beta:floats= clip:float=0{_own}"
    )
    _state = "initial_hidden_state:T" + (" initial_cell_state:T" if _kind == "LSTM" else "")
    add(
        f"{_kind}Cell",
        _since,
        f"X:T {_state} W:T R:T B:T",
        el.FLOAT,
        lambda layer, kind=_kind: cell(layer, kind),
        _attributes,
    )
    add(
        f"{_kind}Sequence",
        5,
        f"X:T {_state} sequence_lengths:I W:T R:T B:T",
        {"T": el.FLOAT, "I": _LENGTHS},
        lambda layer, kind=_kind: sequence(layer, kind),
        f"{_attributes} direction:forward|reverse|bidirectional=forward",
    )
add(
    "LSTMCell",
    1,
    "X:T initial_hidden_state:T initial_cell_state:T W:T R:T B:T",
    el.FLOAT,
    lstm_cell_1,
    "hidden_size:int! activations:words=sigmoid,tanh,tanh activations_alpha:floats= "
    "activations_beta:floats= clip:float=0 input_forget:bool=false "
    "weights_format:fico|icof|ifco|ifoc|iofc=fico",
)

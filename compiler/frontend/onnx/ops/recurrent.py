"""Recurrent networks: RNN, GRU and LSTM."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape
from opc.frontend.models.recurrent import (
    FUNCTIONS,
    GATES,
    PARAMETERS,
    Activation,
    Cell,
    Weights,
    activation,
    direction,
)
from opc.frontend.models.traced import value

from .node import Node
from .schema import Result, onnx

DIRECTIONS: dict[str, tuple[bool, ...]] = {
    "forward": (False,),
    "foward": (False,),
    "reverse": (True,),
    "bidirectional": (False, True),
}
"""Whether each direction is reversed; the default of GRU-1 is misspelt."""
USUAL = {"RNN": ("Tanh",), "GRU": ("Sigmoid", "Tanh"), "LSTM": ("Sigmoid", "Tanh", "Tanh")}


def _activations(node: Node, kind: str, count: int) -> list[tuple[Activation, ...]]:
    """The activation functions by direction."""
    per_direction = FUNCTIONS[kind]
    names = node.attr("activations") if node.given("activations") else USUAL[kind] * count
    if len(names) != per_direction * count:
        raise node.error(f"found {len(names)} activations, expected {per_direction * count}")
    alphas, betas = (list(node.attr(f"activation_{n}") or ()) for n in ("alpha", "beta"))
    functions: list[Activation] = []
    for name in names:
        usual = PARAMETERS.get(name.lower())
        if usual is None:
            raise node.error(f'activation "{name}", expected one of {", ".join(PARAMETERS)}')
        # Activations with such a parameter consume each list in order.
        parameters = [
            values.pop(0) if values else value
            for value, values in zip(usual, (alphas, betas), strict=False)
        ]
        functions.append(activation(name.lower(), parameters))
    return [tuple(functions[k * per_direction : (k + 1) * per_direction]) for k in range(count)]


Factors: TypeAlias = "Callable[[Node, int, int], tuple[Any, ...]]"
"""The arrays of the weights of an input, 1 or 2, in one direction, for ``Cell.product``."""


def _matrix(node: Node, position: int, number: int) -> tuple[Any, ...]:
    return (node.traced(position, node.wide())[number].T,)


@onnx("RNN", 1, 7, 14, 22)
@onnx("GRU", 1, 3, 7, 14, 22)
@onnx("LSTM", 1, 7, 14, 22)
def recurrent(
    node: Node,
    product: Callable[..., Any] = onp.matmul,
    factors: Factors = _matrix,
) -> tuple[Result, ...]:
    """RNN, GRU and LSTM --> an opc.scan for each direction; f16 and bf16 are computed in f32.

    ``product`` multiplies inputs and the state by ``factors``.
    """
    kind = node.schema.operator
    ways = DIRECTIONS[node.choice("direction", *DIRECTIONS)]
    count, gates, type = len(ways), GATES[kind], node.wide()
    is_batch_first = bool(node.attr("layout"))
    node.ranked(0, 3)
    hidden = node.ranked(2, 3)[2].constant
    x = node.traced(0, type)
    x = x.transpose(1, 0, 2) if is_batch_first else x
    _, batch, inputs = x.extents
    if hidden is None:
        raise node.unsupported("the hidden size is not known when compiling")
    if node.attr("hidden_size") not in (None, hidden):
        raise node.error(f"hidden_size is {node.attr('hidden_size')}, R has {hidden}")
    state: Shape = (batch, ex.const(count), ex.const(hidden))
    state = state if is_batch_first else (state[1], batch, state[2])
    expected: dict[int, Sequence[ex.Expr | int]] = {
        1: (count, gates * hidden, inputs),
        2: (count, gates * hidden, hidden),
        3: (count, 2 * gates * hidden),
        4: (batch,),
        5: state,
        6: state,
        7: (count, 3 * hidden),
    }
    for position, shape in expected.items():
        if node.has(position):
            node.expect(position, shape)
    clip = math.inf if node.attr("clip") is None else node.at_least("clip", 0)
    cells = [
        Cell(
            kind,
            hidden,
            functions,
            clip,
            kind == "GRU" and bool(node.attr("linear_before_reset")),
            kind == "LSTM" and bool(node.attr("input_forget")),
            product,
        )
        for functions in _activations(node, kind, count)
    ]
    lengths = node.traced(4, el.I64) if node.has(4) else None
    positions = (5, 6) if kind == "LSTM" else (5,)
    outputs: list[Any] = []
    finals: list[list[Any]] = []
    for k, is_reversed in enumerate(ways):
        weights = _weights(node, k, gates * hidden, factors)
        states = [_state(node, p, k, batch, hidden, is_batch_first) for p in positions]
        output, final = direction(cells[k], weights, x, states, lengths, is_reversed)
        outputs.append(output)
        finals.append(final)
    y = onp.stack(outputs, 1)
    last = [onp.stack([f[n] for f in finals]) for n in range(len(positions))]
    if is_batch_first:
        y = y.transpose(2, 0, 1, 3)
        last = [v.transpose(1, 0, 2) for v in last]
    return tuple(value(node, v) for v in (y, *last))


def _weights(node: Node, number: int, gates: int, factors: Factors) -> Weights:
    """The weights of one direction."""
    type = node.wide()
    w, r = (factors(node, k, number) for k in (1, 2))
    w_bias = r_bias = None
    if node.has(3):
        both = node.traced(3, type)[number]
        w_bias, r_bias = both[:gates], both[gates : 2 * gates]
    peepholes = node.traced(7, type)[number] if node.has(7) else None
    return Weights(w, r, w_bias, r_bias, peepholes)


def _state(
    node: Node, position: int, number: int, batch: ex.Expr, hidden: int, is_batch_first: bool
) -> Any:
    """An initial state of one direction, by default zero."""
    type = node.wide()
    if not node.has(position):
        return node.trace.full((batch, hidden), 0.0, type)
    x = node.traced(position, type)
    return x[:, number] if is_batch_first else x[number]

"""Recurrent networks as scans: RNN, GRU and LSTM.

One product before the loop multiplies the inputs of all steps by their weights; only the product of
the state is in the loop.  Gates are in ONNX's order: z r h of a GRU, i o f c of an LSTM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import opc.numpy as onp

from .activations import ACTIVATIONS
from .bodies import Arrays, scan

Activation: TypeAlias = "Callable[[Any], Any]"
"""A function of an array."""

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
"""The number of activation functions: f, g and h."""

OF_GATES = tuple(ACTIVATIONS)[:11]
"""The activation functions that gates can have, up to ``Elu``."""
PARAMETERS = {name.lower(): ACTIVATIONS[name][0] for name in OF_GATES}
"""The defaults of alpha and beta of activation functions that have them."""


def activation(name: str, parameters: Sequence[float]) -> Activation:
    """An activation function by its name in lower case, with all of its parameters."""
    _, function = next(ACTIVATIONS[key] for key in OF_GATES if key.lower() == name)
    return lambda x: function(x, *parameters)


@dataclass(frozen=True)
class Cell:
    """The computation of one step."""

    kind: str
    """RNN, GRU or LSTM."""
    hidden: int
    activations: tuple[Activation, ...]
    clip: float = math.inf
    """Inputs of gates' activation functions are clipped to [-clip, clip]."""
    linear_before_reset: bool = False
    input_forget: bool = False
    product: Callable[..., Any] = onp.matmul
    """The product of rows of floats and the arrays of ``Weights.inputs`` or ``Weights.state``."""


@dataclass(frozen=True)
class Weights:
    """The weights of one direction, in the element type of the computation."""

    inputs: tuple[Any, ...]
    """[inputs, gates * hidden] alone, unless ``Cell.product`` takes other arrays."""
    state: tuple[Any, ...]
    """[hidden, gates * hidden], likewise; always alone in a GRU."""
    input_bias: Any = None
    """[gates * hidden] or None, like the next one."""
    state_bias: Any = None
    peepholes: Any = None
    """[3 * hidden], those of i, o and f."""


class Direction:
    """The weights of one direction, laid out for its steps."""

    def __init__(self, cell: Cell, weights: Weights) -> None:
        self.cell = cell
        self.weights = weights
        self.last: Any = None
        """The state bias of the GRU's gate h, if it is added before the reset."""
        if weights.state_bias is not None and cell.linear_before_reset:
            self.last = self.part(weights.state_bias, 2)
        self.captured = list(weights.state)
        """The values that a step captures."""
        if cell.kind == "GRU":
            (state,) = weights.state
            self.captured = [self.part(state, 0, 2), self.part(state, 2)]
        self.captured += [v for v in (self.last, weights.peepholes) if v is not None]

    def part(self, x: Any, number: int, parts: int = 1) -> Any:
        """One gate, or consecutive ones, along the last axis."""
        hidden = self.cell.hidden
        return x[..., number * hidden : (number + parts) * hidden]

    def gate(self, number: int, x: Any) -> Any:
        """An activation function of a clipped value."""
        if math.isfinite(self.cell.clip):
            x = onp.clip(x, -self.cell.clip, self.cell.clip)
        return self.cell.activations[number](x)

    def product(self, x: Any) -> Any:
        """The contribution of the inputs [rows, inputs] to all gates."""
        weights, bias = self.weights, self.weights.state_bias
        total = self.cell.product(x, *weights.inputs)
        if weights.input_bias is not None:
            total = total + weights.input_bias
        if self.last is not None:
            zeros = x.trace.full((self.cell.hidden,), 0.0, bias.element)
            bias = onp.concatenate([self.part(bias, 0, 2), zeros])
        return total if bias is None else total + bias

    def step(self, x: Any, states: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
        """The next states; ``captured`` are those values in the body."""
        h = states[0]
        if self.cell.kind == "GRU":
            return [self._gru(x, h, *captured)]
        count = len(self.weights.state)
        total = x + self.cell.product(h, *captured[:count])
        if self.cell.kind == "RNN":
            return [self.gate(0, total)]
        return self._lstm(total, states[1], *captured[count:])

    def _gru(self, x: Any, h: Any, first: Any, last: Any, bias: Any = None) -> Any:
        """(1 - z) * g(x + (r * h) R) + z * h; ``bias`` is that of R where r is multiplied last."""
        both = self.gate(0, self.part(x, 0, 2) + h @ first)
        z, r = self.part(both, 0), self.part(both, 1)
        if self.cell.linear_before_reset:
            inner = h @ last
            inner = r * (inner if bias is None else inner + bias)
        else:
            inner = (r * h) @ last
        new = self.gate(1, self.part(x, 2) + inner)
        return (1.0 - z) * new + z * h

    def _lstm(self, total: Any, c: Any, peepholes: Any = None) -> list[Any]:
        """The next h and c; ``total`` is the sum of both products."""
        i, o, f, g = (self.part(total, k) for k in range(4))
        if peepholes is not None:
            i = i + self.part(peepholes, 0) * c
            f = f + self.part(peepholes, 2) * c
        i = self.gate(0, i)
        f = 1.0 - i if self.cell.input_forget else self.gate(0, f)
        new = f * c + i * self.gate(1, g)
        if peepholes is not None:
            o = o + self.part(peepholes, 1) * new
        return [self.gate(0, o) * self.cell.activations[2](new), new]


def one_step(cell: Cell, weights: Weights, x: Any, states: Sequence[Any]) -> list[Any]:
    """The next states for an input [batch, inputs]."""
    cells = Direction(cell, weights)
    return cells.step(cells.product(x), states, cells.captured)


def direction(
    cell: Cell,
    weights: Weights,
    x: Any,
    states: Sequence[Any],
    lengths: Any,
    is_reversed: bool,
) -> tuple[Any, list[Any]]:
    """All steps of one direction.

    x is [steps, batch, inputs], the states (h, and c of an LSTM) are [batch, hidden], ``lengths``
    i64 [batch] or None.  Returns the outputs [steps, batch, hidden], which are 0 after the end of a
    sequence, and the last states.  If reversed, each sequence begins with its last step.
    """
    steps, batch, inputs = x.extents
    cells = Direction(cell, weights)
    product = cells.product(x.reshape((steps * batch, inputs)))
    product = product.reshape((steps, batch, GATES[cell.kind] * cell.hidden))
    bound: list[Any] = []
    if lengths is not None:
        if is_reversed:
            lengths = x.trace.number(steps) - lengths
        bound = [lengths.reshape((batch, 1))]

    def step(*arguments: Any) -> tuple[Arrays, Arrays]:
        rest = arguments[1:] if bound else arguments
        old, (x, *others) = rest[: len(states)], rest[len(states) :]
        if not bound:
            new = cells.step(x, old, others)
            return new, new[:1]
        new, index, limit = cells.step(x, old, others[:-1]), arguments[0], others[-1]
        is_there = index >= limit if is_reversed else index < limit
        kept = [onp.where(is_there, n, o) for n, o in zip(new, old, strict=True)]
        return kept, [onp.where(is_there, new[0], 0.0)]

    captured = [*cells.captured, *bound]
    final, (outputs,) = scan(
        steps, states, [product], captured, step, is_reversed=is_reversed, has_index=bool(bound)
    )
    return outputs, final

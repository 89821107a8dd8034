"""Recurrent networks as scans: RNN, GRU and LSTM.

One product before the loop multiplies the inputs of all steps by their weights; only the product of
the state is in the loop.  Gates are in ONNX's order: z r h of a GRU, i o f c of an LSTM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.shape import element, shape_of, tensor_of

from .activations import ACTIVATIONS
from .bodies import scan
from .op_builder import Builder
from .parts import sliced
from .traced import NodeTrace

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
    seen: Callable[[Builder, SSAValue], SSAValue] | None = None
    """A function of the state that the product of an LSTM takes instead of the state."""


@dataclass(frozen=True)
class Weights:
    """The weights of one direction, in the element type of the computation."""

    inputs: SSAValue
    """[gates * hidden, inputs]."""
    state: SSAValue
    """[gates * hidden, hidden]."""
    input_bias: SSAValue | None = None
    """[gates * hidden], like the next one."""
    state_bias: SSAValue | None = None
    peepholes: SSAValue | None = None
    """[3 * hidden], those of i, o and f."""


def _part(builder: Builder, x: SSAValue, number: int, hidden: int, parts: int = 1) -> SSAValue:
    """One gate, or consecutive ones, along the last axis."""
    rank = len(shape_of(tensor_of(x)))
    bound = (number * hidden, (number + parts) * hidden, 1)
    return sliced(builder, x, [rank - 1], [bound])


class _Step:
    """The body of a scan, on arrays."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    def gate(self, number: int, x: Any) -> Any:
        """An activation function of a clipped value."""
        if math.isfinite(self.cell.clip):
            x = onp.clip(x, -self.cell.clip, self.cell.clip)
        return self.cell.activations[number](x)

    def part(self, x: Any, number: int, parts: int = 1) -> Any:
        hidden = self.cell.hidden
        return x[..., number * hidden : (number + parts) * hidden]

    def rnn(self, x: Any, h: Any, state: Any) -> Any:
        """f(x + h R)."""
        return self.gate(0, x + h @ state)

    def gru(self, x: Any, h: Any, state: Sequence[Any], bias: Any) -> Any:
        """(1 - z) * g(x + (r * h) R) + z * h; ``bias`` is that of R where r is multiplied last."""
        both = self.gate(0, self.part(x, 0, 2) + h @ state[0])
        z, r = self.part(both, 0), self.part(both, 1)
        if self.cell.linear_before_reset:
            inner = h @ state[1]
            inner = r * (inner if bias is None else inner + bias)
        else:
            inner = (r * h) @ state[1]
        new = self.gate(1, self.part(x, 2) + inner)
        return (1.0 - z) * new + z * h

    def lstm(self, x: Any, h: Any, c: Any, state: Any, peepholes: Any) -> tuple[Any, Any]:
        """The next h and c."""
        trace = h.trace
        seen = h if self.cell.seen is None else trace.array(self.cell.seen(trace.node, h.value))
        total = x + seen @ state
        i, o, f, g = (self.part(total, k) for k in range(4))
        if peepholes is not None:
            i = i + self.part(peepholes, 0) * c
            f = f + self.part(peepholes, 2) * c
        i = self.gate(0, i)
        f = 1.0 - i if self.cell.input_forget else self.gate(0, f)
        new = f * c + i * self.gate(1, g)
        if peepholes is not None:
            o = o + self.part(peepholes, 1) * new
        return self.gate(0, o) * self.cell.activations[2](new), new


class Direction:
    """The weights of one direction, laid out for its steps."""

    def __init__(self, builder: Builder, cell: Cell, weights: Weights) -> None:
        self.builder = builder
        self.cell = cell
        self.weights = weights
        self.last: SSAValue | None = None
        """The state bias of the GRU's gate h, if it is added before the reset."""
        if weights.state_bias is not None and cell.linear_before_reset:
            self.last = _part(builder, weights.state_bias, 2, cell.hidden)
        state = builder.transpose(weights.state, (1, 0))
        self.captured = [state]
        """The values that a step captures."""
        if cell.kind == "GRU":
            first = _part(builder, state, 0, cell.hidden, 2)
            self.captured = [first, _part(builder, state, 2, cell.hidden)]
        self.captured += [v for v in (self.last, weights.peepholes) if v is not None]

    def product(self, x: SSAValue) -> SSAValue:
        """The contribution of the inputs [rows, inputs] to all gates."""
        builder, weights = self.builder, self.weights
        total = builder.add(MatmulOp(x, builder.transpose(weights.inputs, (1, 0))))
        if weights.input_bias is not None:
            total = builder.binary("add", total, weights.input_bias)
        if weights.state_bias is not None:
            bias = weights.state_bias
            if self.last is not None:
                bias = _without_last(builder, bias, self.cell.hidden)
            total = builder.binary("add", total, bias)
        return total

    def step(
        self,
        builder: Builder,
        x: SSAValue,
        states: Sequence[SSAValue],
        captured: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """The next states; ``captured`` are those values in the body."""
        body, array = _Step(self.cell), NodeTrace(builder).array
        (h, *c), others = map(array, states), list(map(array, captured))
        if self.cell.kind == "RNN":
            return [body.rnn(array(x), h, others[0]).value]
        if self.cell.kind == "GRU":
            last = others[2] if self.last is not None else None
            return [body.gru(array(x), h, others[:2], last).value]
        peepholes = others[1] if self.weights.peepholes is not None else None
        return [v.value for v in body.lstm(array(x), h, c[0], others[0], peepholes)]


def one_step(
    builder: Builder, cell: Cell, weights: Weights, x: SSAValue, states: Sequence[SSAValue]
) -> list[SSAValue]:
    """The next states for an input [batch, inputs]."""
    cells = Direction(builder, cell, weights)
    return cells.step(builder, cells.product(x), states, cells.captured)


def direction(
    builder: Builder,
    at: Operation,
    cell: Cell,
    weights: Weights,
    x: SSAValue,
    states: Sequence[SSAValue],
    lengths: SSAValue | None,
    is_reversed: bool,
) -> tuple[SSAValue, list[SSAValue]]:
    """All steps of one direction.

    x is [steps, batch, inputs], the states (h, and c of an LSTM) are [batch, hidden], ``lengths``
    i64 [batch].  Returns the outputs [steps, batch, hidden], which are 0 after the end of a
    sequence, and the last states.  If reversed, each sequence begins with its last step.
    """
    steps, batch, inputs = shape_of(tensor_of(x))
    cells = Direction(builder, cell, weights)
    product = cells.product(builder.reshape(x, (steps * batch, inputs)))
    product = builder.reshape(product, (steps, batch, ex.const(GATES[cell.kind] * cell.hidden)))
    bound: list[SSAValue] = []
    if lengths is not None:
        if is_reversed:
            lengths = builder.binary("sub", builder.add(ExtentOp.of(steps)), lengths)
        bound = [builder.reshape(lengths, (batch, 1))]

    def step(
        inner: Builder, arguments: Sequence[SSAValue]
    ) -> tuple[list[SSAValue], list[SSAValue]]:
        rest = arguments[1:] if bound else arguments
        old, (x, *others) = rest[: len(states)], rest[len(states) :]
        new = cells.step(inner, x, old, others)
        if not bound:
            return new, new[:1]
        compare = b.GreaterEqualOp if is_reversed else b.LessOp
        is_there = inner.add(compare(arguments[0], others[-1]))
        zero = inner.constant(0.0, element(tensor_of(x)))
        kept = [inner.add(b.WhereOp(is_there, n, o)) for n, o in zip(new, old, strict=True)]
        return kept, [inner.add(b.WhereOp(is_there, new[0], zero))]

    final, (outputs,) = scan(
        builder,
        at,
        steps,
        (states, [product], [*cells.captured, *bound]),
        step,
        is_reversed=is_reversed,
        has_index=bool(bound),
    )
    return outputs, final


def _without_last(builder: Builder, bias: SSAValue, hidden: int) -> SSAValue:
    """A bias of a GRU with zeros for the gate h."""
    type = element(tensor_of(bias))
    zeros = builder.broadcast(builder.constant(0.0, type), (hidden,))
    return builder.concat([_part(builder, bias, 0, hidden, 2), zeros], 0)

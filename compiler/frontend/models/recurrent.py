"""Recurrent networks as scans: RNN, GRU and LSTM.

One product before the loop multiplies the inputs of all steps by their weights; only the product of
the state is in the loop.  Gates are in ONNX's order: z r h of a GRU, i o f c of an LSTM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.shape import element, shape_of, tensor_of

from .bodies import scan
from .op_builder import Builder
from .parts import sliced

Activation: TypeAlias = "Callable[[Builder, SSAValue], SSAValue]"

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
"""The number of activation functions: f, g and h."""

PARAMETERS: dict[str, tuple[float, ...]] = {
    "relu": (),
    "tanh": (),
    "sigmoid": (),
    "softsign": (),
    "softplus": (),
    "affine": (1.0, 0.0),
    "leakyrelu": (0.01,),
    "thresholdedrelu": (1.0,),
    "scaledtanh": (1.0, 1.0),
    "hardsigmoid": (0.2, 0.5),
    "elu": (1.0,),
}
"""The defaults of alpha and beta of activation functions that have them."""

_PLAIN = {
    "relu": u.ReluOp,
    "tanh": u.TanhOp,
    "sigmoid": u.SigmoidOp,
    "softsign": u.SoftsignOp,
    "softplus": u.SoftplusOp,
}
_SCALED = {"leakyrelu": u.LeakyReluOp, "thresholdedrelu": u.ThresholdedReluOp, "elu": u.EluOp}


def activation(name: str, parameters: Sequence[float]) -> Activation:
    """An activation function by its name in lower case, with all of its parameters."""
    if name in _PLAIN:
        return lambda builder, x: builder.add(_PLAIN[name](x))
    alpha, *others = parameters
    if name in _SCALED:
        return lambda builder, x: builder.add(_SCALED[name](x, alpha=alpha))
    (beta,) = others
    if name == "hardsigmoid":
        return lambda builder, x: builder.add(u.HardSigmoidOp(x, alpha=alpha, beta=beta))
    if name == "affine":
        return lambda builder, x: builder.scaled("add", builder.scaled("mul", x, alpha), beta)
    # scaledtanh: alpha * tanh(beta * x)
    return lambda builder, x: builder.scaled(
        "mul", builder.add(u.TanhOp(builder.scaled("mul", x, beta))), alpha
    )


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
    seen: Activation | None = None
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
    """Writes the body of a scan."""

    def __init__(self, builder: Builder, cell: Cell) -> None:
        self.builder = builder
        self.cell = cell

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.builder.binary("add", a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.builder.binary("mul", a, b)

    def one_less(self, x: SSAValue) -> SSAValue:
        """1 - x."""
        return self.builder.binary("sub", self.builder.constant(1.0, element(tensor_of(x))), x)

    def gate(self, number: int, x: SSAValue) -> SSAValue:
        """An activation function of a clipped value."""
        if math.isfinite(self.cell.clip):
            type = element(tensor_of(x))
            limits = (self.builder.constant(s * self.cell.clip, type) for s in (-1, 1))
            x = self.builder.add(b.ClipOp(x, *limits))
        return self.cell.activations[number](self.builder, x)

    def part(self, x: SSAValue, number: int, parts: int = 1) -> SSAValue:
        return _part(self.builder, x, number, self.cell.hidden, parts)

    def rnn(self, x: SSAValue, h: SSAValue, state: SSAValue) -> SSAValue:
        """f(x + h R)."""
        return self.gate(0, self.add(x, self.builder.add(MatmulOp(h, state))))

    def gru(
        self, x: SSAValue, h: SSAValue, state: Sequence[SSAValue], bias: SSAValue | None
    ) -> SSAValue:
        """(1 - z) * g(x + (r * h) R) + z * h; ``bias`` is that of R where r is multiplied last."""
        builder = self.builder
        both = self.add(self.part(x, 0, 2), builder.add(MatmulOp(h, state[0])))
        both = self.gate(0, both)
        z, r = self.part(both, 0), self.part(both, 1)
        if self.cell.linear_before_reset:
            inner = builder.add(MatmulOp(h, state[1]))
            inner = self.mul(r, inner if bias is None else self.add(inner, bias))
        else:
            inner = builder.add(MatmulOp(self.mul(r, h), state[1]))
        new = self.gate(1, self.add(self.part(x, 2), inner))
        return self.add(self.mul(self.one_less(z), new), self.mul(z, h))

    def lstm(
        self, x: SSAValue, h: SSAValue, c: SSAValue, state: SSAValue, peepholes: SSAValue | None
    ) -> tuple[SSAValue, SSAValue]:
        """The next h and c."""
        seen = h if self.cell.seen is None else self.cell.seen(self.builder, h)
        total = self.add(x, self.builder.add(MatmulOp(seen, state)))
        i, o, f, g = (self.part(total, k) for k in range(4))
        if peepholes is not None:
            i = self.add(i, self.mul(self.part(peepholes, 0), c))
            f = self.add(f, self.mul(self.part(peepholes, 2), c))
        i = self.gate(0, i)
        f = self.one_less(i) if self.cell.input_forget else self.gate(0, f)
        new = self.add(self.mul(f, c), self.mul(i, self.gate(1, g)))
        if peepholes is not None:
            o = self.add(o, self.mul(self.part(peepholes, 1), new))
        return self.mul(self.gate(0, o), self.cell.activations[2](self.builder, new)), new


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
        self, builder: Builder, x: SSAValue, states: Sequence[SSAValue], others: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """The next states; ``others`` are the captured values in the body."""
        writer = _Step(builder, self.cell)
        if self.cell.kind == "RNN":
            return [writer.rnn(x, states[0], others[0])]
        if self.cell.kind == "GRU":
            last = others[2] if self.last is not None else None
            return [writer.gru(x, states[0], others[:2], last)]
        peepholes = others[1] if self.weights.peepholes is not None else None
        return list(writer.lstm(x, states[0], states[1], others[0], peepholes))


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

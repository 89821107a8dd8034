"""Every elementwise operator on every element type it admits, with its tolerance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc import OPERATORS
from opc.dialects.opc.apply import FUNCTIONS, ApplyOp
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import ClipOp, WhereOp
from opc.dialects.opc.elementwise import Elementwise, Nary
from opc.dialects.opc.unary import BitcastOp, CastOp, Conversion
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of, tensor_of, tensor_type
from opc.interpret import tolerance
from tests.unit.common.graphs import Emit
from tests.unit.common.tolerance import assert_close

ATTRIBUTES: dict[str, list[dict[str, Any]]] = {
    "opc.is_inf": [{"positive": p, "negative": n} for p in (True, False) for n in (True, False)],
    "opc.gelu": [{}, {"approximate": "tanh"}],
    "opc.silu": [{}, {"alpha": 1.702}, {"alpha": -0.5}],
    "opc.elu": [{}, {"alpha": 0.3}],
    "opc.selu": [{}, {"alpha": 1.5, "gamma": 2.0}],
    "opc.celu": [{}, {"alpha": 2.5}],
    "opc.leaky_relu": [{}, {"alpha": 0.25}, {"alpha": -2.0}, {"alpha": 0.1}],
    "opc.thresholded_relu": [{}, {"alpha": 0.1}, {"alpha": -1.0}],
    "opc.hard_sigmoid": [{}, {"alpha": 0.5, "beta": 0.25}, {"alpha": 0.1, "beta": 0.3}],
    "opc.shrink": [{}, {"bias": 1.5, "lambd": 2.0}, {"bias": 0.1, "lambd": 0.3}],
    "opc.mod": [{}, {"fmod": True}],
}
"""The attributes to try where the defaults alone would not do."""


@dataclass(frozen=True)
class Case:
    """One application: ``operands`` index the inputs, which are three of a type and one i1."""

    op: type[OpcOp]
    operands: tuple[int, ...]
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    to: ElementType | None = None

    def emit(self, emit: Emit, inputs: list[SSAValue]) -> SSAValue:
        """Add the operator to a graph."""
        values = [inputs[k] for k in self.operands]
        if self.to is None:
            return emit(self.op(*values, **self.params))
        type = tensor_type(self.to, shape_of(tensor_of(values[0])))
        return emit(self.op(*values, result_type=type))

    def __str__(self) -> str:
        shown = [f"{name}={value}" for name, value in self.params.items()]
        return " ".join([self.op.name, *shown, *([str(self.to)] if self.to else [])])

    def check(self, actual: np.ndarray, expected: np.ndarray, inputs: list[np.ndarray]) -> None:
        """Compare within the tolerance of the operator."""
        x = inputs[self.operands[0]]
        params = {p.name: p.default for p in self.op.params} | self.params
        allowed = tolerance.elementwise(self.op.name, params, x)
        bound = allowed.bound if isinstance(allowed.bound, np.ndarray) else None
        assert_close(actual, expected, allowed.ulp, bound, what=f"{self} on {x.dtype}")


def elementwise_operators() -> list[type[Elementwise]]:
    """Every leaf of the elementwise families."""
    return [op for op in OPERATORS if issubclass(op, Elementwise)]


def cases(type: ElementType) -> Iterator[Case]:
    """Every case whose operands are of a type."""
    for op in elementwise_operators():
        if op is ApplyOp:
            yield from _applications(type)
        elif issubclass(op, Conversion):
            yield from _conversions(op, type)
        elif type in op.types:
            for operands in _operands(op):
                for params in ATTRIBUTES.get(op.name, [{}]):
                    yield Case(op, operands, params)


def _operands(op: type[Elementwise]) -> list[tuple[int, ...]]:
    if issubclass(op, Nary):
        return [(0,), (0, 1), (0, 1, 2)]
    if op is WhereOp:
        return [(3, 0, 1)]
    least, most = op.operand_count
    assert least == most, f"{op.name}: say which numbers of operands to try"
    if op is ClipOp:
        # An ordinary range as well as one with low > high.
        return [(0, 1, 2), (2, 0, 0)]
    return [tuple(range(least))]


def _conversions(op: type[OpcOp], type: ElementType) -> Iterator[Case]:
    assert op in (CastOp, BitcastOp)
    for to in el.ELEMENTS:
        if op is CastOp or to.bits == type.bits:
            yield Case(op, (0,), to=to)


def _applications(type: ElementType) -> Iterator[Case]:
    for row in map(SCALARS.__getitem__, FUNCTIONS):
        if type in row.types:
            operands = (3, 0, 1) if row.name == "select" else tuple(range(row.arity))
            yield Case(ApplyOp, operands, {"function": row.name})

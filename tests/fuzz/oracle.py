"""What every operator of a graph has to give, one by one, from what the ones before it gave.

Exact operators are the interpreter's.  Elementary functions are those of ``scalars``, and have to
be within their tolerance of the interpreter's.  A float sum whose order can show is taken from the
results of the call under test, within its bound, so that all that follows from it is compared bit
for bit as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects import func
from xdsl.ir import SSAValue

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import shape_of
from opc.interpret import bounds
from opc.interpret.bounds import Bounded
from opc.interpret.extents import define_symbols, require

from . import scalars
from .compare import Difference, same, within
from .graph import Array, Graph
from .sums import is_inexact, order_matters


class NotReturned(Exception):
    """The order of a sum can show, and the sum is not among the results."""


class Oracle:
    """The expected results of one graph on given inputs."""

    def __init__(self, graph: Graph, inputs: Sequence[Array]) -> None:
        self.graph = graph
        self.inputs = inputs
        self.block = graph.function.body.block
        end = self.block.last_op
        assert isinstance(end, func.ReturnOp)
        self.returned = list(end.operands)
        self.known: tuple[list[Array], list[Array]] | None = None
        """Sums and the results that follow from them, of the last call that was checked."""

    def check(self, results: Sequence[Array]) -> None:
        """Difference unless these are the results."""
        first = len(self.returned) - self.graph.sums
        sums = list(results[first:])
        if self.known is None or any(
            a.tobytes() != b.tobytes() for a, b in zip(sums, self.known[0], strict=True)
        ):
            self.known = (sums, self._expected(results))
        for k, (found, wanted) in enumerate(zip(results, self.known[1], strict=True)):
            same(found, wanted, f"result {k}")

    def _expected(self, results: Sequence[Array]) -> list[Array]:
        given = {v: r for v, r in list(zip(self.returned, results, strict=True))[::-1]}
        values: dict[SSAValue, Array] = {}
        symbols: dict[str, int] = {}
        for arg, array in zip(self.block.args, self.inputs, strict=True):
            values[arg] = array
            for n, e in zip(array.shape, shape_of(arg.type), strict=True):
                name = e.symbol()
                if name:
                    symbols[name] = n
        for op in self.block.ops:
            arrays = [values[v] for v in op.operands]
            if isinstance(op, RequireOp):
                require(op, symbols)
            elif isinstance(op, SymbolSource):
                define_symbols(op, arrays[0], symbols)
            elif isinstance(op, ControlOp):
                raise NotReturned(op.name)
            elif isinstance(op, OpcOp):
                values[op.result] = self._value(op, arrays, symbols, given)
        return [values[v] for v in self.returned]

    def _value(
        self,
        op: OpcOp,
        arrays: list[Array],
        symbols: dict[str, int],
        given: dict[SSAValue, Array],
    ) -> Array:
        wanted = bounds.apply(op, [Bounded.exact(a) for a in arrays], symbols)
        if order_matters(op, arrays):
            if op.result not in given:
                raise NotReturned(op.name)
            found = given[op.result]
        elif is_inexact(op, arrays):
            found = scalars.apply(op, arrays, wanted.value.shape, _exponent(op, arrays))
            zeros = (found == 0) & (wanted.value == 0)
            if (zeros & (np.signbit(found) != np.signbit(wanted.value))).any():
                raise Difference(f"{op.name}: signs of zero")
        else:
            return wanted.value
        within(found, wanted, op.name)
        return found


def _exponent(op: OpcOp, arrays: Sequence[Array]) -> float | None:
    """The exponent of a power, where it is one constant."""
    if not isinstance(op, PowOp) or not _is_constant(op.operands[1]) or not arrays[1].size:
        return None
    same = arrays[1].reshape(-1)
    return (
        float(same[0])
        if (same == same[0]).all()
        and arrays[0].shape == np.broadcast_shapes(*(a.shape for a in arrays))
        else None
    )


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, OpcOp) and all(map(_is_constant, owner.operands))

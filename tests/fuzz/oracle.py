"""What every operator of a graph has to give, one by one, from what the ones before it gave.

Exact operators, sums and products are the interpreter's.  Elementary functions are those of
``scalars``, and have to be within their tolerance of the interpreter's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects import func
from xdsl.ir import SSAValue

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.symbols import RequireOp, SymbolSource, given_extents
from opc.errors import ArgumentError
from opc.interpret import bounds
from opc.interpret.bounds import Bounded
from opc.interpret.control import Runner
from opc.interpret.extents import (
    ITERATIONS,
    bind_inputs,
    define_data_extent,
    define_symbols,
    require,
)
from opc.interpret.graph import evaluate, operations_read

from . import scalars
from .compare import Difference, same, within
from .extents import inferred
from .graph import Array, Graph
from .inexact import has_logarithm, is_inexact, with_logarithm


class Oracle:
    """The expected results of one graph on given inputs."""

    def __init__(self, graph: Graph, inputs: Sequence[Array]) -> None:
        self.graph = graph
        self.inputs = inputs
        self.expected: list[Array] | None = None

    def check(self, results: Sequence[Array]) -> None:
        """Difference unless these are the results."""
        if self.expected is None:
            self.expected = self.run(self.graph.function, self.inputs)
        for k, (found, wanted) in enumerate(zip(results, self.expected, strict=True)):
            same(found, wanted, f"result {k}")

    def run(self, function: func.FuncOp, inputs: Sequence[Array]) -> list[Array]:
        """The results of the graph or of a body."""
        block = function.body.block
        symbols = dict.fromkeys(given_extents(function), ITERATIONS)
        bind_inputs(block.args, inputs, symbols)
        values: dict[SSAValue, Array] = dict(zip(block.args, inputs, strict=True))
        for op in operations_read(block):
            arrays = [values[v] for v in op.operands]
            if isinstance(op, RequireOp):
                require(op, symbols)
            elif isinstance(op, SymbolSource):
                define_symbols(op, arrays, symbols)
            elif isinstance(op, DataExtentOp):
                define_data_extent(op, arrays[0], symbols)
            elif isinstance(op, ControlOp):
                values.update(zip(op.results, Bodies(self).run(op, arrays, symbols), strict=True))
            elif isinstance(op, OpcOp):
                values[op.result] = self._value(op, arrays, symbols)
        end = block.last_op
        assert isinstance(end, func.ReturnOp)
        return [values[v] for v in end.operands]

    def _value(self, op: OpcOp, arrays: list[Array], symbols: dict[str, int]) -> Array:
        wanted = bounds.apply(op, [Bounded.exact(a) for a in arrays], symbols)
        if isinstance(op, Reduction) and has_logarithm(op, arrays):
            found = with_logarithm(op, arrays)
        elif is_inexact(op, arrays):
            found = scalars.apply(op, arrays, wanted.value.shape, _exponent(op, arrays))
            zeros = (found == 0) & (wanted.value == 0)
            if (zeros & (np.signbit(found) != np.signbit(wanted.value))).any():
                raise Difference(f"{op.name}: signs of zero")
        else:
            return wanted.value
        within(found, wanted, op.name)
        return found


class Bodies(Runner):
    """Runs bodies of control flow as graphs are run."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle

    def call(self, body: func.FuncOp, inputs: Sequence[Array]) -> list[Array]:
        """The results of a body."""
        return self.oracle.run(body, [np.asarray(x) for x in inputs])


def is_refused(graph: Graph, inputs: Sequence[Array]) -> bool:
    """Whether the interpreter refuses the inputs, or what a body requires that is not run."""
    try:
        evaluate(graph.function, inputs)
        evaluate(inferred(graph.module), inputs)
    except ArgumentError:
        return True
    return False


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

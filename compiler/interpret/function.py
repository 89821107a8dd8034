"""Interprets a function after any pass: as a graph, as kernels or as loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp

from opc.dialects.buffer import OUTPUTS
from opc.dialects.kernel import NestOp
from opc.dialects.loop import ForOp
from opc.dialects.tile_fusion import TileFusionOp

from . import graph, kernel, loop
from .precision import Array


def run(
    function: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int] | None = None
) -> list[Array]:
    """Run a function; symbols get their values from the shapes of ``inputs``.

    Raises ArgumentError where inputs do not fit the function or a requirement fails, FaultError
    where kernels or loops read what was never written or is not there, UnsupportedError for an
    operation of a source dialect.
    """
    kinds = {type(op) for op in function.body.block.ops}
    if kinds & {NestOp, TileFusionOp} and ForOp not in kinds:
        return kernel.run(function, inputs, symbols)
    if OUTPUTS in function.attributes:
        return loop.run(function, inputs, symbols)
    return graph.evaluate(function, inputs, symbols)

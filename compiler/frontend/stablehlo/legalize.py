"""Operations of the ``stablehlo`` dialect become operators of the ``opc`` dialect.

::

    stablehlo.node "stablehlo.dot_general"(%x, %w) {contracting_dims = [[1], [0]]}
      --> opc.contract %x, %w {equation = "ab,bc->ac"}

The functions in compiler/frontend/stablehlo/ops say what each operation means.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from opc.dialects.stablehlo import NodeOp
from opc.graph.rewriting import functions


@dataclass(frozen=True)
class LegalizeStablehloPass(ModulePass):
    """Operators for operations of StableHLO."""

    name = "legalize-stablehlo"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function that has such operations."""
        with_nodes = [
            (function, block)
            for function, block in functions(op)
            if any(isinstance(o, NodeOp) for o in block.ops)
        ]
        if not with_nodes:
            return
        # The meanings import the functions of arrays, which other graphs do not need.
        from opc.frontend.legalize_graphs import drop_unused

        from .function import LegalizeStablehloFunction

        for function, block in with_nodes:
            LegalizeStablehloFunction(function, block).run()
        drop_unused(op)

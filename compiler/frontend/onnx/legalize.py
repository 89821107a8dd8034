"""Legalizes nodes of ONNX models to operators of the ``opc`` dialect.

::

    onnx.node "Sub" since 6 (%a, %b) {axis = 0, broadcast = 1} : (tensor<2x3xf32>, tensor<2xf32>)
      --> sub(a, reshape b to [2, 1])

    onnx.node "ReduceSum" since 13 (%x, dense [-1])  -->  reduce_sum(x) {axes = [1], keepdims}

Each operator version has a schema with a legalization function (compiler/frontend/onnx/ops).  The
pass infers types and compares only element types with those that the model declares.  Unknown
extents of arguments become symbols, since models compute with shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from opc.dialects.onnx import NodeOp
from opc.graph.rewriting import functions


@dataclass(frozen=True)
class LegalizeOnnxPass(ModulePass):
    """onnx.node "Sub" since 6 (a, b)  -->  opc.sub(a, reshape b)."""

    name = "legalize-onnx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Legalize every function that has nodes."""
        pending = [
            (function, block)
            for function, block in functions(op)
            if any(isinstance(o, NodeOp) for o in block.ops)
        ]
        if not pending:
            return
        # Imports some 70 modules, which a graph without nodes does not need.
        from opc.frontend.legalize_graphs import drop_unused

        from .function import LegalizeOnnxFunction

        for function, block in pending:
            LegalizeOnnxFunction(function, block).run()
        drop_unused(op)

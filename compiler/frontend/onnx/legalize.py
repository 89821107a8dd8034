"""Nodes of ONNX models become operators of the ``opc`` dialect, as their version means them.

::

    onnx.node "Sub" since 6 (%a, %b) {axis = 0, broadcast = 1} : (tensor<2x3xf32>, tensor<2xf32>)
      --> sub(a, reshape b to [2, 1])

    onnx.node "ReduceSum" since 13 (%x, dense [-1])  -->  reduce_sum(x) {axes = [1], keepdims}

The row of the operator and version does it (compiler/frontend/onnx/ops).  Types are inferred on the
way: of what the model says about a value only the element type is compared.  Unknown extents of
arguments become symbols here, since shapes are values in such models.  A module without nodes is
untouched.
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
    """Operators of the opc dialect for the nodes of an ONNX model."""

    name = "legalize-onnx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function that has nodes."""
        listed = [
            (function, block)
            for function, block in functions(op)
            if any(isinstance(o, NodeOp) for o in block.ops)
        ]
        if not listed:
            return
        # What operators mean is in some 70 modules, which a graph without nodes does not need.
        from opc.frontend.legalize_graphs import drop_unused

        from .function import LegalizeOnnxFunction

        for function, block in listed:
            LegalizeOnnxFunction(function, block).run()
        drop_unused(op)

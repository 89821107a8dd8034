"""Layers of the ``openvino`` dialect become operators of the ``opc`` dialect.

::

    openvino.layer "ReduceSum" opset1 (%x, constant [-1]) {keep_dims = "true"}
      --> opc.reduce_sum %x {axes = [-1], keepdims = true}

What a layer means is in compiler/frontend/openvino/ops, one row for each version of an operator.
Unknown extents of arguments are named here, so that shapes which the model computes are known
expressions: a Reshape to the ShapeOf of another value needs nothing at run time.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from opc.dialects.openvino import LayerOp
from opc.graph.rewriting import functions


@dataclass(frozen=True)
class LegalizeOpenvinoPass(ModulePass):
    """Operators for layers, by the rows of the registry."""

    name = "legalize-openvino"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function that has layers."""
        listed = [
            (function, block)
            for function, block in functions(op)
            if any(isinstance(o, LayerOp) for o in block.ops)
        ]
        if not listed:
            return
        # What operators mean is in some 70 modules, which a graph without layers does not need.
        from opc.frontend.legalize_graphs import drop_unused

        from .function import LegalizeOpenvinoFunction

        for function, block in listed:
            LegalizeOpenvinoFunction(function, block).run()
        drop_unused(op)

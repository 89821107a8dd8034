"""Layers of the ``openvino`` dialect become operators of the ``opc`` dialect.

::

    openvino.layer "ReduceSum" opset1 (%x, constant [-1]) {keep_dims = "true"}
      --> opc.reduce_sum %x {axes = [-1], keepdims = true}

The schemas in compiler/frontend/openvino/ops, one for each operator version, do the rewrite.
The pass names unknown extents of arguments, so that computed shapes are known expressions: a
Reshape to the ShapeOf of another value costs nothing at run time.
"""

from __future__ import annotations

from opc.dialects.openvino import LayerOp
from opc.frontend.legalize_pass import LegalizePass


class LegalizeOpenvinoPass(LegalizePass):
    """openvino.layer "Relu" opset1 (%x)  -->  opc.relu %x, by the schemas of the registry."""

    name = "legalize-openvino"
    operation = LayerOp
    legalizer = "opc.frontend.openvino.function:LegalizeOpenvinoFunction"

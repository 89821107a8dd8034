"""Legalizes nodes of ONNX models to operators of the ``opc`` dialect.

::

    onnx.node "Sub" since 6 (%a, %b) {axis = 0, broadcast = 1} : (tensor<2x3xf32>, tensor<2xf32>)
      --> sub(a, reshape b to [2, 1])

    onnx.node "ReduceSum" since 13 (%x, dense [-1])  -->  reduce_sum(x) {axes = [1], keepdims}

An attribute that is an input of the newest version is taken as that input: ``axes`` of ReduceSum-1.
Each operator version has a schema with a legalization function (compiler/frontend/onnx/ops).  The
pass infers types and compares only element types with those that the model declares.  Unknown
extents of arguments become symbols, since models compute with shapes.
"""

from __future__ import annotations

from opc.dialects.onnx import NodeOp
from opc.frontend.legalize_pass import LegalizePass


class LegalizeOnnxPass(LegalizePass):
    """onnx.node "Sub" since 6 (a, b)  -->  opc.sub(a, reshape b)."""

    name = "legalize-onnx"
    operation = NodeOp
    legalizer = "opc.frontend.onnx.function:LegalizeOnnxFunction"

"""Einsum, traced as NumPy's to ``opc.contract``."""

from __future__ import annotations

import opc.numpy as onp
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .schema import onnx


@onnx("Einsum", 12, 28)
def einsum(node: Node) -> Result:
    """Einsum(x, y, ...) {equation} --> opc.contract, a letter for each axis of an ellipsis."""
    trace = NodeTrace(node)
    try:
        return onp.einsum(node.attr("equation"), *map(trace.array, node.tensors())).value
    except InputError as error:
        raise node.error(error.message) from None
    except UnsupportedError as error:
        raise node.unsupported(error.message) from None

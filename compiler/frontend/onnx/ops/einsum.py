"""Einsum, as the one of NumPy is traced."""

from __future__ import annotations

import opc.numpy as onp
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.op_builder import Result

from .node import Node
from .row import BF16, NUMERIC, add
from .traced import arrays, value


def einsum(node: Node) -> Result:
    """Einsum(x, y, ...) {equation} --> transposes, opc.matmul, opc.mul and opc.reduce_sum.

    Of f16 and bf16 in f32, rounded once.
    """
    try:
        return value(node, onp.einsum(node.attr("equation"), *arrays(node)))
    except InputError as error:
        raise node.error(error.message) from None
    except UnsupportedError as error:
        raise node.unsupported(error.message) from None


for _since, _types in ((12, NUMERIC), (28, NUMERIC | BF16)):
    add("Einsum", _since, "Inputs*:T -> Output:T", _types, einsum, "equation:string!")

"""MatMul, Gemm and Einsum."""

from __future__ import annotations

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import shape_of, tensor_of, type_text
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .normalization import wide
from .schema import onnx


@onnx("MatMul", 1, 9, 13)
def matmul(node: Node) -> Result:
    """MatMul(a, b) --> opc.matmul a, b."""
    return node.add(MatmulOp(node[0], node[1]))


def matrix(node: Node, position: int, flag: str, type: el.ElementType) -> SSAValue:
    """An input of rank 2 in a type, transposed if the attribute says so."""
    node.ranked(position, 2)
    x = node.cast(node[position], type)
    return node.transpose(x, (1, 0)) if node.attr(flag) else x


def product(node: Node) -> SSAValue:
    """alpha * opc.matmul(a, b) + beta * c in the accumulation type; c broadcasts."""
    type = wide(node.element())
    y = node.add(MatmulOp(matrix(node, 0, "transA", type), matrix(node, 1, "transB", type)))
    for name in ("alpha", "beta"):
        if type.is_integer and not float(node.attr(name)).is_integer():
            raise node.unsupported(f"attribute {name} is {node.attr(name)}, for integers")
    if node.attr("alpha") != 1:
        y = node.scaled("mul", y, node.attr("alpha"))
    if node.has(2):
        c = node.cast(node[2], type)
        stretches = not node.schema.has("broadcast") or node.attr("broadcast")
        shape, addend = shape_of(tensor_of(y)), shape_of(tensor_of(c))
        if len(addend) > 2 or (not stretches and addend != shape):
            raise node.error(
                f"the third input {type_text(node[2].type)} does not fit {type_text(y.type)}"
            )
        if node.attr("beta") != 1:
            c = node.scaled("mul", c, node.attr("beta"))
        y = node.binary("add", y, c)
    return y


@onnx("Gemm", 1, 6, 7, 9, 11, 13)
def gemm(node: Node) -> Result:
    """Gemm(a, b, c) --> alpha * opc.matmul(a, b) + beta * c."""
    return node.cast(product(node), node.element())


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

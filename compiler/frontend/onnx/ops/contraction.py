"""MatMul and Gemm."""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.shape import shape_of, tensor_of, type_text
from opc.frontend.models.op_builder import Result

from .node import Node
from .normalization import wide
from .schema import onnx


@onnx("MatMul", 1, 9, 13)
def matmul(node: Node) -> Result:
    """MatMul(a, b) --> opc.matmul a, b."""
    return node.add(MatmulOp(node[0], node[1]))


def _matrix(node: Node, position: int, flag: str) -> SSAValue:
    if len(node.shape(position)) != 2:
        raise node.error(f"expected matrices, found {type_text(node[position].type)}")
    x = node.cast(node[position], wide(node.element()))
    return node.transpose(x, (1, 0)) if node.attr(flag) else x


def product(node: Node) -> SSAValue:
    """alpha * opc.matmul(a, b) + beta * c in the accumulation type; c broadcasts."""
    type = wide(node.element())
    y = node.add(MatmulOp(_matrix(node, 0, "transA"), _matrix(node, 1, "transB")))
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

"""Makes broadcasts explicit: elementwise operands have the shape of the result.

::

    apply add(x, b), x of shape [2, 3] and b of shape [3]
      --> apply add(x, broadcast b to [2, 3])

    matmul(a, b), a of shape [8, 2, 3] and b of shape [3, 4]
      --> matmul(a, broadcast b to [8, 3, 4])

Runs after decompose, whose formulas have scalars, and after normalize-axes, which gives operands of
matmul a rank of at least 2.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.shape import Shape, shape_of, tensor_of

from .rewriting import Builder, OperatorPass


def wanted_shape(op: OpcOp, operand: SSAValue) -> Shape:
    """The shape that an operand has in normal form."""
    own = shape_of(tensor_of(operand))
    if isinstance(op, Elementwise):
        return shape_of(op.type)
    if isinstance(op, MatmulOp) and all(t.get_num_dims() > 1 for t in op.tensor_types):
        return (*shape_of(op.type)[:-2], *own[-2:])
    return own


class NormalizeBroadcastPass(OperatorPass):
    """add(x, b)  -->  add(x, broadcast b)."""

    name = "normalize-broadcast"

    def rewrite(self, op: OpcOp) -> None:
        """Broadcast the operands of an operator; a value that occurs twice, once."""
        builder = Builder(op)
        done: dict[tuple[SSAValue, Shape], SSAValue] = {}
        for k, operand in enumerate(op.operands):
            key = operand, wanted_shape(op, operand)
            if key not in done:
                done[key] = builder.broadcast(*key)
            op.operands[k] = done[key]

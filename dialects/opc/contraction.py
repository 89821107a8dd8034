"""Contractions: sums of products over shared axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..shape import Requirement, Tensor, broadcast_shapes, shape_of, tensor_type
from .base import OpcOp, Params, expect_operands, same_element


class MatmulOp(OpcOp):
    """NumPy's matmul: the last two axes are matrices, those before are broadcast.

    A 1-D operand is a row on the left, a column on the right, and its axis is not in the result.
    """

    name = "opc.matmul"
    types = el.NUMERIC

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """Batch axes broadcast, then the rows of the left and the columns of the right."""
        expect_operands(types, 2)
        common = same_element(types, cls.types)
        a, b = (shape_of(t) for t in types)
        # matmul_c1: both operands have an axis to contract.
        if not a or not b:
            raise VerifyException("operands must have rank 1 or more")
        left, right = a[-1], b[-min(2, len(b))]
        # matmul_c2: contracted extents are equal.
        if None not in (left.constant, right.constant) and left != right:
            raise VerifyException(f"contracted extents differ: {left} and {right}")
        rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
        return tensor_type(common, (*broadcast_shapes([a[:-2], b[:-2]]), *rows, *columns))

    @classmethod
    def requirements(cls, types: Sequence[Tensor], params: Params) -> list[Requirement]:
        """Contracted extents are equal, batch extents broadcast."""
        a, b = (shape_of(t) for t in types)
        right = b[-min(2, len(b))]
        needs = [Requirement("equal", a[-1], right, "opc.matmul: contracted extents differ")]
        batches = zip(reversed(a[:-2]), reversed(b[:-2]), strict=False)
        needs += [
            Requirement("broadcast", x, y, "opc.matmul: batch extents do not broadcast")
            for x, y in batches
        ]
        return [n for n in needs if n.decided() is not True]

"""``opc.require_range``: a check of integers at run time."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..effects import KEPT
from ..formats import Formatted
from ..shape import IndexAttr, require_integers


@irdl_op_definition
class RequireRangeOp(Formatted):
    """Fails the call unless every element of a tensor of integers is in a range.

    Operations after it can index with the elements safely::

        opc.require_range %i from <-N> to <N - 1> "opc.gather: an index is outside of axis 0"
            : tensor<4xi64>
    """

    name = "opc.require_range"
    values = operand_def()
    low = prop_def(IndexAttr)
    high = prop_def(IndexAttr)
    message = prop_def(StringAttr)
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$values `from` $low `to` $high $message `:` type($values)"

    @staticmethod
    def of(values: SSAValue, low: ex.Expr, high: ex.Expr, message: str) -> RequireRangeOp:
        """The check of some values."""
        return RequireRangeOp(
            operands=[values],
            properties={
                "low": IndexAttr((low,)),
                "high": IndexAttr((high,)),
                "message": StringAttr(message),
            },
        )

    @property
    def bounds(self) -> tuple[ex.Expr, ex.Expr]:
        """The least value and the greatest."""
        return self.low.data[0], self.high.data[0]

    def described(self, low: str, high: str) -> str:
        """The message with the bounds, unless these are equal: then the message has the number."""
        message = self.message.data
        return message if low == high else f"{message}, expected those in [{low}, {high}]"

    def verify_(self) -> None:
        """Check the values and the bounds."""
        # require_range_c1: there is one expression for each bound.
        if len(self.low.data) != 1 or len(self.high.data) != 1:
            raise VerifyException("opc.require_range: expected one expression for each bound")
        # require_range_c2: the values are an integer tensor.
        require_integers("opc.require_range", self.values)

"""Cumulative operators: the total up to each element along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.irdl import operand_def, prop_def

from .. import element as el
from ..shape import Tensor, normalize_axis, shape_of
from .attributes import FALSE, Params, boolean, integer
from .base import TENSOR, OpcOp, same_element


class Cumulative(OpcOp):
    """Each total combines the one before with one element, in order, from the neutral value.

    f16 and bf16 are accumulated in f32, and each total is rounded once; integers wrap.
    """

    types = el.NUMERIC
    reduction: ClassVar[str] = ""
    """The row of ``scalar.REDUCTIONS`` that combines values."""
    operand = operand_def(TENSOR)
    axis = prop_def(integer("the axis to go along, negative from the back"), IntegerAttr(0, 64))
    exclusive = prop_def(boolean("whether totals exclude the element itself"), FALSE)
    reverse = prop_def(boolean("whether to start at the end of the axis"), FALSE)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The type of the operand."""
        same_element(types, cls.types)
        # cumulative_c1: the axis is one of the operand's.
        normalize_axis(params["axis"], len(shape_of(types[0])))
        return types[0]


CumSumOp = Cumulative.leaf("cum_sum", "Sums of the elements up to each one.", reduction="sum")
CumProdOp = Cumulative.leaf(
    "cum_prod", "Products of the elements up to each one.", reduction="prod"
)

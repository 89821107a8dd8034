"""``loop.group``: adds the tail of a segment, less than one group in each lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .buffer import buffer_of
from .buffer_span import SpanOp
from .cascade import LANE_REDUCTIONS
from .effects import READ_AND_WRITE
from .shape import IndexAttr


@irdl_op_definition
class GroupOp(SpanOp):
    """Adds an incomplete group to lanes: value j to lane j mod width.

    The brackets hold the offset and the number of values, less than 8 times the width.  The values
    of a lane are combined pairwise, ((v0 + v1) + (v2 + v3)) + ..., then with the lane.  The width
    is a power of two.
    """

    name = "loop.group"
    source = operand_def()
    lanes = operand_def()
    reduction = prop_def(StringAttr)
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = "custom<Word>($reduction) $source custom<At>($index, $dims) `to` $lanes"

    @classmethod
    def of(
        cls,
        buffers: Sequence[SSAValue],
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
        reduction: str = "sum",
    ) -> GroupOp:
        """The operation on source and lanes; ``index`` are the offset and the number of values."""
        return GroupOp(
            operands=[*buffers, list(dims)],
            properties={"index": IndexAttr(tuple(index)), "reduction": StringAttr(reduction)},
        )

    def verify_(self) -> None:
        """Check the reduction, the types and the dimensions."""
        types = [buffer_of(self.name, v).element_type for v in (self.source, self.lanes)]
        width = buffer_of(self.name, self.lanes).get_shape()
        power = len(width) == 1 and width[0] > 0 and not width[0] & (width[0] - 1)
        # group_c1: the reduction can be held in lanes; types agree; the width is a power of two.
        if self.reduction.data not in LANE_REDUCTIONS or types[0] != types[1] or not power:
            raise VerifyException(
                f"loop.group: {self.reduction.data} of {types[0]} to {self.lanes.type}"
            )
        self.check_span()

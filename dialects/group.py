"""``loop.group``: adds the tail of a segment, less than one group in each lane."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .buffer import buffer_of
from .cascade import LANE_REDUCTIONS
from .shape import IndexAttr
from .span import SpanOp


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

    @staticmethod
    def of(
        source: SSAValue,
        lanes: SSAValue,
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
        reduction: str = "sum",
    ) -> GroupOp:
        """The operation; ``index`` are the offset and the number of values."""
        return GroupOp(
            operands=[source, lanes, list(dims)],
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

    @classmethod
    def parse(cls, parser: Parser) -> GroupOp:
        """Parse ``sum %x[offset, number](%i) to %lanes``."""
        reduction = parser.parse_identifier(" of a reduction")
        source, index, dims = cls.parse_span(parser)
        return GroupOp.of(source, cls.parse_to(parser), index.data, dims, reduction)

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" {self.reduction.data} ")
        self.print_span(printer, self.source)
        self.print_to(printer, self.lanes)

"""The values of the ``loop`` dialect that are left of a run: less than one group of every lane."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_dims, parse_index, parse_value, print_dims
from .buffer import buffer_of
from .effects import READ_AND_WRITE
from .lanes import LANE_REDUCTIONS
from .shape import IndexAttr


@irdl_op_definition
class GroupOp(IRDLOperation):
    """Adds a group to lanes, of which only some values are there: value j to lane j mod width.

    The brackets hold where it starts and how many values there are, less than 8 for each lane.
    Those of a lane are combined pairwise, ((v0 + v1) + (v2 + v3)) + ..., as far as they are there,
    then with the lane.  The width is a power of two.
    """

    name = "loop.group"
    source = operand_def()
    lanes = operand_def()
    index = prop_def(IndexAttr)
    reduction = prop_def(StringAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(
        source: SSAValue,
        lanes: SSAValue,
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
        reduction: str = "sum",
    ) -> GroupOp:
        """Build it; ``index`` is where the group starts, and how many values are there."""
        return GroupOp(
            operands=[source, lanes, list(dims)],
            properties={"index": IndexAttr(tuple(index)), "reduction": StringAttr(reduction)},
        )

    def verify_(self) -> None:
        """Check the reduction, the types and the dimensions."""
        types = [buffer_of(self.name, v).element_type for v in (self.source, self.lanes)]
        width = buffer_of(self.name, self.lanes).get_shape()
        power = len(width) == 1 and width[0] > 0 and not width[0] & (width[0] - 1)
        # group_c1: the reduction is one that is held in lanes, of one type and a power of two.
        if self.reduction.data not in LANE_REDUCTIONS or types[0] != types[1] or not power:
            raise VerifyException(
                f"loop.group: {self.reduction.data} of {types[0]} to {self.lanes.type}"
            )
        # group_c2: offset and number are given, over the dimensions given.
        if len(self.index.data) != 2:
            raise VerifyException(
                f"loop.group: expected 2 expressions, found {len(self.index.data)}"
            )
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException("loop.group: more dimensions than values given")

    @classmethod
    def parse(cls, parser: Parser) -> GroupOp:
        """Parse ``sum %x[offset, number](%i) to %lanes``."""
        reduction = parser.parse_identifier(" of a reduction")
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        dims = parse_dims(parser)
        parser.parse_keyword("to")
        return GroupOp.of(source, parse_value(parser), index.data, dims, reduction)

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.reduction.data} ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)
        printer.print_string(" to ")
        printer.print_ssa_value(self.lanes)

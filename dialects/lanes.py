"""Lanes of the ``loop`` dialect: partial results of a reduction side by side, one for each lane.

Lanes are a local array that only these operations and ``loop.combine`` and ``loop.cascade`` touch,
so that it can stay in vector registers::

    loop.fill %zero to %lanes
    loop.for %j = <0> to <1024> step 64 serial {
      loop.accumulate sum %x[d0](%j) to %lanes       # lane k takes x[j + k]
    }
    %sum = loop.combine sum %lanes : f32
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_dims, parse_index, parse_value, print_dims
from .buffer import buffer_of, check_element
from .scalar import REDUCTIONS
from .shape import IndexAttr

LANE_REDUCTIONS = ("sum", "prod", "max_number")
"""Reductions of floats that C compilers keep in order, so that they are held in lanes."""


@irdl_op_definition
class FillOp(IRDLOperation):
    """Gives every element of a local array one value."""

    name = "loop.fill"
    value = operand_def()
    target = operand_def()

    @staticmethod
    def of(value: SSAValue, target: SSAValue) -> FillOp:
        """Build it."""
        return FillOp(operands=[value, target])

    def verify_(self) -> None:
        """Check the types."""
        check_element(self.name, self.target, self.value)

    @classmethod
    def parse(cls, parser: Parser) -> FillOp:
        """Parse ``%v to %lanes``."""
        value = parse_value(parser)
        parser.parse_keyword("to")
        return FillOp.of(value, parse_value(parser))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)


@irdl_op_definition
class AccumulateOp(IRDLOperation):
    """Lane k takes element offset + k of a buffer, for every lane or for the last few only.

    The expressions in brackets are the offset and, unless it is all, the number of lanes.
    """

    name = "loop.accumulate"
    source = operand_def()
    lanes = operand_def()
    reduction = prop_def(StringAttr)
    index = prop_def(IndexAttr)
    dims = var_operand_def()

    @staticmethod
    def of(
        reduction: str,
        source: SSAValue,
        lanes: SSAValue,
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
    ) -> AccumulateOp:
        """Build it; ``index`` is the offset and, unless it is all, the number of lanes."""
        return AccumulateOp(
            operands=[source, lanes, list(dims)],
            properties={"reduction": StringAttr(reduction), "index": IndexAttr(tuple(index))},
        )

    def verify_(self) -> None:
        """Check reduction, types and dimensions."""
        lanes, source = (buffer_of(self.name, v) for v in (self.lanes, self.source))
        # accumulate_c1: the reduction is one of floats that is held in lanes.
        row = REDUCTIONS.get(self.reduction.data)
        if row is None or row.name not in LANE_REDUCTIONS:
            raise VerifyException(f"loop.accumulate: {self.reduction.data} is not held in lanes")
        # accumulate_c2: source and lanes hold one element type.
        if source.element_type != lanes.element_type:
            raise VerifyException(f"loop.accumulate: {source} into {lanes}")
        # accumulate_c3: an offset and perhaps a number are given, over the dimensions given.
        if len(self.index.data) not in (1, 2):
            raise VerifyException(
                f"loop.accumulate: expected 1 or 2 expressions, found {len(self.index.data)}"
            )
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException("loop.accumulate: more dimensions than values given")

    @classmethod
    def parse(cls, parser: Parser) -> AccumulateOp:
        """Parse ``sum %x[offset](%i) to %lanes``."""
        reduction = parser.parse_identifier(" of a reduction")
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        dims = parse_dims(parser)
        parser.parse_keyword("to")
        return AccumulateOp(
            operands=[source, parse_value(parser), dims],
            properties={"reduction": StringAttr(reduction), "index": index},
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.reduction.data} ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)
        printer.print_string(" to ")
        printer.print_ssa_value(self.lanes)

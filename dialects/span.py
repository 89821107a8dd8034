"""The base of operations on contiguous elements of a buffer, ``%x[offset, number](%i)``."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, prop_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .body import parse_dims, parse_index, parse_value, print_dims
from .effects import READ_AND_WRITE
from .shape import IndexAttr

Span = tuple[SSAValue, IndexAttr, Sequence[SSAValue]]
"""A buffer, the expressions in brackets behind it, and the values of their dimensions."""


class SpanOp(IRDLOperation):
    """An operation on contiguous elements; subclasses have the buffers."""

    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    def check_span(self) -> None:
        """VerifyException unless there are offset and number, over the values given."""
        # span_c1: there are an offset and a number.
        if len(self.index.data) != 2:
            raise VerifyException(
                f"{self.name}: expected 2 expressions, found {len(self.index.data)}"
            )
        # span_c2: each of their dimensions has a value.
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException(f"{self.name}: more dimensions than values given")

    @staticmethod
    def parse_span(parser: Parser) -> Span:
        """Parse ``%x[offset, number](%i)``."""
        buffer = parse_value(parser)
        return buffer, parse_index(parser, parser.Delimiter.SQUARE), parse_dims(parser)

    @staticmethod
    def parse_to(parser: Parser) -> SSAValue:
        """Parse ``to %wide``."""
        parser.parse_keyword("to")
        return parse_value(parser)

    def print_span(self, printer: Printer, buffer: SSAValue) -> None:
        """Print what ``parse_span`` parses."""
        printer.print_ssa_value(buffer)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)

    def print_to(self, printer: Printer, buffer: SSAValue) -> None:
        """Print what ``parse_to`` parses."""
        printer.print_string(" to ")
        printer.print_ssa_value(buffer)

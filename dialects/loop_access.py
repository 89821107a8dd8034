"""Base classes of the loads and stores of the ``loop`` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from . import expr as ex
from .body import parse_dims, parse_index, parse_value, print_dims
from .buffer import buffer_of, check_element, check_index, index_of
from .shape import IndexAttr


class Load(IRDLOperation):
    """Loads the element of a buffer at an offset over the values ``dims``, in its stored type."""

    source = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    result = result_def()
    traits = traits_def(MemoryReadEffect())

    @classmethod
    def of(cls, source: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()) -> Self:
        """The load of the buffer's element type."""
        return cls(
            operands=[source, list(dims)],
            result_types=[buffer_of(cls.name, source).element_type],
            properties={"index": index_of(index)},
        )

    @classmethod
    def parse_dims(cls, parser: Parser) -> list[SSAValue]:
        """Parse what the offset depends on."""
        return parse_dims(parser)

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        check_element(self.name, self.source, self.result)
        check_index(self.name, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse ``%x[offset](%i) : type``."""
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        dims = cls.parse_dims(parser)
        parser.parse_punctuation(":")
        return cls(
            operands=[source, dims], result_types=[parser.parse_type()], properties={"index": index}
        )

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{self.index.data[0]}]")
        print_dims(printer, self.dims)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


class Store(IRDLOperation):
    """Stores an element to a buffer at an offset over the values ``dims``."""

    value = operand_def()
    target = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def of(
        cls, value: SSAValue, target: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()
    ) -> Self:
        """The store of a scalar to a buffer."""
        return cls(operands=[value, target, list(dims)], properties={"index": index_of(index)})

    @classmethod
    def parse_dims(cls, parser: Parser) -> list[SSAValue]:
        """Parse what the offset depends on."""
        return parse_dims(parser)

    def verify_(self) -> None:
        """Check the types and the dimensions."""
        check_element(self.name, self.target, self.value)
        check_index(self.name, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse ``%v to %x[offset](%i)``."""
        value = parse_value(parser)
        parser.parse_keyword("to")
        target = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        return cls(operands=[value, target, cls.parse_dims(parser)], properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(f"[{self.index.data[0]}]")
        print_dims(printer, self.dims)

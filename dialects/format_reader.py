"""Reads declared formats, and parses and prints by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    DenseArrayAttributeVariable,
    FormatDirective,
    FormatProgram,
    ParsingState,
    PrintingState,
    RegionVariable,
)
from xdsl.irdl.declarative_assembly_format_parser import FormatParser
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .body import resolve_value

Op = TypeVar("Op", bound=IRDLOperation)


class Program(FormatProgram):
    """A format: parses operands without types as the values that they name."""

    def parse(self, parser: Parser, op_type: type[Op]) -> Op:
        """Parse an operation."""
        state = ParsingState(op_type)
        for statement in self.stmts:
            statement.parse(parser, state)
        return op_type.build(
            operands=[
                [resolve_value(parser, o) for o in operands]
                if types is None
                else parser.resolve_operands(operands, types, parser.pos)
                for operands, types in zip(state.operands, state.operand_types, strict=True)
                for operands in [operands or ()]
            ],
            result_types=state.result_types
            if None not in state.result_types
            else self.resolve_result_types(state, op_type.get_irdl_definition()),
            properties=state.properties,
            attributes=state.attributes,
            regions=state.regions,
        )


def directives() -> dict[str, type[CustomDirective]]:
    """The custom directives by name."""
    from . import directives, kernel_directives

    return {
        name: directive
        for module in (directives, kernel_directives)
        for name, directive in vars(module).items()
        if isinstance(directive, type) and issubclass(directive, CustomDirective)
    }


class Reader(FormatParser):
    """Reads a format."""

    def read(self) -> Program:
        """The program of the format."""
        self.op_def = replace(self.op_def, custom_directives=directives())
        statements: list[FormatDirective] = []
        while self._current_token.kind != MLIRTokenKind.EOF:
            statements.append(self.parse_format_directive(False))
        return Program(tuple(statements))

    def parse_optional_variable(
        self, inside_ref: bool, *, qualified: bool = False
    ) -> FormatDirective | None:
        """Read ``$name``, where numbers have no type, and bodies no arguments."""
        variable = super().parse_optional_variable(inside_ref, qualified=qualified)
        if isinstance(variable, RegionVariable):
            return Body(variable.name, variable.index)
        if not isinstance(variable, AttributeVariable):
            return variable
        fields = variable.name, True, variable.is_optional, variable.default_value
        bases = self.op_def.properties[variable.name].constr.get_bases()
        if bases == {DenseArrayBase}:
            return DenseArrayAttributeVariable(*fields, i64)
        return Number(*fields) if bases == {IntegerAttr} else variable


@dataclass(frozen=True)
class Number(AttributeVariable):
    """``$by``: an integer of 64 bits that is not negative."""

    def parse_attr(self, parser: Parser) -> Attribute:
        """Parse ``14``."""
        return IntegerAttr(parser.parse_integer(allow_boolean=False, allow_negative=False), i64)

    def parse_optional(self, parser: Parser, state: ParsingState) -> None:
        """Parse ``14``, or nothing."""
        if (number := parser.parse_optional_integer(False, False)) is not None:
            self.set(state, IntegerAttr(number, i64))

    def print_attr(self, printer: Printer, attr: Attribute) -> None:
        """Print the parsed form."""
        printer.print_string(str(cast("IntegerAttr", attr).value.data))


@dataclass(frozen=True)
class Body(RegionVariable):
    """``$body``: a region whose block has the argument that ``Argument`` parsed, or none."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse ``{...}``."""
        arguments = cast("Sequence[Parser.Argument] | None", state.regions[self.index])
        self.set(state, parser.parse_region(arguments))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the parsed form."""
        state.print_whitespace(printer)
        printer.print_region(self.get(op), print_entry_block_args=False, print_empty_block=False)

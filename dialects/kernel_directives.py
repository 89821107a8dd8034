"""The directives of single operations: bodies of kernels, and choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    RegionDirective,
    RegionVariable,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from . import expr as ex
from .body import number_of, parse_index, print_number
from .directives import Custom, data_of, listed
from .remarks import Remarks, remarks_of
from .shape import IndexAttr, parse_expr


@irdl_custom_directive
class Mixed(CustomDirective):
    """``[%i, d1]``: a value or an expression for each axis."""

    exprs: AttributeVariable
    axes: AttributeVariable
    values: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse values and expressions."""

        def parse_entry() -> UnresolvedOperand | ex.Expr:
            value = parser.parse_optional_unresolved_operand()
            return parse_expr(parser) if value is None else value

        index = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_entry)
        values = {k: v for k, v in enumerate(index) if isinstance(v, UnresolvedOperand)}
        exprs = tuple(ex.const(0) if isinstance(v, UnresolvedOperand) else v for v in index)
        self.exprs.set(state, IndexAttr(exprs))
        self.axes.set(state, DenseArrayBase.from_list(i64, list(values)))
        self.values.set(state, list(values.values()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print values and expressions."""
        axes = cast("DenseArrayBase[IntegerType]", self.axes.get(op)).get_values()
        index: list[SSAValue | ex.Expr] = list(data_of(self.exprs, op))
        for axis, value in zip(axes, self.values.get(op), strict=True):
            index[int(axis)] = value
        with printer.in_square_brackets():
            printer.print_list(
                index,
                lambda v: (
                    printer.print_ssa_value(v)
                    if isinstance(v, SSAValue)
                    else printer.print_string(str(v))
                ),
            )


@irdl_custom_directive
class Scalar(CustomDirective):
    """``0.5 : f32``: a number, whose type the result has."""

    value: AttributeVariable
    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a number and its type."""
        value = number_of(parser.parse_attribute())
        if value is None:
            parser.raise_error(f"{state.op_type.name}: expected a number and its type")
        self.value.set(state, value)
        self.type.set(state, (value.type,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print a number and its type."""
        value = self.value.get(op)
        assert value is not None
        state.print_whitespace(printer)
        print_number(printer, value)


@irdl_custom_directive
class Default(Scalar):
    """``else 0.0 : f32``, or ``: f32`` without a default."""

    value: AttributeVariable
    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a default, or the type of the result."""
        if parser.parse_optional_keyword("else") is not None:
            return super().parse(parser, state)
        parser.parse_punctuation(":")
        self.type.parse(parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the default, or the type."""
        if self.value.get(op) is not None:
            printer.print_string(" else")
            return super().print(printer, state, op)
        printer.print_string(" :")
        self.type.print(printer, state, op)


@irdl_custom_directive
class Argument(CustomDirective):
    """``%i``: the argument of a region that follows, of the operation's type ``ARGUMENT``."""

    region: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the name of the argument."""
        type = cast("Attribute", state.op_type.__dict__["ARGUMENT"])
        argument = parser.parse_argument(expect_type=False).resolve(type)
        state.regions[self.region.index] = cast("list[Region]", [argument])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the name of the argument."""
        state.print_whitespace(printer)
        printer.print_ssa_value(self.region.get(op).block.args[0])


@irdl_custom_directive
class Kinds(Custom):
    """``(keep to 0[d0, d1], sum)``: words, some with a place; nothing if there are none."""

    kinds: AttributeVariable
    places: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse words and places; an absent place is an empty one."""

        def parse_kind() -> tuple[StringAttr, IndexAttr]:
            kind = StringAttr(parser.parse_identifier(" of a reduction"))
            if parser.parse_optional_keyword("to") is None:
                return kind, IndexAttr(())
            number = parser.parse_integer(allow_boolean=False, allow_negative=False)
            index = parse_index(parser, parser.Delimiter.SQUARE).data
            return kind, IndexAttr((ex.const(number), *index))

        pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parse_kind) or []
        self.kinds.set(state, ArrayAttr([kind for kind, _ in pairs]))
        if any(place.data for _, place in pairs):
            self.places.set(state, ArrayAttr([place for _, place in pairs]))

    def text(self, op: IRDLOperation) -> str:
        """The words with their places."""
        texts = [kind.data for kind in cast("ArrayAttr[StringAttr]", self.kinds.get(op))]
        places = cast("ArrayAttr[IndexAttr] | None", self.places.get(op))
        for k, place in enumerate(places or ()):
            if place.data:
                texts[k] += f" to {place.data[0]}{listed(place.data[1:])}"
        return f"({', '.join(texts)})" if texts else ""


@irdl_custom_directive
class Choice(CustomDirective):
    """``asks ["..."] "name" {...} else "name" {...}``: two versions, with remarks or without.

    ``else`` is optional if the second region is.
    """

    asks: AttributeVariable
    names: AttributeVariable
    then: RegionVariable
    otherwise: RegionDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse remarks and regions."""
        if parser.parse_optional_keyword("asks") is not None:
            square = parser.Delimiter.SQUARE
            texts = parser.parse_comma_separated_list(square, parser.parse_str_literal)
            _set_remarks(self.asks, state, texts)
        names = [parser.parse_optional_str_literal() or "", ""]
        state.regions[self.then.index] = [parser.parse_region(())]
        if isinstance(self.otherwise, RegionVariable):
            parser.parse_keyword("else")
            has_else = True
        else:
            has_else = parser.parse_optional_keyword("else") is not None
        if has_else:
            names[1] = parser.parse_optional_str_literal() or ""
        index = cast(RegionVariable, self.otherwise).index
        state.regions[index] = [parser.parse_region(())] if has_else else []
        _set_remarks(self.names, state, names)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print remarks and regions."""
        if (asks := cast("Remarks | None", self.asks.get(op))) is not None:
            printer.print_string(" asks ")
            printer.print_attribute(asks)
        names = cast("Remarks | None", self.names.get(op)) or [StringAttr("")] * 2
        for word, name, region in zip(("", " else"), names, op.regions, strict=False):
            printer.print_string(word)
            if name.data:
                printer.print_string(" ")
                printer.print_attribute(name)
            printer.print_string(" ")
            printer.print_region(region, False, False)


def _set_remarks(attr: AttributeVariable, state: ParsingState, texts: Sequence[str]) -> None:
    if (remarks := remarks_of(texts)) is not None:
        attr.set(state, remarks)

"""The directives of declared formats, which follow xDSL's.

``custom<Word>($kind)`` is a bare word, ``custom<Index>($index)`` expressions in brackets, and so
on; each docstring shows the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    UniqueBaseAttributeVariable,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from . import expr as ex
from .body import parse_index
from .shape import DimsAttr, IndexAttr, Shape, parse_expr

_INDEX = IndexType()


class Custom(CustomDirective):
    """A directive that prints a space before its text."""

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the text."""
        if text := self.text(op):
            is_tight = state.last_was_punctuation and not state.should_emit_space
            printer.print_string(text if is_tight else f" {text}")
            state.should_emit_space, state.last_was_punctuation = True, False

    def is_present(self, op: IRDLOperation) -> bool:
        """Whether there is a text."""
        return bool(self.text(op))

    def is_anchorable(self) -> bool:
        """Optional groups may depend on it."""
        return True

    def text(self, op: IRDLOperation) -> str:
        """What is printed; nothing if empty."""
        raise NotImplementedError


def data_of(attr: AttributeVariable, op: IRDLOperation) -> Shape:
    """The expressions of an attribute; none if it is absent."""
    exprs = attr.get(op)
    return () if exprs is None else cast("IndexAttr", exprs).data


def listed(exprs: Sequence[object]) -> str:
    """Expressions in brackets."""
    return f"[{', '.join(map(str, exprs))}]"


def _word(attr: AttributeVariable, op: IRDLOperation) -> str:
    word = attr.get(op)
    return "" if word is None or word == attr.default_value else cast("StringAttr", word).data


@irdl_custom_directive
class Word(Custom):
    """``serial``: any word."""

    word: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a word."""
        self.word.set(state, StringAttr(parser.parse_identifier(f" of a {self.word.name}")))

    def text(self, op: IRDLOperation) -> str:
        """The word."""
        return _word(self.word, op)


@irdl_custom_directive
class OneOf(Custom):
    """``add``: one of the operation's ``WORDS``, or nothing."""

    word: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a word, or nothing."""
        words = cast("tuple[str, ...]", state.op_type.__dict__["WORDS"])
        if (word := parser.parse_optional_keyword_in(words)) is not None:
            self.word.set(state, StringAttr(word))

    def text(self, op: IRDLOperation) -> str:
        """The word, unless it is the default."""
        return _word(self.word, op)


@irdl_custom_directive
class Words(Custom):
    """``[rolled, few]``: words in brackets."""

    words: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse words."""
        square = parser.Delimiter.SQUARE
        words = parser.parse_comma_separated_list(square, parser.parse_identifier)
        self.words.set(state, ArrayAttr([StringAttr(word) for word in words]))

    def text(self, op: IRDLOperation) -> str:
        """The words."""
        words = self.words.get(op)
        return (
            "" if words is None else listed([w.data for w in cast("ArrayAttr[StringAttr]", words)])
        )


@irdl_custom_directive
class Index(CustomDirective):
    """``[d0, d1*2]``: expressions in brackets, without a space before."""

    exprs: UniqueBaseAttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse expressions."""
        exprs = parse_index(parser, parser.Delimiter.SQUARE)
        is_index = self.exprs.unique_base is IndexAttr
        self.exprs.set(state, exprs if is_index else DimsAttr(exprs.data))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print expressions."""
        printer.print_string(listed(data_of(self.exprs, op)))
        state.should_emit_space, state.last_was_punctuation = True, False


@irdl_custom_directive
class Lists(Custom):
    """``[d0], [d1, d2]``: lists of expressions."""

    lists: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse one list or more."""
        square, none = parser.Delimiter.SQUARE, parser.Delimiter.NONE
        lists = parser.parse_comma_separated_list(none, lambda: parse_index(parser, square))
        self.lists.set(state, ArrayAttr(lists))

    def text(self, op: IRDLOperation) -> str:
        """The lists."""
        lists = cast("ArrayAttr[IndexAttr]", self.lists.get(op))
        return ", ".join(listed(exprs.data) for exprs in lists)


@irdl_custom_directive
class Expr(Custom):
    """``N*64``: one expression."""

    expr: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse an expression."""
        self.expr.set(state, IndexAttr((parse_expr(parser),)))

    def text(self, op: IRDLOperation) -> str:
        """The expression."""
        return ", ".join(map(str, data_of(self.expr, op)))


@irdl_custom_directive
class Size(Custom):
    """``14`` or ``<floordiv(N, 16)>``: a number, an expression in angle brackets, or nothing."""

    size: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse a number or an expression."""
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        angle = parser.Delimiter.ANGLE
        size = parse_index(parser, angle) if number is None else IndexAttr((ex.const(number),))
        self.size.set(state, size)

    def text(self, op: IRDLOperation) -> str:
        """The number or the expression; nothing if it is absent."""
        size = data_of(self.size, op)
        if not size:
            return ""
        is_number = len(size) == 1 and size[0].constant is not None
        return str(size[0]) if is_number else f"<{', '.join(map(str, size))}>"


@irdl_custom_directive
class Dims(CustomDirective):
    """``(%i, %j)``: the values of the dimensions d0, d1, ..., or nothing."""

    dims: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse values of type index."""
        _parse_dims(self.dims, parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the values."""
        _print_dims(self.dims, printer, op)


@irdl_custom_directive
class Scalars(Dims):
    """``(%i, %k)``: as ``Dims``, also values of other types."""

    dims: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse values."""
        self.dims.set(state, _operands(parser))


def _parse_dims(dims: VariadicOperandVariable, parser: Parser, state: ParsingState) -> None:
    operands = _operands(parser)
    dims.set(state, operands)
    dims.set_types(state, [_INDEX] * len(operands))


def _print_dims(dims: VariadicOperandVariable, printer: Printer, op: IRDLOperation) -> None:
    if values := dims.get(op):
        printer.print_string("(")
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(")")


def _operands(parser: Parser) -> list[UnresolvedOperand]:
    paren = parser.Delimiter.PAREN
    return parser.parse_optional_comma_separated_list(paren, parser.parse_unresolved_operand) or []


@irdl_custom_directive
class At(CustomDirective):
    """``[d0*4, 64](%i)``: ``Index`` and ``Dims``, or nothing if the expressions are optional."""

    exprs: AttributeVariable
    dims: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse expressions and the values of their dimensions."""
        square = parser.Delimiter.SQUARE
        if not self.exprs.is_anchorable():
            self.exprs.set(state, parse_index(parser, square))
        elif (
            exprs := parser.parse_optional_comma_separated_list(square, lambda: parse_expr(parser))
        ) is not None:
            self.exprs.set(state, IndexAttr(tuple(exprs)))
        _parse_dims(self.dims, parser, state)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print expressions and values."""
        if self.exprs.is_present(op):
            printer.print_string(listed(data_of(self.exprs, op)))
            _print_dims(self.dims, printer, op)


@irdl_custom_directive
class Signature(CustomDirective):
    """``: (types) -> (types)``: the types of all operands, then of all results."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the types."""
        pos, paren = parser.pos, parser.Delimiter.PAREN
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(paren, parser.parse_type)
        counts = [len(operands or ()) for operands in state.operands]
        if len(types) != sum(counts):
            parser.raise_error(f"expected {sum(counts)} types, found {len(types)}", pos)
        state.operand_types = [[types.pop(0) for _ in range(count)] for count in counts]
        parser.parse_punctuation("->")
        state.result_types[0] = parser.parse_comma_separated_list(paren, parser.parse_type)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the types."""
        for word, values in ((" : ", op.operands), (" -> ", op.results)):
            printer.print_string(word)
            with printer.in_parens():
                printer.print_list(values, lambda v: printer.print_attribute(v.type))

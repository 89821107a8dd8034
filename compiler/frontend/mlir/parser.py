"""xDSL's parser with source locations, and with limits for hostile text.

Differences to xDSL, where operations have no location; a value may be used before its definition; a
splat is expanded before its size is checked; an integer type of any width makes an integer of that
many bits; an unterminated string takes exponential time; hexadecimal bits of a float in a list of
elements are read as a number; escaped text beyond ASCII is bytes.
"""

from __future__ import annotations

import contextlib
import math
import re
import struct
from bisect import bisect_right
from typing import Any, NoReturn, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

from opc.dialects.budgets import BudgetExceeded
from opc.dialects.element import element_of
from opc.dialects.shape import MAX_RANK, MAX_SIZE, DimsAttr
from opc.errors import InputError, UnsupportedError
from opc.frontend.check import SOURCES
from opc.frontend.did_you_mean import near
from opc.frontend.verify import shorten, verify_operation

MAX_DEPTH = 64
"""Operations inside operations."""

MAX_DENSE_BYTES = 1 << 28
"""The greatest size of one constant in the text."""

_MAX_DIGITS = 1100
_WIDTH = re.compile(r"[su]?i(\d{4,})")
_SHOWN = 100

UNCHECKED = (
    ValueError,
    TypeError,
    ArithmeticError,
    AssertionError,
    LookupError,
    NotImplementedError,
    AttributeError,
    struct.error,
)
"""Exceptions of xDSL for literals and attributes that it uses unchecked."""


class _Lexer(MLIRLexer):
    """The MLIR tokens, with bounded numbers, and strings in linear time."""

    # As in the base class, but possessive: it never reconsiders how it split the characters.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_number(self, start_pos: int) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if len(token.span) > _MAX_DIGITS:
            raise ParseError(token.span, f"a number of {len(token.span)} digits is too long")
        if token.kind == MLIRTokenKind.FLOAT_LIT and math.isinf(float(token.text)):
            raise ParseError(token.span, "no float type can hold this number")
        return token

    def _lex_prefixed_ident(self, start_pos: int) -> MLIRToken:
        try:
            return super()._lex_prefixed_ident(start_pos)
        except ParseError as error:
            # The base class does not say behind which token.
            message = f"expected a name behind {self.input.at(start_pos)!r}"
            raise ParseError(error.span, message) from None

    def _lex_string_literal(self, start_pos: int) -> MLIRToken:
        # The base class always reports the end of the file.
        if self._unescaped_characters_regex.match(self.input.content, start_pos) is None:
            raise ParseError(
                Span(start_pos, start_pos + 1, self.input),
                "this string does not end on its line, or has an unknown escape",
            )
        token = super()._lex_string_literal(start_pos)
        if token.kind == MLIRTokenKind.BYTES_LIT:
            # The printer escapes non-ASCII text; the base class takes escapes for bytes.
            with contextlib.suppress(UnicodeDecodeError):
                _ = cast(StringLiteral, token.span).string_contents
                return Token(MLIRTokenKind.STRING_LIT, token.span)
        return token


class _HexElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """An element written as ``0x7F800000``: for a float type these are its bits."""

    def to_type(self, parser: AttrParser, type: Any) -> Any:
        if not isinstance(type, AnyFloat):
            return super().to_type(parser, type)
        bits = int(cast(int, self.value))
        if self.is_negative or bits >> (8 * type.compile_time_size):
            parser.raise_error(f"this is not a bit pattern of {type}", self.span)
        return type.unpack(bits.to_bytes(type.compile_time_size, "little"), 1)[0]


class LocatingParser(Parser):
    """A parser for one text; ``line_offset`` lines come before it in the file ``name``."""

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0) -> None:
        # The base class reads the first token here, which may be invalid.
        super().__init__(ctx, "", name)
        self._name = StringAttr(name)
        self._line_offset = line_offset
        self._line_starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._depth = 0
        self._start = 0
        self._parsed: list[Operation] = []
        self._parser_state.lexer = _Lexer(Input(text, name))

    def parse(self) -> ModuleOp:
        """The module; :class:`InputError` for invalid text.

        The verifier is not called, except by constructors of attributes and types.
        """
        try:
            self._parser_state.current_token = self.lexer.lex()
            if self._current_token.kind == MLIRTokenKind.EOF:
                self.raise_error("there is nothing but blanks and comments here")
            return self.parse_module()
        except ParseError as error:
            self._verify_parsed()
            raise self._located(cast("Span[str]", error.span), error.msg) from error
        except RecursionError as error:
            raise self._located(self._current_token.span, "nested too deeply") from error
        except BudgetExceeded as error:
            place = self._located(self._current_token.span, str(error))
            raise UnsupportedError(place.message, place.location) from None
        except VerifyException as error:
            self._verify_parsed()
            raise self._located(self._statement(), str(error)) from error
        except UNCHECKED as error:
            message = f"cannot be read ({str(error) or type(error).__name__})"
            raise self._located(self._statement(), message) from error

    def _verify_parsed(self) -> None:
        """Raise errors of the operations so far, which may be the cause of a parse error.

        A wrong result type, for instance, may first show at a user of the result.
        """
        for op in self._parsed:
            # Operations of nests and loops, and terminators, are checked in what is around them.
            is_alone = op.dialect_name() in SOURCES and not op.has_trait(IsTerminator)
            if is_alone or isinstance(op.get_toplevel_object(), FuncOp | ModuleOp):
                verify_operation(op)

    def _statement(self) -> Span[str]:
        """The text of the current operation up to the current token."""
        return Span(self._start, max(self._start + 1, self.pos), self.lexer.input)

    def raise_error(
        self,
        msg: str,
        at_position: Span[str] | int | None = None,
        end_position: int | None = None,
    ) -> NoReturn:
        """Raise an error; for a whole operation at its start, not behind it."""
        if at_position is None and (msg.startswith("opc.") or msg.endswith("is not registered")):
            at_position = self._statement()
        if end_position is not None and isinstance(at_position, int):
            super().raise_error(msg, at_position, end_position)
        super().raise_error(msg, at_position)

    def parse_operation(self) -> Operation:
        """Parse an operation and set its location."""
        pos = self.pos
        if self._depth >= MAX_DEPTH:
            self.raise_error(f"operations are nested more than {MAX_DEPTH} deep")
        self._depth += 1
        self._start = pos
        op = super().parse_operation()
        self._depth -= 1
        if not op.regions:
            self._parsed.append(op)
        if isinstance(op.location, UnknownLoc):
            line, column = self._line_and_column(pos)
            op.location = FileLineColLoc(self._name, IntAttr(line), IntAttr(column))
        return op

    def _parse_block(self) -> Block:
        if self._current_token.kind != MLIRTokenKind.CARET_IDENT:
            # The base class does not say what it expects.
            self.raise_error("expected an operation or '}'")
        return super()._parse_block()

    def resolve_operand(self, operand: UnresolvedOperand, type: Attribute) -> SSAValue[Any]:
        """Reject values that are not defined yet: regions have one block."""
        if operand.operand_name not in self.ssa_values:
            self.raise_error(f"%{operand.operand_name} is used before its definition", operand.span)
        return super().resolve_operand(operand, type)

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        """Parse an extent within limits."""
        span = self._current_token.span
        extent = super().parse_shape_dimension(allow_dynamic)
        if extent > MAX_SIZE:
            self.raise_error("extent exceeds 2^48", span)
        return extent

    def _parse_optional_shape_delimiter(self) -> str | None:
        # The base class lexes the rest of a shape again for every extent.
        if self._current_token.text.count("x") > 4 * MAX_RANK:
            self.raise_error(f"rank exceeds {MAX_RANK}")
        return super()._parse_optional_shape_delimiter()

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        """Parse dense elements; a splat is not expanded to a list."""
        pos = self.pos
        self.parse_punctuation("<", " in dense attribute")
        scalars = (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.FLOAT_LIT, MLIRTokenKind.MINUS)
        kind, word = self._current_token.kind, self._current_token.text
        if type is not None or (kind not in scalars and word not in ("true", "false")):
            self._resume_from(pos)
            return self._parse_listed_elements(type, pos)
        literal = self._parse_tensor_literal_element()
        self.parse_punctuation(">", " in dense attribute")
        self.parse_punctuation(":", " in dense attribute")
        shaped = self._parse_dense_literal_type()
        value = literal.to_type(self, shaped.element_type)
        one = TensorType(shaped.element_type, [1])
        try:
            element = DenseIntOrFPElementsAttr.from_list(cast(Any, one), cast(Any, [value]))
        except (OverflowError, VerifyException, ValueError):
            self.raise_error(f"{value} is outside {shaped.element_type}", literal.span)
        data = element.data.data * math.prod(shaped.get_shape())
        return DenseIntOrFPElementsAttr(shaped, BytesAttr(data))

    def _parse_tensor_literal_element(self) -> AttrParser._TensorLiteralElement:
        # The base class takes the bits for a number: infinities, printed as bits, would change.
        is_hex = self._current_token.text[:2] == "0x"
        literal = super()._parse_tensor_literal_element()
        if not is_hex:
            return literal
        return _HexElement(literal.is_negative, literal.value, literal.span)

    def _parse_listed_elements(self, type: Any, pos: int) -> DenseIntOrFPElementsAttr:
        try:
            return super().parse_dense_int_or_fp_elements_attr(type)
        except ParseError as error:
            # Errors in the elements are only detected after their type.
            if error.span.start != self.pos:
                raise
            message = error.msg
        except UNCHECKED as error:
            message = str(error)
        self.raise_error(message, pos, max(pos + 1, self.pos))

    def _parse_tensor_attrs(self) -> Any:
        start = self.pos
        type = super()._parse_tensor_attrs()
        if isinstance(type, TensorType) and type.encoding != NoneAttr():
            encoding, shape = type.encoding, type.get_shape()
            if not isinstance(encoding, DimsAttr):
                self.raise_error(f"expected #opc.dims<...>, found {encoding}", start, self.pos)
            extents = [DYNAMIC_INDEX if e.constant is None else e.constant for e in encoding.data]
            if extents != list(shape):
                self.raise_error(
                    f"{encoding} does not describe {len(shape)} axes with these extents",
                    start,
                    self.pos,
                )
            if DYNAMIC_INDEX not in shape:
                return TensorType(type.element_type, shape)
        return type

    def _parse_dense_literal_type(self) -> Any:
        start = self.pos
        type = super()._parse_dense_literal_type()
        element = element_of(type.element_type)
        span = Span(start, max(start + 1, self.pos), self.lexer.input)
        if element is None:
            self.raise_error(f"element type {type.element_type} is not supported", span)
        size = math.prod(type.get_shape()) * element.bytes
        if size > MAX_DENSE_BYTES:
            self.raise_error(
                f"a constant of {size} bytes is too large; "
                "opc.broadcast stretches a small one without holding its elements",
                span,
            )
        return type

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        if _WIDTH.fullmatch(self._current_token.text):
            self.raise_error("integer type is too wide")
        return super()._parse_optional_integer_or_float_type()

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if op_type is not None:
            return op_type
        dialect, _, rest = name.partition(".")
        message = f"unknown operation {name}"
        if not rest:
            message += ": operations are named dialect.name"
        elif dialect not in self.ctx.registered_dialect_names:
            message += f": there is no dialect {dialect}"
        else:
            # The look-up above has loaded the dialect.
            known = [op.name.partition(".") for op in self.ctx.loaded_ops]
            meant = near(rest, [own for prefix, _, own in known if prefix == dialect], 1)
            message += f"; did you mean {dialect}.{meant[0]}?" if meant else ""
        start = self.lexer.input.content.rfind(name, 0, self.pos)
        self.raise_error(message, Span(start, start + len(name), self.lexer.input))

    def _line_and_column(self, pos: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, pos)
        return line + self._line_offset, pos - self._line_starts[line - 1] + 1

    def _located(self, span: Span[str], message: str) -> InputError:
        """The error with the source line, and carets under the span."""
        text = self.lexer.input.content
        start = min(span.start, len(text))
        line, column = self._line_and_column(start)
        location = f"{self._name.data}:{line}:{column}"
        begin = self._line_starts[line - self._line_offset - 1]
        end = text.find("\n", begin)
        source = text[begin : len(text) if end < 0 else end].rstrip("\r")
        first = max(0, column - 1 - _SHOWN // 2)
        shown = "".join(c if c.isprintable() else " " for c in source[first : first + _SHOWN])
        message = shorten(message)
        if not shown.strip():
            return InputError(message, location)
        offset = column - 1 - first
        carets = "^" * max(1, min(span.end - span.start, len(shown) - offset))
        return InputError(f"{message}\n  {shown}\n  {' ' * offset}{carets}", location)

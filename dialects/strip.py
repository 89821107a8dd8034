"""Strips of the ``loop`` dialect: contiguous f16 or bf16, converted to f32 and back at once.

A strip in f32 is an array beside the loop that computes with it::

    loop.widen %x[d0*64, 64](%i) to %wide             # wide[k] = x[d0*64 + k] for k < 64
    loop.for %l = <0> to <64> step 1 vector { ... }
    loop.round %wide[64] to f16                       # wide[k] as if narrowed and widened
    loop.narrow %wide to %y[d0*64, 64](%i)            # y[d0*64 + k] = wide[k] for k < 64

Less than 16 elements of f32 or f64 are copied the same way, and filled up with zeros to 16.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue
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

from . import element as el
from . import expr as ex
from .body import parse_dims, parse_index, parse_value, print_dims
from .buffer import buffer_of, check_index, index_of
from .effects import READ_AND_WRITE
from .shape import IndexAttr

NARROW = (el.F16, el.BF16)
"""The types that strips are converted from and to."""
FILLED = (el.F32, el.F64)
"""The types of which less than a vector is filled up, without converting."""


def _check(
    name: str, narrow: SSAValue, wide: SSAValue, index: IndexAttr, dims: Sequence[SSAValue]
) -> None:
    types = [buffer_of(name, value).element_type for value in (narrow, wide)]
    # strip_c1: one side is f16 or bf16, the other f32; or both are f32, or f64.
    is_same = types[0] == types[1] and types[0] in [t.type for t in FILLED]
    if not is_same and (types[0] not in [t.type for t in NARROW] or types[1] != el.F32.type):
        raise VerifyException(
            f"{name}: expected f16 or bf16 and f32, or f32 or f64 twice, "
            f"found {types[0]}, {types[1]}"
        )
    # strip_c2: offset and number are given, over the dimensions given.
    if len(index.data) != 2:
        raise VerifyException(f"{name}: expected 2 expressions, found {len(index.data)}")
    if any(d >= len(dims) for e in index.data for d in e.dims()):
        raise VerifyException(f"{name}: more dimensions than values given")


def _element(type: Attribute) -> el.ElementType:
    found = el.element_of(type)
    assert found is not None
    return found


def _place(parser: Parser) -> tuple[SSAValue, IndexAttr, list[SSAValue]]:
    """Parse ``%x[offset, number](%i)``."""
    buffer = parse_value(parser)
    return buffer, parse_index(parser, parser.Delimiter.SQUARE), parse_dims(parser)


def _print_place(
    printer: Printer, buffer: SSAValue, index: IndexAttr, dims: Sequence[SSAValue]
) -> None:
    printer.print_ssa_value(buffer)
    printer.print_string(f"[{', '.join(map(str, index.data))}]")
    print_dims(printer, dims)


@irdl_op_definition
class WidenOp(IRDLOperation):
    """``wide[k] = source[offset + k]`` for k below a number; the brackets hold both.

    Where nothing is converted, the number is below 16, and zeros follow up to there.
    """

    name = "loop.widen"
    source = operand_def()
    wide = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(
        source: SSAValue, wide: SSAValue, index: Sequence[ex.Expr], dims: Sequence[SSAValue] = ()
    ) -> WidenOp:
        """Build it; ``index`` is offset and number."""
        return WidenOp(
            operands=[source, wide, list(dims)], properties={"index": IndexAttr(tuple(index))}
        )

    @property
    def type(self) -> el.ElementType:
        """What is widened from."""
        return _element(buffer_of(self.name, self.source).element_type)

    def verify_(self) -> None:
        """Check types and dimensions."""
        _check(self.name, self.source, self.wide, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> WidenOp:
        """Parse ``%x[offset, number](%i) to %wide``."""
        source, index, dims = _place(parser)
        parser.parse_keyword("to")
        return WidenOp(operands=[source, parse_value(parser), dims], properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        _print_place(printer, self.source, self.index, self.dims)
        printer.print_string(" to ")
        printer.print_ssa_value(self.wide)


@irdl_op_definition
class NarrowOp(IRDLOperation):
    """``target[offset + k] = wide[k]``, rounded, for k below a number; the brackets hold both."""

    name = "loop.narrow"
    wide = operand_def()
    target = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(
        wide: SSAValue, target: SSAValue, index: Sequence[ex.Expr], dims: Sequence[SSAValue] = ()
    ) -> NarrowOp:
        """Build it; ``index`` is offset and number."""
        return NarrowOp(
            operands=[wide, target, list(dims)], properties={"index": IndexAttr(tuple(index))}
        )

    @property
    def type(self) -> el.ElementType:
        """What is narrowed to."""
        return _element(buffer_of(self.name, self.target).element_type)

    def verify_(self) -> None:
        """Check types and dimensions."""
        _check(self.name, self.target, self.wide, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> NarrowOp:
        """Parse ``%wide to %y[offset, number](%i)``."""
        wide = parse_value(parser)
        parser.parse_keyword("to")
        target, index, dims = _place(parser)
        return NarrowOp(operands=[wide, target, dims], properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.wide)
        printer.print_string(" to ")
        _print_place(printer, self.target, self.index, self.dims)


@irdl_op_definition
class RoundOp(IRDLOperation):
    """Rounds the elements of a strip below a number to those of f16 or bf16."""

    name = "loop.round"
    wide = operand_def()
    index = prop_def(IndexAttr)
    to = prop_def(Attribute)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(
        wide: SSAValue, to: el.ElementType, count: ex.Expr, dims: Sequence[SSAValue] = ()
    ) -> RoundOp:
        """Build it."""
        return RoundOp(
            operands=[wide, list(dims)], properties={"index": index_of(count), "to": to.type}
        )

    @property
    def type(self) -> el.ElementType:
        """What is rounded to."""
        return _element(self.to)

    def verify_(self) -> None:
        """Check types and dimensions."""
        wide = buffer_of(self.name, self.wide).element_type
        # round_c1: f32 is rounded to f16 or bf16.
        if self.to not in [t.type for t in NARROW] or wide != el.F32.type:
            raise VerifyException(
                f"loop.round: expected f32 to f16 or bf16, found {wide}, {self.to}"
            )
        check_index(self.name, self.index, self.dims)

    @classmethod
    def parse(cls, parser: Parser) -> RoundOp:
        """Parse ``%wide[number](%i) to type``."""
        wide, index, dims = _place(parser)
        parser.parse_keyword("to")
        return RoundOp(
            operands=[wide, dims], properties={"index": index, "to": parser.parse_type()}
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        _print_place(printer, self.wide, self.index, self.dims)
        printer.print_string(" to ")
        printer.print_attribute(self.to)

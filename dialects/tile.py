"""Memory operations of the ``loop`` dialect: transposes, non-temporal stores, prefetches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

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
from .effects import KEPT, READ_AND_WRITE
from .shape import IndexAttr


class MoveOp(IRDLOperation):
    """Copies elements of one buffer to another; ``index`` says which."""

    source = operand_def()
    target = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(*READ_AND_WRITE)

    COUNT: ClassVar[int]
    """The number of expressions in ``index``."""

    @classmethod
    def of(
        cls,
        source: SSAValue,
        target: SSAValue,
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
    ) -> Self:
        """The operation; ``index`` are the expressions in brackets."""
        return cls(
            operands=[source, target, list(dims)], properties={"index": IndexAttr(tuple(index))}
        )

    def verify_(self) -> None:
        """Check types and dimensions."""
        source, target = (buffer_of(self.name, v) for v in (self.source, self.target))
        # transpose_c1: source and target have one element type.
        # stream_c1: likewise.
        if source.element_type != target.element_type:
            raise VerifyException(f"{self.name}: {source} into {target}")
        # transpose_c2: all expressions are there, over the values given.
        # stream_c2: likewise.
        if len(self.index.data) != self.COUNT:
            raise VerifyException(
                f"{self.name}: expected {self.COUNT} expressions, found {len(self.index.data)}"
            )
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException(f"{self.name}: more dimensions than values given")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse ``%x to %y[expressions](%i)``."""
        source = parse_value(parser)
        parser.parse_keyword("to")
        target = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        return cls.of(source, target, index.data, parse_dims(parser))

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" to ")
        printer.print_ssa_value(self.target)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)


@irdl_op_definition
class TransposeOp(MoveOp):
    """``target[t + c * u + r] = source[s + r * v + c]`` for rows r and columns c.

    The six expressions in brackets are s, v, t, u, the number of rows and the number of columns.
    """

    name = "loop.transpose"
    COUNT: ClassVar[int] = 6


@irdl_op_definition
class NonTemporalOp(MoveOp):
    """``target[t + k] = source[s + k]`` for k below a number, by non-temporal stores if possible.

    Plain stores would load each cache line first, and keep lines that nothing reads soon.  The four
    expressions in brackets are s, t, the number, and the number of elements that ``source`` has in
    all.  Calls copy its parts in order; a part may be cut at the end of a cache line, and the next
    one then begins there.
    """

    name = "loop.non_temporal"
    COUNT: ClassVar[int] = 4


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Prefetches elements that will be read soon; they may lie outside of the buffer.

    Hardware prefetchers stop at the end of a page.
    """

    name = "loop.prefetch"
    source = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()
    traits = traits_def(KEPT)

    @staticmethod
    def of(source: SSAValue, index: Sequence[ex.Expr], dims: Sequence[SSAValue] = ()) -> PrefetchOp:
        """The operation; ``index`` are the offset of the first element and the number of them."""
        return PrefetchOp(
            operands=[source, list(dims)], properties={"index": IndexAttr(tuple(index))}
        )

    def verify_(self) -> None:
        """Check the dimensions."""
        buffer_of(self.name, self.source)
        # prefetch_c1: offset and number are there, over the values given.
        if len(self.index.data) != 2:
            raise VerifyException(
                f"loop.prefetch: expected 2 expressions, found {len(self.index.data)}"
            )
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException("loop.prefetch: more dimensions than values given")

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        """Parse ``%x[offset, number](%i)``."""
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        return PrefetchOp.of(source, index.data, parse_dims(parser))

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)

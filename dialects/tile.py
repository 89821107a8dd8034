"""Moving memory in the ``loop`` dialect: a block turned around in a tile, and reading ahead."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_dims, parse_index, parse_value, print_dims
from .buffer import buffer_of
from .shape import IndexAttr


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """``tile[c * width + r] = source[offset + r * stride + c]`` for rows r and columns c.

    The four expressions in brackets are offset, stride, rows and columns.
    """

    name = "loop.transpose"
    source = operand_def()
    tile = operand_def()
    index = prop_def(IndexAttr)
    width = prop_def(IntegerAttr)
    dims = var_operand_def()

    @staticmethod
    def of(
        source: SSAValue,
        tile: SSAValue,
        width: int,
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
    ) -> TransposeOp:
        """Build it; ``index`` is offset, stride, rows and columns."""
        return TransposeOp(
            operands=[source, tile, list(dims)],
            properties={"index": IndexAttr(tuple(index)), "width": IntegerAttr(width, i64)},
        )

    def verify_(self) -> None:
        """Check types and dimensions."""
        source, tile = (buffer_of(self.name, v) for v in (self.source, self.tile))
        # transpose_c1: source and tile hold one element type.
        if source.element_type != tile.element_type:
            raise VerifyException(f"loop.transpose: {source} into {tile}")
        # transpose_c2: offset, stride, rows and columns are given, over the dimensions given.
        if len(self.index.data) != 4:
            raise VerifyException(
                f"loop.transpose: expected 4 expressions, found {len(self.index.data)}"
            )
        if any(d >= len(self.dims) for e in self.index.data for d in e.dims()):
            raise VerifyException("loop.transpose: more dimensions than values given")

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """Parse ``%x[offset, stride, rows, columns](%i) to %tile width n``."""
        source = parse_value(parser)
        index = parse_index(parser, parser.Delimiter.SQUARE)
        dims = parse_dims(parser)
        parser.parse_keyword("to")
        tile = parse_value(parser)
        parser.parse_keyword("width")
        return TransposeOp(
            operands=[source, tile, dims],
            properties={"index": index, "width": IntegerAttr(parser.parse_integer(), i64)},
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)
        printer.print_string(" to ")
        printer.print_ssa_value(self.tile)
        printer.print_string(f" width {self.width.value.data}")


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Asks for elements that will be read soon; there need be none so far on.

    Processors see by themselves what comes next within a page of memory, but not across pages.
    """

    name = "loop.prefetch"
    source = operand_def()
    index = prop_def(IndexAttr)
    dims = var_operand_def()

    @staticmethod
    def of(source: SSAValue, index: Sequence[ex.Expr], dims: Sequence[SSAValue] = ()) -> PrefetchOp:
        """Build it; ``index`` is the offset of the first element and their number."""
        return PrefetchOp(
            operands=[source, list(dims)], properties={"index": IndexAttr(tuple(index))}
        )

    def verify_(self) -> None:
        """Check the dimensions."""
        buffer_of(self.name, self.source)
        # prefetch_c1: offset and number are given, over the dimensions given.
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
        return PrefetchOp(operands=[source, parse_dims(parser)], properties={"index": index})

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f"[{', '.join(map(str, self.index.data))}]")
        print_dims(printer, self.dims)

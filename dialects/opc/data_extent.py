"""Extents that a function finds while it computes: ``opc.data_extent``.

How many elements are not zero, or how many boxes stay, is known when others have been computed.
Such an extent is a symbol as all others are, so that every operator takes tensors that have it; but
it has a value only behind the operation that defines it, and what needs it before that has its
bound: the sizes of buffers, and of outputs as their caller must allocate them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..bounds import Bounds, at_most
from ..effects import KEPT
from ..element import element_of
from ..shape import Buffer, DimsAttr, Tensor, shape_of, type_text
from .symbols import RequireOp


@irdl_op_definition
class DataExtentOp(IRDLOperation):
    """Defines a symbol by an i64 of rank 0 that was computed, which must be in 0 ... most.

    ::

        opc.data_extent %count most <N*3> -> "k0" : tensor<i64>

    The symbol is an extent of what stands behind it.  The call fails where the value is outside.

    Where nothing bounds the value, the bound is a capacity that the caller of the public function
    chooses (``opc.given_extents``), and is named, also where a body has another symbol for it::

        opc.data_extent %count most <s1> of "c0" -> "k0" : tensor<i64>
    """

    name = "opc.data_extent"
    value = operand_def()
    most = prop_def(DimsAttr)
    symbol = prop_def(StringAttr)
    capacity = opt_prop_def(StringAttr)
    traits = traits_def(KEPT)

    @staticmethod
    def of(
        value: SSAValue, most: ex.Expr, symbol: str, capacity: str | None = None
    ) -> DataExtentOp:
        """Build it; ``capacity`` is the one of the public function that the bound is."""
        return DataExtentOp(
            operands=[value],
            properties={
                "most": DimsAttr((most,)),
                "symbol": StringAttr(symbol),
                "capacity": None if capacity is None else StringAttr(capacity),
            },
        )

    @property
    def bound(self) -> ex.Expr:
        """The most that it can be, in symbols that are defined before."""
        return self.most.data[0]

    @property
    def defined(self) -> str:
        """The symbol."""
        return self.symbol.data

    def verify_(self) -> None:
        """Check the value, the bound and the symbol."""
        # data_extent_c1: there is one bound.
        if len(self.most.data) != 1:
            raise VerifyException(f"{self.name}: expected one bound, found {len(self.most.data)}")
        # data_extent_c2: the value is an i64 of rank 0.
        shaped = isinstance(self.value.type, TensorType | MemRefType)
        type = cast("Tensor | Buffer", self.value.type)
        if not shaped or element_of(type.element_type) is not el.I64 or shape_of(type):
            raise VerifyException(
                f"{self.name}: expected an i64 of rank 0, found {type_text(type)}"
            )
        # data_extent_c3: the symbol can be written in an extent.
        name = self.defined
        if not ex.SYMBOL.match(name) or ex.DIM.match(name) or name in ex.FUNCTIONS:
            raise VerifyException(f"{self.name}: {name!r} cannot be a symbol")

    @classmethod
    def parse(cls, parser: Parser) -> DataExtentOp:
        """Parse the form shown above."""
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("most")
        pos = parser.pos
        most = DimsAttr.parse_parameter(parser)
        if len(most) != 1:
            parser.raise_error(f"{cls.name}: expected one bound, found {len(most)}", pos)
        is_capacity = parser.parse_optional_keyword("of") is not None
        capacity = parser.parse_str_literal() if is_capacity else None
        parser.parse_punctuation("->")
        symbol = parser.parse_str_literal()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(operand, parser.parse_type())
        return cls.of(value, most[0], symbol, capacity)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" most ")
        self.most.print_parameter(printer)
        if self.capacity is not None:
            printer.print_string(" of ")
            printer.print_string_literal(self.capacity.data)
        printer.print_string(" -> ")
        printer.print_string_literal(self.defined)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)


def data_extents(block: Block) -> list[DataExtentOp]:
    """What defines the data-dependent symbols of a function, in order."""
    return [op for op in block.ops if isinstance(op, DataExtentOp)]


def data_bounds(found: Iterable[DataExtentOp]) -> Bounds:
    """The bound of each data-dependent symbol, in symbols that are not."""
    bounds: dict[str, ex.Expr] = {}
    for op in found:
        bounds[op.defined] = at_most(op.bound, bounds)
    return bounds


def is_data_dependent(op: RequireOp, from_data: Iterable[str]) -> bool:
    """Whether a requirement is about data-dependent symbols: it is checked where it stands then."""
    return not frozenset(from_data).isdisjoint(
        op.sides.data[0].symbols() | op.sides.data[1].symbols()
    )

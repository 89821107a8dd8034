"""Totals of a nest that are handed on from each point of an axis to the next: ``kernel.prefix``.

form-kernels says which dimension of the nest they go along, as if it were one of points, so that
what is computed of each total has the same form, and joins the nest; form-sweeps makes a sweep of
that dimension::

    %y = kernel.nest [4096, 1024] {
      %x0 = kernel.load %x[d0, d1] : f32
      %t = kernel.prefix sum(%x0) along d1 : f32
      kernel.store %t to 0[d0, d1]
    } : tensor<4096x1024xf32>

    %y = kernel.nest [4096] {
      kernel.sweep [1024] {
        %x0 = kernel.load %x[d0, d1] : f32
        %t = kernel.prefix sum(%x0) : f32
        kernel.store %t to 0[d0, d1]
        kernel.yield
      }
    } : tensor<4096x1024xf32>
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from .body import parse_value, scalar_type
from .kernel_nest import NestOp, SweepOp, scope
from .scalar import REDUCTIONS


@irdl_op_definition
class PrefixOp(IRDLOperation):
    """The total of the values at all points of an axis up to this one, in their order.

    It starts from the neutral number of the reduction.  An exclusive one is without the value of
    this point; under ``reverse`` the points come from the last to the first.
    """

    name = "kernel.prefix"
    value = operand_def()
    kind = prop_def(StringAttr)
    along = opt_prop_def(IntegerAttr)
    exclusive = opt_prop_def(UnitAttr)
    reverse = opt_prop_def(UnitAttr)
    result = result_def()
    # What is handed on is no operand: equal operations mean the same in one block only.
    traits = traits_def(MemoryReadEffect())
    KINDS: ClassVar[tuple[str, ...]] = ("sum", "prod")

    @staticmethod
    def of(
        value: SSAValue, kind: str, along: int | None, *, exclusive: bool, reverse: bool
    ) -> PrefixOp:
        """Build it."""
        return PrefixOp(
            operands=[value],
            properties={
                "kind": StringAttr(kind),
                "along": None if along is None else IntegerAttr(along, i64),
                "exclusive": UnitAttr() if exclusive else None,
                "reverse": UnitAttr() if reverse else None,
            },
            result_types=[value.type],
        )

    @property
    def dim(self) -> int:
        """The dimension that it goes along."""
        return len(scope(self)) - 1 if self.along is None else int(self.along.value.data)

    def like(self, value: SSAValue, along: int | None) -> PrefixOp:
        """The same of another value, along another dimension."""
        return PrefixOp.of(
            value,
            self.kind.data,
            along,
            exclusive=self.exclusive is not None,
            reverse=self.reverse is not None,
        )

    def verify_(self) -> None:
        """Check the type, the dimension and the direction."""
        # prefix_c1: its kind has such totals, and admits the type, which stays.
        row = REDUCTIONS.get(self.kind.data) if self.kind.data in self.KINDS else None
        if row is None or scalar_type(self.value) not in row.types:
            raise VerifyException(f"kernel.prefix: no {self.kind.data} of {self.value.type}")
        if self.result.type != self.value.type:
            raise VerifyException(f"kernel.prefix: {self.result.type} of {self.value.type}")
        around = self.parent_op()
        # prefix_c2: in a sweep it goes along that, which has one dimension; else along one that
        # the nest has.
        if isinstance(around, SweepOp):
            if self.along is not None or len(around.extents.data) != 1:
                raise VerifyException("kernel.prefix: expected along the only axis of its sweep")
        elif not isinstance(around, NestOp) or self.along is None:
            raise VerifyException("kernel.prefix: expected in a sweep, or along an axis of a nest")
        elif not 0 <= self.dim < len(around.extents.data) or around.sweeps:
            raise VerifyException(f"kernel.prefix: d{self.dim} is no axis of a nest without sweeps")
        # prefix_c3: all of one body go along the same dimension in the same direction.
        first = prefixes_of(around)[0]
        if (first.along, first.reverse) != (self.along, self.reverse):
            raise VerifyException("kernel.prefix: another one goes along another way")

    @classmethod
    def parse(cls, parser: Parser) -> PrefixOp:
        """Parse ``sum(%x) along d1 exclusive reverse : f32``."""
        kind = parser.parse_identifier(" of a reduction")
        with parser.in_parens():
            value = parse_value(parser)
        along = None
        if parser.parse_optional_keyword("along") is not None:
            name = parser.parse_identifier(" of a dimension")
            if name[:1] != "d" or not name[1:].isdecimal():
                parser.raise_error("kernel.prefix: expected a dimension, such as d1")
            along = int(name[1:])
        exclusive = parser.parse_optional_keyword("exclusive") is not None
        reverse = parser.parse_optional_keyword("reverse") is not None
        op = PrefixOp.of(value, kind, along, exclusive=exclusive, reverse=reverse)
        parser.parse_punctuation(":")
        if parser.parse_type() != value.type:
            parser.raise_error(f"kernel.prefix: expected {value.type}")
        return op

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.kind.data}(")
        printer.print_ssa_value(self.value)
        printer.print_string(")")
        if self.along is not None:
            printer.print_string(f" along d{self.dim}")
        printer.print_string(" exclusive" if self.exclusive is not None else "")
        printer.print_string(" reverse" if self.reverse is not None else "")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


def prefixes_of(around: Operation) -> list[PrefixOp]:
    """The prefixes right in a nest or a sweep."""
    ops = around.regions[0].block.ops if around.regions else ()
    return [op for op in ops if isinstance(op, PrefixOp)]

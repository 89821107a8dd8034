"""Operators about symbolic extents: what must hold, and extents that are read from data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..shape import DimsAttr, Requirement, parse_expr

RELATIONS = ("equal", "broadcast", "stretch", "divides")


@irdl_op_definition
class RequireOp(IRDLOperation):
    """A condition on symbolic extents, checked before the function computes anything.

    ``equal`` a == b; ``broadcast`` a == b, or one of them is 1; ``stretch`` a == b, or a is 1;
    ``divides`` a is a multiple of b::

        opc.require broadcast<N, M> "opc.add: extents do not broadcast"
    """

    name = "opc.require"
    relation = prop_def(StringAttr)
    sides = prop_def(DimsAttr)
    message = prop_def(StringAttr)

    @staticmethod
    def of(need: Requirement) -> RequireOp:
        """The operator that states a requirement."""
        return RequireOp(properties={
            "relation": StringAttr(need.relation),
            "sides": DimsAttr((need.left, need.right)),
            "message": StringAttr(need.what),
        })

    def verify_(self) -> None:
        """Check relation and sides."""
        # require_c1: the relation is known, and it has two sides.
        if self.relation.data not in RELATIONS or len(self.sides.data) != 2:
            raise VerifyException(f"opc.require: expected one of {', '.join(RELATIONS)} of two extents")

    @classmethod
    def parse(cls, parser: Parser) -> RequireOp:
        """Parse ``relation<a, b> "message"``."""
        relation = parser.parse_identifier(" of extents")
        sides = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, lambda: parse_expr(parser))
        return RequireOp(properties={
            "relation": StringAttr(relation),
            "sides": DimsAttr(tuple(sides)),
            "message": StringAttr(parser.parse_str_literal()),
        })

    def print(self, printer: Printer) -> None:
        """Print ``relation<a, b> "message"``."""
        printer.print_string(f" {self.relation.data}")
        self.sides.print_parameter(printer)
        printer.print_string(" ")
        printer.print_string_literal(self.message.data)


@irdl_op_definition
class SplitAxesOp(IRDLOperation):
    """Defines extents from axes that are only known at run time.

    For a tensor of the given ``extents`` and an integer tensor of axes, symbol ``outer[k]`` is 1
    where axis k is listed and its extent elsewhere; ``inner[k]`` is the extent where it is listed
    and 1 elsewhere; ``kept`` are the extents of the axes that are not listed, in order.  Reducing
    the run-time axes is then: split each axis k into (outer[k], inner[k]), reduce every inner
    one.  An axis that is outside or listed twice makes the function fail::

        opc.split_axes %axes of <N, 4> outer ["e0", "e1"] inner ["r0", "r1"] kept ["k0"] all
            : tensor<1xi64>

    ``all`` is there if an empty list means all axes.
    """

    name = "opc.split_axes"
    axes = operand_def()
    extents = prop_def(DimsAttr)
    outer = prop_def(ArrayAttr[StringAttr])
    inner = prop_def(ArrayAttr[StringAttr])
    kept = prop_def(ArrayAttr[StringAttr])
    empty_is_all = prop_def(IntegerAttr)
    LISTS: ClassVar[tuple[str, ...]] = ("outer", "inner", "kept")

    @staticmethod
    def of(axes: SSAValue, extents: DimsAttr, names: Sequence[Sequence[str]], empty_is_all: bool
           ) -> SplitAxesOp:
        """Build it; ``names`` are those of outer, inner and kept."""
        lists = [ArrayAttr([StringAttr(n) for n in part]) for part in names]
        return SplitAxesOp(operands=[axes], properties={
            "extents": extents,
            **dict(zip(SplitAxesOp.LISTS, lists, strict=True)),
            "empty_is_all": IntegerAttr(int(empty_is_all), i64),
        })

    def verify_(self) -> None:
        """Check the number of symbols."""
        rank = len(self.extents.data)
        # split_axes_c1: each axis has two symbols.
        if len(self.outer) != rank or len(self.inner) != rank or len(self.kept) > rank:
            raise VerifyException(f"opc.split_axes: expected {rank} outer and inner symbols")

    @classmethod
    def parse(cls, parser: Parser) -> SplitAxesOp:
        """Parse the form shown above."""
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("of")
        extents = DimsAttr(DimsAttr.parse_parameter(parser))
        lists: list[list[str]] = []
        for word in cls.LISTS:
            parser.parse_keyword(word)
            lists.append(parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_str_literal))
        all_axes = parser.parse_optional_keyword("all") is not None
        parser.parse_punctuation(":")
        axes = parser.resolve_operand(operand, parser.parse_type())
        return cls.of(axes, extents, lists, all_axes)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_ssa_value(self.axes)
        printer.print_string(" of ")
        self.extents.print_parameter(printer)
        for word in self.LISTS:
            names = ", ".join(f'"{n.data}"' for n in self.properties[word])  # pyright: ignore
            printer.print_string(f" {word} [{names}]")
        printer.print_string((" all" if self.empty_is_all.value.data else "") + " : ")
        printer.print_attribute(self.axes.type)

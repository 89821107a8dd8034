"""Versions of loops, of which an expression over extents chooses one when the function runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_index
from .comments import (
    Remarks,
    asks_of,
    check_remarks,
    parse_asks,
    parse_name,
    print_asks,
    print_name,
    remarks_of,
)
from .polynomial import Atom
from .schedule_nests import print_region, region_of
from .shape import IndexAttr


@irdl_op_definition
class IfOp(IRDLOperation):
    """Versions of loops, of which an expression over extents chooses one when the function runs."""

    name = "schedule.if"
    condition = prop_def(IndexAttr)
    names = opt_prop_def(Remarks)
    asks = opt_prop_def(Remarks)
    then = region_def("single_block")
    otherwise = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(
        condition: ex.Expr,
        then: Sequence[IRDLOperation],
        otherwise: Sequence[IRDLOperation],
        names: tuple[str, str] = ("", ""),
        asks: Mapping[Atom, str] | None = None,
    ) -> IfOp:
        """Build it: one version for where the condition is 1, and one for where it is 0.

        ``names`` are what they are for, and ``asks`` what each choice in the condition asks for.
        """
        return IfOp(
            properties={
                "condition": IndexAttr((condition,)),
                "names": remarks_of(names),
                "asks": asks_of(condition, asks or {}),
            },
            regions=[region_of(then), region_of(otherwise)],
        )

    @property
    def when(self) -> ex.Expr:
        """1 where the first version is taken, else 0."""
        return self.condition.data[0]

    def verify_(self) -> None:
        """Check the condition."""
        # schedule_if_c1: it is one expression over extents.
        if len(self.condition.data) != 1 or self.condition.data[0].dims():
            shown = ", ".join(map(str, self.condition.data))
            raise VerifyException(f"schedule.if: found <{shown}>, expected one over extents")
        check_remarks(self.name, self.when, self.names, self.asks)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse ``<condition> {...} else {...}``, with remarks."""
        condition = parse_index(parser, parser.Delimiter.ANGLE)
        asks, first, then = parse_asks(parser), parse_name(parser), parser.parse_region()
        parser.parse_keyword("else")
        names = remarks_of((first, parse_name(parser)))
        return IfOp(
            properties={"condition": condition, "names": names, "asks": asks},
            regions=[then, parser.parse_region()],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" <{', '.join(map(str, self.condition.data))}>")
        print_asks(printer, self.asks)
        print_name(printer, self.names, 0)
        print_region(printer, self.then)
        printer.print_string(" else")
        print_name(printer, self.names, 1)
        print_region(printer, self.otherwise)

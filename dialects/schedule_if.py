"""``schedule.if``: two versions of loops, chosen at run time."""

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
from .body import parse_index, print_region
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
from .schedule_nests import region_of
from .shape import IndexAttr


@irdl_op_definition
class IfOp(IRDLOperation):
    """Two versions of loops; an expression over extents chooses one at run time."""

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
        """The choice: ``then`` runs if the condition is 1, ``otherwise`` if it is 0.

        ``names`` say what each version is for, ``asks`` what each atom of the condition tests.
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
        """The condition: 1 chooses the first version, 0 the second."""
        return self.condition.data[0]

    def verify_(self) -> None:
        """Check the condition."""
        # schedule_if_c1: the condition is one expression over extents.
        if len(self.condition.data) != 1 or self.condition.data[0].dims():
            shown = ", ".join(map(str, self.condition.data))
            raise VerifyException(
                f"schedule.if: found <{shown}>, expected one expression over extents"
            )
        check_remarks(self.name, self.when, self.names, self.asks)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse ``<condition> {...} else {...}``, with remarks (``opc.dialects.comments``)."""
        condition = parse_index(parser, parser.Delimiter.ANGLE)
        asks, first, then = parse_asks(parser), parse_name(parser), parser.parse_region()
        parser.parse_keyword("else")
        names = remarks_of((first, parse_name(parser)))
        return IfOp(
            properties={"condition": condition, "names": names, "asks": asks},
            regions=[then, parser.parse_region()],
        )

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" <{', '.join(map(str, self.condition.data))}>")
        print_asks(printer, self.asks)
        print_name(printer, self.names, 0)
        print_region(printer, self.then)
        printer.print_string(" else")
        print_name(printer, self.names, 1)
        print_region(printer, self.otherwise)

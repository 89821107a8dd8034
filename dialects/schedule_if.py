"""``schedule.if``: two versions of loops, chosen at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .formats import Formatted
from .polynomial import Atom
from .remarks import Remarks, check_remarks, choice_of
from .schedule_nests import region_of
from .shape import IndexAttr


@irdl_op_definition
class IfOp(Formatted):
    """Two versions of loops; an expression over extents chooses one at run time.

    ``atleast(N, 33)`` is 1 if N is 33 or more, else 0.  A condition of 1 chooses the first version.
    A name says what a version is for.  ``asks`` says what each ``atleast`` tests; both become
    comments in C::

        schedule.if <-atleast(N, 33) + 1> "short rows side by side" {
          ...
        } else "longer rows" {
          ...
        }
    """

    name = "schedule.if"
    condition = prop_def(IndexAttr)
    names = opt_prop_def(Remarks)
    asks = opt_prop_def(Remarks)
    then = region_def("single_block")
    otherwise = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = "$condition custom<Choice>($asks, $names, $then, $otherwise)"

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
            properties=choice_of(condition, names, asks or {}),
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

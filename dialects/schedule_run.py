"""The stages of a nest that a schedule runs; see ``schedule``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_index
from .effects import READ_AND_WRITE
from .shape import IndexAttr


@irdl_op_definition
class RunOp(IRDLOperation):
    """A stage of the nest.

    Of a contraction, ``start`` makes the totals 0; ``init``, ``step`` and ``finish`` are a chain,
    which is added to the totals; ``apply`` computes what follows the sum as far as it reads nothing
    that the rows tell apart; ``out`` is what follows the sum otherwise, and the stores.

    Of other nests, ``sweep 1`` is the second sweep and what stands between it and the first one,
    and ``out`` is what stands behind the last sweep, or the whole body where there is none.  How
    the values of a sweep are taken, ``schedule.plan_sweeps`` explains, and the numbers that a way
    goes ``by``.  ``chunks <4>``: threads share chunks of 4 blocks of the order.
    """

    name = "schedule.run"
    stage = prop_def(StringAttr)
    sweep = opt_prop_def(IntegerAttr)
    taken = opt_prop_def(StringAttr)
    by = opt_prop_def(IndexAttr)
    chunks = opt_prop_def(IndexAttr)
    traits = traits_def(*READ_AND_WRITE)
    STAGES: ClassVar[tuple[str, ...]] = ("start", "init", "step", "finish", "apply", "sweep", "out")
    STRATEGIES: ClassVar[tuple[str, ...]] = (
        *("at_once", "padded", "groups", "pairs", "singles", "staged", "lanes"),
        *("apart", "each", "searched", "shared", "along", "chains"),
    )

    @staticmethod
    def of(
        stage: str,
        sweep: int | None = None,
        strategy: str | None = None,
        numbers: Sequence[int] = (),
        chunk: ex.Expr | None = None,
    ) -> RunOp:
        """Build it."""
        return RunOp(
            properties={
                "stage": StringAttr(stage),
                "sweep": None if sweep is None else IntegerAttr(sweep, i64),
                "taken": None if strategy is None else StringAttr(strategy),
                "by": IndexAttr(tuple(map(ex.const, numbers))) if numbers else None,
                "chunks": None if chunk is None else IndexAttr((chunk,)),
            }
        )

    @property
    def number(self) -> int:
        """Which sweep it is."""
        return 0 if self.sweep is None else int(self.sweep.value.data)

    @property
    def strategy(self) -> str | None:
        """How the values of a sweep are taken, if it reduces any."""
        return None if self.taken is None else self.taken.data

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of values that this goes by, if any."""
        return () if self.by is None else tuple(e.constant or 0 for e in self.by.data)

    @property
    def chunk(self) -> ex.Expr | None:
        """How many blocks of the order make a chunk, where threads share these."""
        return None if self.chunks is None else self.chunks.data[0]

    def verify_(self) -> None:
        """Check the stage."""
        # schedule_run_c1: the stage is known; a sweep has a number.
        if self.stage.data not in self.STAGES:
            raise VerifyException(f"schedule.run: there is no stage {self.stage.data}")
        if (self.stage.data == "sweep") != (self.sweep is not None):
            raise VerifyException("schedule.run: a sweep has a number, and nothing else has")
        # schedule_run_c2: sweeps are taken in a way that there is, in chunks of one size.
        if (self.strategy or self.by or self.chunks) and self.sweep is None:
            raise VerifyException(f"schedule.run: {self.stage.data} takes no values")
        if self.strategy is not None and self.strategy not in self.STRATEGIES:
            raise VerifyException(f"schedule.run: no strategy is {self.strategy}")
        # schedule_run_c3: a way goes by numbers of values, in ascending order.
        if self.by is not None and (
            not (self.strategy and self.numbers)
            or self.numbers[0] < 1
            or list(self.numbers) != sorted(set(self.numbers))
        ):
            shown = ", ".join(map(str, self.by.data))
            raise VerifyException(f"schedule.run: {self.strategy or 'nothing'} goes by {shown}")
        if self.chunks is not None and (len(self.chunks.data) != 1 or self.chunks.data[0].dims()):
            raise VerifyException("schedule.run: a chunk has one size, over extents")

    @classmethod
    def parse(cls, parser: Parser) -> RunOp:
        """Parse ``stage``, or ``sweep 1 staged by <16> chunks <4>``."""
        stage = parser.parse_identifier(" of a stage")
        if stage != "sweep":
            return RunOp.of(stage)
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        strategy = next(
            (w for w in cls.STRATEGIES if parser.parse_optional_keyword(w) is not None), None
        )
        found = RunOp.of(stage, number, strategy)
        for name in ("by", "chunks"):
            if parser.parse_optional_keyword(name) is not None:
                found.properties[name] = parse_index(parser, parser.Delimiter.ANGLE)
        return found

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.stage.data}")
        if self.sweep is not None:
            printer.print_string(f" {self.number}")
        if self.strategy is not None:
            printer.print_string(f" {self.strategy}")
        for name, found in (("by", self.by), ("chunks", self.chunks)):
            if found is not None:
                printer.print_string(f" {name} <{', '.join(map(str, found.data))}>")

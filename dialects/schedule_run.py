"""``schedule.run``: a stage of the nest, such as a step of the contraction or of a sweep."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .effects import READ_AND_WRITE
from .formats import Formatted


@irdl_op_definition
class RunOp(Formatted):
    """Runs a stage of the nest.

    Stages of a contraction:

    - ``start`` sets the totals to 0; behind a loop over all blocks, it adds their sums up in order
    - ``init``, ``step`` and ``finish`` are one block of the sum: set the accumulators to 0, add a
      product, add the accumulators to the totals, or keep them if ``start`` follows
    - ``apply`` computes the part of the epilogue that does not depend on the row; where it does so
      beyond the last column, whole tiles leave that to ``out``
    - ``out`` computes the rest of the epilogue and stores

    Stages of other nests; ``init 1`` is that of the second sweep:

    - ``init 1`` computes the operations between the first sweep and the second one, and sets the
      accumulators to their neutral values
    - ``value 1`` computes a value of the sweep and writes it to an array
    - ``step 1`` reduces a value: one that ``value 1`` has written, or one that it computes
    - ``locate 1`` finds the position of the best value
    - ``finish 1`` combines the lanes
    - ``out`` is everything after the last sweep, or the whole body of a nest without sweeps
    """

    name = "schedule.run"
    stage = prop_def(StringAttr)
    sweep = opt_prop_def(IntegerAttr)
    traits = traits_def(*READ_AND_WRITE)
    OF_SWEEPS: ClassVar[tuple[str, ...]] = ("init", "value", "step", "locate", "finish")
    STAGES: ClassVar[tuple[str, ...]] = ("start", *OF_SWEEPS, "apply", "out")
    FORMAT: ClassVar[str] = "custom<Word>($stage) ($sweep^)?"

    @staticmethod
    def of(stage: str, sweep: int | None = None) -> RunOp:
        """The operation for a stage, and the number of its sweep."""
        return RunOp.new(stage=stage, sweep=sweep)

    @property
    def number(self) -> int:
        """The number of the sweep."""
        return 0 if self.sweep is None else int(self.sweep.value.data)

    @property
    def text(self) -> str:
        """The stage with its number: ``step 1``."""
        return self.stage.data if self.sweep is None else f"{self.stage.data} {self.number}"

    def verify_(self) -> None:
        """Check the stage."""
        # schedule_run_c1: the stage is known; only one of a sweep has a number.
        if self.stage.data not in self.STAGES:
            raise VerifyException(
                f"schedule.run: found stage {self.stage.data}, expected one of "
                f"{', '.join(self.STAGES)}"
            )
        if self.sweep is not None and self.stage.data not in self.OF_SWEEPS:
            raise VerifyException(f"schedule.run: found {self.text}, expected no number")

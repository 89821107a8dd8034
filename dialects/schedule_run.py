"""``schedule.run``: a stage of the nest, such as a step of the contraction or a sweep."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .effects import READ_AND_WRITE
from .formats import Formatted
from .shape import IndexAttr

_WORD = re.compile(r"[A-Za-z_]\w*(?![\w.$])")
"""A word that is no name of an operation, which has a dot."""


@irdl_op_definition
class RunOp(Formatted):
    """Runs a stage of the nest.

    Stages of a contraction:

    - ``start`` sets the totals to 0
    - ``init``, ``step`` and ``finish`` are one block of the sum: set the accumulators to 0, add a
      product, add the accumulators to the totals
    - ``apply`` computes the part of the epilogue that does not depend on the row
    - ``out`` computes the rest of the epilogue and stores

    Stages of other nests:

    - ``sweep 1`` is the second sweep with the operations between the first one and it
    - ``out`` is everything after the last sweep, or the whole body of a nest without sweeps

    A sweep that reduces has a strategy (``schedule.sweep_strategies``), with numbers behind ``by``.
    ``chunks <4>`` lets threads share chunks of 4 blocks of the order.
    """

    name = "schedule.run"
    stage = prop_def(StringAttr)
    sweep = opt_prop_def(IntegerAttr)
    taken = opt_prop_def(StringAttr)
    by = opt_prop_def(IndexAttr)
    chunks = opt_prop_def(IndexAttr)
    traits = traits_def(*READ_AND_WRITE)
    STAGES: ClassVar[tuple[str, ...]] = ("start", "init", "step", "finish", "apply", "sweep", "out")
    WORDS: ClassVar[tuple[str, ...]] = (
        *("at_once", "padded", "groups", "pairs", "singles", "staged", "vector"),
        *("apart", "each", "searched", "shared", "along", "interleaved"),
    )
    FORMAT: ClassVar[str] = (
        "custom<Word>($stage) ($sweep^ custom<OneOf>($taken))? (`by` $by^)? (`chunks` $chunks^)?"
    )

    @classmethod
    def parse(cls, parser: Parser) -> RunOp:
        """Parse the declared text; another word behind the number of a sweep is an error."""
        text, start = parser.lexer.input.content, parser.pos
        op = super().parse(parser)
        word = _WORD.match(text, parser.pos)
        is_behind = "\n" not in text[start : parser.pos]
        if word is not None and is_behind and op.sweep is not None and op.strategy is None:
            parser.raise_error(
                f"schedule.run: found strategy {word[0]}, expected one of {', '.join(cls.WORDS)}",
                *word.span(),
            )
        return op

    @staticmethod
    def of(
        stage: str,
        sweep: int | None = None,
        strategy: str | None = None,
        numbers: Sequence[int] = (),
        chunk: ex.Expr | None = None,
    ) -> RunOp:
        """The operation; ``numbers`` go with the strategy of a sweep."""
        by = tuple(map(ex.const, numbers)) or None
        return RunOp.new(stage=stage, sweep=sweep, taken=strategy, by=by, chunks=chunk)

    @property
    def number(self) -> int:
        """The number of the sweep."""
        return 0 if self.sweep is None else int(self.sweep.value.data)

    @property
    def strategy(self) -> str | None:
        """The strategy of a sweep that reduces."""
        return None if self.taken is None else self.taken.data

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the strategy."""
        return () if self.by is None else tuple(e.constant or 0 for e in self.by.data)

    @property
    def chunk(self) -> ex.Expr | None:
        """Blocks of the order in a chunk, if threads share chunks."""
        return None if self.chunks is None else self.chunks.data[0]

    def verify_(self) -> None:
        """Check the stage."""
        # schedule_run_c1: the stage is known; a sweep has a number.
        if self.stage.data not in self.STAGES:
            raise VerifyException(f"schedule.run: there is no stage {self.stage.data}")
        if (self.stage.data == "sweep") != (self.sweep is not None):
            raise VerifyException("schedule.run: a sweep has a number, and nothing else has")
        # schedule_run_c2: only sweeps have a strategy, numbers and chunks; the strategy is known.
        if (self.strategy or self.by or self.chunks) and self.sweep is None:
            raise VerifyException(f"schedule.run: {self.stage.data} takes no values")
        if self.strategy is not None and self.strategy not in self.WORDS:
            raise VerifyException(
                f"schedule.run: found strategy {self.strategy}, expected one of "
                f"{', '.join(self.WORDS)}"
            )
        # schedule_run_c3: the numbers of a strategy are positive and ascend; a chunk has one size.
        if self.by is not None and (
            not (self.strategy and self.numbers)
            or self.numbers[0] < 1
            or list(self.numbers) != sorted(set(self.numbers))
        ):
            shown = ", ".join(map(str, self.by.data))
            raise VerifyException(
                f"schedule.run: found {self.strategy or 'no strategy'} by {shown}, expected a "
                "strategy by ascending numbers"
            )
        if self.chunks is not None and (len(self.chunks.data) != 1 or self.chunks.data[0].dims()):
            raise VerifyException("schedule.run: a chunk has one size, over extents")

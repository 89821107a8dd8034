"""The ``schedule`` dialect: which loops compute a nest, as a tree that is the resulting nest.

A tree stands at the end of a nest's body.  Axes are written as the dimensions of the nest and its
sweep that they run over; several in brackets are coalesced.  A matrix product with a bias::

    schedule.tree {
      schedule.pack left by 14                     // rows in panels of 14, k after k
      schedule.pack right by 32                    // columns in panels of 32
      schedule.for [d0] by 168 parallel {
        schedule.for [d1] by 32 serial {
          schedule.for [d0] by 14 serial {
            schedule.run init                      // 14 x 32 sums in registers are 0
            schedule.for [d2] by 1 serial {
              schedule.for [d0] by 1 unroll {
                schedule.for [d1] by 16 vector {
                  schedule.run step                // one fused multiply-add
                }}}
            schedule.run finish
            schedule.for [d0] by 1 serial {
              schedule.for [d1] by 1 vector {
                schedule.run out                   // what follows the sum, and the stores
              }}}}}}

What a schedule may say is checked where it meets the nest (``schedule.legality``); here it is only
well formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Block, Dialect, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import parse_index
from .shape import IndexAttr

Axis: TypeAlias = "tuple[int, ...]"
"""Neighbouring dimensions that are one axis, outermost first."""


@irdl_op_definition
class TreeOp(IRDLOperation):
    """The schedule of the nest that it stands in."""

    name = "schedule.tree"
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    @staticmethod
    def of(block: Block) -> TreeOp:
        """Build it around a block of schedule operations."""
        return TreeOp(regions=[Region(block)])

    @classmethod
    def parse(cls, parser: Parser) -> TreeOp:
        """Parse ``{...}``."""
        return TreeOp(regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class ForOp(IRDLOperation):
    """Runs over what the loops around leave of an axis, in blocks of ``by`` values.

    ``kind``: serial, parallel (threads may share it), unroll (all rounds are written out), vector
    (``by`` values lie in a vector register).
    """

    name = "schedule.for"
    axis_dims = prop_def(IndexAttr)
    by = prop_def(IntegerAttr)
    kind = prop_def(StringAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())
    KINDS: ClassVar[tuple[str, ...]] = ("serial", "parallel", "unroll", "vector")

    @staticmethod
    def of(axis: Axis, by: int, kind: str, ops: Sequence[IRDLOperation]) -> ForOp:
        """Build it around operations."""
        return ForOp(
            properties={
                "axis_dims": IndexAttr(tuple(ex.dim(d) for d in axis)),
                "by": IntegerAttr(by, i64),
                "kind": StringAttr(kind),
            },
            regions=[Region(Block(list(ops)))],
        )

    @property
    def axis(self) -> Axis:
        """The dimensions that it runs over."""
        return tuple(d for e in self.axis_dims.data if (d := e.dim()) is not None)

    @property
    def step(self) -> int:
        """Values in a block."""
        return int(self.by.value.data)

    def verify_(self) -> None:
        """Check axis, block and kind."""
        # schedule_for_c1: an axis is one or more neighbouring dimensions, outermost first.
        axis = self.axis
        if not axis or len(axis) != len(self.axis_dims.data):
            raise VerifyException("schedule.for: an axis is a list of dimensions")
        if axis != tuple(range(axis[0], axis[0] + len(axis))):
            raise VerifyException(f"schedule.for: dimensions {axis} are not neighbours, in order")
        # schedule_for_c2: the block has values, and the kind is known.
        if self.step < 1 or self.kind.data not in self.KINDS:
            raise VerifyException(f"schedule.for: by {self.step}, kind {self.kind.data}")

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        """Parse ``[d0, d1] by 4 kind {...}``."""
        axis = parse_index(parser, parser.Delimiter.SQUARE)
        parser.parse_keyword("by")
        by = parser.parse_integer(allow_boolean=False, allow_negative=False)
        kind = parser.parse_identifier(" of a loop")
        return ForOp(
            properties={
                "axis_dims": axis,
                "by": IntegerAttr(by, i64),
                "kind": StringAttr(kind),
            },
            regions=[parser.parse_region()],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        dims = ", ".join(map(str, self.axis_dims.data))
        printer.print_string(f" [{dims}] by {self.step} {self.kind.data} ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class PackOp(IRDLOperation):
    """Lays an operand of a contraction out in panels of ``by`` values of its own axis.

    ``left`` is the operand with the rows, ``right`` that with the columns.
    """

    name = "schedule.pack"
    operand = prop_def(StringAttr)
    by = prop_def(IntegerAttr)
    OPERANDS: ClassVar[tuple[str, ...]] = ("left", "right")

    @staticmethod
    def of(operand: str, by: int) -> PackOp:
        """Build it."""
        return PackOp(properties={"operand": StringAttr(operand), "by": IntegerAttr(by, i64)})

    @property
    def step(self) -> int:
        """Values of a panel."""
        return int(self.by.value.data)

    def verify_(self) -> None:
        """Check the operand and the panel."""
        # schedule_pack_c1: the operand is known, and a panel has values.
        if self.operand.data not in self.OPERANDS or self.step < 1:
            raise VerifyException(f"schedule.pack: {self.operand.data} by {self.step}")

    @classmethod
    def parse(cls, parser: Parser) -> PackOp:
        """Parse ``left by 14``."""
        operand = parser.parse_identifier(" of an operand")
        parser.parse_keyword("by")
        return PackOp.of(operand, parser.parse_integer(allow_boolean=False, allow_negative=False))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.operand.data} by {self.step}")


@irdl_op_definition
class PadOp(IRDLOperation):
    """Lays an operand of a contraction out with the padding around it, to be read where it lies.

    The axis that a tile reads in order is innermost: of the left operand the last contracted one,
    of the right operand that of the columns.
    """

    name = "schedule.pad"
    operand = prop_def(StringAttr)

    @staticmethod
    def of(operand: str) -> PadOp:
        """Build it."""
        return PadOp(properties={"operand": StringAttr(operand)})

    def verify_(self) -> None:
        """Check the operand."""
        # schedule_pad_c1: the operand is known.
        if self.operand.data not in PackOp.OPERANDS:
            raise VerifyException(f"schedule.pad: there is no operand {self.operand.data}")

    @classmethod
    def parse(cls, parser: Parser) -> PadOp:
        """Parse ``left``."""
        return PadOp.of(parser.parse_identifier(" of an operand"))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.operand.data}")


@irdl_op_definition
class RunOp(IRDLOperation):
    """A stage of the nest.

    ``start`` makes the totals 0; ``init``, ``step`` and ``finish`` are a chain, which is added to
    the totals; ``out`` is what follows the sum, and the stores.
    """

    name = "schedule.run"
    stage = prop_def(StringAttr)
    STAGES: ClassVar[tuple[str, ...]] = ("start", "init", "step", "finish", "out")

    @staticmethod
    def of(stage: str) -> RunOp:
        """Build it."""
        return RunOp(properties={"stage": StringAttr(stage)})

    def verify_(self) -> None:
        """Check the stage."""
        # schedule_run_c1: the stage is known.
        if self.stage.data not in self.STAGES:
            raise VerifyException(f"schedule.run: there is no stage {self.stage.data}")

    @classmethod
    def parse(cls, parser: Parser) -> RunOp:
        """Parse ``stage``."""
        return RunOp.of(parser.parse_identifier(" of a stage"))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.stage.data}")


Schedule = Dialect("schedule", [TreeOp, ForOp, PackOp, PadOp, RunOp])

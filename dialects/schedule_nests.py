"""What a schedule says of nests that are no contractions; see ``schedule``.

A reduction along short rows of unknown length, and a transpose with what follows it::

    schedule.tree {
      schedule.if <1 - atleast(N, 33)> {           // rows of up to 32 values
        schedule.for [d0] by 64 parallel {
          schedule.pack_rows                       // 64 rows side by side in vectors
          schedule.run sweep 0
          schedule.run out
        }
      } else {
        schedule.for [d0] by 1 parallel {          // row by row
          schedule.run sweep 0
          schedule.run out
        }
      }
    }

    schedule.tree {
      schedule.for [d0] by 32 parallel {
        schedule.for [d1] by 144 serial {
          schedule.transpose loads [0] {           // blocks of 32 by 144 are transposed
            schedule.for [d0] by 1 serial {
              schedule.for [d1] by 1 vector {
                schedule.run out
              }}}}}}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Region
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
from .effects import READ_AND_WRITE
from .shape import IndexAttr

Axis: TypeAlias = "tuple[int, ...]"
"""Neighbouring dimensions that are one axis, outermost first."""


def axis_attr(axis: Axis) -> IndexAttr:
    """The attribute for an axis."""
    return IndexAttr(tuple(ex.dim(d) for d in axis))


def axis_of(dims: IndexAttr) -> Axis:
    """The axis that an attribute is for."""
    return tuple(d for e in dims.data if (d := e.dim()) is not None)


def axis_text(axis: Axis) -> str:
    """``[d0, d1]``."""
    return f"[{', '.join(f'd{d}' for d in axis)}]"


def check_axis(name: str, dims: IndexAttr) -> None:
    """Raise VerifyException unless dimensions are one axis."""
    axis = axis_of(dims)
    if not axis or len(axis) != len(dims.data):
        raise VerifyException(f"{name}: an axis is a list of dimensions")
    if list(axis) != sorted(set(axis)):
        raise VerifyException(f"{name}: dimensions {axis} are not in order")


def region_of(ops: Sequence[IRDLOperation]) -> Region:
    """A region of one block with some operations."""
    return Region(Block(list(ops)))


def print_region(printer: Printer, region: Region) -> None:
    """Print a region behind what it belongs to."""
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False, print_empty_block=False)


def _numbers(numbers: Sequence[int]) -> IndexAttr:
    return IndexAttr(tuple(map(ex.const, numbers)))


def _parse_numbers(parser: Parser, of: str) -> IndexAttr:
    """Parse ``loads [0, 2]``."""
    parser.parse_keyword(of)
    square = parser.Delimiter.SQUARE
    return _numbers(parser.parse_comma_separated_list(square, parser.parse_integer))


def _check_numbers(name: str, of: str, numbers: Sequence[int]) -> None:
    if not numbers or len(set(numbers)) != len(numbers):
        raise VerifyException(f"{name}: {of} {list(numbers)}")


@irdl_op_definition
class CoalesceOp(IRDLOperation):
    """Runs over several axes in one loop, for vectors: all values of the last one for each of those
    before it.

    What does not lie in memory as the points follow one another is laid out in an array first.  The
    first axis may go in blocks.  ``by 16``: it is laid out in vectors of 16 values, of which the
    last one of a row goes beyond it, until the next row overwrites that.
    """

    name = "schedule.coalesce"
    over = prop_def(IndexAttr)
    starts = prop_def(IndexAttr)
    by = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(axes: Sequence[Axis], ops: Sequence[IRDLOperation], by: int = 1) -> CoalesceOp:
        """Build it around operations."""
        starts = [sum(map(len, axes[:k])) for k in range(len(axes))]
        return CoalesceOp(
            properties={
                "over": axis_attr(tuple(d for axis in axes for d in axis)),
                "starts": IndexAttr(tuple(map(ex.const, starts))),
                "by": None if by == 1 else IntegerAttr(by, i64),
            },
            regions=[region_of(ops)],
        )

    @property
    def axes(self) -> list[Axis]:
        """The axes, outermost first."""
        dims, starts = axis_of(self.over), [e.constant or 0 for e in self.starts.data]
        return [dims[a:b] for a, b in zip(starts, [*starts[1:], len(dims)], strict=True)]

    @property
    def lanes(self) -> int:
        """Values of the vectors in which rows are laid out."""
        return 1 if self.by is None else int(self.by.value.data)

    def verify_(self) -> None:
        """Check the axes."""
        # schedule_coalesce_c1: it has two axes or more.
        if len(self.axes) < 2 or len(set(axis_of(self.over))) != len(self.over.data):
            shown = ", ".join(map(axis_text, self.axes))
            raise VerifyException(f"schedule.coalesce: found {shown}, expected several axes")
        for axis in self.axes:
            check_axis(self.name, axis_attr(axis))
        # schedule_coalesce_c2: vectors have values.
        if self.lanes < 1:
            raise VerifyException(f"schedule.coalesce: vectors of {self.lanes} values")

    @classmethod
    def parse(cls, parser: Parser) -> CoalesceOp:
        """Parse ``[d0], [d1, d2] {...}``, or ``[d0], [d1] by 16 {...}``."""
        square = parser.Delimiter.SQUARE
        axes = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: axis_of(parse_index(parser, square))
        )
        by = 1
        if parser.parse_optional_keyword("by") is not None:
            by = parser.parse_integer(allow_boolean=False, allow_negative=False)
        found = CoalesceOp.of(axes, [], by)
        return CoalesceOp(properties=dict(found.properties), regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        by = "" if self.lanes == 1 else f" by {self.lanes}"
        printer.print_string(f" {', '.join(map(axis_text, self.axes))}{by}")
        print_region(printer, self.body)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Turns what the loads of these numbers read around, on its way through a tile in the first
    cache, before the loops in it run.

    The block is that of the loops around.
    """

    name = "schedule.transpose"
    numbers = prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(numbers: Sequence[int], ops: Sequence[IRDLOperation]) -> TransposeOp:
        """Build it around operations."""
        return TransposeOp(properties={"numbers": _numbers(numbers)}, regions=[region_of(ops)])

    @property
    def loads(self) -> list[int]:
        """Which loads of the nest are transposed."""
        return [e.constant or 0 for e in self.numbers.data]

    def verify_(self) -> None:
        """Check what is transposed."""
        # schedule_transpose_c1: loads are named by different numbers.
        _check_numbers(self.name, "loads", self.loads)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """Parse ``loads [0, 1] {...}``."""
        numbers = _parse_numbers(parser, "loads")
        return TransposeOp(properties={"numbers": numbers}, regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" loads {self.loads}")
        print_region(printer, self.body)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Prefetches what a load reads in the next block along an axis, while one is computed."""

    name = "schedule.prefetch"
    load = prop_def(IntegerAttr)
    axis_dims = prop_def(IndexAttr)
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(load: int, axis: Axis) -> PrefetchOp:
        """Build it."""
        return PrefetchOp(properties={"load": IntegerAttr(load, i64), "axis_dims": axis_attr(axis)})

    @property
    def number(self) -> int:
        """Which load of the nest it is."""
        return int(self.load.value.data)

    @property
    def axis(self) -> Axis:
        """Along which the next block lies."""
        return axis_of(self.axis_dims)

    def verify_(self) -> None:
        """Check the axis."""
        # schedule_prefetch_c1: the next block lies along an axis.
        check_axis(self.name, self.axis_dims)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        """Parse ``0 along [d1]``."""
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_keyword("along")
        return PrefetchOp.of(number, axis_of(parse_index(parser, parser.Delimiter.SQUARE)))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.number} along {axis_text(self.axis)}")


@irdl_op_definition
class NonTemporalOp(IRDLOperation):
    """Some stores in it are non-temporal: of a loop for vectors over whole cache lines.

    What the loop computes goes to an array in the first cache, and from there past the caches.
    """

    name = "schedule.non_temporal"
    numbers = prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(numbers: Sequence[int], ops: Sequence[IRDLOperation]) -> NonTemporalOp:
        """Build it around operations."""
        return NonTemporalOp(properties={"numbers": _numbers(numbers)}, regions=[region_of(ops)])

    @property
    def stores(self) -> list[int]:
        """Which stores of the nest are non-temporal."""
        return [e.constant or 0 for e in self.numbers.data]

    def verify_(self) -> None:
        """Check the stores."""
        # schedule_stream_c1: stores are named by different numbers.
        _check_numbers(self.name, "stores", self.stores)

    @classmethod
    def parse(cls, parser: Parser) -> NonTemporalOp:
        """Parse ``stores [0] {...}``."""
        numbers = _parse_numbers(parser, "stores")
        return NonTemporalOp(properties={"numbers": numbers}, regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" stores {self.stores}")
        print_region(printer, self.body)


@irdl_op_definition
class PackRowsOp(IRDLOperation):
    """The short rows that sweeps go along are transposed for the points of a block: those lie
    side by side in vectors then, and so does what sweeps keep.
    """

    name = "schedule.pack_rows"
    traits = traits_def(*READ_AND_WRITE)

    @classmethod
    def parse(cls, parser: Parser) -> PackRowsOp:
        """Parse nothing."""
        return PackRowsOp()

    def print(self, printer: Printer) -> None:
        """Print nothing."""


@irdl_op_definition
class PipelineOp(IRDLOperation):
    """A software pipeline over the points of a block along an axis.

    A sweep of the first part, which computes functions of the next point, goes on in turns of so
    many values with the sweep of the second part, which finishes a point.
    """

    name = "schedule.pipeline"
    axis_dims = prop_def(IndexAttr)
    turn = prop_def(IntegerAttr)
    by = prop_def(IntegerAttr)
    first = region_def("single_block")
    second = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(
        axis: Axis,
        turn: int,
        by: int,
        first: Sequence[IRDLOperation],
        second: Sequence[IRDLOperation],
    ) -> PipelineOp:
        """Build it around both parts."""
        return PipelineOp(
            properties={
                "axis_dims": axis_attr(axis),
                "turn": IntegerAttr(turn, i64),
                "by": IntegerAttr(by, i64),
            },
            regions=[region_of(first), region_of(second)],
        )

    @property
    def number(self) -> int:
        """Which sweep goes on in turns with the last one."""
        return int(self.turn.value.data)

    @property
    def turns(self) -> int:
        """How many values go in turns."""
        return int(self.by.value.data)

    @property
    def axis(self) -> Axis:
        """The dimensions that it runs over."""
        return axis_of(self.axis_dims)

    def verify_(self) -> None:
        """Check the axis and the turns."""
        # schedule_pipeline_c1: it goes along an axis, in turns of some values.
        check_axis(self.name, self.axis_dims)
        if self.turns < 1:
            raise VerifyException(f"schedule.pipeline: turns of {self.turns} values")

    @classmethod
    def parse(cls, parser: Parser) -> PipelineOp:
        """Parse ``[d0] sweep 1 by 64 {...} beside {...}``."""
        axis = axis_of(parse_index(parser, parser.Delimiter.SQUARE))
        parser.parse_keyword("sweep")
        turn = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_keyword("by")
        by = parser.parse_integer(allow_boolean=False, allow_negative=False)
        found = PipelineOp.of(axis, turn, by, [], [])
        first = parser.parse_region()
        parser.parse_keyword("beside")
        regions = [first, parser.parse_region()]
        return PipelineOp(properties=dict(found.properties), regions=regions)

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {axis_text(self.axis)} sweep {self.number} by {self.turns}")
        print_region(printer, self.first)
        printer.print_string(" beside")
        print_region(printer, self.second)

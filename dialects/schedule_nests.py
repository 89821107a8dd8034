"""Operations of the ``schedule`` dialect for nests other than contractions.

A reduction along rows of unknown length, and a transpose fused with its user::

    schedule.tree {
      schedule.if <1 - atleast(N, 33)> {           // rows of up to 32 values
        schedule.for [d0] by 64 parallel {
          schedule.pack_rows                       // 64 rows, one in each lane of the vectors
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
          schedule.transpose loads [0] {           // copies blocks of 32 by 144, transposed
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
from .body import parse_index, print_region
from .effects import READ_AND_WRITE
from .shape import IndexAttr

Axis: TypeAlias = "tuple[int, ...]"
"""Neighbouring dimensions that form one axis, outermost first."""


def axis_attr(axis: Axis) -> IndexAttr:
    """The attribute for an axis."""
    return IndexAttr(tuple(ex.dim(d) for d in axis))


def axis_of(dims: IndexAttr) -> Axis:
    """The axis that an attribute holds."""
    return tuple(d for e in dims.data if (d := e.dim()) is not None)


def axis_text(axis: Axis) -> str:
    """``[d0, d1]``."""
    return f"[{', '.join(f'd{d}' for d in axis)}]"


def check_axis(name: str, dims: IndexAttr) -> None:
    """VerifyException unless the expressions are dimensions in ascending order."""
    axis = axis_of(dims)
    if not axis or len(axis) != len(dims.data):
        raise VerifyException(f"{name}: an axis is a list of dimensions")
    if list(axis) != sorted(set(axis)):
        raise VerifyException(f"{name}: dimensions {axis} are not in order")


def region_of(ops: Sequence[IRDLOperation]) -> Region:
    """A region with one block of operations."""
    return Region(Block(list(ops)))


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
    """Runs over several short axes, outermost first, as one vector loop.

    Loads that are not contiguous in the order of the points are copied to an array first.  The
    first axis may be blocked by loops around.  ``by 16`` copies rows in vectors of 16 values; the
    last vector exceeds its row, and the next row overwrites the excess.
    """

    name = "schedule.coalesce"
    over = prop_def(IndexAttr)
    starts = prop_def(IndexAttr)
    by = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(axes: Sequence[Axis], ops: Sequence[IRDLOperation], by: int = 1) -> CoalesceOp:
        """The loop around operations."""
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
        """Values of the vectors in which rows are copied."""
        return 1 if self.by is None else int(self.by.value.data)

    def verify_(self) -> None:
        """Check the axes."""
        # schedule_coalesce_c1: there are two axes or more.
        if len(self.axes) < 2 or len(set(axis_of(self.over))) != len(self.over.data):
            shown = ", ".join(map(axis_text, self.axes))
            raise VerifyException(f"schedule.coalesce: found {shown}, expected several axes")
        for axis in self.axes:
            check_axis(self.name, axis_attr(axis))
        # schedule_coalesce_c2: vectors are not empty.
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
        op = CoalesceOp.of(axes, [], by)
        return CoalesceOp(properties=dict(op.properties), regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        by = "" if self.lanes == 1 else f" by {self.lanes}"
        printer.print_string(f" {', '.join(map(axis_text, self.axes))}{by}")
        print_region(printer, self.body)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Copies the blocks that some loads read, transposed, to arrays before its loops run.

    ``loads`` are numbers of loads in the nest.  The loops around make the blocks, which fit in the
    first-level cache.
    """

    name = "schedule.transpose"
    numbers = prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(numbers: Sequence[int], ops: Sequence[IRDLOperation]) -> TransposeOp:
        """The operation around loops."""
        return TransposeOp(properties={"numbers": _numbers(numbers)}, regions=[region_of(ops)])

    @property
    def loads(self) -> list[int]:
        """Which loads of the nest are transposed."""
        return [e.constant or 0 for e in self.numbers.data]

    def verify_(self) -> None:
        """Check the numbers."""
        # schedule_transpose_c1: loads are different numbers.
        _check_numbers(self.name, "loads", self.loads)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        """Parse ``loads [0, 1] {...}``."""
        numbers = _parse_numbers(parser, "loads")
        return TransposeOp(properties={"numbers": numbers}, regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" loads {self.loads}")
        print_region(printer, self.body)


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Prefetches the next block that a load reads along an axis while one is computed."""

    name = "schedule.prefetch"
    load = prop_def(IntegerAttr)
    axis_dims = prop_def(IndexAttr)
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(load: int, axis: Axis) -> PrefetchOp:
        """The operation for a load of the nest, by number."""
        return PrefetchOp(properties={"load": IntegerAttr(load, i64), "axis_dims": axis_attr(axis)})

    @property
    def number(self) -> int:
        """The number of the load in the nest."""
        return int(self.load.value.data)

    @property
    def axis(self) -> Axis:
        """The axis along which the next block lies."""
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
        """Print the parsed form."""
        printer.print_string(f" {self.number} along {axis_text(self.axis)}")


@irdl_op_definition
class NonTemporalOp(IRDLOperation):
    """Makes some stores of its vector loop non-temporal.

    ``stores`` are numbers of stores in the nest.  The loop writes to an array in the first-level
    cache, from which whole cache lines are stored to memory.
    """

    name = "schedule.non_temporal"
    numbers = prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(numbers: Sequence[int], ops: Sequence[IRDLOperation]) -> NonTemporalOp:
        """The operation around a loop."""
        return NonTemporalOp(properties={"numbers": _numbers(numbers)}, regions=[region_of(ops)])

    @property
    def stores(self) -> list[int]:
        """Which stores of the nest are non-temporal."""
        return [e.constant or 0 for e in self.numbers.data]

    def verify_(self) -> None:
        """Check the stores."""
        # schedule_stream_c1: stores are different numbers.
        _check_numbers(self.name, "stores", self.stores)

    @classmethod
    def parse(cls, parser: Parser) -> NonTemporalOp:
        """Parse ``stores [0] {...}``."""
        numbers = _parse_numbers(parser, "stores")
        return NonTemporalOp(properties={"numbers": numbers}, regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" stores {self.stores}")
        print_region(printer, self.body)


@irdl_op_definition
class PackRowsOp(IRDLOperation):
    """Transposes the short rows of a block of points, so that each point has a lane of the vectors.

    The values that sweeps keep have the same layout.
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

    The second region finishes point i while a sweep of the first region computes expensive
    functions of point i + 1.  ``sweep 1 by 64`` interleaves sweep 1 with the last one: they take
    turns of 64 values.
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
        """The pipeline of two regions; ``turn`` is the number of the interleaved sweep."""
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
        """The number of the sweep that is interleaved with the last one."""
        return int(self.turn.value.data)

    @property
    def turns(self) -> int:
        """Values of a turn."""
        return int(self.by.value.data)

    @property
    def axis(self) -> Axis:
        """The dimensions that it runs over."""
        return axis_of(self.axis_dims)

    def verify_(self) -> None:
        """Check the axis and the turns."""
        # schedule_pipeline_c1: it runs along an axis, and a turn is not empty.
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
        op = PipelineOp.of(axis, turn, by, [], [])
        first = parser.parse_region()
        parser.parse_keyword("beside")
        regions = [first, parser.parse_region()]
        return PipelineOp(properties=dict(op.properties), regions=regions)

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" {axis_text(self.axis)} sweep {self.number} by {self.turns}")
        print_region(printer, self.first)
        printer.print_string(" beside")
        print_region(printer, self.second)

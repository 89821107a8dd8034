"""Operations of the ``schedule`` dialect for nests other than contractions.

A reduction along rows of unknown length, and a transpose fused with its user::

    schedule.tree {
      schedule.if <1 - atleast(N, 33)> {           // rows of up to 32 values
        schedule.for [d0] by 64 parallel {
          schedule.pack_rows                       // 64 rows, one in each lane of the vectors
          ...
        }
      } else {
        schedule.for [d0] by 1 parallel {          // row by row
          ...
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

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self, TypeAlias, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, IntegerType, i64
from xdsl.ir import Block, Region
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
from .effects import READ_AND_WRITE
from .formats import Formatted
from .polynomial import Atom
from .remarks import Remarks, check_remarks, choice_of
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


class AlongAxis(Formatted):
    """An operation with an axis."""

    axis_dims = prop_def(IndexAttr)

    @property
    def axis(self) -> Axis:
        """The dimensions of the axis."""
        return axis_of(self.axis_dims)


class NumberedOp(Formatted):
    """An operation around loops, for loads or stores of the nest by number."""

    numbers = prop_def(DenseArrayBase)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @classmethod
    def of(cls, numbers: Sequence[int], ops: Sequence[IRDLOperation]) -> Self:
        """The operation around loops."""
        accesses = DenseArrayBase.from_list(i64, list(numbers))
        return cls.new(regions=[region_of(ops)], numbers=accesses)

    @property
    def accesses(self) -> list[int]:
        """Which loads or stores of the nest it is for."""
        return list(map(int, cast("DenseArrayBase[IntegerType]", self.numbers).get_values()))

    def verify_(self) -> None:
        """Check the numbers."""
        # schedule_transpose_c1: loads are different numbers from 0 on.
        # schedule_stream_c1: stores are different numbers from 0 on.
        numbers = self.accesses
        if not numbers or len(set(numbers)) != len(numbers) or min(numbers) < 0:
            raise VerifyException(
                f"{self.name}: found {numbers}, expected different numbers from 0 on"
            )


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


@irdl_op_definition
class CoalesceOp(Formatted):
    """Runs over several short axes, outermost first, as one vector loop.

    Loads that are not contiguous in the order of the points are copied to an array first.  The
    first axis may be blocked by loops around.  ``by 16`` copies rows in vectors of 16 values; the
    last vector exceeds its row, and the next row overwrites the excess.
    """

    name = "schedule.coalesce"
    over = prop_def(ArrayAttr[IndexAttr])
    by = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = "custom<Lists>($over) (`by` $by^)? $body"

    @staticmethod
    def of(axes: Sequence[Axis], ops: Sequence[IRDLOperation], by: int = 1) -> CoalesceOp:
        """The loop around operations."""
        over = ArrayAttr(list(map(axis_attr, axes)))
        return CoalesceOp.new(regions=[region_of(ops)], over=over, by=None if by == 1 else by)

    @property
    def axes(self) -> list[Axis]:
        """The axes, outermost first."""
        return list(map(axis_of, self.over))

    @property
    def lanes(self) -> int:
        """Values of the vectors in which rows are copied."""
        return 1 if self.by is None else int(self.by.value.data)

    def verify_(self) -> None:
        """Check the axes."""
        # schedule_coalesce_c1: there are two axes or more.
        dims = [d for axis in self.axes for d in axis]
        if len(self.axes) < 2 or len(set(dims)) != len(dims):
            shown = ", ".join(map(axis_text, self.axes))
            raise VerifyException(f"schedule.coalesce: found {shown}, expected several axes")
        for axis in self.over:
            check_axis(self.name, axis)
        # schedule_coalesce_c2: vectors are not empty.
        if self.lanes < 1:
            raise VerifyException(f"schedule.coalesce: vectors of {self.lanes} values")


@irdl_op_definition
class TransposeOp(NumberedOp):
    """Copies the blocks that some loads read, transposed, to arrays before its loops run.

    ``loads`` are numbers of loads in the nest.  The loops around make the blocks, which fit in the
    first-level cache.
    """

    name = "schedule.transpose"
    FORMAT: ClassVar[str] = "`loads` $numbers $body"
    loads = NumberedOp.accesses


@irdl_op_definition
class PrefetchOp(AlongAxis):
    """Prefetches the next block that a load reads along an axis while one is computed."""

    name = "schedule.prefetch"
    load = prop_def(IntegerAttr)
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = "$load `along` ` ` custom<Index>($axis_dims)"

    @staticmethod
    def of(load: int, axis: Axis) -> PrefetchOp:
        """The operation for a load of the nest, by number."""
        return PrefetchOp.new(load=load, axis_dims=axis_attr(axis))

    @property
    def number(self) -> int:
        """The number of the load in the nest."""
        return int(self.load.value.data)

    def verify_(self) -> None:
        """Check the axis."""
        # schedule_prefetch_c1: the next block lies along an axis.
        check_axis(self.name, self.axis_dims)


@irdl_op_definition
class NonTemporalOp(NumberedOp):
    """Makes some stores of its vector loop non-temporal.

    ``stores`` are numbers of stores in the nest.  The loop writes to an array in the first-level
    cache, from which whole cache lines are stored to memory.
    """

    name = "schedule.non_temporal"
    FORMAT: ClassVar[str] = "`stores` $numbers $body"
    stores = NumberedOp.accesses


@irdl_op_definition
class PackRowsOp(Formatted):
    """Transposes the short rows of a block of points, so that each point has a lane of the vectors.

    The values that sweeps keep have the same layout.
    """

    name = "schedule.pack_rows"
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = ""


@irdl_op_definition
class PipelineOp(AlongAxis):
    """A software pipeline over the points of a block along an axis.

    The second region finishes point i while a sweep of the first region computes expensive
    functions of point i + 1.  ``sweep 1 by 64`` interleaves sweep 1 with the last one: they take
    turns of 64 values.
    """

    name = "schedule.pipeline"
    turn = prop_def(IntegerAttr)
    by = prop_def(IntegerAttr)
    first = region_def("single_block")
    second = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = (
        "` ` custom<Index>($axis_dims) `sweep` $turn `by` $by $first `beside` $second"
    )

    @staticmethod
    def of(
        axis: Axis,
        turn: int,
        by: int,
        first: Sequence[IRDLOperation],
        second: Sequence[IRDLOperation],
    ) -> PipelineOp:
        """The pipeline of two regions; ``turn`` is the number of the interleaved sweep."""
        regions = [region_of(first), region_of(second)]
        return PipelineOp.new(regions=regions, axis_dims=axis_attr(axis), turn=turn, by=by)

    @property
    def number(self) -> int:
        """The number of the sweep that is interleaved with the last one."""
        return int(self.turn.value.data)

    @property
    def turns(self) -> int:
        """Values of a turn."""
        return int(self.by.value.data)

    def verify_(self) -> None:
        """Check the axis and the turns."""
        # schedule_pipeline_c1: it runs along an axis, and a turn is not empty.
        check_axis(self.name, self.axis_dims)
        if self.turns < 1:
            raise VerifyException(f"schedule.pipeline: turns of {self.turns} values")

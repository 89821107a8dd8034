"""``loop.group``, ``loop.combine`` and ``loop.cascade``: sums in lanes, and in a tree of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import MemRefType, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .body import scalar_type
from .buffer import SpanOp, buffer_of, check_element, check_index
from .effects import READ_AND_WRITE
from .formats import Formatted
from .scalar import REDUCTIONS
from .shape import IndexAttr

LANE_REDUCTIONS = ("sum", "prod", "max_number")
"""Reductions of floats that are held in lanes, since C compilers must keep their order."""


def _has_power_of_two(name: str, lanes: SSAValue) -> bool:
    """Whether an array of lanes has a width that is a power of two."""
    width = buffer_of(name, lanes).get_shape()
    return len(width) == 1 and width[0] > 0 and not width[0] & (width[0] - 1)


@irdl_op_definition
class CombineOp(Formatted):
    """Reduces the lanes of an array pairwise, halving: lane k takes lane k + width/2.

    The width is a power of two.
    """

    name = "loop.combine"
    lanes = operand_def()
    reduction = prop_def(StringAttr)
    result = result_def()
    traits = traits_def(MemoryReadEffect())
    FORMAT: ClassVar[str] = "custom<Word>($reduction) $lanes `:` type($result)"

    @staticmethod
    def of(lanes: SSAValue, reduction: str) -> CombineOp:
        """The operation."""
        element = buffer_of("loop.combine", lanes).element_type
        return CombineOp.new(lanes, results=[element], reduction=reduction)

    def verify_(self) -> None:
        """Check the reduction and the width."""
        # combine_c1: the reduction can be held in lanes, and the width is a power of two.
        row = REDUCTIONS.get(self.reduction.data)
        is_power = _has_power_of_two(self.name, self.lanes)
        if row is None or row.name not in LANE_REDUCTIONS or not is_power:
            raise VerifyException(f"loop.combine: {self.reduction.data} of {self.lanes.type}")
        # combine_c2: the reduction admits the element type.
        if scalar_type(self.result) not in row.types:
            raise VerifyException(f"loop.combine: cannot reduce {self.result.type} by {row.name}")
        check_element(self.name, self.lanes, self.result)


@irdl_op_definition
class CascadeOp(Formatted):
    """Adds blocks to a cascade of partial sums of 1, 2, 4, ... blocks.

    Sums of equally many blocks are added first, so the error grows with the logarithm of the
    length.  ``levels`` holds the partial sums, ``count`` the number of blocks begun so far, and
    ``lanes`` the last of these.  ``next`` adds that block to the cascade, if there is one, and sets
    the lanes to 0.  ``finish`` adds the partial sums to the lanes, smallest first.  An expression
    in brackets limits the lanes that count.  ``prod`` behind the step makes products, from 1.
    """

    name = "loop.cascade"
    lanes = operand_def()
    levels = operand_def()
    count = operand_def()
    dims = var_operand_def()
    step = prop_def(StringAttr)
    reduction = prop_def(StringAttr, StringAttr("sum"))
    index = prop_def(IndexAttr, IndexAttr(()))
    traits = traits_def(*READ_AND_WRITE)
    WORDS: ClassVar[tuple[str, ...]] = ("sum", "prod")
    STEPS: ClassVar[tuple[str, ...]] = ("next", "finish")
    FORMAT: ClassVar[str] = (
        "custom<Word>($step) custom<OneOf>($reduction) $lanes `,` $levels `,` $count "
        "custom<At>($index, $dims)"
    )

    @staticmethod
    def of(
        step: str,
        lanes: SSAValue,
        levels: SSAValue,
        count: SSAValue,
        width: Sequence[ex.Expr] = (),
        dims: Sequence[SSAValue] = (),
        reduction: str = "sum",
    ) -> CascadeOp:
        """The operation; ``width`` is the number of lanes that count, or empty for all."""
        index = tuple(width)
        return CascadeOp.new(
            lanes, levels, count, dims, step=step, reduction=reduction, index=index
        )

    def verify_(self) -> None:
        """Check the step."""
        # cascade_c1: the step is known and the buffers hold one element type.
        types = {buffer_of(self.name, v).element_type for v in (self.lanes, self.levels)}
        is_known = self.step.data in self.STEPS and self.reduction.data in self.WORDS
        if not is_known or len(types) != 1:
            raise VerifyException(
                f"loop.cascade: {self.step.data} of {self.lanes.type} and {self.levels.type}"
            )
        # cascade_c2: the count is an i64 variable.
        if self.count.type != MemRefType(i64, []):
            raise VerifyException(f"loop.cascade: the count is {self.count.type}")
        # cascade_c3: the number of lanes that count is one expression over the values given.
        if self.index.data:
            check_index(self.name, self.index, self.dims)


@irdl_op_definition
class GroupOp(SpanOp):
    """Adds an incomplete group to lanes: value j to lane j mod width.

    The brackets hold the offset and the number of values, less than 8 times the width.  The values
    of a lane are combined pairwise, ((v0 + v1) + (v2 + v3)) + ..., then with the lane.  The width
    is a power of two.
    """

    name = "loop.group"
    source = operand_def()
    lanes = operand_def()
    reduction = prop_def(StringAttr)
    traits = traits_def(*READ_AND_WRITE)
    FORMAT: ClassVar[str] = "custom<Word>($reduction) $source custom<At>($index, $dims) `to` $lanes"

    @classmethod
    def of(
        cls,
        buffers: Sequence[SSAValue],
        index: Sequence[ex.Expr],
        dims: Sequence[SSAValue] = (),
        reduction: str = "sum",
    ) -> GroupOp:
        """The operation on source and lanes; ``index`` are the offset and the number of values."""
        return GroupOp.new(*buffers, dims, index=tuple(index), reduction=reduction)

    def verify_(self) -> None:
        """Check the reduction, the types and the dimensions."""
        types = [buffer_of(self.name, v).element_type for v in (self.source, self.lanes)]
        # group_c1: the reduction can be held in lanes; types agree; the width is a power of two.
        is_power = _has_power_of_two(self.name, self.lanes)
        if self.reduction.data not in LANE_REDUCTIONS or types[0] != types[1] or not is_power:
            raise VerifyException(
                f"loop.group: {self.reduction.data} of {types[0]} to {self.lanes.type}"
            )
        self.check_span()

"""The ``schedule`` dialect: the loops that compute a nest, as a tree.

The tree is the last operation of the nest's body.  An axis is written as the dimensions of the nest
and its sweep that it covers, in brackets.  A matrix product with a bias::

    schedule.tree {
      schedule.pack left by 14                     // rows in panels of 14, k after k
      schedule.pack right by 32                    // columns in panels of 32
      schedule.for [d0] by 168 parallel {
        schedule.for [d1] by 32 serial {
          schedule.for [d0] by 14 serial {
            schedule.run init                      // 14 x 32 accumulators are set to 0
            schedule.for [d2] by 1 serial {
              schedule.for [d0] by 1 unroll {
                schedule.for [d1] by 16 vector {
                  schedule.run step                // one fused multiply-add
                }}}
            schedule.run finish
            schedule.for [d0] by 1 serial {
              schedule.for [d1] by 1 vector {
                schedule.run out                   // the epilogue and the stores
              }}}}}}

The verifier checks the form alone; ``schedule.legality`` checks a schedule against its nest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Block, Dialect
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from opc.dialects.walking import walk

from . import expr as ex
from .formats import Formatted
from .kernel_nest import NestOp
from .schedule_nests import (
    AlongAxis,
    Axis,
    CoalesceOp,
    IfOp,
    NonTemporalOp,
    PackRowsOp,
    PipelineOp,
    PrefetchOp,
    TransposeOp,
    axis_attr,
    check_axis,
    region_of,
)
from .schedule_operands import LARGEST, PackOp, PadOp, PrefetchPanelOp, PrefetchTileOp
from .schedule_run import RunOp
from .shape import IndexAttr
from .tile_fusion import TileFusionOp

SMALL = 1 << 16
"""Values of a block that may exceed the extent, at most: arrays are made for all of them."""


@irdl_op_definition
class TreeOp(Formatted):
    """The schedule of the nest around it."""

    name = "schedule.tree"
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = "$body"

    @classmethod
    def parse(cls, parser: Parser) -> TreeOp:
        """Parse operations, or none."""
        tree = super().parse(parser)
        if not tree.body.blocks:
            tree.body.add_block(Block())
        return tree

    @property
    def group(self) -> int:
        """Products of one step: the largest group in which an operand is packed or padded."""
        laid_out = (op for op in walk(self) if isinstance(op, PackOp | PadOp))
        return max((op.count for op in laid_out), default=1)

    @staticmethod
    def of(block: Block) -> TreeOp:
        """The tree with a block of schedule operations."""
        return TreeOp.new(regions=[[block]])

    def verify_(self) -> None:
        """Check the place."""
        # schedule_tree_c1: it is the last operation of its nest, so a nest has one at most.
        if isinstance(self.parent_op(), NestOp) and self.next_op is not None:
            raise VerifyException(
                f"schedule.tree: found {self.next_op.name} after it, expected the end of a nest"
            )


ROTATING = "rotating"
"""The kind of a loop with rotating accumulators."""


@irdl_op_definition
class ForOp(AlongAxis):
    """Runs over an axis, or over the block that the loops around make of it, in blocks of ``by``.

    ``by`` is a number or an expression over extents.  If one block holds all values, no loop is
    made.  ``kind`` is one of:

    - serial
    - parallel: threads may share the iterations
    - unroll: all iterations are written out
    - vector: ``by`` values fill a vector register; with 1 the C compiler chooses how many.  The
      loop has ``step 1`` all the same: an 8 becomes that of ``loop.local registers 8``, the array
      of accumulators
    - lanes: over the lanes of a sum, in vectors: of 512 values, lane 3 of 64 has 3, 67, 131, ...
    - rotating: over rows of a window, with rotating accumulators (``schedule.rotating``)

    ``pad <8, 16>`` fills up an axis of unknown length to the first of these lengths that it fits
    in, with values that change no result.

    ``peel`` ends the first block at the start of a cache line, so that no two blocks share a line.
    With a pack in the loop, it is a line of the packed operand.  Rows a multiple of ``target.WAY``
    bytes apart use the same few lines of the first-level cache.  So a shared line is evicted before
    the second block reads it, and is loaded twice.  With non-temporal stores, it is a line of the
    result: only full lines are stored without a way through the caches.
    """

    name = "schedule.for"
    by = prop_def(IndexAttr)
    kind = prop_def(StringAttr)
    peel = opt_prop_def(UnitAttr)
    pad = opt_prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    KINDS: ClassVar[tuple[str, ...]] = (
        *("serial", "parallel", "unroll", "vector", "lanes"),
        ROTATING,
    )
    FORMAT: ClassVar[str] = (
        "` ` custom<Index>($axis_dims) `by` custom<Size>($by) custom<Word>($kind) (`peel` "
        "$peel^)? (`pad` $pad^)? $body"
    )

    @staticmethod
    def of(
        axis: Axis,
        by: int | ex.Expr,
        kind: str,
        ops: Sequence[IRDLOperation],
        is_peeled: bool = False,
        pads: Sequence[int] = (),
    ) -> ForOp:
        """The loop around operations."""
        dims, body, size = axis_attr(axis), region_of(ops), ex.Expr.of(by)
        lengths = tuple(map(ex.const, pads)) or None
        return ForOp.new(
            regions=[body], axis_dims=dims, by=size, kind=kind, peel=is_peeled, pad=lengths
        )

    @property
    def pads(self) -> tuple[int, ...]:
        """The lengths to which a tail is filled up."""
        return () if self.pad is None else tuple(e.constant or 0 for e in self.pad.data)

    @property
    def size(self) -> ex.Expr:
        """Values of a block."""
        return self.by.data[0]

    @property
    def step(self) -> int:
        """Values of a block if the number is constant, else 0."""
        return self.size.constant or 0

    def verify_(self) -> None:
        """Check axis, block and kind."""
        # schedule_for_c1: an axis is one or more dimensions, outermost first.  legality.py checks
        # that the nest has this axis.
        check_axis(self.name, self.axis_dims)
        # schedule_for_c2: the block is not empty, and the kind is known.
        is_one = len(self.by.data) == 1 and not self.by.data[0].dims()
        if not is_one or self.size.constant == 0 or self.kind.data not in self.KINDS:
            by = ", ".join(map(str, self.by.data))
            raise VerifyException(
                f"schedule.for: found by {by}, kind {self.kind.data}, expected blocks of one value "
                f"or more, and one of {', '.join(self.KINDS)}"
            )
        # schedule_for_c3: an array can hold the values of a block.
        if self.step > LARGEST:
            raise VerifyException(
                f"schedule.for: found blocks of {self.step} values, expected {LARGEST} at most"
            )
        # schedule_for_c4: lengths are positive and ascend.
        if self.pad is not None and (
            list(self.pads) != sorted(set(self.pads)) or self.pads[:1] < (1,)
        ):
            shown = ", ".join(map(str, self.pad.data))
            raise VerifyException(f"schedule.for: found pad <{shown}>, expected ascending numbers")


Schedule = Dialect(
    "schedule",
    [
        *(TreeOp, ForOp, PackOp, PadOp, PrefetchPanelOp, PrefetchTileOp, RunOp, TileFusionOp),
        *(IfOp, CoalesceOp, TransposeOp, PrefetchOp, NonTemporalOp, PackRowsOp, PipelineOp),
    ],
)

__all__ = [
    "Axis",
    "CoalesceOp",
    "ForOp",
    "IfOp",
    "NonTemporalOp",
    "PackOp",
    "PackRowsOp",
    "PadOp",
    "PipelineOp",
    "PrefetchOp",
    "PrefetchPanelOp",
    "PrefetchTileOp",
    "RunOp",
    "Schedule",
    "TileFusionOp",
    "TransposeOp",
    "TreeOp",
]

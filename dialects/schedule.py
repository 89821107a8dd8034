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

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr
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
from .effects import READ_AND_WRITE
from .formats import Formatted
from .kernel_nest import NestOp
from .matrix_ops import PRODUCTS
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
from .schedule_run import RunOp
from .shape import IndexAttr
from .tile_fusion import TileFusionOp


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


LARGEST = 1 << 24
"""Values of a block, at most."""
SMALL = 1 << 16
"""Values of a block that may exceed the extent, at most: arrays are made for all of them."""
GROUPS = (1, 2, 4, PRODUCTS)
"""Products that a step may take."""


class OfOperand(Formatted):
    """An operation on the left or the right operand of a contraction."""

    operand = prop_def(StringAttr)
    traits = traits_def(*READ_AND_WRITE)
    OPERANDS: ClassVar[tuple[str, ...]] = ("left", "right")

    def verify_(self) -> None:
        """Check the operand."""
        # schedule_pad_c1: the operand is known.
        if self.operand.data not in self.OPERANDS:
            raise VerifyException(
                f"{self.name}: found operand {self.operand.data}, expected left or right"
            )


class InGroups(OfOperand):
    """A copy of an operand, maybe in groups."""

    group = opt_prop_def(IntegerAttr)

    @property
    def count(self) -> int:
        """Values of a group."""
        return 1 if self.group is None else int(self.group.value.data)

    def verify_(self) -> None:
        """Check the operand and the group."""
        super().verify_()
        # schedule_group_c1: a step takes one, two, four or 64 products.
        if self.count not in GROUPS:
            raise VerifyException(
                f"{self.name}: found a group of {self.count}, expected 2, 4 or {PRODUCTS}"
            )


@irdl_op_definition
class PackOp(InGroups):
    """Packs an operand of a contraction into panels of ``by`` values along its own axis.

    ``left`` is the operand with the rows, ``right`` that with the columns.  ``group 2`` puts two
    neighbours along the innermost contracted axis side by side, in 16 bits each; ``group 4`` four,
    in 8 bits each.  Zeros fill the last group.  A step of ``group 64`` multiplies in matrix
    registers: rows have 64 neighbours side by side, columns four, and 16 fours are a group.
    Constants of 8 bits beside a factor of 16 lie in 8,
    and each step widens what it reads, or another pack in loops widens a panel for all tiles::

        schedule.pack right by 16 group 2            // bytes
        schedule.for [d1] by 16 parallel {
          schedule.pack right by 16 group 2          // the panel in 16 bits
          schedule.for [d0] by 4 serial {
            ...

    ``stored lanes 8`` lays out constants while compiling, in the type that they are stored in.
    Each load of the right operand has panels of its own.  If 32 neighbours along the contracted
    axis read one scale, the panels hold it once.  Values of 4 and 2 bits share bytes: byte ``l``
    has those of the columns ``l``, ``l + 8``, ...  The operand follows from these constants by
    casts, choices of one of 16 numbers, differences and products.  They are computed where the
    operand is read: by a step in vectors of 8, or by another pack of the operand in loops::

        schedule.pack right by 64 stored lanes 8     // (q - zero) * scale: q, zero and scale
        schedule.for [d1] by 32 parallel {
          schedule.pack right by 32                  // the values for the tiles of all rows
          schedule.for [d0] by 3 serial {
            ...

    ``prefetch 2048`` beside it prefetches what lies 2048 bytes behind the row of a panel that is
    computed: many instructions lie between its loads, so a processor asks for few lines at once.

    With ``group 4 stored lanes 16`` constants of 4 and 2 bits lie in groups and share bytes, and a
    step makes bytes of them before it multiplies.  Constants of the term that follows each block,
    such as scales, lie in panels beside those of ``right`` in any case.

    Outside of all loops, the whole operand is packed before they start.  Inside of loops, each
    iteration packs its block of the operand, which is still in a cache when the tile reads it::

        schedule.for [d0] by 16 parallel {
          schedule.run init
          schedule.for [d2] by 16 serial {
            schedule.pack right by 16                // 16 rows, 16 values of each
            schedule.for [d2] by 1 serial { schedule.for [d0] by 16 vector { schedule.run step } }
          }
          ...
    """

    name = "schedule.pack"
    by = prop_def(IntegerAttr)
    stored = opt_prop_def(IntegerAttr)
    prefetch = opt_prop_def(IntegerAttr)
    FORMAT: ClassVar[str] = (
        "custom<Word>($operand) `by` $by (`group` $group^)? (`stored` `lanes` $stored^)? "
        "(`prefetch` $prefetch^)?"
    )

    @staticmethod
    def of(
        operand: str, by: int, group: int = 1, lanes: int | None = None, prefetch: int = 0
    ) -> PackOp:
        """The operation for ``left`` or ``right``; with ``lanes``, as it is stored.

        ``prefetch`` is a distance in bytes, or 0 for none.
        """
        size, distance = None if group == 1 else group, prefetch or None
        return PackOp.new(operand=operand, by=by, group=size, stored=lanes, prefetch=distance)

    @property
    def step(self) -> int:
        """Values of a panel."""
        return int(self.by.value.data)

    @property
    def lanes(self) -> int | None:
        """Lanes of the vectors that read an operand as it is stored; None for values."""
        return None if self.stored is None else int(self.stored.value.data)

    @property
    def distance(self) -> int:
        """Bytes from what is read to what is prefetched; 0 if nothing is."""
        return 0 if self.prefetch is None else int(self.prefetch.value.data)

    def verify_(self) -> None:
        """Check the operand, the panel, the group and the prefetches."""
        super().verify_()
        # schedule_pack_c1: a panel is not empty.
        if self.step < 1:
            raise VerifyException(f"schedule.pack: found panels of {self.step}, expected 1 or more")
        # schedule_pack_c2: vectors of stored values fill a panel.
        lanes = self.lanes
        if lanes is not None and (lanes < 1 or self.step % lanes):
            raise VerifyException(
                f"schedule.pack: found lanes {lanes}, expected vectors that fill {self.step} values"
            )
        # schedule_pack_c3: what is prefetched lies behind stored values.
        is_behind = lanes is not None and 0 < self.distance <= LARGEST
        if self.prefetch is not None and not is_behind:
            raise VerifyException(
                f"schedule.pack: found prefetch {self.distance}, expected 1 to {LARGEST} bytes, "
                "beside stored lanes"
            )


@irdl_op_definition
class PadOp(InGroups):
    """Copies an operand of a contraction with its padding, so that tiles read it without guards.

    The innermost axis of the copy is the one that a tile reads in order: the last contracted axis
    of the left operand, the columns of the right one.  ``group 2`` and ``group 4`` narrow the
    values as in ``schedule.pack``; a step reads that many neighbours along the innermost axis.
    With ``group 64``, that axis fills fours, and a step goes on along the axis before: it takes
    taps of a row of a filter.
    """

    name = "schedule.pad"
    FORMAT: ClassVar[str] = "custom<Word>($operand) (`group` $group^)?"

    @staticmethod
    def of(operand: str, group: int = 1) -> PadOp:
        """The operation for ``left`` or ``right``."""
        return PadOp.new(operand=operand, group=None if group == 1 else group)


@irdl_op_definition
class PrefetchPanelOp(OfOperand):
    """Prefetches a share of the panels that are read next, at each step of a contraction.

    Those are the panels of the next block of the operand, in the outermost loop over its own axis.
    All tiles of a block that read one panel share the next one among them, so that it comes into
    the second-level cache while they compute::

        schedule.pack right by 32
        schedule.for [d1] by 32 parallel {               // a panel
          schedule.for [d0] by 13 serial {               // each tile prefetches a part of the next
            schedule.run init
            schedule.for [d2] by 1 serial {
              schedule.prefetch_panel right
              schedule.for [d0] by 1 unroll { ... }      // the step
            }
            ...
    """

    name = "schedule.prefetch_panel"
    FORMAT: ClassVar[str] = "custom<Word>($operand)"

    @staticmethod
    def of(operand: str) -> PrefetchPanelOp:
        """The operation for ``left`` or ``right``."""
        return PrefetchPanelOp.new(operand=operand)


@irdl_op_definition
class PrefetchTileOp(OfOperand):
    """Prefetches what the next tile reads of an operand that is no panel, at each step.

    Each product reads neighbours along the operand's own axis, and those of the next product lie
    far away, so that no processor fetches them ahead::

        schedule.for [d1] by 32 parallel {
          schedule.for [d2, d3] by 14 serial {             // 14 pixels of each channel
            schedule.run init
            schedule.for [d6] by 1 serial {
              schedule.prefetch_tile left                  // the next 14 pixels of this channel
              schedule.for [d2, d3] by 1 unroll { ... }    // the step
            }
            ...
    """

    name = "schedule.prefetch_tile"
    FORMAT: ClassVar[str] = "custom<Word>($operand)"

    @staticmethod
    def of(operand: str) -> PrefetchTileOp:
        """The operation for ``left`` or ``right``."""
        return PrefetchTileOp.new(operand=operand)


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

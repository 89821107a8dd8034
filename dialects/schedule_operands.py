"""Operations of the ``schedule`` dialect on one operand of a contraction: copies and prefetches."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.utils.exceptions import VerifyException

from .effects import READ_AND_WRITE
from .formats import Formatted
from .matrix_ops import PRODUCTS

LARGEST = 1 << 24
"""Values of a block, at most."""
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

    ``prefetch 2048`` prefetches into the first cache, at each step, what lies 2048 bytes behind the
    row of a panel that the step reads or computes of what is stored.

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
        # schedule_pack_c3: what is prefetched lies behind a row of a panel.
        if self.prefetch is not None and not 0 < self.distance <= LARGEST:
            raise VerifyException(
                f"schedule.pack: found prefetch {self.distance}, expected 1 to {LARGEST} bytes"
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

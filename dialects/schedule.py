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
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, StringAttr, UnitAttr, i64
from xdsl.ir import Block, Dialect, Region
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
from .kernel_nest import NestOp
from .schedule_if import IfOp
from .schedule_nests import (
    Axis,
    CoalesceOp,
    NonTemporalOp,
    PackRowsOp,
    PipelineOp,
    PrefetchOp,
    TransposeOp,
    axis_attr,
    axis_of,
    axis_text,
    check_axis,
)
from .schedule_run import RunOp
from .shape import IndexAttr
from .tile_fusion import TileFusionOp


@irdl_op_definition
class TreeOp(IRDLOperation):
    """The schedule of the nest that it stands in."""

    name = "schedule.tree"
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @property
    def group(self) -> int:
        """How many products a step takes, of operands that lie in such groups."""
        laid_out = (op for op in self.walk() if isinstance(op, PackOp | PadOp))
        return max((op.count for op in laid_out), default=1)

    @staticmethod
    def of(block: Block) -> TreeOp:
        """Build it around a block of schedule operations."""
        return TreeOp(regions=[Region(block)])

    def verify_(self) -> None:
        """Check the place."""
        # schedule_tree_c1: it is the last operation of its nest, so there is one.
        if isinstance(self.parent_op(), NestOp) and self.next_op is not None:
            raise VerifyException(
                f"schedule.tree: found {self.next_op.name} behind it, expected the end of a nest"
            )

    @classmethod
    def parse(cls, parser: Parser) -> TreeOp:
        """Parse ``{...}``."""
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return TreeOp(regions=[region])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


ROTATING = "rotating"
"""The kind of a loop of which each iteration goes on with several results."""


@irdl_op_definition
class ForOp(IRDLOperation):
    """Runs over what the loops around leave of an axis, in blocks of ``by`` values.

    ``kind``: serial, parallel (threads may share it), unroll (all rounds are written out), vector
    (``by`` values lie in a vector register; 1: as many as C compilers see fit), rotating (rows of a
    window, each of which goes to all results that see it: see ``schedule.rotating``).  ``by`` may
    be an expression over the extents that only a run knows.  Where a block has all values, there is
    no loop.  With ``peel``, the first block ends where a cache line of what is packed in the loop
    begins, or of a result that goes past the caches in it: rows of panels that lie ``target.WAY``
    bytes apart push each other out of the first-level cache, and a line that two blocks share would
    be fetched by both, and go past the caches in neither.
    """

    name = "schedule.for"
    axis_dims = prop_def(IndexAttr)
    by = prop_def(IndexAttr)
    kind = prop_def(StringAttr)
    peel = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    KINDS: ClassVar[tuple[str, ...]] = ("serial", "parallel", "unroll", "vector", ROTATING)

    @staticmethod
    def of(
        axis: Axis,
        by: int | ex.Expr,
        kind: str,
        ops: Sequence[IRDLOperation],
        is_peeled: bool = False,
    ) -> ForOp:
        """Build it around operations."""
        return ForOp(
            properties={
                "axis_dims": axis_attr(axis),
                "by": IndexAttr((ex.Expr.of(by),)),
                "kind": StringAttr(kind),
                "peel": UnitAttr() if is_peeled else None,
            },
            regions=[Region(Block(list(ops)))],
        )

    @property
    def axis(self) -> Axis:
        """The dimensions that it runs over."""
        return axis_of(self.axis_dims)

    @property
    def size(self) -> ex.Expr:
        """Values in a block."""
        return self.by.data[0]

    @property
    def step(self) -> int:
        """The same where that is known, else 0."""
        return self.size.constant or 0

    def verify_(self) -> None:
        """Check axis, block and kind."""
        # schedule_for_c1: an axis is one or more dimensions, outermost first.  Those between them
        # have an extent of 1: what is an axis, the nest says, and legality.py checks.
        check_axis(self.name, self.axis_dims)
        # schedule_for_c2: the block has values, and the kind is known.
        is_one = len(self.by.data) == 1 and not self.by.data[0].dims()
        if not is_one or self.size.constant == 0 or self.kind.data not in self.KINDS:
            by = ", ".join(map(str, self.by.data))
            raise VerifyException(
                f"schedule.for: found by {by}, kind {self.kind.data}, expected blocks of one value "
                f"or more, and one of {', '.join(self.KINDS)}"
            )
        # schedule_for_c3: arrays for what a block has can be had.
        if self.step > LARGEST:
            raise VerifyException(
                f"schedule.for: found blocks of {self.step} values, expected {LARGEST} at most"
            )

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        """Parse ``[d0, d1] by 4 kind {...}``, ``kind peel {...}``, or ``by <floordiv(N, 16)>``."""
        axis = parse_index(parser, parser.Delimiter.SQUARE)
        parser.parse_keyword("by")
        by = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if by is None:
            size = parse_index(parser, parser.Delimiter.ANGLE)
        else:
            size = IndexAttr((ex.const(by),))
        kind = parser.parse_identifier(" of a loop")
        is_peeled = parser.parse_optional_keyword("peel") is not None
        return ForOp(
            properties={
                "axis_dims": axis,
                "by": size,
                "kind": StringAttr(kind),
                "peel": UnitAttr() if is_peeled else None,
            },
            regions=[parser.parse_region()],
        )

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        by = str(self.step) if self.size.constant is not None else f"<{self.size}>"
        peel = "" if self.peel is None else "peel "
        printer.print_string(f" {axis_text(self.axis)} by {by} {self.kind.data} {peel}")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


LARGEST = 1 << 24
"""Values of a block, at most."""
SMALL = 1 << 16
"""Values of a block that may be more than there are: arrays of so many can be had."""
GROUPS = (1, 2, 4)
"""How many products a step may take."""


def _group(count: int) -> IntegerAttr[IntegerType] | None:
    return None if count == 1 else IntegerAttr(count, i64)


def _count(group: IntegerAttr[IntegerType | IndexType] | None) -> int:
    return 1 if group is None else int(group.value.data)


def _parse_group(parser: Parser) -> int:
    """Parse ``group 2``, or nothing."""
    if parser.parse_optional_keyword("group") is None:
        return 1
    return parser.parse_integer(allow_boolean=False, allow_negative=False)


def _shown(count: int) -> str:
    return "" if count == 1 else f" group {count}"


def _check_group(op: PackOp | PadOp) -> None:
    # schedule_group_c1: a step takes one, two or four products.
    if op.count not in GROUPS:
        raise VerifyException(f"{op.name}: found a group of {op.count}, expected 2 or 4")


@irdl_op_definition
class PackOp(IRDLOperation):
    """Lays an operand of a contraction out in panels of ``by`` values of its own axis.

    ``left`` is the operand with the rows, ``right`` that with the columns.  With ``group 2``, two
    neighbours along the innermost contracted axis lie side by side, in 16 bits each, with ``group
    4`` four in 8 bits each, and 0 for what is missing in the last group.

    Outside of all loops, the whole operand is laid out before.  In loops around a tile it is what
    they leave of the operand, anew in each iteration, so that it is still in a cache when it is
    read::

        schedule.for [d0] by 16 parallel {
          schedule.run init
          schedule.for [d2] by 16 serial {
            schedule.pack right by 16                // 16 rows, 16 values of each
            schedule.for [d2] by 1 serial { schedule.for [d0] by 16 vector { schedule.run step } }
          }
          ...
    """

    name = "schedule.pack"
    operand = prop_def(StringAttr)
    by = prop_def(IntegerAttr)
    group = opt_prop_def(IntegerAttr)
    traits = traits_def(*READ_AND_WRITE)
    OPERANDS: ClassVar[tuple[str, ...]] = ("left", "right")

    @staticmethod
    def of(operand: str, by: int, group: int = 1) -> PackOp:
        """Build it."""
        return PackOp(
            properties={
                "operand": StringAttr(operand),
                "by": IntegerAttr(by, i64),
                "group": _group(group),
            }
        )

    @property
    def step(self) -> int:
        """Values of a panel."""
        return int(self.by.value.data)

    @property
    def count(self) -> int:
        """Values of a group."""
        return _count(self.group)

    def verify_(self) -> None:
        """Check the operand, the panel and the group."""
        # schedule_pack_c1: the operand is known, and a panel has values.
        if self.operand.data not in self.OPERANDS or self.step < 1:
            raise VerifyException(f"schedule.pack: {self.operand.data} by {self.step}")
        _check_group(self)

    @classmethod
    def parse(cls, parser: Parser) -> PackOp:
        """Parse ``left by 14``, with ``group 2`` behind it or without."""
        operand = parser.parse_identifier(" of an operand")
        parser.parse_keyword("by")
        by = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return PackOp.of(operand, by, _parse_group(parser))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.operand.data} by {self.step}{_shown(self.count)}")


@irdl_op_definition
class PadOp(IRDLOperation):
    """Lays an operand of a contraction out with the padding around it, to be read where it lies.

    The axis that a tile reads in order is innermost: of the left operand the last contracted one,
    of the right operand that of the columns.  With ``group 2`` or ``4``, a step reads so many
    neighbours along it, which lie in as few bits as those of a panel.
    """

    name = "schedule.pad"
    operand = prop_def(StringAttr)
    group = opt_prop_def(IntegerAttr)
    traits = traits_def(*READ_AND_WRITE)

    @staticmethod
    def of(operand: str, group: int = 1) -> PadOp:
        """Build it."""
        return PadOp(properties={"operand": StringAttr(operand), "group": _group(group)})

    @property
    def count(self) -> int:
        """Values of a group."""
        return _count(self.group)

    def verify_(self) -> None:
        """Check the operand and the group."""
        # schedule_pad_c1: the operand is known.
        if self.operand.data not in PackOp.OPERANDS:
            raise VerifyException(f"schedule.pad: there is no operand {self.operand.data}")
        _check_group(self)

    @classmethod
    def parse(cls, parser: Parser) -> PadOp:
        """Parse ``left``, with ``group 2`` behind it or without."""
        operand = parser.parse_identifier(" of an operand")
        return PadOp.of(operand, _parse_group(parser))

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        printer.print_string(f" {self.operand.data}{_shown(self.count)}")


Schedule = Dialect(
    "schedule",
    [
        *(TreeOp, ForOp, PackOp, PadOp, RunOp, TileFusionOp),
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
    "RunOp",
    "Schedule",
    "TileFusionOp",
    "TransposeOp",
    "TreeOp",
]

"""Bands: outer loops that several nests share: all are computed for a point before the next one.

::

    schedule.band over [d1], [d1] {
      kernel.nest [1, 12, 128, 256] into (%s) {...}    // scores of one of 12 heads
      kernel.nest [1, 12, 128] into (%p) {...}         // their softmax
    }

The nests are those of the whole function.  ``over`` has, for each of them, which of its dimensions
are those of the band.  What is written and read within points only takes no more memory than one of
them has (``schedule.bands``).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Block, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
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
from .kernel_nest import NestOp
from .shape import IndexAttr, Shape


@irdl_op_definition
class BandOp(IRDLOperation):
    """Runs its nests, in order, for one point after the other; points are independent."""

    name = "schedule.band"
    over = prop_def(ArrayAttr[IndexAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @staticmethod
    def of(over: Sequence[Sequence[int]], nests: Sequence[NestOp]) -> BandOp:
        """Build it around nests that stand nowhere."""
        dims = ArrayAttr([IndexAttr(tuple(map(ex.dim, own))) for own in over])
        return BandOp(properties={"over": dims}, regions=[Region(Block(list(nests)))])

    @property
    def nests(self) -> list[NestOp]:
        """The nests, in order."""
        return [op for op in self.body.block.ops if isinstance(op, NestOp)]

    @property
    def extents(self) -> Shape:
        """Points of the nests along each dimension of the band."""
        first = self.nests[0]
        return tuple(first.extents.data[d] for d in self.dims(first))

    def dims(self, nest: NestOp) -> tuple[int, ...]:
        """The dimensions of a nest that are those of the band."""
        index = self.over.data[self.nests.index(nest)]
        return tuple(d for e in index.data if (d := e.dim()) is not None)

    def verify_(self) -> None:
        """Check the dimensions."""
        # band_c1: it holds nests, each with as many dimensions of its own, of the same extents.
        nests = self.nests
        if not nests or len(nests) != len(list(self.body.block.ops)):
            raise VerifyException("schedule.band: expected nests and nothing else")
        if len(nests) != len(self.over.data):
            raise VerifyException(f"schedule.band: dimensions of {len(nests)} nests are needed")
        rank = len(self.over.data[0].data)
        for nest in nests:
            dims, extents = self.dims(nest), nest.extents.data
            if len(set(dims)) != rank or any(d >= len(extents) for d in dims):
                raise VerifyException(f"schedule.band: {list(dims)} are not {rank} axes")
            if tuple(extents[d] for d in dims) != self.extents:
                raise VerifyException("schedule.band: its nests differ in their extents")

    @classmethod
    def parse(cls, parser: Parser) -> BandOp:
        """Parse ``over [d1, d2], [d1, d2] {...}``."""
        parser.parse_keyword("over")
        over = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parse_index(parser, parser.Delimiter.SQUARE)
        )
        return BandOp(properties={"over": ArrayAttr(over)}, regions=[parser.parse_region()])

    def print(self, printer: Printer) -> None:
        """Print what is parsed."""
        over = ", ".join(f"[{', '.join(map(str, own.data))}]" for own in self.over.data)
        printer.print_string(f" over {over} ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

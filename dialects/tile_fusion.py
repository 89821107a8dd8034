"""``schedule.tile_fusion``: outer loops over tiles that several nests share.

::

    schedule.tile_fusion by [1, 36] over [d1, d2], [d1, d2] {
      kernel.nest [1, 12, 128, 256] into (%s) {...}    // scores of 36 rows of one head
      kernel.nest [1, 12, 128] into (%p) {...}         // their softmax
    }

The nests keep their full extents.  ``over`` lists, for each nest, its dimensions that are tiled; a
nest computes the points of a tile.  The last tile along the last dimension may have fewer points.
A buffer that is written and read within one tile shrinks to the size of a tile
(``schedule.tile_fusion``).  With ``when <atleast(N, 36)>``, the nests run one after the other, and
not tile by tile, unless the condition holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Block
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, region_def, traits_def
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from . import expr as ex
from .formats import Formatted
from .kernel_nest import NestOp
from .loop_if import is_condition
from .shape import IndexAttr, Shape


@irdl_op_definition
class TileFusionOp(Formatted):
    """Runs all its nests, in order, on one tile after the other; tiles are independent.

    ``by`` is the size of a tile; ``over`` has, for each nest, the dimensions that are tiled.
    """

    name = "schedule.tile_fusion"
    by = prop_def(IndexAttr)
    over = prop_def(ArrayAttr[IndexAttr])
    condition = opt_prop_def(IndexAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    FORMAT: ClassVar[str] = (
        "`by` ` ` custom<Index>($by) `over` custom<Lists>($over) (`when` $condition^)? $body"
    )

    @staticmethod
    def of(
        by: Shape, over: Sequence[Sequence[int]], nests: Sequence[NestOp], when: ex.Expr
    ) -> TileFusionOp:
        """The tile fusion of detached nests, under a condition."""
        tiled = ArrayAttr([IndexAttr(tuple(map(ex.dim, dims))) for dims in over])
        condition = None if when == 1 else IndexAttr((when,))
        regions = [[Block(list(nests))]]
        return TileFusionOp.new(regions=regions, by=by, over=tiled, condition=condition)

    @property
    def when(self) -> ex.Expr:
        """Whether the nests run tile by tile: 1 or 0."""
        return ex.const(1) if self.condition is None else self.condition.data[0]

    @property
    def nests(self) -> list[NestOp]:
        """The nests, in order."""
        return [op for op in self.body.block.ops if isinstance(op, NestOp)]

    @property
    def tile(self) -> Shape:
        """Points of a tile along each tiled dimension."""
        return self.by.data

    @property
    def extents(self) -> Shape:
        """Points of the nests along each tiled dimension."""
        first = self.nests[0]
        return tuple(first.extents.data[d] for d in self.dims(first))

    def dims(self, nest: NestOp) -> tuple[int, ...]:
        """The tiled dimensions of a nest."""
        index = self.over.data[self.nests.index(nest)]
        return tuple(d for e in index.data if (d := e.dim()) is not None)

    def verify_(self) -> None:
        """Check tiles and dimensions."""
        # band_c1: it holds nests alone; their tiled dimensions have the same number and extents.
        nests = self.nests
        if not nests or len(nests) != len(list(self.body.block.ops)):
            raise VerifyException("schedule.tile_fusion: expected nests and nothing else")
        if len(nests) != len(self.over.data):
            raise VerifyException(
                f"schedule.tile_fusion: dimensions of {len(nests)} nests are needed"
            )
        for nest in nests:
            dims, extents = self.dims(nest), nest.extents.data
            if len(set(dims)) != len(self.tile) or any(d >= len(extents) for d in dims):
                raise VerifyException(
                    f"schedule.tile_fusion: {list(dims)} are not {len(self.tile)} axes"
                )
            if tuple(extents[d] for d in dims) != self.extents:
                raise VerifyException("schedule.tile_fusion: its nests differ in their extents")
        # band_c2: tiles are not empty, and divide all dimensions but the last one.
        for k, (extent, by) in enumerate(zip(self.extents, self.tile, strict=True)):
            size, is_last = by.constant, k == len(self.tile) - 1
            if size is None or size < 1 or not (is_last or ex.mod(extent, by) == 0):
                raise VerifyException(f"schedule.tile_fusion: tiles of {by} do not fill {extent}")
        # band_c3: the condition is 0 or 1, by expressions over symbols.
        if not is_condition(self.when) or self.when.dims():
            raise VerifyException(f"schedule.tile_fusion: {self.when} is no condition over symbols")

"""Write the loops of every band, with the nests of a point in them.

``schedule.band over [d0], [d0] { nests }  -->  loop.for { views; nests of a point }``

Nests of a point have the schedule that they have in the band.  Needs schedule.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter

from opc.dialects.band import BandOp
from opc.function_pass import FunctionPass
from opc.schedule.band_tiles import write
from opc.schedule.bands import check

from .loop_parts import put_block


class LowerBandsPass(FunctionPass):
    """See the module's docstring."""

    name = "lower-bands"

    def rewrite(self, function: FuncOp) -> None:
        """Lower the bands of one function; what points have for themselves has no other place."""
        for band in [op for op in function.body.block.ops if isinstance(op, BandOp)]:
            check(band)
            block, points = write(band)
            put_block(block, band, band.location)
            for nest, new in points.items():
                for op in new.walk():
                    op.location = nest.location
            Rewriter.erase_op(band)

"""Automatic pads (SAME): the output has ceil(extent / stride) positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opc.dialects import expr as ex

from .parts import IntExpr

if TYPE_CHECKING:
    pass


def same_pads(
    extents: Sequence[ex.Expr], reach: Sequence[int], strides: Sequence[int], more_behind: bool
) -> tuple[IntExpr, ...]:
    """Pads before each axis, then after each, for ceil(extent / stride) positions.

    ``reach`` is the extent of a window.  The odd element goes behind with ``more_behind``, else in
    front.  For unknown extents pads may be expressions.
    """
    first: list[IntExpr] = []
    last: list[IntExpr] = []
    for extent, covered, stride in zip(extents, reach, strides, strict=True):
        known = extent.constant
        if stride > 1 and known is None:
            pads = _unknown_pads(extent, covered, stride, more_behind)
            before, after = (p if p.constant is None else p.constant for p in pads)
        else:
            total = covered - 1
            if stride > 1 and known is not None:
                total = max((-(-known // stride) - 1) * stride + covered - known, 0)
            before = total // 2 if more_behind else total - total // 2
            after = total - before
        first.append(before)
        last.append(after)
    return (*first, *last)


def _unknown_pads(
    extent: ex.Expr, covered: int, stride: int, more_behind: bool
) -> tuple[ex.Expr, ex.Expr]:
    """The pads before and after an axis of unknown extent.

    The pad behind is up to a stride longer than needed: the padded extent is then a multiple of the
    stride plus a constant, and the number of positions is ceil(extent / stride), an expression
    without pads.
    """
    skipped = max(stride - covered, 0)
    # The distance to the next multiple of the stride, as a remainder of a nonnegative number.
    missing = ex.mod(extent * (stride - 1), stride)
    total = ex.maximum(missing, skipped) + (covered - stride)
    before = ex.floordiv(total if more_behind else total + 1, 2)
    padded = ex.floordiv(extent + (stride - 1), stride) * stride + (covered - 1)
    return before, padded - extent - before

"""Pads that models leave to a rule: so many that a window's positions are those of the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from opc.dialects import expr as ex

from .parts import IntExpr, filled

if TYPE_CHECKING:
    from .op_builder import Builder


def same_pads(
    extents: Sequence[ex.Expr], reach: Sequence[int], strides: Sequence[int], more_behind: bool
) -> tuple[IntExpr, ...]:
    """Pads before each axis, then after each, for ceil(extent / stride) positions.

    ``reach`` is what a window covers.  Of an odd number there is one more behind, or in front.
    Where the extent is not known and decides, they are expressions of it.
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

    There are up to a stride more behind than a window reads: so the padded extent is a multiple of
    the stride and a constant, and the number of positions is ceil(extent / stride), which names no
    pads, however many layers follow.
    """
    skipped = max(stride - covered, 0)
    # What is missing to a whole number of strides, as a rest of what is not negative.
    missing = ex.mod(extent * (stride - 1), stride)
    total = ex.maximum(missing, skipped) + (covered - stride)
    before = ex.floordiv(total if more_behind else total + 1, 2)
    whole = ex.floordiv(extent + (stride - 1), stride) * stride + (covered - 1)
    return before, whole - extent - before


def with_unknown_pads(
    builder: Builder, x: SSAValue, pads: Sequence[IntExpr], value: SSAValue
) -> tuple[SSAValue, tuple[int, ...]]:
    """x [N, C, spatial...] padded along axes that have unknown pads, and the pads that are left.

    ``pads`` are those before each spatial axis, then after each; ``value`` is of rank 0.
    """
    rank = len(pads) // 2
    left = [ex.Expr.of(p).constant for p in pads]
    for axis in range(rank):
        if None in (left[axis], left[rank + axis]):
            x = filled(builder, x, 2 + axis, pads[axis], pads[rank + axis], value)
            left[axis] = left[rank + axis] = 0
    return x, tuple(p or 0 for p in left)

"""Pads that models leave to a rule: so many that a window's positions are those of the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opc.dialects import expr as ex


def same_pads(
    extents: Sequence[ex.Expr],
    reach: Sequence[int],
    strides: Sequence[int],
    more_behind: bool,
    unsupported: Callable[[str], Exception],
) -> tuple[int, ...]:
    """Pads before each axis, then after each, for ceil(extent / stride) positions.

    ``reach`` is what a window covers.  Of an odd number there is one more behind, or in front.
    Raises what ``unsupported`` makes where they depend on an extent that is not known.
    """
    first: list[int] = []
    last: list[int] = []
    for extent, covered, stride in zip(extents, reach, strides, strict=True):
        known = extent.constant
        if stride == 1:
            total = covered - 1
        elif known is None:
            raise unsupported(
                f"the pads depend on the unknown extent {extent}, for a stride of {stride}"
            )
        else:
            total = (-(-known // stride) - 1) * stride + covered - known
        total = max(total, 0)
        first.append(total // 2 if more_behind else total - total // 2)
        last.append(total - first[-1])
    return (*first, *last)

"""Windows of a padded tensor, and the number of elements of each, for pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.parts import WindowsOp, positions_of
from opc.dialects.opc.reduction import ReduceSumOp

from .parts import IntExpr
from .traced import extended


@dataclass(frozen=True)
class Windows:
    """Windows along spatial axes, and the pads around the tensor."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[IntExpr, ...]
    after: tuple[IntExpr, ...]
    """The stated pads."""
    more: tuple[IntExpr, ...]
    """Additional pads for a last, incomplete window (rounding up)."""

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of the windows to be reduced."""
        return tuple(range(-len(self.kernel), 0))

    def reach(self, axis: int) -> int:
        """The extent of a window along an axis, with dilation."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def rounded_up(self, extents: Sequence[ex.Expr], begins_within: bool = True) -> Windows:
        """With one more window for remaining elements; the pads are numbers.

        With ``begins_within`` no window begins after the tensor and its leading pads.
        """
        more: list[IntExpr] = []
        for axis, extent in enumerate(extents):
            stride, reach = self.strides[axis], self.reach(axis)
            within, after = extent + self.before[axis], ex.Expr.of(self.after[axis])
            padded, behind = (within + after).constant, after.constant or 0
            if padded is not None:
                count = max(-(-(padded - reach) // stride) + 1, 0)
                if begins_within and (count - 1) * stride >= padded - behind:
                    count -= 1
                more.append(max((count - 1) * stride + reach - padded, 0))
            elif not begins_within or reach >= stride + behind:
                # stride - 1 more elements round the number of windows up.  The last one begins
                # within, as it covers more than a step and the pads behind.
                more.append(stride - 1)
            elif reach <= behind:
                # Windows that begin within fit without rounding.
                more.append(0)
            else:
                fitting = positions_of(within + after + (stride - 1), reach, stride)
                count = ex.minimum(fitting, ex.floordiv(within + (stride - 1), stride))
                more.append(count * stride + (reach - 1) - within - after)
        return replace(self, more=tuple(more))

    def view(self, x: Any, value: float = 0) -> Any:
        """The windows of x [N, C, spatial...] padded with a number."""
        pads = zip(self.before, self.after, self.more, strict=True)
        for axis, (before, after, more) in enumerate(pads, 2):
            x = extended(x, axis, before, after + more, value)
        return x.trace.emit(
            WindowsOp, x, sizes=self.kernel, strides=self.strides, dilations=self.dilations
        )

    def lowest(self, x: Any) -> Any:
        """The windows of x padded with the least value of its type."""
        return self.view(x, -math.inf if x.element.is_float else np.iinfo(x.dtype).min)

    def average(self, x: Any, includes: bool | None) -> Any:
        """The sum of each window of x by its number of elements.

        ``includes`` counts the stated pads; with None all elements count.
        """
        total = onp.sum(self.view(x), self.axes)
        if includes is None:
            return total / math.prod(self.kernel)
        return total / self._counts(x, includes)

    def _counts(self, x: Any, includes: bool) -> Any:
        """The number of elements of each window."""
        if not any(self.more) and (includes or not any((*self.before, *self.after))):
            return x.trace.constant(math.prod(self.kernel), x.element)
        integer, rank, total = el.BY_NAME["i32"], len(self.kernel), None
        for axis, extent in enumerate(x.extents[2:]):
            # Along one axis: 1 for elements that count, summed over windows.
            before, after, more = self.before[axis], self.after[axis], self.more[axis]
            line = extended(x.trace.full((extent,), 1, integer), 0, before, after, int(includes))
            line = extended(line, 0, 0, more)
            own = [[values[axis]] for values in (self.kernel, self.strides, self.dilations)]
            view = x.trace.emit(WindowsOp, line, sizes=own[0], strides=own[1], dilations=own[2])
            count = view.trace.emit(ReduceSumOp, view, axes=(-1,)).astype(x.element)
            count = count.reshape([-1 if k == axis else 1 for k in range(rank)])
            total = count if total is None else total * count
        return total

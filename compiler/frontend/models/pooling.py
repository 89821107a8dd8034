"""Windows of a padded tensor, and the number of elements of each, for pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.parts import WindowsOp, positions_of
from opc.dialects.opc.reduction import ReduceMaxOp, ReduceSumOp
from opc.dialects.shape import Shape, element, tensor_of

from .op_builder import Builder
from .parts import IntExpr, filled


def lowest(builder: Builder, type: el.ElementType) -> SSAValue:
    """The least value of a type, which pads the windows of a maximum."""
    return builder.constant(-math.inf if type.is_float else np.iinfo(type.dtype).min, type)


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

    def view(self, builder: Builder, x: SSAValue, value: SSAValue) -> SSAValue:
        """The windows of x [N, C, spatial...] padded with a value of rank 0."""
        pads = zip(self.before, self.after, self.more, strict=True)
        for axis, (before, after, more) in enumerate(pads, 2):
            x = filled(builder, x, axis, before, after + more, value)
        return builder.add(
            WindowsOp(x, sizes=self.kernel, strides=self.strides, dilations=self.dilations)
        )

    def greatest(self, builder: Builder, x: SSAValue) -> SSAValue:
        """The greatest value of each window of x [N, C, spatial...]."""
        view = self.view(builder, x, lowest(builder, element(tensor_of(x))))
        return builder.add(ReduceMaxOp(view, axes=self.axes))

    def counts(
        self, builder: Builder, extents: Shape, type: el.ElementType, includes: bool
    ) -> SSAValue:
        """The number of elements of each window; ``includes`` counts the stated pads."""
        is_even = not any(self.more) and (includes or not any((*self.before, *self.after)))
        if is_even:
            return builder.constant(math.prod(self.kernel), type)
        integer, rank = el.BY_NAME["i32"], len(self.kernel)
        one, zero = builder.constant(1, integer), builder.constant(0, integer)
        total: SSAValue | None = None
        for axis, extent in enumerate(extents):
            # Along one axis: 1 for elements that count, summed over windows.
            line = builder.broadcast(builder.constant(np.ones(1), integer), (extent,))
            before, after, more = self.before[axis], self.after[axis], self.more[axis]
            line = filled(builder, line, 0, before, after, one if includes else zero)
            line = filled(builder, line, 0, 0, more, zero)
            part = slice(axis, axis + 1)
            sizes, strides, dilations = self.kernel, self.strides, self.dilations
            view = builder.add(
                WindowsOp(line, sizes=sizes[part], strides=strides[part], dilations=dilations[part])
            )
            count = builder.add(ReduceSumOp(view, axes=(-1,)))
            padded = extent + before + after + more
            positions = positions_of(padded, self.reach(axis), strides[axis])
            placed = [positions if k == axis else ex.const(1) for k in range(rank)]
            count = builder.reshape(builder.cast(count, type), placed)
            total = count if total is None else builder.binary("mul", total, count)
        assert total is not None
        return total

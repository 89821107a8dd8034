"""Windows of a padded tensor, and how many elements each has, for pooling of any format."""

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
    """What no element is less than: the pads of a greatest value."""
    return builder.constant(-math.inf if type.is_float else np.iinfo(type.dtype).min, type)


@dataclass(frozen=True)
class Windows:
    """What a window covers along each spatial axis, and the pads around them."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[IntExpr, ...]
    after: tuple[IntExpr, ...]
    """The pads that are asked for."""
    more: tuple[IntExpr, ...]
    """What rounding up adds behind them, so that a last window fits."""

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of the windows that are to be reduced."""
        return tuple(range(-len(self.kernel), 0))

    def reach(self, axis: int) -> int:
        """What a window covers along an axis."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def rounded_up(self, extents: Sequence[ex.Expr], begins_within: bool = True) -> Windows:
        """With one more window where some elements are left; the pads are numbers.

        Of windows that begin behind the tensor and its first pads there are none if
        ``begins_within``.
        """
        more: list[IntExpr] = []
        for axis, extent in enumerate(extents):
            stride, reach = self.strides[axis], self.reach(axis)
            within, after = extent + self.before[axis], ex.Expr.of(self.after[axis])
            whole, behind = (within + after).constant, after.constant or 0
            if whole is not None:
                count = max(-(-(whole - reach) // stride) + 1, 0)
                if begins_within and (count - 1) * stride >= whole - behind:
                    count -= 1
                more.append(max((count - 1) * stride + reach - whole, 0))
            elif not begins_within or reach >= stride + behind:
                # With all but one step more there are as many windows as without rounding.  The
                # last one begins within, as it covers more than a step and the pads behind.
                more.append(stride - 1)
            elif reach <= behind:
                # What begins within fits without rounding.
                more.append(0)
            else:
                fitting = positions_of(within + after + (stride - 1), reach, stride)
                count = ex.minimum(fitting, ex.floordiv(within + (stride - 1), stride))
                more.append(count * stride + (reach - 1) - within - after)
        return replace(self, more=tuple(more))

    def view(self, builder: Builder, x: SSAValue, value: SSAValue) -> SSAValue:
        """The windows of x [N, C, spatial...] among pads of one value of rank 0."""
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
        """How many elements the window at each position has, with the pads asked for or not."""
        is_even = not any(self.more) and (includes or not any((*self.before, *self.after)))
        if is_even:
            return builder.constant(math.prod(self.kernel), type)
        integer, rank = el.BY_NAME["i32"], len(self.kernel)
        one, zero = builder.constant(1, integer), builder.constant(0, integer)
        total: SSAValue | None = None
        for axis, extent in enumerate(extents):
            # Along one axis: ones where there is something, whose windows are added up.
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
            whole = extent + before + after + more
            positions = positions_of(whole, self.reach(axis), strides[axis])
            placed = [positions if k == axis else ex.const(1) for k in range(rank)]
            count = builder.reshape(builder.cast(count, type), placed)
            total = count if total is None else builder.binary("mul", total, count)
        assert total is not None
        return total

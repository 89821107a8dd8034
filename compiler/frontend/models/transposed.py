"""Transposed convolution: each element of the input adds its multiple of a filter to the result.

A result is computed where it lies, not scattered: along an axis, those at positions with one rest
of division by the stride (a phase) see the same taps of the filter.  So each phase is a
convolution, and phases that see equally many taps are filters of one::

    stride 2, taps a b c:   y[2*q] = a*x[q] + c*x[q - 1],   y[2*q + 1] = b*x[q]

Nothing is multiplied by zeros in between; results go side by side and what pads cut off is left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.opc.contraction import ConvOp
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.shape import element, shape_of, tensor_of

from .op_builder import Builder
from .parts import sliced


@dataclass(frozen=True)
class Phases:
    """Phases of an axis that see equally many taps, from the same element of the input on."""

    first: tuple[int, ...]
    """The first tap of each phase; none of them sees any if ``taps`` is 0."""
    taps: int
    step: int
    """From one tap that a phase sees to the next."""
    shift: int
    """How many elements before the position of the result the last one lies."""
    spread: int
    """Elements from one to the next that a phase sees."""


def phases(taps: int, stride: int, dilation: int) -> list[Phases]:
    """All phases of an axis, in order: runs of those that are alike."""
    check("the phases of a stride", "elements", stride)
    every: list[tuple[int, Phases]] = []
    for rest in range(stride):
        seen = [k for k in range(taps) if k * dilation % stride == rest]
        first = seen[0] if seen else 0
        step = seen[1] - first if len(seen) > 1 else 1
        shift, spread = first * dilation // stride, max(step * dilation // stride, 1)
        every.append((first, Phases((), len(seen), step, shift, spread)))
    return [
        replace(kind, first=tuple(first for first, _ in run))
        for kind, run in groupby(every, key=lambda item: item[1])
    ]


@dataclass(frozen=True)
class Transposed:
    """A transposed convolution, by its numbers along each spatial axis."""

    builder: Builder
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[int, ...]
    """How many elements are cut off in front."""
    sizes: tuple[ex.Expr, ...]
    """The extents of the result: of what is behind the last element, 0 is the value."""
    groups: int

    def reach(self, axis: int) -> int:
        """What a filter covers along an axis."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def of(self, x: SSAValue, w: SSAValue) -> SSAValue:
        """x [N, C, spatial...] by filters [C, M / groups, kernel...] --> [N, M, sizes...]."""
        b, rank = self.builder, len(self.kernel)
        batch, _, *extents = shape_of(tensor_of(x))
        filters = shape_of(tensor_of(w))[1] * self.groups
        counts = [self._count(k, e) for k, e in enumerate(extents)]
        # [N, M, phases..., positions...]
        y = self._joined(x, w, counts, ())
        order = [0, 1, *(2 + k + by for k in range(rank) for by in (rank, 0))]
        y = b.transpose(y, order)
        whole = [n * s for n, s in zip(counts, self.strides, strict=True)]
        y = b.reshape(y, (batch, filters, *whole))
        bounds = [(p, n + p, 1) for p, n in zip(self.before, self.sizes, strict=True)]
        return sliced(b, y, range(2, 2 + rank), bounds)

    def _count(self, axis: int, extent: ex.Expr) -> ex.Expr:
        """How many positions of each phase there are: all that are seen, or are asked for."""
        stride = self.strides[axis]
        wanted = (self.sizes[axis] + self.before[axis] - (extent - 1) * stride).constant
        last = max(self.reach(axis), wanted or 0)
        return extent - 1 + -(-last // stride)

    def _joined(
        self, x: SSAValue, w: SSAValue, counts: Sequence[ex.Expr], chosen: tuple[Phases, ...]
    ) -> SSAValue:
        axis = len(chosen)
        if axis == len(self.kernel):
            return self._conv(x, w, counts, chosen)
        found = phases(self.kernel[axis], self.strides[axis], self.dilations[axis])
        parts = [self._joined(x, w, counts, (*chosen, each)) for each in found]
        return self.builder.concat(parts, 2 + axis)

    def _conv(
        self, x: SSAValue, w: SSAValue, counts: Sequence[ex.Expr], chosen: tuple[Phases, ...]
    ) -> SSAValue:
        """The results of some phases: [N, M, phases..., positions...]."""
        b, rank = self.builder, len(chosen)
        batch, channels, *extents = shape_of(tensor_of(x))
        each = shape_of(tensor_of(w))[1]
        many = [len(p.first) for p in chosen]
        shape = (batch, each * self.groups, *many, *counts)
        if any(p.taps == 0 for p in chosen):
            return b.broadcast(b.constant(0, element(tensor_of(x))), shape)
        for k, p in enumerate(chosen):
            w = self._taps(w, 2 + 2 * k, p)
        # [C, M / groups, phases, taps, phases, taps, ...] --> [M * phases, C / groups, taps...]
        taps = [p.taps for p in chosen]
        shared = ex.floordiv(channels, self.groups)
        pairs = [n for pair in zip(many, taps, strict=True) for n in pair]
        w = b.reshape(w, (self.groups, shared, each, *pairs))
        order = [0, 2, *range(3, 3 + 2 * rank, 2), 1, *range(4, 4 + 2 * rank, 2)]
        w = b.transpose(w, order)
        w = b.reshape(w, (each * self.groups * ex.product(many), shared, *taps))
        before = [(p.taps - 1) * p.spread + p.shift for p in chosen]
        after = [(n - e).constant or 0 for n, e in zip(counts, extents, strict=True)]
        pads = [*before, *(a - p.shift for a, p in zip(after, chosen, strict=True))]
        y = b.add(
            ConvOp(
                x,
                w,
                strides=[1] * rank,
                dilations=[p.spread for p in chosen],
                pads=pads,
                groups=self.groups,
            )
        )
        return b.reshape(y, shape)

    def _taps(self, w: SSAValue, axis: int, phases: Phases) -> SSAValue:
        """The axis of taps becomes one of phases, and one of what they see, last first."""
        parts: list[SSAValue] = []
        for first in phases.first:
            last = first + (phases.taps - 1) * phases.step
            stop = first - phases.step if first >= phases.step else -TO_THE_END
            part = sliced(self.builder, w, [axis], [(last, stop, -phases.step)])
            shape = shape_of(tensor_of(part))
            parts.append(self.builder.reshape(part, (*shape[:axis], 1, *shape[axis:])))
        return self.builder.concat(parts, axis)

"""Transposed convolution: each element of the input adds its multiple of a filter to the result.

A result is computed where it lies, not scattered: along an axis, those at positions with one rest
of division by the stride (a phase) see the same taps of the filter.  So each phase is a
convolution, and phases that see as many taps from the same element on are filters of one::

    stride 2, taps a b c:   y[2*q] = a*x[q] + c*x[q - 1],   y[2*q + 1] = b*x[q]

Nothing is multiplied by zeros in between, and what pads cut off is not computed; results go side
by side.
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

FEW = 16
"""Filters up to which phases go together although they see other elements: 3 filters take 0.5 of
the time so, 8 take 0.7 to 0.9, and 16 as long."""
LONG = 24
"""Elements of an axis from which on they do, too, which takes 0.85 to 1.0 of the time: of 16 by 16
elements 1.1, since one position more is computed."""


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

    @property
    def before(self) -> int:
        """How many elements before the position of the result the first one lies."""
        return (self.taps - 1) * self.spread + self.shift


def phases(taps: int, stride: int, dilation: int, before: int) -> list[Phases]:
    """All phases of an axis of which so many results are cut off, in order: runs of those that are
    alike.
    """
    check("the phases of a stride", "elements", stride)
    every: list[tuple[int, Phases]] = []
    for k in range(stride):
        left_out, rest = divmod(k + before, stride)
        seen = [k for k in range(taps) if k * dilation % stride == rest]
        first = seen[0] if seen else 0
        step = seen[1] - first if len(seen) > 1 else 1
        shift, spread = first * dilation // stride - left_out, max(step * dilation // stride, 1)
        every.append((first, Phases((), len(seen), step, shift, spread)))
    return [
        replace(kind, first=tuple(first for first, _ in run))
        for kind, run in groupby(every, key=lambda item: item[1])
    ]


@dataclass(frozen=True)
class Along:
    """How an axis is computed."""

    phases: list[Phases]
    start: int
    """How many results there are before the first one that is asked for."""
    count: ex.Expr
    """Positions of each phase; the last one of some may be one too many."""


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

    def of(self, x: SSAValue, w: SSAValue) -> SSAValue:
        """x [N, C, spatial...] by filters [C, M / groups, kernel...] --> [N, M, sizes...]."""
        b, rank = self.builder, len(self.kernel)
        filters = shape_of(tensor_of(w))[1] * self.groups
        extents, each = shape_of(tensor_of(x))[2:], shape_of(tensor_of(w))[1].constant
        every = [self._along(k, e, each or FEW) for k, e in enumerate(extents)]
        # [N, M, phases..., positions...]
        y = self._joined(x, w, every, ())
        order = [0, 1, *(2 + k + by for k in range(rank) for by in (rank, 0))]
        y = b.transpose(y, order)
        whole = [along.count * s for along, s in zip(every, self.strides, strict=True)]
        y = b.reshape(y, (shape_of(tensor_of(x))[0], filters, *whole))
        bounds = [(a.start, n + a.start, 1) for a, n in zip(every, self.sizes, strict=True)]
        return sliced(b, y, range(2, 2 + rank), bounds)

    def _along(self, axis: int, extent: ex.Expr, filters: int) -> Along:
        """The phases of an axis; what is cut off in front is not computed.

        Less than a stride of it may be, where more phases are filters of one convolution then.
        """
        before, stride = self.before[axis], self.strides[axis]
        how = self.kernel[axis], stride, self.dilations[axis]
        start = before % stride
        found, joined = phases(*how, before), phases(*how, before - start)
        is_long = (extent.constant or LONG) >= LONG
        if len(joined) < len(found) and (is_long or filters < FEW):
            found = joined
        else:
            start = 0
        count = ex.floordiv(self.sizes[axis] + (start + stride - 1), stride)
        if (count - extent).constant is None:
            # Of a result that is a part of what there is: all that filters reach.
            reach = (how[0] - 1) * how[2] + 1 - (before - start)
            count = extent - 1 + -(-max(reach, 0) // stride)
        return Along(found, start, count)

    def _joined(
        self, x: SSAValue, w: SSAValue, every: Sequence[Along], chosen: tuple[Phases, ...]
    ) -> SSAValue:
        axis = len(chosen)
        if axis == len(every):
            return self._conv(x, w, [along.count for along in every], chosen)
        parts = [self._joined(x, w, every, (*chosen, each)) for each in every[axis].phases]
        return self.builder.concat(parts, 2 + axis)

    def _conv(
        self, x: SSAValue, w: SSAValue, counts: Sequence[ex.Expr], chosen: tuple[Phases, ...]
    ) -> SSAValue:
        """The results of some phases: [N, M, phases..., positions...]."""
        b, rank = self.builder, len(chosen)
        batch, channels, *_ = shape_of(tensor_of(x))
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
        x, pads = self._padded(x, counts, chosen)
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

    def _padded(
        self, x: SSAValue, counts: Sequence[ex.Expr], chosen: Sequence[Phases]
    ) -> tuple[SSAValue, list[int]]:
        """What some phases see of x, and how much of what they see is in front of it and behind."""
        bounds = list[tuple[int, int, int]]()
        before, after = list[int](), list[int]()
        for n, e, p in zip(counts, shape_of(tensor_of(x))[2:], chosen, strict=True):
            behind = (n - p.shift - e).constant or 0
            bounds.append((max(-p.before, 0), min(behind, 0) or TO_THE_END, 1))
            before.append(max(p.before, 0))
            after.append(max(behind, 0))
        return sliced(self.builder, x, range(2, 2 + len(chosen)), bounds), [*before, *after]

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

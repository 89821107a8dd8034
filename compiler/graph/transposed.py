"""Transposed convolution: each element of the input adds its multiple of a filter to the result.

A result is computed where it lies, not scattered: along an axis, those at positions with one rest
of division by the stride (a phase) see the same taps of the filter.  So each phase is a
convolution, and phases that see as many taps from the same element on are filters of one::

    stride 2, taps a b c:   y[2*q] = a*x[q] + c*x[q - 1],   y[2*q + 1] = b*x[q]

Nothing is multiplied by zeros in between, and what pads cut off is not computed; results go side
by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.opc.contraction import ConvOp, ConvTransposeOp, Spread
from opc.dialects.opc.parts import TO_THE_END, SliceOp
from opc.dialects.shape import element, shape_of, tensor_of

from .costs import joins_phases
from .rewriting import Builder


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
    def reach(self) -> int:
        """How many elements a result covers, gaps included."""
        return (self.taps - 1) * self.spread + 1

    @property
    def before(self) -> int:
        """How many elements before the position of the result the first one lies."""
        return self.reach - 1 + self.shift

    def behind(self, count: ex.Expr, extent: ex.Expr) -> int:
        """How many elements behind the input so many results see; negative if not all of it."""
        return (count - self.shift - extent).constant or 0

    def is_near(self, count: ex.Expr, extent: ex.Expr) -> bool:
        """Whether no input is shorter than what is cut off of it, and has results all the same:
        these see nothing but padding.
        """
        behind = self.behind(count, extent)
        misses_begin = self.before < 0 and behind >= self.reach
        misses_end = behind < 0 and self.shift > 0
        return self.taps == 0 or not (misses_begin or misses_end)


def phases(axis: Spread, before: int) -> list[Phases]:
    """All phases of an axis of which so many results are cut off, in order: runs of those that are
    alike.
    """
    check("the phases of a stride", "elements", axis.stride)
    stride, dilation = axis.stride, axis.dilation
    every: list[tuple[int, Phases]] = []
    for k in range(stride):
        left_out, rest = divmod(k + before, stride)
        seen = [k for k in range(axis.taps) if k * dilation % stride == rest]
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


def along(axis: Spread, extent: ex.Expr, filters: int | None) -> Along:
    """The phases of an axis; what is cut off in front is not computed.

    Less than a stride of it may be, where more phases are filters of one convolution then.
    """
    stride, start = axis.stride, axis.begin % axis.stride
    found, joined = phases(axis, axis.begin), phases(axis, axis.begin - start)
    if len(joined) < len(found) and joins_phases(filters, extent.constant):
        found = joined
    else:
        start = 0
    count = ex.floordiv(axis.results(extent) + (start + stride - 1), stride)
    if extent.constant is None and not all(p.is_near(count, extent) for p in found):
        # What is cut off of a long input may be more than a short one has: nothing is left out.
        found, start = phases(axis, 0), axis.begin
        count = ex.maximum(
            ex.floordiv(axis.results(extent) + (start + stride - 1), stride),
            extent + max(p.shift for p in found),
        )
    return Along(found, start, count)


def conv_transpose(b: Builder, params: Mapping[str, Any], args: Sequence[SSAValue]) -> SSAValue:
    """conv_transpose(x, w) --> convolutions of x, their results side by side."""
    x, w = args
    batch, _, *extents = shape_of(tensor_of(x))
    axes, rank = ConvTransposeOp.axes(shape_of(tensor_of(w)), params), len(extents)
    each = shape_of(tensor_of(w))[1]
    sizes = [axis.results(e) for axis, e in zip(axes, extents, strict=True)]
    if 0 in sizes:
        shape = (batch, each * params["groups"], *sizes)
        return b.broadcast(b.scalar(0, element(tensor_of(x))), shape)
    every = [along(axis, e, each.constant) for axis, e in zip(axes, extents, strict=True)]
    # [N, M, phases..., positions...]
    y = _Convolutions(b, x, w, params["groups"], every).joined(())
    y = b.transpose(y, [0, 1, *(2 + k + by for k in range(rank) for by in (rank, 0))])
    whole = [part.count * axis.stride for part, axis in zip(every, axes, strict=True)]
    y = b.reshape(y, (batch, each * params["groups"], *whole))
    bounds = [(part.start, n + part.start, 1) for part, n in zip(every, sizes, strict=True)]
    return _sliced(b, y, 2, bounds)


@dataclass(frozen=True)
class _Convolutions:
    """What a transposed convolution consists of."""

    builder: Builder
    x: SSAValue
    w: SSAValue
    groups: int
    every: Sequence[Along]

    def joined(self, chosen: tuple[Phases, ...]) -> SSAValue:
        """The results of all phases of the axes behind those of which some are chosen."""
        axis = len(chosen)
        if axis == len(self.every):
            return self._conv(chosen)
        parts = [self.joined((*chosen, each)) for each in self.every[axis].phases]
        return self.builder.concat(parts, 2 + axis)

    def _conv(self, chosen: tuple[Phases, ...]) -> SSAValue:
        """The results of some phases: [N, M, phases..., positions...]."""
        b, w, rank = self.builder, self.w, len(chosen)
        channels, each, *_ = shape_of(tensor_of(w))
        many, filters = [len(p.first) for p in chosen], each * self.groups
        counts = [part.count for part in self.every]
        shape = (shape_of(tensor_of(self.x))[0], filters, *many, *counts)
        if any(p.taps == 0 for p in chosen):
            return b.broadcast(b.scalar(0, element(tensor_of(w))), shape)
        for k, p in enumerate(chosen):
            w = self._taps(w, 2 + 2 * k, p)
        # [C, M / groups, phases, taps, phases, taps, ...] --> [M * phases, C / groups, taps...]
        taps = [p.taps for p in chosen]
        shared = ex.floordiv(channels, self.groups)
        pairs = [n for pair in zip(many, taps, strict=True) for n in pair]
        w = b.reshape(w, (self.groups, shared, each, *pairs))
        order = [0, 2, *range(3, 3 + 2 * rank, 2), 1, *range(4, 4 + 2 * rank, 2)]
        w = b.transpose(w, order)
        w = b.reshape(w, (filters * ex.product(many), shared, *taps))
        x, pads = self._padded(chosen)
        spread = [p.spread for p in chosen]
        y = b.add(ConvOp(x, w, dilations=spread, pads=pads, groups=self.groups))
        return b.reshape(y, shape)

    def _padded(self, chosen: Sequence[Phases]) -> tuple[SSAValue, list[int]]:
        """What some phases see of x, and how much of what they see is in front of it and behind."""
        bounds = list[tuple[ex.Expr | int, ex.Expr | int, int]]()
        before, after = list[int](), list[int]()
        extents = shape_of(tensor_of(self.x))[2:]
        for part, extent, p in zip(self.every, extents, chosen, strict=True):
            first, behind = -p.before, p.behind(part.count, extent)
            if extent.constant is None:
                bounds.append((max(first, 0), min(behind, 0) or TO_THE_END, 1))
                before.append(max(-first, 0))
                after.append(max(behind, 0))
                continue
            end = extent.constant + behind
            start = min(max(first, 0), extent.constant)
            stop = min(max(end, start), extent.constant)
            bounds.append((start, stop, 1))
            before.append(max(min(end, 0) - first, 0))
            after.append(end - first - before[-1] - (stop - start))
        return _sliced(self.builder, self.x, 2, bounds), [*before, *after]

    def _taps(self, w: SSAValue, axis: int, phases: Phases) -> SSAValue:
        """The axis of taps becomes one of phases, and one of what they see, last first."""
        parts: list[SSAValue] = []
        for first in phases.first:
            last = first + (phases.taps - 1) * phases.step
            stop = first - phases.step if first >= phases.step else -TO_THE_END
            part = _sliced(self.builder, w, axis, [(last, stop, -phases.step)])
            shape = shape_of(tensor_of(part))
            parts.append(self.builder.reshape(part, (*shape[:axis], 1, *shape[axis:])))
        return self.builder.concat(parts, axis)


def _sliced(
    b: Builder, x: SSAValue, axis: int, bounds: Sequence[tuple[ex.Expr | int, ex.Expr | int, int]]
) -> SSAValue:
    """x with ``start:stop:step`` along each axis from one on, and all of the others."""
    shape, whole = shape_of(tensor_of(x)), (0, TO_THE_END, 1)
    every = [*[whole] * axis, *bounds, *[whole] * (len(shape) - axis - len(bounds))]
    if all(bound in (whole, (0, e, 1)) for bound, e in zip(every, shape, strict=True)):
        return x
    starts, stops, steps = ([bound[k] for bound in every] for k in range(3))
    return b.add(SliceOp(x, starts=starts, stops=stops, steps=steps))

"""Decomposes transposed convolution into convolutions, one for each phase of the stride.

Results are gathered, not scattered.  Along an axis, results at positions that are equal modulo the
stride (a phase) see the same taps of the filter, so each phase is a convolution.  Phases that see
equally many taps from the same element on become filters of a single one::

    stride 2, taps a b c:   y[2*q] = a*x[q] + c*x[q - 1],   y[2*q + 1] = b*x[q]

No zeros are inserted, and results that pads cut off are not computed.  Results of phases are
interleaved.
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
    """Phases of an axis that see equally many taps from the same element of the input on."""

    first: tuple[int, ...]
    """The first tap of each phase; if ``taps`` is 0, the phases see none."""
    taps: int
    step: int
    """The distance of taps that a phase sees."""
    shift: int
    """How many elements the last one lies before the position of the result."""
    spread: int
    """The distance of elements that a phase sees."""

    @property
    def reach(self) -> int:
        """How many elements a result covers, gaps included."""
        return (self.taps - 1) * self.spread + 1

    @property
    def before(self) -> int:
        """How many elements the first one lies before the position of the result."""
        return self.reach - 1 + self.shift

    def behind(self, count: ex.Expr, extent: ex.Expr) -> int:
        """How many elements behind the input ``count`` results see; negative if they see less."""
        return (count - self.shift - extent).constant or 0

    def is_near(self, count: ex.Expr, extent: ex.Expr) -> bool:
        """Whether padding works for all extents: no input is shorter than what is cut off it, and
        still has results, which see nothing but padding.
        """
        behind = self.behind(count, extent)
        misses_begin = self.before < 0 and behind >= self.reach
        misses_end = behind < 0 and self.shift > 0
        return self.taps == 0 or not (misses_begin or misses_end)


def phases(axis: Spread, before: int) -> list[Phases]:
    """The phases of an axis in order, equal neighbours as one; ``before`` results are cut off."""
    check("the phases of a stride", "elements", axis.stride)
    stride, dilation = axis.stride, axis.dilation
    numbered: list[tuple[int, Phases]] = []
    for k in range(stride):
        left_out, rest = divmod(k + before, stride)
        seen = [k for k in range(axis.taps) if k * dilation % stride == rest]
        first = seen[0] if seen else 0
        step = seen[1] - first if len(seen) > 1 else 1
        shift, spread = first * dilation // stride - left_out, max(step * dilation // stride, 1)
        numbered.append((first, Phases((), len(seen), step, shift, spread)))
    return [
        replace(kind, first=tuple(first for first, _ in run))
        for kind, run in groupby(numbered, key=lambda item: item[1])
    ]


@dataclass(frozen=True)
class Along:
    """The phases of an axis, and the results that they compute."""

    phases: list[Phases]
    start: int
    """The number of results before the first one that is kept."""
    count: ex.Expr
    """The number of positions of each phase; some phases may have one too many."""


def along(axis: Spread, extent: ex.Expr, filters: int | None) -> Along:
    """The phases of an axis.

    Results that are cut off in front are not computed, except for less than a stride where this
    makes more phases one convolution.
    """
    stride, start = axis.stride, axis.begin % axis.stride
    parts, joined = phases(axis, axis.begin), phases(axis, axis.begin - start)
    if len(joined) < len(parts) and joins_phases(filters, extent.constant):
        parts = joined
    else:
        start = 0
    count = ex.floordiv(axis.results(extent) + (start + stride - 1), stride)
    if extent.constant is None and not all(p.is_near(count, extent) for p in parts):
        # A short input may have fewer elements than are cut off a long one: compute all results.
        parts, start = phases(axis, 0), axis.begin
        count = ex.maximum(
            ex.floordiv(axis.results(extent) + (start + stride - 1), stride),
            extent + max(p.shift for p in parts),
        )
    return Along(parts, start, count)


def conv_transpose(b: Builder, params: Mapping[str, Any], args: Sequence[SSAValue]) -> SSAValue:
    """conv_transpose(x, w) --> convolutions of x, their results interleaved."""
    x, w = args
    batch, _, *extents = shape_of(tensor_of(x))
    axes, rank = ConvTransposeOp.axes(shape_of(tensor_of(w)), params), len(extents)
    filters = shape_of(tensor_of(w))[1]
    sizes = [axis.results(e) for axis, e in zip(axes, extents, strict=True)]
    if 0 in sizes:
        shape = (batch, filters * params["groups"], *sizes)
        return b.broadcast(b.constant(0, element(tensor_of(x))), shape)
    parts = [along(axis, e, filters.constant) for axis, e in zip(axes, extents, strict=True)]
    # [N, M, phases..., positions...]
    y = _Convolutions(b, x, w, params["groups"], parts).joined(())
    y = b.transpose(y, [0, 1, *(2 + k + by for k in range(rank) for by in (rank, 0))])
    computed = [part.count * axis.stride for part, axis in zip(parts, axes, strict=True)]
    y = b.reshape(y, (batch, filters * params["groups"], *computed))
    bounds = [(part.start, n + part.start, 1) for part, n in zip(parts, sizes, strict=True)]
    return _sliced(b, y, 2, bounds)


@dataclass(frozen=True)
class _Convolutions:
    """Builds the convolutions of a transposed convolution."""

    builder: Builder
    x: SSAValue
    w: SSAValue
    groups: int
    axes: Sequence[Along]

    def joined(self, chosen: tuple[Phases, ...]) -> SSAValue:
        """The results of the chosen phases of the first axes, and of all phases of the others."""
        axis = len(chosen)
        if axis == len(self.axes):
            return self._conv(chosen)
        parts = [self.joined((*chosen, phases)) for phases in self.axes[axis].phases]
        return self.builder.concat(parts, 2 + axis)

    def _conv(self, chosen: tuple[Phases, ...]) -> SSAValue:
        """The results of phases, one of each axis: [N, M, phases..., positions...]."""
        b, w, rank = self.builder, self.w, len(chosen)
        channels, of_group, *_ = shape_of(tensor_of(w))
        many, filters = [len(p.first) for p in chosen], of_group * self.groups
        counts = [part.count for part in self.axes]
        shape = (shape_of(tensor_of(self.x))[0], filters, *many, *counts)
        if any(p.taps == 0 for p in chosen):
            return b.broadcast(b.constant(0, element(tensor_of(w))), shape)
        for k, p in enumerate(chosen):
            w = self._taps(w, 2 + 2 * k, p)
        # [C, M / groups, phases, taps, phases, taps, ...] --> [M * phases, C / groups, taps...]
        taps = [p.taps for p in chosen]
        shared = ex.floordiv(channels, self.groups)
        pairs = [n for pair in zip(many, taps, strict=True) for n in pair]
        w = b.reshape(w, (self.groups, shared, of_group, *pairs))
        order = [0, 2, *range(3, 3 + 2 * rank, 2), 1, *range(4, 4 + 2 * rank, 2)]
        w = b.transpose(w, order)
        w = b.reshape(w, (filters * ex.product(many), shared, *taps))
        x, pads = self._padded(chosen)
        spread = [p.spread for p in chosen]
        y = b.add(ConvOp(x, w, dilations=spread, pads=pads, groups=self.groups))
        return b.reshape(y, shape)

    def _padded(self, chosen: Sequence[Phases]) -> tuple[SSAValue, list[int]]:
        """The part of x that phases see, and the padding before and after it."""
        bounds = list[tuple[ex.Expr | int, ex.Expr | int, int]]()
        before, after = list[int](), list[int]()
        extents = shape_of(tensor_of(self.x))[2:]
        for part, extent, p in zip(self.axes, extents, chosen, strict=True):
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
        """Split the axis of taps into phases and the taps that they see, last first."""
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
    """x sliced by ``start:stop:step`` along the axes from ``axis`` on."""
    shape, full = shape_of(tensor_of(x)), (0, TO_THE_END, 1)
    slices = [*[full] * axis, *bounds, *[full] * (len(shape) - axis - len(bounds))]
    if all(bound in (full, (0, e, 1)) for bound, e in zip(slices, shape, strict=True)):
        return x
    starts, stops, steps = ([bound[k] for bound in slices] for k in range(3))
    return b.add(SliceOp(x, starts=starts, stops=stops, steps=steps))

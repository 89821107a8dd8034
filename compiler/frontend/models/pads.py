"""Pads of a tensor: a value around it, or its own elements continued; negative ones cut off.

One formula says which element a place takes (``_source``), for pads that are known when compiling
and for those that only a run knows.  It is that of NumPy's modes, where a pad may be wider than the
axis.  The extent that results is the extent and both pads; an error where that is negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.shape import MAX_SIZE, shape_of, tensor_of

from .indexed import Read, gathered, not_empty
from .op_builder import Builder
from .parts import Bound, IntExpr, filled, sliced
from .traced import NodeTrace

CUT_FIRST = "cut first"
"""ONNX's order: what is continued is the part that negative pads leave."""
CUT_LAST = "cut last"
"""OpenVINO's order: what is continued is the whole axis, which is mirrored once at most."""
RunTimePad: TypeAlias = "tuple[int, SSAValue, SSAValue]"
"""An axis, and the pads before and after it, each an i64 of rank 0."""


def _source(mode: str, places: Any, count: Any) -> Any:
    """Which of ``count`` elements, at least one, each place takes; place 0 is the first of them."""
    if mode in ("constant", "edge"):
        return np.minimum(np.maximum(places, 0), count - 1)
    if mode == "wrap":
        return places % count
    shared = _is_shared(mode)
    period = np.maximum(2 * (count - shared), 1)
    place = places % period
    return np.minimum(place, period - 1 + shared - place)


def _is_shared(mode: str) -> int:
    """Whether both directions share the elements at the ends, where an axis is mirrored."""
    return int(mode == "reflect")


def padded(
    builder: Builder,
    x: SSAValue,
    axis: int,
    before: IntExpr,
    after: IntExpr,
    value: SSAValue,
    mode: str = "constant",
    order: str = CUT_FIRST,
) -> SSAValue:
    """x with so many elements more, or for negative numbers less, before and after it.

    They are a value of rank 0, or in NumPy's modes edge, reflect, symmetric and wrap the elements
    of x.  Pads are numbers, or extents that are certainly not negative.  A value is put there
    before anything is cut off, elements of x after it, or before it where the order says so.
    """
    pads = [ex.Expr.of(before), ex.Expr.of(after)]
    low, high = (e if e.constant is None else ex.const(max(e.constant, 0)) for e in pads)
    cuts = [max(-(e.constant or 0), 0) for e in pads]
    if mode == "constant":
        return _cut(builder, filled(builder, x, axis, low, high, value), axis, *cuts)
    if (wide := max(e.constant or 0 for e in pads)) > MAX_SIZE:
        raise VerifyException(f"mode {mode} pads axis {axis} by {wide}, which exceeds 2^48")
    if order == CUT_FIRST:
        x = _cut(builder, x, axis, *cuts)
    elif mode != "edge":
        extent = shape_of(tensor_of(x))[axis]
        for pad in (low, high):
            least = pad if pad == 0 else pad + _is_shared(mode)
            what = f"axis {axis} is shorter than {extent_text(least)}, which mode {mode} needs"
            builder.require("equal", ex.minimum(extent, least), least, what)
    x = _continued(builder, x, axis, low, high, mode)
    return x if order == CUT_FIRST else _cut(builder, x, axis, *cuts)


def _cut(builder: Builder, x: SSAValue, axis: int, first: int, last: int) -> SSAValue:
    """x without so many elements at the ends of an axis, which must have as many."""
    if not (first or last):
        return x
    extent, total = shape_of(tensor_of(x))[axis], first + last
    what = f"axis {axis} is shorter than what its negative pads cut off"
    builder.require("equal", ex.minimum(extent, total), ex.const(total), what)
    return sliced(builder, x, [axis], [(first, -last if last else TO_THE_END, 1)])


def _continued(
    builder: Builder, x: SSAValue, axis: int, low: ex.Expr, high: ex.Expr, mode: str
) -> SSAValue:
    """x and its own elements before and after it."""
    if low == 0 and high == 0:
        return x
    extent, trace = shape_of(tensor_of(x))[axis], NodeTrace(builder)
    what = f"axis {axis} has no element, and mode {mode} takes elements of it"
    builder.require("equal", ex.atleast(extent, 1), ex.const(1), what)
    known = extent.constant
    count: Any = trace.extent(extent) if known is None else known

    def part(pad: ex.Expr, start: Any) -> list[SSAValue]:
        if pad == 0:
            return []
        places = _source(mode, trace.numbers(pad) + start, count)
        if isinstance(places, np.ndarray) and (run := _run(places)) is not None:
            found = sliced(builder, x, [axis], [run])
            extents = [pad if k == axis else e for k, e in enumerate(shape_of(tensor_of(x)))]
            return [builder.broadcast(found, extents)]
        return [gathered(builder, x, axis, trace.given(places, el.I64).value)]

    first: Any = 0 - trace.extent(low) if low.constant is None else -low.constant
    return builder.concat([*part(low, first), x, *part(high, count)], axis)


def _run(places: Any) -> Bound | None:
    """Places as a part of an axis that is read in one direction, or one place many times."""
    steps = np.unique(np.diff(places))
    if len(steps) > 1 or (len(steps) and abs(steps[0]) > 1):
        return None
    first, last = int(places[0]), int(places[-1])
    if last >= first:
        return first, last + 1, 1
    return first, last - 1 if last else -TO_THE_END, -1


def padded_at_run_time(
    builder: Builder,
    x: SSAValue,
    pads: Sequence[RunTimePad],
    value: SSAValue,
    mode: str,
    fits: SSAValue | None,
    read: Read,
    order: str = CUT_FIRST,
) -> SSAValue:
    """The same for several axes, by pads that only a run knows, if all ``fits``."""
    if not pads:
        return x
    trace, shape = NodeTrace(builder), shape_of(tensor_of(x))
    parts = [_Part(trace, shape[axis], low, high, mode, order) for axis, low, high in pads]
    sizes: Any = trace.array(builder.stack([part.size.value for part in parts], 0))
    if fits is not None:
        sizes = np.where(trace.array(fits), sizes, -1)
    inside: Any = None
    for (axis, *_), part, size in zip(
        pads, parts, read("plain", sizes.value, (), None), strict=True
    ):
        places = trace.array(builder.add(IotaOp.of(size))) - part.before
        if mode == "constant":
            here = (places >= 0) & (places < part.extent)
            here = here.reshape([-1 if k == axis else 1 for k in range(len(shape))])
            inside = here if inside is None else inside & here
        source: Any = _source(mode, places - part.cut, part.count) + part.cut
        x = gathered(builder, not_empty(builder, x, axis), axis, source.value)
    if inside is None:
        return x
    result: Any = np.where(inside, trace.array(x), trace.array(value))
    return result.value


class _Part:
    """What an axis has of pads that only a run knows.

    ``cut`` is the place of the first element that is continued, and ``count`` how many are, at
    least one; ``size`` is the extent that results, -1 where the pads do not fit.
    """

    def __init__(
        self,
        trace: NodeTrace,
        extent: ex.Expr,
        before: SSAValue,
        after: SSAValue,
        mode: str,
        order: str,
    ) -> None:
        self.extent = trace.array(trace.extent(extent).value)
        self.before, behind = trace.array(before), trace.array(after)
        self.cut, kept = self.before * 0, self.extent
        if mode != "constant" and order == CUT_FIRST:
            self.cut = np.maximum(-self.before, 0)
            kept = self.extent - self.cut + np.minimum(behind, 0)
        self.count = np.maximum(kept, 1)
        widest = np.maximum(self.before, behind)
        fits = (np.minimum(self.before, behind) >= -MAX_SIZE) & (widest <= MAX_SIZE)
        if mode != "constant":
            needed = widest * 0 + 1
            if order == CUT_LAST and mode != "edge":
                needed = widest + _is_shared(mode)
            fits = fits & ((widest <= 0) | (kept >= needed))
        self.size: Any = np.where(fits, self.extent + self.before + behind, -1)

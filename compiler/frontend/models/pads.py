"""Pads of a tensor: with a value, or with its own elements; negative pads crop.

``_source`` maps a position to an element, for pads known when compiling or at run time.  It follows
NumPy's modes, in which a pad may be wider than the axis.  The result has the extent plus both pads;
a negative extent is an error.
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
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.shape import MAX_SIZE, shape_of, tensor_of

from .call import Call
from .indexed import gathered, not_empty
from .op_builder import Builder
from .parts import Bound, IntExpr, filled, sliced
from .traced import NodeTrace

CUT_FIRST = "cut first"
"""ONNX's order: pads continue the part that negative pads leave."""
CUT_LAST = "cut last"
"""OpenVINO's order: pads continue the uncropped axis, which is mirrored at most once."""
RunTimePad: TypeAlias = "tuple[int, Any, Any]"
"""An axis, and the pads before and after it, each an i64 array of rank 0."""


def _source(mode: str, places: Any, count: Any) -> Any:
    """The element, of ``count`` >= 1, at each place; place 0 is the first element."""
    if mode in ("constant", "edge"):
        return np.minimum(np.maximum(places, 0), count - 1)
    if mode == "wrap":
        return places % count
    shared = _is_shared(mode)
    period = np.maximum(2 * (count - shared), 1)
    place = places % period
    return np.minimum(place, period - 1 + shared - place)


def _is_shared(mode: str) -> int:
    """Whether mirroring does not repeat the elements at the ends."""
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
    """x padded before and after, or cropped for negative pads.

    Mode constant pads with a value of rank 0; NumPy's modes edge, reflect, symmetric and wrap pad
    with elements of x.  Pads are numbers, or extents that are certainly nonnegative.  Constant pads
    are added before cropping, elements of x after it, or before it with ``CUT_LAST``.
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
            message = f"axis {axis} is shorter than {extent_text(least)}, which mode {mode} needs"
            builder.require("equal", ex.minimum(extent, least), least, message)
    x = _continued(builder, x, axis, low, high, mode)
    return x if order == CUT_FIRST else _cut(builder, x, axis, *cuts)


def _cut(builder: Builder, x: SSAValue, axis: int, first: int, last: int) -> SSAValue:
    """x cropped at the ends of an axis, which must be long enough."""
    if not (first or last):
        return x
    extent, total = shape_of(tensor_of(x))[axis], first + last
    message = f"axis {axis} is shorter than what its negative pads cut off"
    builder.require("equal", ex.minimum(extent, total), ex.const(total), message)
    return sliced(builder, x, [axis], [(first, -last if last else TO_THE_END, 1)])


def _continued(
    builder: Builder, x: SSAValue, axis: int, low: ex.Expr, high: ex.Expr, mode: str
) -> SSAValue:
    """x padded with its own elements."""
    if low == 0 and high == 0:
        return x
    extent, trace = shape_of(tensor_of(x))[axis], NodeTrace(builder)
    message = f"axis {axis} has no element, and mode {mode} takes elements of it"
    builder.require("equal", ex.atleast(extent, 1), ex.const(1), message)
    known = extent.constant
    count: Any = trace.extent(extent) if known is None else known

    def part(pad: ex.Expr, start: Any) -> list[SSAValue]:
        if pad == 0:
            return []
        places = _source(mode, trace.numbers(pad) + start, count)
        if isinstance(places, np.ndarray) and (run := _run(places)) is not None:
            elements = sliced(builder, x, [axis], [run])
            extents = [pad if k == axis else e for k, e in enumerate(shape_of(tensor_of(x)))]
            return [builder.broadcast(elements, extents)]
        return [gathered(builder, x, axis, trace.given(places, el.I64).value)]

    first: Any = 0 - trace.extent(low) if low.constant is None else -low.constant
    return builder.concat([*part(low, first), x, *part(high, count)], axis)


def _run(places: Any) -> Bound | None:
    """Places as a slice of an axis, or as one repeated place; else None."""
    steps = np.unique(np.diff(places))
    if len(steps) > 1 or (len(steps) and abs(steps[0]) > 1):
        return None
    first, last = int(places[0]), int(places[-1])
    if last >= first:
        return first, last + 1, 1
    return first, last - 1 if last else -TO_THE_END, -1


def padded_at_run_time(
    call: Call,
    trace: NodeTrace,
    x: SSAValue,
    pads: Sequence[RunTimePad],
    value: SSAValue,
    mode: str,
    fits: Any,
    order: str = CUT_FIRST,
) -> SSAValue:
    """As ``padded`` for several axes, with pads known at run time only."""
    if not pads:
        return x
    shape = shape_of(tensor_of(x))
    parts = [_Part(trace, shape[axis], low, high, mode, order) for axis, low, high in pads]
    sizes: Any = trace.array(call.stack([part.size.value for part in parts], 0))
    if fits is not None:
        sizes = np.where(fits, sizes, -1)
    inside: Any = None
    for (axis, *_), part, size in zip(
        pads, parts, call.read_value("plain", sizes.value, (), None), strict=True
    ):
        places = trace.positions(size) - part.before
        if mode == "constant":
            here = (places >= 0) & (places < part.extent)
            here = here.reshape([-1 if k == axis else 1 for k in range(len(shape))])
            inside = here if inside is None else inside & here
        source: Any = _source(mode, places - part.cut, part.count) + part.cut
        x = gathered(call, not_empty(call, x, axis), axis, source.value)
    if inside is None:
        return x
    result: Any = np.where(inside, trace.array(x), trace.array(value))
    return result.value


class _Part:
    """One axis with pads known at run time only.

    ``count`` elements from ``cut`` on are continued, at least one; ``size`` is the resulting
    extent, or -1 if the pads do not fit.
    """

    def __init__(
        self,
        trace: NodeTrace,
        extent: ex.Expr,
        before: Any,
        behind: Any,
        mode: str,
        order: str,
    ) -> None:
        self.extent = trace.number(extent)
        self.before = before
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

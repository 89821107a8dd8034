"""Pads of a tensor: with a value, or with its own elements; negative pads crop.

``_source`` maps a position to an element, for pads known when compiling or at run time.  It follows
NumPy's modes, in which a pad may be wider than the axis.  The result has the extent plus both pads;
a negative extent is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.shape import MAX_SIZE, Shape
from opc.frontend.python.array import Array

from .parts import IntExpr, filled
from .traced import NodeTrace, evenly, gathered, lined, not_empty

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
    x: Any,
    axis: int,
    before: IntExpr,
    after: IntExpr,
    value: Any,
    mode: str = "constant",
    order: str = CUT_FIRST,
) -> Any:
    """x padded before and after, or cropped for negative pads.

    Mode constant pads with a value of rank 0; NumPy's modes edge, reflect, symmetric and wrap pad
    with elements of x.  Pads are numbers, or extents that are certainly nonnegative.  Constant pads
    are added before cropping, elements of x after it, or before it with ``CUT_LAST``.
    """
    node, pads = x.trace.node, [ex.Expr.of(before), ex.Expr.of(after)]
    low, high = (e if e.constant is None else ex.const(max(e.constant, 0)) for e in pads)
    cuts = [max(-(e.constant or 0), 0) for e in pads]
    if mode == "constant":
        filling = filled(node, x.value, axis, low, high, value.value)
        return _cut(x.trace.array(filling), axis, *cuts)
    if (wide := max(e.constant or 0 for e in pads)) > MAX_SIZE:
        raise VerifyException(f"mode {mode} pads axis {axis} by {wide}, which exceeds 2^48")
    if order == CUT_FIRST:
        x = _cut(x, axis, *cuts)
    elif mode != "edge":
        for pad in (low, high):
            least = pad if pad == 0 else pad + _is_shared(mode)
            message = f"axis {axis} is shorter than {extent_text(least)}, which mode {mode} needs"
            node.require("equal", ex.minimum(x.extents[axis], least), least, message)
    x = _continued(x, axis, low, high, mode)
    return x if order == CUT_FIRST else _cut(x, axis, *cuts)


def _cut(x: Any, axis: int, first: int, last: int) -> Any:
    """x cropped at the ends of an axis, which must be long enough."""
    if not (first or last):
        return x
    extent, total = x.extents[axis], first + last
    message = f"axis {axis} is shorter than what its negative pads cut off"
    x.trace.node.require("equal", ex.minimum(extent, total), ex.const(total), message)
    return x[(*[slice(None)] * axis, slice(first, -last or None))]


def _continued(x: Any, axis: int, low: ex.Expr, high: ex.Expr, mode: str) -> Any:
    """x padded with its own elements."""
    if low == 0 and high == 0:
        return x
    extent, trace = x.extents[axis], x.trace
    message = f"axis {axis} has no element, and mode {mode} takes elements of it"
    trace.node.require("equal", ex.atleast(extent, 1), ex.const(1), message)
    known = extent.constant
    count: Any = trace.extent(extent) if known is None else known

    def part(pad: ex.Expr, start: Any) -> list[Any]:
        if pad == 0:
            return []
        places: np.ndarray[Any, np.dtype[Any]] | Array = _source(
            mode, trace.numbers(pad) + start, count
        )
        run = None
        if isinstance(places, np.ndarray):
            # All places may be the edge.
            run = evenly(places[:1] if (places == places[0]).all() else places)
        if run is not None:
            elements = x[(*[slice(None)] * axis, run)]
            extents = [pad if k == axis else e for k, e in enumerate(x.extents)]
            return [onp.broadcast_to(elements, extents)]
        return [gathered(x, [axis], trace.given(places, el.I64))]

    first: Any = 0 - trace.extent(low) if low.constant is None else -low.constant
    return onp.concatenate([*part(low, first), x, *part(high, count)], axis)


def padded_at_run_time(
    x: Any,
    pads: Sequence[RunTimePad],
    value: Any,
    mode: str,
    fits: Any,
    read: Callable[[str, SSAValue], Shape],
    order: str = CUT_FIRST,
) -> Any:
    """As ``padded`` for several axes, with pads known at run time only.

    ``read`` is ``Call.read_value``.
    """
    if not pads:
        return x
    trace = x.trace
    parts = [_Part(trace, x.extents[axis], low, high, mode, order) for axis, low, high in pads]
    sizes: Any = onp.stack([part.size for part in parts])
    sizes = sizes if fits is None else np.where(fits, sizes, -1)
    inside: Any = None
    for (axis, *_), part, size in zip(pads, parts, read("plain", sizes.value), strict=True):
        places = trace.positions(size) - part.before
        if mode == "constant":
            here = lined((places >= 0) & (places < part.extent), axis, x.ndim)
            inside = here if inside is None else inside & here
        source: Any = _source(mode, places - part.cut, part.count) + part.cut
        x = gathered(not_empty(x, axis), [axis], source)
    return x if inside is None else onp.where(inside, x, value)


class _Part:
    """One axis with pads known at run time only.

    ``count`` elements from ``cut`` on are continued, at least one; ``size`` is the resulting
    extent, or -1 if the pads do not fit.
    """

    def __init__(
        self, trace: NodeTrace, extent: ex.Expr, before: Any, behind: Any, mode: str, order: str
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

"""Scales and sizes of resized axes, known when compiling or at run time only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Shape, shape_text
from opc.frontend.python.array import Array
from opc.frontend.python.elementwise import widened

from .call import Call
from .resize import EXACT, F32, Axis, Method, outside, resized


@dataclass(frozen=True)
class Sizes:
    """The scales of axes, or the sizes that they get, as an input has them."""

    call: Call
    axes: Sequence[int]
    by_scales: bool
    position: int
    roi: int | None = None
    """The input that has the bounds of a region."""
    policy: str = "stretch"
    """``keep_aspect_ratio_policy`` of ONNX."""
    keeps: bool = True
    """Whether positions are divided by the stated scales, not by size / extent."""

    @property
    def numbers(self) -> Sequence[float | ex.Expr] | None:
        """The elements of the input if they are known."""
        if self.by_scales:
            return _constants(self.call, self.position)
        known = self.call.known_list(self.position)
        return None if known is None else [e if (n := e.constant) is None else n for e in known]

    def is_known(self, shape: Shape) -> bool:
        """Whether everything that decides positions is known when compiling."""
        numbers = self.numbers
        if numbers is None or (self.roi is not None and _constants(self.call, self.roi) is None):
            return False
        return not any(
            isinstance(n, ex.Expr)
            or (shape[axis].constant is None and (n != 1 if self.by_scales else shape[axis] != n))
            for axis, n in zip(self.axes, numbers, strict=False)
        )

    def known(self, shape: Shape) -> list[Axis]:
        """The axes of a shape that change, by known numbers."""
        call, count, roi = self.call, len(self.axes), None
        numbers = [n for n in self.numbers or () if not isinstance(n, ex.Expr)]
        if len(numbers) != count:
            what = "scales" if self.by_scales else "sizes"
            raise call.error(f"{len(numbers)} {what} for {count} axes")
        if self.roi is not None:
            roi = _constants(call, self.roi) or ()
            if len(roi) != 2 * count:
                raise call.error(f"{len(roi)} bounds of a region of {count} axes")
        extents = [shape[axis].constant for axis in self.axes]
        ratio = None
        if self.policy != "stretch" and numbers:
            choose = min if self.policy == "not_larger" else max
            ratio = choose(n / max(e or 1, 1) for n, e in zip(numbers, extents, strict=True))
            numbers = [math.floor(ratio * (e or 0) + 0.5) for e in extents]
        axes: list[Axis] = []
        for k, (axis, extent, number) in enumerate(zip(self.axes, extents, numbers, strict=True)):
            bounds = None if roi is None else (roi[k], roi[count + k])
            is_same = number == 1 if self.by_scales else extent == number and ratio is None
            if is_same and bounds is None:
                continue
            if extent is None:
                raise call.unsupported(
                    f"axis {axis} of {shape_text(shape)} is resized; its extent must be known"
                )
            if self.by_scales and not 0 < number < math.inf:
                raise call.error(f"scale {number} is not positive")
            if number < 0:
                raise call.error(f"axis {axis} of extent {extent} cannot become {number}")
            size = int(F32(number) * F32(extent)) if self.by_scales else int(number)
            if not extent or not size:
                raise call.unsupported(f"axis {axis} of extent {extent} becomes {size}")
            scale = (
                number if self.by_scales and self.keeps else ratio or float(F32(size) / F32(extent))
            )
            axes.append(Axis.of(axis, extent, size, scale, bounds))
        return axes

    def computed(self, shape: Shape, method: Method) -> list[Axis]:
        """The axes of a shape that change, by numbers that are known at run time only.

        Their extents are computed first.  Scales <= 0, negative sizes, resized axes without
        elements, and extents above ``EXACT`` are errors at run time.
        """
        call, count, trace = self.call, len(self.axes), self.call.trace
        extents = [shape[axis] for axis in self.axes]
        roi: list[Array] = []
        if self.roi is not None:
            roi = _elements(call, self.roi, 2 * count, "float32")
        numbers = self.numbers or [None] * count
        choose = self._by_scales if self.by_scales else self._by_sizes
        scales, sizes = choose(extents, numbers)
        computed: list[Array] = []
        kept = [
            k
            for k, n in enumerate(numbers)
            if roi or self.policy != "stretch" or n != (1 if self.by_scales else extents[k])
        ]
        is_antialiased = method.antialias and method.mode != "nearest"
        for k in kept:
            size = sizes[k]
            if isinstance(size, Array):
                computed.append(size)
            if is_antialiased:
                # A result that has elements has a scale of 1 / (2 * extent) or more.
                most = trace.number(2 * method.radius) * trace.number(extents[k])
                taps = method.taps(scales[k]).astype("int64")
                computed.append(np.minimum(np.maximum(taps, 1), np.maximum(most, 1)) * 2)
        read = iter(call.read_value("plain", onp.stack(computed).value) if computed else ())
        axes: list[Axis] = []
        for k in kept:
            size = sizes[k]
            size = next(read) if isinstance(size, Array) else size
            taps = next(read) if is_antialiased else ex.const(2 * method.radius)
            length, extent = (trace.number(e).astype("float32") for e in (extents[k], size))
            bounds = (roi[k], roi[count + k]) if roi else None
            places = trace.positions(size).astype("float32")
            axes.append(Axis(self.axes[k], length, extent, scales[k], bounds, places, taps))
        return axes

    def _by_scales(
        self, extents: Sequence[ex.Expr], numbers: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """The scales in f32, and the sizes as arrays or expressions."""
        scales: list[Any] = _elements(self.call, self.position, len(extents), "float32")
        sizes: list[Any] = []
        for scale, extent, number in zip(scales, extents, numbers, strict=True):
            exact = _exact(extent, number)
            if exact is not None:
                sizes.append(_required(self.call, exact, extent))
                continue
            size = np.floor(scale * self.call.trace.number(extent).astype("float32"))
            # NaN and infinity fail these comparisons.
            fits = (scale > F32(0)) & (scale < F32(EXACT)) & (size <= F32(EXACT))
            sizes.append(_checked(size, extent, fits))
        return scales, sizes

    def _by_sizes(
        self, extents: Sequence[ex.Expr], numbers: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        call = self.call
        wanted: list[Any] = _elements(call, self.position, len(extents), "int64")
        lengths = [call.trace.number(e).astype("float64") for e in extents]
        ratios = [
            size.astype("float64") / np.where(length > 0, length, 1)
            for size, length in zip(wanted, lengths, strict=True)
        ]
        line = onp.stack(wanted)
        fits: Any = onp.all(np.less_equal(0, line) & (line <= EXACT), axis=0)
        sizes: list[Any] = []
        if self.policy == "stretch":
            for size, extent, number in zip(wanted, extents, numbers, strict=True):
                known = None if number is None else ex.Expr.of(number)
                if known is not None and ex.is_nonnegative(known):
                    sizes.append(_required(call, known, extent))
                else:
                    sizes.append(_checked(size, extent, fits))
            return [r.astype("float32") for r in ratios], sizes
        choose = onp.min if self.policy == "not_larger" else onp.max
        one = choose(onp.stack(ratios), axis=0)
        for extent, length in zip(extents, lengths, strict=True):
            size = np.floor(one * length + 0.5)
            sizes.append(_checked(size, extent, fits & (size <= float(EXACT))))
        return [one.astype("float32")] * len(extents), sizes


def _constants(call: Call, position: int) -> list[float] | None:
    """The elements of a constant list of floats."""
    op = call[position].owner
    return [float(v) for v in op.array().reshape(-1)] if isinstance(op, ConstantOp) else None


def _elements(call: Call, position: int, count: int, type: str) -> list[Array]:
    """The elements of a list, each of rank 0."""
    shape = call.shape(position)
    if len(shape) != 1 or shape[0] != count:
        name = call.input_name(position)
        raise call.unsupported(f"input {name} is {shape_text(shape)}, expected [{count}]")
    values = call.traced(position).astype(type)
    return [values[k] for k in range(count)]


def _exact(extent: ex.Expr, scale: float | None) -> ex.Expr | None:
    """The size if the scale is an integer or a power of 1/2, else None."""
    if scale is None or not 2.0**-24 <= scale <= EXACT:
        return None
    if scale.is_integer():
        return extent * int(scale)
    parts = 1 / scale
    is_power = parts.is_integer() and not int(parts) & (int(parts) - 1)
    return ex.floordiv(extent, int(parts)) if is_power else None


def _required(call: Call, size: ex.Expr, extent: ex.Expr) -> ex.Expr:
    """The size; it and the extent are required to be such that can be resized."""
    for e in (size, extent):
        what = f"f32 cannot tell the places of {extent_text(e)} elements apart"
        call.require("equal", ex.minimum(e, EXACT), e, what)
    some = ex.minimum(extent, 1)
    what = f"an axis without elements cannot become one of {extent_text(size)}"
    call.require("equal", ex.maximum(some, ex.minimum(size, 1)), some, what)
    return size


def _checked(size: Any, extent: ex.Expr, fits: Any) -> Any:
    """A size in i64, or the invalid -1 if a condition fails."""
    size, length = size.astype("int64"), size.trace.number(extent)
    is_filled = np.less(0, length) | (size < 1)
    return np.where(fits & (length <= EXACT) & is_filled, size, -1)


def resize(call: Call, x: Any, sizes: Sizes, method: Method, value: float = 0.0) -> Any:
    """x with axes resized; ``value`` stands for elements outside of it."""
    trace, type, shape = call.trace, x.element, x.extents
    if method.mode != "nearest" and not type.is_float:
        raise call.unsupported(f"mode {method.mode} of {type}: expected floating-point numbers")
    is_known = sizes.is_known(shape)
    axes = sizes.known(shape) if is_known else sizes.computed(shape, method)
    y = x if method.mode == "nearest" else widened(x)
    for a in axes:
        y = resized(trace, y, a, method)
    for a in axes:
        y = outside(trace, y, a, method, value)
    return y.astype(type)

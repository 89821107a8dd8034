"""Resizing of axes by scales and sizes known at run time only.

The arithmetic of ``resize.py`` on terms that are computed at run time.  Elements are gathered,
multiplied by their weights, and summed along an additional axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.opc.unary import AbsOp, CeilOp, FloorOp
from opc.dialects.shape import element, shape_of, tensor_of

from .indexed import Numbers, gathered
from .moving import along
from .op_builder import Builder
from .resize import COORDINATES, F32, ROUNDING, Method, Scaling


class Term:
    """A value with arithmetic operators; numbers take its element type."""

    __array_ufunc__ = None
    """NumPy defers arithmetic to terms."""

    def __init__(self, builder: Builder, value: SSAValue) -> None:
        self.builder = builder
        self.value = value

    def _of(self, other: Any) -> SSAValue:
        if isinstance(other, Term):
            return other.value
        return self.builder.constant(other, element(tensor_of(self.value)))

    def _made(self, op: OpcOp) -> Term:
        return Term(self.builder, self.builder.add(op))

    def __add__(self, other: Any) -> Term:
        return self._made(b.AddOp(self.value, self._of(other)))

    def __radd__(self, other: Any) -> Term:
        return self._made(b.AddOp(self._of(other), self.value))

    def __sub__(self, other: Any) -> Term:
        return self._made(b.SubOp(self.value, self._of(other)))

    def __rsub__(self, other: Any) -> Term:
        return self._made(b.SubOp(self._of(other), self.value))

    def __mul__(self, other: Any) -> Term:
        return self._made(b.MulOp(self.value, self._of(other)))

    def __rmul__(self, other: Any) -> Term:
        return self._made(b.MulOp(self._of(other), self.value))

    def __truediv__(self, other: Any) -> Term:
        return self._made(b.DivOp(self.value, self._of(other)))

    def __rtruediv__(self, other: Any) -> Term:
        return self._made(b.DivOp(self._of(other), self.value))

    def __abs__(self) -> Term:
        return self._made(AbsOp(self.value))

    def __lt__(self, other: Any) -> Term:
        return self._made(b.LessOp(self.value, self._of(other)))

    def __le__(self, other: Any) -> Term:
        return self._made(b.LessEqualOp(self.value, self._of(other)))

    def __gt__(self, other: Any) -> Term:
        return self._made(b.GreaterOp(self.value, self._of(other)))

    def __and__(self, other: Term) -> Term:
        return self._made(b.AndOp(self.value, other.value))

    def __or__(self, other: Term) -> Term:
        return self._made(b.OrOp(self.value, other.value))

    def same(self, other: Any) -> Term:
        """Whether it equals another."""
        return self._made(b.EqualOp(self.value, self._of(other)))

    def where(self, x: Any, y: Any) -> Term:
        """x where this holds, else y; one of the two is a term."""
        term = x if isinstance(x, Term) else y
        return self._made(b.WhereOp(self.value, term._of(x), term._of(y)))

    def floor(self) -> Term:
        """Rounded down."""
        return self._made(FloorOp(self.value))

    def ceil(self) -> Term:
        """Rounded up."""
        return self._made(CeilOp(self.value))

    def cast(self, type: el.ElementType) -> Term:
        """In another element type."""
        return Term(self.builder, self.builder.cast(self.value, type))

    def shaped(self, *shape: ex.Expr | int) -> Term:
        """In another shape."""
        return Term(self.builder, self.builder.reshape(self.value, shape))


@dataclass(frozen=True)
class RunTimeAxis:
    """How one axis is resized, by f32 terms of rank 0."""

    axis: int
    extent: ex.Expr
    size: ex.Expr
    scale: Term
    roi: tuple[Term, Term] | None
    taps: ex.Expr
    """The number of elements of a sum, even."""

    def scaling(self) -> Scaling:
        """The parameters of positions."""
        builder = self.scale.builder
        n = Numbers(builder)
        extent, size = (Term(builder, n.of(e)).cast(el.F32) for e in (self.extent, self.size))
        first, last = self.roi or (F32(0), F32(1))
        where: Callable[[Term, Any, Any], Term] = Term.where
        return Scaling(extent, size, self.scale, first, last, where, Term.floor, Term.ceil)

    def positions(self, method: Method) -> Term:
        """The positions of the result's elements in the input."""
        builder = self.scale.builder
        o = Term(builder, builder.add(IotaOp.of(self.size))).cast(el.F32)
        x: Term = COORDINATES[method.coordinates](o, self.scaling())
        # Scale 1 is the identity in all coordinate modes.
        return x if self.roi else self.scale.same(F32(1)).where(o, x)


def tap_count(method: Method, scale: Term, extent: ex.Expr) -> SSAValue:
    """The number of elements of a sum with antialiasing, an i64 tensor."""
    n = Numbers(scale.builder)
    least = (scale < F32(1)).where(scale, F32(1))
    reach = (F32(method.radius) / least).ceil().cast(el.I64).value
    # A result that has elements has a scale of 1 / (2 * extent) or more.
    most = n.most(n.mul(2 * method.radius, extent), 1)
    return n.mul(n.clamp(reach, 1, most), 2)


def resized_at_run_time(builder: Builder, x: SSAValue, a: RunTimeAxis, method: Method) -> SSAValue:
    """x with one axis resized; its element type is f32 or f64, or any for mode nearest."""
    n, scaling, shape = Numbers(builder), a.scaling(), shape_of(tensor_of(x))
    at, top = a.positions(method), n.sub(a.extent, 1)
    if method.mode == "nearest":
        place: Term = ROUNDING[method.rounding](at, scaling)
        places = n.clamp(place.cast(el.I64).value, 0, top)
        return gathered(builder, x, a.axis, places)
    at = at.shaped(a.size, 1)
    first = at.floor()
    taps = Term(builder, builder.add(IotaOp.of(a.taps)))
    half = builder.add(b.DivOp(n.of(a.taps), n.of(2)))
    taps = (taps - Term(builder, half) + 1).shaped(1, a.taps)
    distance = first + taps.cast(el.F32) - at
    if method.antialias:
        distance = distance * (a.scale < F32(1)).where(a.scale, F32(1))
    weights: Term = method.weight(abs(distance), scaling)
    places = first.cast(el.I64) + taps
    if method.excludes:
        beside = (places < 0) | (places > Term(builder, top))
        weights = beside.where(F32(0), weights)
    if method.excludes or method.antialias:
        total = Term(builder, builder.add(ReduceSumOp(weights.value, axes=(1,))))
        weights = weights / total.shaped(a.size, 1)
    indices = n.clamp(places.value, 0, top)
    parts = Term(builder, builder.add(GatherOp(x, indices, axes=[a.axis], from_end=False)))
    behind = [1] * (len(shape) - 1 - a.axis)
    factors = weights.cast(element(tensor_of(x))).shaped(*[1] * a.axis, a.size, a.taps, *behind)
    # An infinity or NaN with weight 0 does not count.
    weighed = factors.same(0).where(0, parts * factors)
    return builder.add(ReduceSumOp(weighed.value, axes=(a.axis + 1,)))


def outside_at_run_time(
    builder: Builder, x: SSAValue, a: RunTimeAxis, method: Method, value: float
) -> SSAValue:
    """x with ``value`` for elements outside of the input, if the coordinates have such."""
    if method.coordinates != "tf_crop_and_resize":
        return x
    at = a.positions(method)
    beside = (at < F32(0)) | (at > a.scaling().extent - F32(1))
    here = along(builder, beside.value, a.axis, len(shape_of(tensor_of(x))))
    fill = builder.constant(np.asarray(value), element(tensor_of(x)))
    return builder.add(b.WhereOp(here, fill, x))

"""Parts and pads at places that only a run knows: indices are computed, and elements gathered.

How many there are is computed before the function starts where that is possible, of parts else on
the way (``opc.read_extents``); all of these take and give i64 tensors of rank 0 but for the
tensors that are moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.reduction import ReduceAllOp, ReduceSumOp
from opc.dialects.opc.unary import CeilOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .moving import along
from .op_builder import Builder

Read: TypeAlias = "Callable[[str, SSAValue, Shape, Shape | None], Shape]"
"""Makes symbols of values by a rule of ``opc.read_extents``, for extents, with bounds."""


class Numbers:
    """Arithmetic on i64 tensors."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def of(self, value: SSAValue | ex.Expr | int) -> SSAValue:
        """A number or an extent as a tensor of rank 0."""
        if isinstance(value, SSAValue):
            return value
        known = ex.Expr.of(value).constant
        if known is not None:
            return self.builder.constant(known, el.I64)
        return self.builder.add(ExtentOp.of(ex.Expr.of(value)))

    def apply(self, kind: type[OpcOp], *values: SSAValue | ex.Expr | int) -> SSAValue:
        """An operator of some of them."""
        return self.builder.add(kind(*map(self.of, values)))

    def add(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x + y."""
        return self.apply(b.AddOp, x, y)

    def sub(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x - y."""
        return self.apply(b.SubOp, x, y)

    def mul(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """x * y."""
        return self.apply(b.MulOp, x, y)

    def least(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """The lesser."""
        return self.apply(b.MinOp, x, y)

    def most(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """The greater."""
        return self.apply(b.MaxOp, x, y)

    def less(self, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int) -> SSAValue:
        """Whether x < y."""
        return self.apply(b.LessOp, x, y)

    def where(
        self, c: SSAValue, x: SSAValue | ex.Expr | int, y: SSAValue | ex.Expr | int
    ) -> SSAValue:
        """x where c holds, else y."""
        return self.builder.add(b.WhereOp(c, self.of(x), self.of(y)))

    def clamp(
        self,
        x: SSAValue | ex.Expr | int,
        low: SSAValue | ex.Expr | int,
        high: SSAValue | ex.Expr | int,
    ) -> SSAValue:
        """x, or the nearer of two bounds."""
        return self.least(self.most(x, low), high)

    def element(self, values: SSAValue, number: int) -> SSAValue:
        """An element of a 1-D tensor."""
        return self.builder.part(values, number)

    def line(self, values: Sequence[SSAValue]) -> SSAValue:
        """A 1-D tensor of some numbers."""
        return self.builder.stack(values, 0)

    def checked(self, counts: Sequence[SSAValue], fits: SSAValue | None) -> SSAValue:
        """A list of extents; of -1, which is none, where something does not fit."""
        line = self.line(counts)
        return line if fits is None else self.where(fits, line, -1)

    def beside(
        self, axes: SSAValue, values: SSAValue, rank: int, absent: int
    ) -> tuple[list[SSAValue], SSAValue]:
        """For each axis the value beside it in a list of axes, or a number where it is not there.

        And whether they are axes of that rank, none of them twice.
        """
        named = self.where(self.less(axes, 0), self.add(axes, rank), axes)
        (length,) = shape_of(tensor_of(axes))
        each = self.builder.reshape(named, (1, length))
        here = self.apply(b.EqualOp, each, along(self.builder, self.of_all(rank), 0, 2))
        values = self.builder.reshape(values, (1, length))
        found = self.builder.add(ReduceSumOp(self.where(here, values, 0), axes=(1,)))
        counts = self.builder.add(ReduceSumOp(self.builder.cast(here, el.I64), axes=(1,)))
        found = self.where(self.apply(b.EqualOp, counts, 0), absent, found)
        total = self.builder.add(ReduceSumOp(counts, axes=(0,)))
        once = self.builder.add(ReduceAllOp(self.less(counts, 2), axes=(0,)))
        fits = self.apply(b.AndOp, self.apply(b.EqualOp, total, length), once)
        return [self.element(found, k) for k in range(rank)], fits

    def of_all(self, rank: int) -> SSAValue:
        """0, 1, 2, ..."""
        return self.builder.add(IotaOp.of(ex.const(rank)))


def gathered(builder: Builder, x: SSAValue, axis: int, indices: SSAValue) -> SSAValue:
    """The elements of x along an axis at 1-D indices."""
    return builder.add(GatherOp(x, indices, axes=[axis], from_end=False))


def slice_bounds(
    n: Numbers, start: SSAValue, stop: SSAValue, step: SSAValue, extent: ex.Expr
) -> tuple[SSAValue, SSAValue]:
    """The first place of ``start:stop:step`` along an axis, and how many there are.

    Backwards, a start in front of the axis is its first place, as ONNX has it.  A step of 0 gives
    -1 places, which are no extent.
    """
    backwards = n.less(step, 0)
    most = n.sub(extent, 1)

    def placed(place: SSAValue, least: int) -> SSAValue:
        place = n.where(n.less(place, 0), n.add(n.most(place, n.sub(-1, extent)), extent), place)
        forward = n.clamp(place, 0, extent)
        backward = n.clamp(place, least, most)
        return n.where(backwards, backward, forward)

    first, last = placed(start, 0), placed(stop, -1)
    length = n.where(backwards, n.sub(first, last), n.sub(last, first))
    # The least integer has no absolute value.
    wide = n.where(backwards, n.sub(0, n.most(step, -(1 << 62))), step)
    iterations = n.apply(b.DivOp, n.sub(length, 1), wide)
    count = n.where(n.less(0, length), n.add(iterations, 1), 0)
    return first, n.where(n.apply(b.EqualOp, step, 0), -1, count)


def run_time_slice(
    builder: Builder,
    x: SSAValue,
    bounds: Sequence[tuple[int, SSAValue, SSAValue, SSAValue]],
    fits: SSAValue | None,
    read: Read,
) -> SSAValue:
    """x with ``start:stop:step`` along axes: (axis, start, stop, step) each, if all ``fits``."""
    n, shape = Numbers(builder), shape_of(tensor_of(x))
    found = [slice_bounds(n, s, e, by, shape[axis]) for axis, s, e, by in bounds]
    if not found:
        return x
    most = tuple(shape[axis] for axis, *_ in bounds)
    counts = read("plain", n.checked([count for _, count in found], fits), (), most)
    for (axis, _, _, step), (first, _), count in zip(bounds, found, counts, strict=True):
        places = n.add(first, n.mul(builder.add(IotaOp.of(count)), step))
        x = gathered(builder, x, axis, places)
    return x


def run_time_range(
    builder: Builder, start: SSAValue, limit: SSAValue, step: SSAValue, read: Read
) -> SSAValue:
    """start + position * step, up to limit; all of rank 0 and one type, f32 or an integer say.

    A step of 0 is an error when the function runs.
    """
    n, type = Numbers(builder), element(tensor_of(start))
    if type.is_float:
        a, z, by = (builder.cast(v, el.F64) for v in (start, limit, step))
        iterations = builder.add(CeilOp(builder.binary("div", builder.binary("sub", z, a), by)))
        count = n.most(builder.cast(iterations, el.I64), 0)
        is_still = builder.add(b.EqualOp(by, builder.constant(0, el.F64)))
    else:
        # Distances have one bit more than signed numbers have.
        unsigned = el.BY_NAME["ui64"]
        wide = unsigned if type.kind == "unsigned" else el.I64
        a, z, by = (builder.cast(v, wide) for v in (start, limit, step))
        zero, one = builder.constant(0, wide), builder.constant(1, unsigned)
        forward = n.less(zero, by)
        first, last = n.where(forward, a, z), n.where(forward, z, a)
        distance = builder.cast(n.sub(last, first), unsigned)
        length = builder.cast(n.where(forward, by, n.sub(zero, by)), unsigned)
        iterations = n.add(n.apply(b.DivOp, n.sub(distance, one), length), one)
        most = builder.constant(el.I64.highest, unsigned)
        count = n.where(n.less(first, last), builder.cast(n.least(iterations, most), el.I64), 0)
        is_still = n.apply(b.EqualOp, by, zero)
    (extent,) = read("plain", n.where(is_still, -1, count), (), None)
    return _progression(builder, start, step, extent)


def range_of_extents(
    builder: Builder, start: ex.Expr, limit: ex.Expr, step: ex.Expr, type: el.ElementType
) -> SSAValue | None:
    """The integers from start on, before limit; None unless they follow one another."""
    count = limit - start
    if step != 1:
        return None
    count = count if ex.is_nonnegative(count) else ex.maximum(count, 0)
    places = builder.add(IotaOp.of(count))
    if start != 0:
        places = builder.binary("add", places, Numbers(builder).of(start))
    return builder.cast(places, type)


def _progression(builder: Builder, start: SSAValue, step: SSAValue, extent: ex.Expr) -> SSAValue:
    places = builder.cast(builder.add(IotaOp.of(extent)), element(tensor_of(start)))
    return builder.binary("add", start, builder.binary("mul", places, step))


def not_empty(builder: Builder, x: SSAValue, axis: int) -> SSAValue:
    """x, with an element along an axis that may have none: pads are taken from somewhere."""
    shape = shape_of(tensor_of(x))
    known = shape[axis].constant
    if known is not None and known > 0:
        return x
    extents = [*shape[:axis], ex.const(1), *shape[axis + 1 :]]
    zero = builder.constant(0, element(tensor_of(x)))
    return builder.concat([x, builder.broadcast(zero, extents)], axis)

"""The overlap of two rotated boxes.

The intersection is a polygon whose sides are parts of the sides of both boxes.  Each side of one
box is clipped in the frame in which the other box is upright.  Twice the area is the sum of the
cross products of the ends of these parts; the order of the polygon's corners does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc import binary as b
from opc.dialects.opc.unary import AbsOp, CosOp, NegOp, SinOp

from .indexed import Numbers
from .op_builder import Builder

Point: TypeAlias = "tuple[SSAValue, SSAValue]"
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Counterclockwise: the area is positive."""
NEAR = 1e-9
"""Tolerance, in parts of a side: sides of the boxes may coincide."""


class _Plane:
    """Arithmetic in f64, on values and numbers."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.n = Numbers(builder)

    def of(self, value: SSAValue | float) -> SSAValue:
        return value if isinstance(value, SSAValue) else self.builder.constant(value, el.F64)

    def add(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.add(self.of(x), self.of(y))

    def sub(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.sub(self.of(x), self.of(y))

    def mul(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.mul(self.of(x), self.of(y))

    def div(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.apply(b.DivOp, self.of(x), self.of(y))

    def least(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.least(self.of(x), self.of(y))

    def most(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.n.most(self.of(x), self.of(y))

    def rotated(self, point: Point, cosine: SSAValue, sine: SSAValue) -> Point:
        """A point rotated by an angle."""
        x, y = point
        return (
            self.sub(self.mul(x, cosine), self.mul(y, sine)),
            self.add(self.mul(x, sine), self.mul(y, cosine)),
        )

    def corners(self, box: Sequence[SSAValue], around: Point) -> list[Point]:
        """The corners of a box, relative to a point."""
        x, y, wide, high, cosine, sine = box
        centre = self.sub(x, around[0]), self.sub(y, around[1])
        halves = self.mul(wide, 0.5), self.mul(high, 0.5)
        points: list[Point] = []
        for signs in CORNERS:
            point = self.mul(halves[0], signs[0]), self.mul(halves[1], signs[1])
            moved = self.rotated(point, cosine, sine)
            points.append((self.add(moved[0], centre[0]), self.add(moved[1], centre[1])))
        return points

    def inside(self, start: Point, step: Point, box: Sequence[SSAValue], closed: bool) -> SSAValue:
        """The part of a segment inside of a box, in the frame of the box.

        A segment on a side is inside if the box is ``closed`` and the side has its direction.
        """
        first, last = self.of(0.0), self.of(1.0)
        for k, (at, by, size) in enumerate(zip(start, step, box[2:4], strict=True)):
            half = self.mul(size, 0.5)
            ends = [self.div(self.sub(self.mul(half, sign), at), by) for sign in (-1, 1)]
            low, high = self.least(*ends), self.most(*ends)
            # A segment parallel to the side is inside or outside as a whole.
            length = self.builder.add(AbsOp(by))
            is_along = self.n.less(length, self.mul(size, NEAR))
            margin = self.mul(size, -NEAR)
            if closed:
                ahead = self.mul(at, step[1 - k])
                same = (
                    self.n.less(self.of(0.0), ahead) if k == 0 else self.n.less(ahead, self.of(0.0))
                )
                margin = self.n.where(same, self.mul(size, NEAR), margin)
            is_inside = self.n.less(self.builder.add(AbsOp(at)), self.add(half, margin))
            nothing = self.n.where(is_inside, self.of(0.0), self.of(2.0))
            first = self.most(first, self.n.where(is_along, nothing, low))
            last = self.least(last, self.n.where(is_along, self.of(1.0), high))
        return self.most(self.sub(last, first), 0.0)

    def shared(self, mine: Sequence[SSAValue], other: Sequence[SSAValue]) -> SSAValue:
        """The area that two boxes share."""
        origin = mine[0], mine[1]
        total: SSAValue | None = None
        for box, frame, closed in ((mine, other, True), (other, mine, False)):
            corners = self.corners(box, origin)
            centre = self.sub(frame[0], origin[0]), self.sub(frame[1], origin[1])
            back = frame[4], self.builder.add(NegOp(frame[5]))
            local = [
                self.rotated((self.sub(x, centre[0]), self.sub(y, centre[1])), *back)
                for x, y in corners
            ]
            for k in range(4):
                (x, y), (u, v) = corners[k], corners[(k + 1) % 4]
                cross = self.sub(self.mul(x, v), self.mul(y, u))
                start, end = local[k], local[(k + 1) % 4]
                step = self.sub(end[0], start[0]), self.sub(end[1], start[1])
                part = self.mul(cross, self.inside(start, step, frame, closed))
                total = part if total is None else self.add(total, part)
        assert total is not None
        return self.most(self.mul(total, 0.5), 0.0)


def shared(builder: Builder, mine: Sequence[SSAValue], other: Sequence[SSAValue]) -> SSAValue:
    """The intersection area of boxes given by their numbers."""
    return _Plane(builder).shared(mine, other)


def numbers_of(builder: Builder, box: Sequence[SSAValue], clockwise: bool) -> list[SSAValue]:
    """Centres and sizes in f64, with the cosines and sines of the angles."""
    x, y, wide, high, angle = (builder.cast(v, el.F64) for v in box)
    angle = angle if clockwise else builder.add(NegOp(angle))
    return [x, y, wide, high, builder.add(CosOp(angle)), builder.add(SinOp(angle))]


def overlap_rotated(
    builder: Builder, best: Sequence[SSAValue], values: Sequence[SSAValue]
) -> SSAValue:
    """Whether the intersection over union of boxes and one box exceeds the last value."""
    plane, mine, (*other, most) = _Plane(builder), best[:6], values
    shared = plane.shared(mine, other)
    areas = [plane.mul(box[2], box[3]) for box in (mine, other)]
    union = plane.sub(plane.add(*areas), shared)
    part = plane.div(shared, union)
    is_some = [plane.n.less(plane.of(0.0), area) for area in areas]
    overlaps = plane.n.less(builder.cast(most, el.F64), part)
    for marks in is_some:
        overlaps = plane.n.apply(b.AndOp, overlaps, marks)
    return overlaps

"""Boxes with an angle: how much two of them overlap.

What they share is a polygon, whose sides are parts of the sides of both boxes.  A side of one box
is a segment in the frame of the other one, in which that is upright, and is cut off where it leaves
it.  Twice the area is the sum of the cross products of the ends of all these parts, so the corners
of the polygon need not be known, nor their order.
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
"""In the order in which the area is positive."""
NEAR = 1e-9
"""Parts of a side that count as nothing: a side of one box may lie on one of the other."""


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
        """The corners of a box, seen from a point."""
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
        """Which part of a segment, in the frame of a box, is inside of it.

        One that lies on a side is inside if the box is ``closed``, and the side has its direction.
        """
        first, last = self.of(0.0), self.of(1.0)
        for k, (at, by, size) in enumerate(zip(start, step, box[2:4], strict=True)):
            half = self.mul(size, 0.5)
            ends = [self.div(self.sub(self.mul(half, sign), at), by) for sign in (-1, 1)]
            low, high = self.least(*ends), self.most(*ends)
            # Along the side of the box all or nothing is inside.
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
    """The area that boxes, by their numbers, share."""
    return _Plane(builder).shared(mine, other)


def numbers_of(builder: Builder, box: Sequence[SSAValue], clockwise: bool) -> list[SSAValue]:
    """Of centres, sizes and angles: the same in f64, with the cosine and sine of the angle."""
    x, y, wide, high, angle = (builder.cast(v, el.F64) for v in box)
    angle = angle if clockwise else builder.add(NegOp(angle))
    return [x, y, wide, high, builder.add(CosOp(angle)), builder.add(SinOp(angle))]


def overlap_rotated(
    builder: Builder, best: Sequence[SSAValue], values: Sequence[SSAValue]
) -> SSAValue:
    """Whether boxes, by their numbers, overlap one box by more than the last of their union."""
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

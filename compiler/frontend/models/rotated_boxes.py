"""The overlap of two rotated boxes.

The intersection is a polygon whose sides are parts of the sides of both boxes.  Each side of one
box is clipped in the frame in which the other box is upright.  Twice the area is the sum of the
cross products of the ends of these parts; the order of the polygon's corners does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import opc.numpy as onp
from opc.dialects import element as el

Point: TypeAlias = "tuple[Any, Any]"
"""Coordinates: arrays of f64."""
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Counterclockwise: the area is positive."""
NEAR = 1e-9
"""Tolerance, in parts of a side: sides of the boxes may coincide."""


def _rotated(point: Point, cosine: Any, sine: Any) -> Point:
    """A point rotated by an angle."""
    x, y = point
    return x * cosine - y * sine, x * sine + y * cosine


def _corners(box: Sequence[Any], around: Point) -> list[Point]:
    """The corners of a box, relative to a point."""
    x, y, wide, high, cosine, sine = box
    centre, halves = (x - around[0], y - around[1]), (wide * 0.5, high * 0.5)
    points: list[Point] = []
    for signs in CORNERS:
        moved = _rotated((halves[0] * signs[0], halves[1] * signs[1]), cosine, sine)
        points.append((moved[0] + centre[0], moved[1] + centre[1]))
    return points


def _inside(start: Point, step: Point, box: Sequence[Any], closed: bool) -> Any:
    """The part of a segment inside of a box, in the frame of the box.

    A segment on a side is inside if the box is ``closed`` and the side has its direction.
    """
    first, last = 0.0, 1.0
    for k, (at, by, size) in enumerate(zip(start, step, box[2:4], strict=True)):
        half = size * 0.5
        ends = [(half * sign - at) / by for sign in (-1, 1)]
        low, high = onp.minimum(*ends), onp.maximum(*ends)
        # A segment parallel to the side is inside or outside as a whole.
        is_along = abs(by) < size * NEAR
        margin = size * -NEAR
        if closed:
            ahead = at * step[1 - k]
            same = onp.less(0.0, ahead) if k == 0 else onp.less(ahead, 0.0)
            margin = onp.where(same, size * NEAR, margin)
        nothing = onp.where(abs(at) < half + margin, by.trace.constant(0.0, el.F64), 2.0)
        first = onp.maximum(first, onp.where(is_along, nothing, low))
        last = onp.minimum(last, onp.where(is_along, 1.0, high))
    return onp.maximum(last - first, 0.0)


def shared(mine: Sequence[Any], other: Sequence[Any]) -> Any:
    """The area that two boxes share."""
    origin = mine[0], mine[1]
    total: Any = None
    for box, frame, closed in ((mine, other, True), (other, mine, False)):
        corners = _corners(box, origin)
        centre, back = (frame[0] - origin[0], frame[1] - origin[1]), (frame[4], -frame[5])
        local = [_rotated((x - centre[0], y - centre[1]), *back) for x, y in corners]
        for k in range(4):
            (x, y), (u, v) = corners[k], corners[(k + 1) % 4]
            start, end = local[k], local[(k + 1) % 4]
            step = end[0] - start[0], end[1] - start[1]
            part = (x * v - y * u) * _inside(start, step, frame, closed)
            total = part if total is None else total + part
    return onp.maximum(total * 0.5, 0.0)


def numbers_of(box: Sequence[Any], clockwise: bool) -> list[Any]:
    """Centres and sizes in f64, with the cosines and sines of the angles."""
    *numbers, angle = (v.astype(el.F64) for v in box)
    angle = angle if clockwise else -angle
    return [*numbers, onp.cos(angle), onp.sin(angle)]


def overlap_rotated(best: Sequence[Any], values: Sequence[Any]) -> Any:
    """Whether the intersection over union of boxes and one box exceeds the last value."""
    (*other, most), mine = values, best[:6]
    overlap, areas = shared(mine, other), [box[2] * box[3] for box in (mine, other)]
    overlaps = most.astype("f64") < overlap / (areas[0] + areas[1] - overlap)
    for area in areas:
        overlaps = overlaps & onp.less(0.0, area)
    return overlaps

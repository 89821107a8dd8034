"""Sorting, overlap and suppression of boxes, on traced arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.order import ordered
from opc.frontend.models.suppression import Drops, suppressed
from opc.frontend.models.traced import NodeTrace

from .layer import Layer


def in_order(
    layer: Layer, x: Any, axis: int, count: ex.Expr, *, largest: bool = True
) -> tuple[Any, Any]:
    """The first ``count`` elements along an axis in order, and their positions."""
    values, places = ordered(layer, layer.op, x.value, axis, count, largest)
    return x.trace.array(values), x.trace.array(places)


def over_union(
    mine: Sequence[Any],
    other: Sequence[Any],
    offset: float = 0,
    *,
    touching: bool = False,
    solid: bool = False,
) -> Any:
    """Intersection over union of boxes (x, y, x, y), 0 if they are disjoint.

    Sides are ``offset`` longer: with 1, corners are centres of pixels.  ``touching`` ignores the
    offset when it tests for disjoint boxes; ``solid`` gives 0 for boxes without an area.
    """
    sides = [
        onp.maximum(
            onp.minimum(mine[k + 2], other[k + 2]) - onp.maximum(mine[k], other[k]) + offset, 0.0
        )
        for k in range(2)
    ]
    shared = sides[0] * sides[1]
    areas = [(v[2] - v[0] + offset) * (v[3] - v[1] + offset) for v in (mine, other)]
    is_some = (sides[0] > 0.0) & (sides[1] > 0.0)
    if touching:
        for k in range(2):
            is_some = is_some & (mine[k] <= other[k + 2]) & (other[k] <= mine[k + 2])
    if solid:
        is_some = is_some & (areas[0] > 0.0) & (areas[1] > 0.0)
    return onp.where(is_some, shared / (areas[0] + areas[1] - shared), np.float32(0))


def drops(test: Callable[[Sequence[Any], Sequence[Any]], Any]) -> Drops:
    """The test of dropped boxes on traced arrays, as a ``Drops`` on values."""

    def written(builder: Builder, mine: Sequence[SSAValue], other: Sequence[SSAValue]) -> SSAValue:
        trace = NodeTrace(builder)
        return test([trace.array(v) for v in mine], [trace.array(v) for v in other]).value

    return written


def standing(
    layer: Layer,
    score: Any,
    values: Sequence[Any],
    test: Callable[[Sequence[Any], Sequence[Any]], Any],
    room: ex.Expr,
) -> Any:
    """The positions of kept boxes of each row, [rows, room], best first, padded with -1.

    Scores are [rows, width], and so are the values that ``test`` compares.
    """
    operands = [v.value for v in values]
    return score.trace.array(suppressed(layer, layer.op, score.value, operands, drops(test), room))

"""What planners weigh: bytes of memory and costs of operations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects.buffer import bytes_of, element_in
from opc.dialects.scalar import SCALARS
from opc.dialects.schedule import Axis
from opc.dialects.shape import shape_of
from opc.support.target import GUESSED

from .nest import applied
from .nest_trees import Loop


def is_large(buffer: SSAValue, cache: int) -> bool:
    """Whether a buffer may be larger than ``cache`` bytes."""
    size = bytes_of(buffer).constant
    return size is None or size > cache


def guessed(extents: Iterable[ex.Expr], guess: int = GUESSED) -> int:
    """The number of points, by a guess for each unknown extent."""
    return math.prod(guess if e.constant is None else e.constant for e in extents)


def guessed_trips(loops: Sequence[Loop], extents: Mapping[Axis, ex.Expr]) -> list[int]:
    """The iterations of nested loops over axes, outermost first, by the same guess."""
    left, trips = {axis: guessed([extent]) for axis, extent in extents.items()}, list[int]()
    for axis, by, _ in loops:
        assert axis is not None
        size = guessed([ex.Expr.of(by)])
        trips.append(-(-left[axis] // size))
        left[axis] = size
    return trips


def guessed_bytes(buffer: SSAValue, guess: int = GUESSED) -> int:
    """The bytes of a buffer, by the same guess."""
    return guessed(shape_of(buffer.type), guess) * element_in(buffer).bytes


def cost_of(ops: Iterable[Operation]) -> int:
    """The cost of the functions in operations, in simple operations."""
    return sum(SCALARS[op.function.data].cost for op in applied(ops))


def even_part(extent: int | ex.Expr, most: int, step: int = 1) -> int:
    """Values of a part, a multiple of ``step``: as few even parts of at most ``most`` as can be.

    Of an unknown extent, ``most``.
    """
    count = extent if isinstance(extent, int) else extent.constant
    if count is None:
        return most
    parts = -(-count // most)
    return -(-count // (parts * step)) * step

"""What planners weigh: bytes of memory, and what operations cost."""

from __future__ import annotations

import math
from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from opc.dialects import body
from opc.dialects import expr as ex
from opc.dialects.buffer import element_in
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of
from opc.support.target import GUESSED


def bytes_of(buffer: SSAValue) -> ex.Expr:
    """How many bytes a buffer has."""
    return ex.product(shape_of(buffer.type)) * element_in(buffer).bytes


def is_large(buffer: SSAValue, cache: int) -> bool:
    """Whether a buffer may be outside of a cache of so many bytes."""
    size = bytes_of(buffer).constant
    return size is None or size > cache


def guessed(extents: Iterable[ex.Expr]) -> int:
    """How many points there are; an extent that only a run knows counts as a number that is."""
    return math.prod(GUESSED if e.constant is None else e.constant for e in extents)


def guessed_bytes(buffer: SSAValue) -> int:
    """How many bytes a buffer has, by the same guess."""
    return guessed(shape_of(buffer.type)) * element_in(buffer).bytes


def applied(ops: Iterable[Operation]) -> list[body.ApplyOp]:
    """The functions that are computed in operations, those in sweeps as well."""
    inside = (inner for op in ops for inner in op.walk())
    return [op for op in inside if isinstance(op, body.ApplyOp)]


def has_functions(ops: Iterable[Operation]) -> bool:
    """Whether long functions are computed in operations."""
    return any(op.is_expensive for op in applied(ops))


def cost_of(ops: Iterable[Operation]) -> int:
    """What the functions in operations cost, in simple operations."""
    return sum(SCALARS[op.function.data].cost for op in applied(ops))


def even_part(count: int, most: int, step: int = 1) -> int:
    """Values of a part, a multiple of a step: as few parts as have at most so many, but even."""
    parts = -(-count // most)
    return -(-count // (parts * step)) * step

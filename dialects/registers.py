"""Loops over arrays in vector registers, as the sums of a tile are.

C compilers keep such an array in registers if every loop over it is unrolled and nothing takes a
single element of it.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from . import loop
from .buffer import LocalOp
from .shape import shape_of
from .walking import walk


def lanes_of(buffer: SSAValue) -> int:
    """Elements of each register of an array in registers; 0 for other arrays."""
    owner = buffer.owner
    return (owner.register_lanes or 0) if isinstance(owner, LocalOp) else 0


def vectors_of(buffer: SSAValue) -> int:
    """The registers of an array in registers."""
    (length,) = shape_of(buffer.type)
    return (length.constant or 0) // lanes_of(buffer)


def array_in(op: loop.ForOp) -> SSAValue | None:
    """The array in registers over whose vectors a loop runs, if any."""
    if op.kind.data != "vector":
        return None
    for inner in op.body.block.ops:
        if isinstance(inner, loop.LoadOp | loop.StoreOp):
            buffer = inner.source if isinstance(inner, loop.LoadOp) else inner.target
            if lanes_of(buffer) > 1:
                return buffer
    return None


def touches_registers(op: loop.ForOp) -> bool:
    """Whether a loop has a loop over an array in registers."""
    return any(isinstance(inner, loop.ForOp) and array_in(inner) for inner in walk(op))


def is_of_sums(op: loop.ForOp) -> bool:
    """Whether a loop goes over all sums of a tile, along one axis, for which none has a vector."""
    lower, upper, _ = op.bounds
    if op.kind.data not in ("unroll", "vector") or lower != 0 or upper.constant is None:
        return False
    accesses = (o for o in walk(op) if isinstance(o, loop.LoadOp | loop.StoreOp))
    buffers = (o.source if isinstance(o, loop.LoadOp) else o.target for o in accesses)
    return any(lanes_of(buffer) == 1 for buffer in buffers)

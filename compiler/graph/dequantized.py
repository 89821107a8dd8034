"""Dequantized values, and moving them: what only moves them moves the integers of 8 bits instead.

::

    transpose((q - zero) * scale)             -->  (transpose(q) - zero) * scale
    reshape, slice, broadcast, gather, concat and windows likewise
    reduce_max((q - zero) * scale)            -->  (reduce_max(q) - zero) * scale
    reduce_max(windows(concat(-inf, x, -inf)))  -->  ... the same of integers, with their least one

Each value is rounded as before, and integers take a quarter of the memory.  So contractions find
the integers of their operands (``integer_contractions``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import MulOp, SubOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp, WindowsOp
from opc.dialects.opc.reduction import ReduceMaxOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of, tensor_type

from .rewriting import Builder, uniform

SCALES = (2.0**-60, 2.0**60)
"""The least and greatest scale; products of two neither vanish nor overflow."""
MOVES = (TransposeOp, ReshapeOp, SliceOp, BroadcastOp, GatherOp, WindowsOp, ConcatOp, ReduceMaxOp)
"""Operators whose results are some of the elements of their first operand, or of all."""


@dataclass(frozen=True)
class Scaled:
    """Dequantized values: (integers - zero) * scale."""

    integers: SSAValue
    zero: SSAValue | None
    scale: SSAValue

    @property
    def steps(self) -> tuple[object, ...] | None:
        """What makes equal values of equal integers, if the scale is one positive number."""
        zero = 0 if self.zero is None else uniform(self.zero)
        scale, type = uniform(self.scale), element(tensor_of(self.integers))
        return None if zero is None or scale is None or scale <= 0 else (scale, zero, type)

    def centred(self, builder: Builder, type: el.ElementType) -> SSAValue:
        """The integers minus their zero point in a type."""
        x = builder.cast(self.integers, type)
        return x if self.zero is None else builder.add(SubOp(x, builder.cast(self.zero, type)))

    def moved(
        self, builder: Builder, integers: SSAValue, move: Callable[[SSAValue], SSAValue]
    ) -> SSAValue:
        """Other integers with this zero point and scale, which move with them."""
        zero = None if self.zero is None else move(self.zero)
        x = Scaled(integers, zero, move(self.scale)).centred(builder, el.F32)
        return builder.add(MulOp(x, move(self.scale)))


def is_one(shape: Shape) -> bool:
    """Whether a shape certainly has one element."""
    return all(e == 1 for e in shape)


def of_rank(builder: Builder, x: SSAValue, rank: int) -> SSAValue:
    """x with leading axes of extent 1."""
    shape = shape_of(x.type)
    return builder.reshape(x, (*[1] * (rank - len(shape)), *shape))


def _integers(x: SSAValue) -> SSAValue | None:
    """The 8-bit integers that x is converted from to f32; None if it is not."""
    if not isinstance(x.owner, CastOp) or element(tensor_of(x)) is not el.F32:
        return None
    source = element(tensor_of(x.owner.operands[0]))
    return x.owner.operands[0] if source.is_integer and source.bits == 8 else None


def _unmoved(x: SSAValue) -> Operation | Block:
    op = x.owner
    while isinstance(op, ReshapeOp | BroadcastOp | TransposeOp):
        op = op.operands[0].owner
    return op


def _is_scale(x: SSAValue) -> bool:
    """Whether x is a constant within SCALES, moved or not."""
    op = _unmoved(x)
    if not isinstance(op, ConstantOp):
        return False
    values = np.abs(op.array().astype(np.float64))
    return bool(((values >= SCALES[0]) & (values <= SCALES[1])).all())


def scaled(x: SSAValue) -> Scaled | None:
    """The parts of a dequantized value; None if x is none."""
    op = x.owner
    if not isinstance(op, MulOp) or element(op.type) is not el.F32:
        return None
    centred, scale = op.operands
    zero = None
    if isinstance(centred.owner, SubOp):
        centred, subtracted = centred.owner.operands
        zero = _integers(subtracted)
        if zero is None:
            return None
    integers = _integers(centred)
    if integers is None or not _is_scale(scale) or shape_of(integers.type) != shape_of(op.type):
        return None
    if zero is not None and not isinstance(_unmoved(zero), ConstantOp):
        return None
    return Scaled(integers, zero, scale)


def moved(op: OpcOp, builder: Builder) -> SSAValue | None:
    """move(dequantized)  -->  dequantized move(integers); None for others."""
    if not isinstance(op, MOVES) or element(op.type) is not el.F32:
        return None
    if isinstance(op, ReduceMaxOp):
        return _greatest(op, builder)
    count = len(op.operands) if isinstance(op, ConcatOp) else 1
    parts = [part for v in op.operands[:count] if (part := scaled(v)) is not None]
    if len(parts) < count:
        return None
    move = _move(op, builder)
    if parts[0].steps is not None and len({part.steps for part in parts}) == 1:
        move = partial(_one, builder)
    elif move is None:
        return None
    rest = op.operands[count:]
    integers = _again(builder, op, *[part.integers for part in parts], *rest)
    return parts[0].moved(builder, integers, move)


def _again(builder: Builder, op: OpcOp, *operands: SSAValue) -> SSAValue:
    """An operator on other operands, of whose element type its result is."""
    type = tensor_type(element(tensor_of(operands[0])), shape_of(op.type))
    params = {k: v for k, v in op.values().items() if k != "result_type"}
    return builder.add(op.__class__(*operands, result_type=type, **params))


def _one(builder: Builder, x: SSAValue) -> SSAValue:
    """The only number of a constant."""
    number = uniform(x)
    assert number is not None
    return builder.constant(number, element(tensor_of(x)))


def _move(op: OpcOp, builder: Builder) -> Callable[[SSAValue], SSAValue] | None:
    """What moves scales along with values; None if they might have to differ inside of an axis."""
    shape, rank = shape_of(op.type), len(shape_of(op.tensor_types[0]))
    if isinstance(op, TransposeOp):
        return lambda x: builder.transpose(of_rank(builder, x, rank), op.values()["permutation"])
    # Filters [groups, filters, ...] become [groups * filters, ...].
    first, rest = shape_of(op.tensor_types[0])[:2], shape_of(op.tensor_types[0])[2:]
    if not isinstance(op, ReshapeOp) or rest != shape[1:]:
        return None

    def joined(x: SSAValue) -> SSAValue:
        x = of_rank(builder, x, rank)
        own = shape_of(x.type)[2:]
        return builder.reshape(builder.broadcast(x, (*first, *own)), (shape[0], *own))

    return joined


def _greatest(op: OpcOp, builder: Builder) -> SSAValue | None:
    """Maxima of dequantized values, or of windows of them, of which each sees one behind -inf."""
    chain: list[OpcOp] = [op]
    x, size = op.operands[0], 0
    while isinstance(x.owner, WindowsOp | ConcatOp) and scaled(x) is None:
        step, params = x.owner, x.owner.values()
        chain.append(step)
        values = [v for v in step.operands if not _is_padding(v)]
        if isinstance(step, WindowsOp):
            sizes, dilations = params["sizes"], params["dilations"]
            size = min(sizes, default=0) if max(dilations, default=1) == 1 else 0
        elif not all(_extent(v, params["axis"]) < size for v in step.operands if v not in values):
            return None
        if len(values) != 1:
            return None
        x = values[0]
    part = scaled(x)
    if part is None or part.steps is None:
        return None
    y, type = part.integers, element(tensor_of(part.integers))
    for step in reversed(chain):
        operands: list[SSAValue] = []
        for v in step.operands:
            least = builder.constant(type.lowest, type) if _is_padding(v) else None
            operands.append(builder.broadcast(least, shape_of(v.type)) if least else y)
        y = _again(builder, step, *operands)
    return part.moved(builder, y, partial(_one, builder))


def _is_padding(x: SSAValue) -> bool:
    return uniform(x) == -np.inf


def _extent(x: SSAValue, axis: int) -> float:
    """An extent; infinite if it is unknown."""
    known = shape_of(x.type)[axis].constant
    return np.inf if known is None else known

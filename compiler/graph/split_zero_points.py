"""Takes the zero points of 8-bit factors off after the product, so that these stay in 8 bits.

::

    matmul(x - zx, w)  -->  matmul(x, w) - zx * sum(w, axis -2)
    matmul(x, w - zw)  -->  matmul(x, w) - sum(x, axis -1) * zw
    matmul(x, w - zw)  -->  matmul(x, w - 128) - sum(x, axis -1) * (zw - 128)
    matmul(x, w)       -->  matmul(x, w + 128) - sum(x, axis -1) * 128

    conv(x - zx, w) {pads = [1, 1]}
      -->  conv(concat(zx, x, zx), w) - zx * sum(w)

    conv(x, w - zw)
      -->  conv(x, w) - zw * conv(sum(x, axis 1), ones)

    w - zw, both constant, which 8 bits hold  -->  cast (constant of 8 bits)

On machines that multiply bytes (``Target.multiplies_bytes``) both factors stay so; on others only
constants, which take a byte then: 16 bits hold the differences of data.  The third form is for
unsigned x and w of which w is constant, where processors multiply unsigned by signed bytes only
(``Target.alike``).  The fourth
is for few rows and constant w where unsigned bytes are widened faster.  x and w are integers of 8
bits, converted to i32, whose differences need more: zx may be known at run time only.  Sums of i32
wrap, so the results are equal.  Sums of constants are folded.  Runs after integer-contractions,
which makes such products, and before fold-constants, which would subtract the zero points of
constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.expr import Expr, const
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import MulOp, SubOp
from opc.dialects.opc.contraction import ConvOp, MatmulOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.passes.function_pass import MachinePass
from opc.support.target import LEAST_CHANNELS, LEAST_SHARING, Target

from .constant_chains import narrowed
from .rewriting import Builder, operators, remove_unused

I32 = el.BY_NAME["i32"]
I8, UI8 = (el.BY_NAME[name] for name in ("i8", "ui8"))
SHIFT = -int(I8.lowest)
"""The number that makes unsigned 8-bit numbers signed."""


@dataclass(frozen=True)
class Factor:
    """One side of a product: 8-bit integers in i32, minus a zero point if there is one."""

    integers: SSAValue
    zero: SSAValue | None
    difference: SSAValue

    @property
    def constant(self) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]] | None:
        """The integers as they are stored, if they are constant."""
        return _constant(self.integers)

    @property
    def narrow_type(self) -> el.ElementType | None:
        """The type of 8 bits that holds the differences; None if there is none."""
        type = _stored_type(self.integers)
        if self.zero is None or type is None:
            return type
        zero, stored = _constant(self.zero), self.constant
        if zero is None or not zero.size:
            return None
        low, high = int(type.lowest), int(type.highest)
        if stored is not None and stored.size:
            low, high = int(stored.min()), int(stored.max())
        least, most = low - int(zero.max()), high - int(zero.min())
        return next((t for t in (I8, UI8) if t.lowest <= least and most <= t.highest), None)

    def fits(self) -> bool:
        """Whether the differences have 8 bits."""
        return self.narrow_type is not None


def _moved(x: SSAValue) -> SSAValue:
    """What x is a transpose, reshape, slice or broadcast of."""
    while isinstance(x.owner, TransposeOp | ReshapeOp | SliceOp | BroadcastOp):
        x = x.owner.operands[0]
    return x


def _stored_type(x: SSAValue) -> el.ElementType | None:
    """The 8-bit type that x is converted from to i32; None if it is not."""
    owner = _moved(x).owner
    if not isinstance(owner, CastOp) or element(owner.type) is not I32:
        return None
    source = element(tensor_of(owner.operands[0]))
    return source if source.is_integer and source.bits == 8 else None


def _constant(x: SSAValue) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]] | None:
    """The numbers that x has, and perhaps others, in no order, if they are constant."""
    owner = _moved(x).owner
    if isinstance(owner, CastOp):
        owner = _moved(owner.operands[0]).owner
    return owner.array().astype(np.int64).reshape(-1) if isinstance(owner, ConstantOp) else None


def factor(x: SSAValue, contracted: Sequence[int]) -> Factor | None:
    """x as a factor that is contracted along axes, counted from the end; None if it is none."""
    integers, zero = x, None
    if isinstance(x.owner, SubOp):
        integers, zero = x.owner.operands
        shape = shape_of(zero.type)
        varies = any(len(shape) >= -axis and shape[axis] != 1 for axis in contracted)
        if varies or shape_of(integers.type) != shape_of(x.type):
            return None
    return None if _stored_type(integers) is None else Factor(integers, zero, x)


def _is_unsigned(side: Factor) -> bool:
    type = _stored_type(side.integers)
    return type is not None and type.kind == "unsigned"


def _shifted(builder: Builder, side: Factor, by: int) -> Factor:
    """A constant factor whose integers are ``by`` less, as is its zero point."""
    shift = builder.constant(by, I32)
    integers = builder.add(SubOp(side.integers, shift))
    zero = builder.constant(0, I32) if side.zero is None else side.zero
    return Factor(integers, builder.add(SubOp(zero, shift)), side.difference)


def _summed(builder: Builder, x: SSAValue, axis: int) -> SSAValue:
    """The sums of x along an axis, which stays with extent 1."""
    shape = list(shape_of(x.type))
    total = builder.reduce("sum", x, [len(shape) + axis])
    shape[axis] = shape[axis] * 0 + 1
    return builder.reshape(total, shape)


@dataclass(frozen=True)
class Split:
    """A product of two factors, of which some lose their zero points."""

    left: Factor
    right: Factor
    splits_left: bool
    splits_right: bool

    @staticmethod
    def of(
        left: Factor | None, right: Factor | None, rows: Expr, columns: Expr, machine: Target
    ) -> Split | None:
        """How to split a product so that factors have 8 bits; None where that is not so.

        Constants have them on every machine, so that they take a byte, others where it multiplies
        bytes.  The sums of a factor that is not constant are worth it if many ``rows`` or
        ``columns`` of the result share them, or for constants if there are few sums.
        """
        if left is None or right is None:
            return None
        splits_left, splits_right = (
            not side.fits() and (machine.multiplies_bytes or side.constant is not None)
            for side in (left, right)
        )
        # Each row widens the constant: the same bytes as unsigned ones may take less time.
        are_few = (rows.constant or 0) < LEAST_SHARING <= (columns.constant or 0)
        if machine.prefers_unsigned and right.constant is not None and are_few:
            splits_right = True
        if not (splits_left or splits_right):
            return None
        counts = rows.constant or 0, columns.constant or 0
        sides = (splits_left, left, right, counts), (splits_right, right, left, counts[::-1])
        for splits, side, other, (sharing, sums) in sides:
            are_many = side.constant is None or sums >= LEAST_SHARING
            if splits and other.constant is None and sharing < LEAST_SHARING and are_many:
                return None
        return Split(left, right, splits_left, splits_right)

    def signed(self, builder: Builder) -> Split:
        """The same with a constant factor that is signed, if both are unsigned."""
        if not (_is_unsigned(self.left) and _is_unsigned(self.right)):
            return self
        if self.splits_right and self.right.constant is not None:
            return replace(self, right=_shifted(builder, self.right, SHIFT))
        if self.splits_left and self.left.constant is not None:
            return replace(self, left=_shifted(builder, self.left, SHIFT))
        return self

    def unsigned(self, builder: Builder) -> Split:
        """The same with a constant on the right that is unsigned, if it is split."""
        if not self.splits_right or self.right.constant is None or _is_unsigned(self.right):
            return self
        return replace(self, right=_shifted(builder, self.right, -SHIFT))

    @property
    def operands(self) -> tuple[SSAValue, SSAValue]:
        """The factors of the product that remains."""
        return (
            self.left.integers if self.splits_left else self.left.difference,
            self.right.integers if self.splits_right else self.right.difference,
        )


def needs_signs(machine: Target) -> bool:
    """Whether a machine multiplies bytes, but not unsigned ones by unsigned ones."""
    return machine.multiplies_bytes and True not in machine.alike


def split_matmul(op: MatmulOp, builder: Builder, machine: Target) -> SSAValue | None:
    """matmul(x - zx, w - zw)  -->  matmul(x, w) - zx * sum(w - zw) - sum(x) * zw."""
    shapes = [shape_of(v.type) for v in op.operands]
    if min(map(len, shapes)) < 2:
        return None
    left, right = factor(op.operands[0], [-1]), factor(op.operands[1], [-2])
    parts = Split.of(left, right, shapes[0][-2], shapes[1][-1], machine)
    if parts is None:
        return None
    if needs_signs(machine):
        parts = parts.signed(builder)
    elif machine.prefers_unsigned:
        parts = parts.unsigned(builder)
    x, w = parts.operands
    total = builder.add(MatmulOp(x, w))
    if parts.splits_left and parts.left.zero is not None:
        sums = _summed(builder, parts.right.difference, -2)
        total = builder.add(SubOp(total, builder.add(MulOp(parts.left.zero, sums))))
    if parts.splits_right and parts.right.zero is not None:
        sums = _summed(builder, x, -1)
        total = builder.add(SubOp(total, builder.add(MulOp(sums, parts.right.zero))))
    return total


def split_conv(op: ConvOp, builder: Builder, machine: Target) -> SSAValue | None:
    """conv(x - zx, w - zw)  -->  conv(x, w) - zx * sum(w - zw) - sum of windows(x) * zw.

    zx surrounds x instead of zeros if it is taken off.
    """
    params, filters = op.values(), shape_of(op.operands[1].type)
    rank, groups = len(filters), params["groups"]
    left = factor(op.operands[0], range(-rank, 0))
    right = factor(op.operands[1], range(1 - rank, 0))
    # The filters of a group share the sums of its windows, which are many: those of the channels
    # are added up first, once for all windows that they are in.
    steps = min(filters[1].constant or 0, ex.product(filters[2:]).constant or 0)
    sharing = ex.floordiv(filters[0], groups) * steps
    parts = Split.of(left, right, const(LEAST_SHARING), sharing, machine)
    if parts is None or parts.right.constant is None:
        return None
    zero, padded = parts.left.zero, None
    # Windows of few channels, as in depthwise convolutions, have no groups of four to multiply.
    if parts.splits_left and zero is not None and (filters[1].constant or 0) >= LEAST_CHANNELS:
        padded = _padded(builder, parts.left.integers, zero, params["pads"] or ())
    parts = replace(parts, splits_left=padded is not None)
    if shape_of(op.operands[0].type)[1] != filters[1] * groups:
        parts = replace(parts, splits_right=False)
    if not (parts.splits_left or parts.splits_right):
        return None
    if needs_signs(machine) and parts.splits_right:
        parts = parts.signed(builder)
    x, w = parts.operands
    if padded is not None:
        x, params["pads"] = padded, None
    total = builder.add(ConvOp(x, w, **params))
    ones = [1] * (rank - 2)
    if padded is not None and zero is not None:
        sums = builder.reduce("sum", parts.right.difference, range(1, rank))
        sums = builder.reshape(sums, (filters[0], *ones))
        zero = builder.reshape(zero, ())
        total = builder.add(SubOp(total, builder.add(MulOp(zero, sums))))
    if parts.splits_right and parts.right.zero is not None:
        count = filters[0] if shape_of(parts.right.zero.type)[:1] == filters[:1] else 1
        zero = builder.reshape(parts.right.zero, (count, *ones))
        sums = _window_sums(builder, x, filters, params)
        total = builder.add(SubOp(total, builder.add(MulOp(sums, zero))))
    return total


def _window_sums(
    builder: Builder, x: SSAValue, filters: Sequence[Expr], params: dict[str, Any]
) -> SSAValue:
    """The sum of each window of x, for each filter or once for all of them: channels go first."""
    (batch, _, *extents), groups = shape_of(x.type), params["groups"]
    sums = builder.reduce("sum", builder.reshape(x, (batch, groups, filters[1], *extents)), [2])
    ones = builder.broadcast(builder.constant(1, I32), (groups, 1, *filters[2:]))
    sums = builder.add(ConvOp(sums, ones, **params))
    if groups == 1:
        return sums
    batch, _, *extents = shape_of(sums.type)
    sums = builder.reshape(sums, (batch, groups, 1, *extents))
    sums = builder.broadcast(sums, (batch, groups, ex.floordiv(filters[0], groups), *extents))
    return builder.reshape(sums, (batch, filters[0], *extents))


def _padded(builder: Builder, x: SSAValue, zero: SSAValue, pads: Sequence[int]) -> SSAValue | None:
    """x with its zero point around it, in the 8 bits that both are stored in; None for others."""
    if not any(pads):
        return x
    type = _stored_type(x)
    if type is None or _stored_type(zero) is not type:
        return None
    source = x.owner.operands[0] if isinstance(x.owner, CastOp) else x
    stored = builder.cast(source if element(tensor_of(source)) is type else x, type)
    value = builder.reshape(builder.cast(zero, type), ())
    count = len(pads) // 2
    for axis in range(count):
        shape = list(shape_of(stored.type))
        parts = [stored]
        for extent, position in ((pads[axis], 0), (pads[count + axis], 1)):
            if extent:
                shape[2 + axis] = const(extent)
                parts.insert(position * len(parts), builder.broadcast(value, shape))
        stored = builder.concat(parts, 2 + axis)
    return builder.cast(stored, I32)


def constant_difference(op: OpcOp, builder: Builder) -> SSAValue | None:
    """w - zw, both constant  -->  cast (constant of 8 bits)."""
    side = factor(op.result, ())
    if side is None or side.constant is None or side.narrow_type is None:
        return None
    value = narrowed(op, side.narrow_type, builder)
    return None if value is None else builder.cast(value, I32)


@dataclass(frozen=True)
class SplitZeroPointsPass(MachinePass):
    """matmul(x - zx, w)  -->  matmul(x, w) - zx * sum(w)."""

    name = "split-zero-points"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        block = function.body.block
        for product in operators(block):
            if element(product.type) is not I32:
                continue
            builder, value = Builder(product), None
            if isinstance(product, MatmulOp):
                value = split_matmul(product, builder, self.machine)
            elif isinstance(product, ConvOp):
                value = split_conv(product, builder, self.machine)
            if value is not None:
                builder.replace(value)
        for difference in operators(block):
            if isinstance(difference, SubOp) and element(difference.type) is I32:
                builder = Builder(difference)
                value = constant_difference(difference, builder)
                if value is not None:
                    builder.replace(value)
        remove_unused(block)

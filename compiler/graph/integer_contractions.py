"""Rewrites contractions of dequantized values as contractions of integers, scaled afterwards.

::

    conv((x - zx) * sx, (w - zw) * sw)  -->  conv(i32 x - zx, i32 w - zw) * (sx * sw)
    conv_transpose and matmul likewise, and contract where it becomes such a matmul

x and w are integers of 8 bits.  Scales are constants that do not vary along contracted axes.  The
integer sum is exact, in 64 bits where 32 may not hold it, so the result is nearer to real
arithmetic than that of the original graph.  Before they are rounded to 8 bits, the two differ by no
more than a contraction of floats may.  Runs before fold-constants, which would multiply weights by
their scales.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import AddOp, DivOp, MulOp
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.unary import CastOp, RoundOp
from opc.dialects.shape import Shape, element, shape_of

from .constant_chains import narrowed
from .contracted import contract
from .dequantized import is_one, moved, of_rank, scaled
from .rewriting import Builder, functions, operators, remove_unused, uniform

MOST = (2**31 - 1) // (255 * 255)
"""The number of products of centred 8-bit integers whose sum always fits 32 bits."""


def _varies(shape: Shape, axis: int) -> bool:
    """Whether values of a shape vary along an axis, counted from the end."""
    return len(shape) >= -axis and shape[axis] != 1


def _sum_type(count: ex.Expr) -> el.ElementType:
    """A type that holds a sum of ``count`` products exactly; there are never more than 2^48."""
    known = count.constant
    return el.BY_NAME["i32" if known is not None and known <= MOST else "i64"]


def convolution(op: ConvOp, builder: Builder) -> SSAValue | None:
    """conv of dequantized values; the input has one scale, each filter its own."""
    x, w = (scaled(v) for v in op.operands)
    filters = shape_of(op.operands[1].type)
    if x is None or w is None:
        return None
    sx, sw = (s.scale for s in (x, w))
    rank, own = len(filters), shape_of(sw.type)
    if not is_one(shape_of(sx.type)) or any(_varies(own, k - rank) for k in range(1, rank)):
        return None
    type = _sum_type(ex.product(filters[1:]))
    total = builder.add(ConvOp(x.centred(builder, type), w.centred(builder, type), **op.values()))
    sw = of_rank(builder, sw, rank)
    sw = builder.reshape(sw, (shape_of(sw.type)[0], *[1] * (rank - 2)))
    return _rescaled(builder, total, sx, sw)


def transposed_convolution(op: ConvTransposeOp, builder: Builder) -> SSAValue | None:
    """conv_transpose of dequantized values; each filter of each group has its own scale."""
    x, w = (scaled(v) for v in op.operands)
    filters = shape_of(op.operands[1].type)
    if x is None or w is None:
        return None
    sx, sw = (s.scale for s in (x, w))
    rank, own, groups = len(filters), shape_of(sw.type), op.values()["groups"]
    if not is_one(shape_of(sx.type)) or any(_varies(own, k - rank) for k in range(rank) if k != 1):
        return None
    type = _sum_type(ex.product([ex.floordiv(filters[0], groups), *filters[2:]]))
    total = builder.add(
        ConvTransposeOp(x.centred(builder, type), w.centred(builder, type), **op.values())
    )
    scales = shape_of(of_rank(builder, sw, rank).type)[1]
    if scales != 1:
        sw = builder.broadcast(builder.reshape(sw, (1, scales)), (groups, scales))
        scales = scales * groups
    return _rescaled(builder, total, sx, builder.reshape(sw, (scales, *[1] * (rank - 2))))


def product(op: MatmulOp, builder: Builder) -> SSAValue | None:
    """matmul of dequantized values; scales may vary along rows of a and columns of b."""
    a, b = (scaled(v) for v in op.operands)
    shapes = [shape_of(v.type) for v in op.operands]
    if a is None or b is None or min(map(len, shapes)) < 2:
        return None
    sa, sb = (s.scale for s in (a, b))
    if _varies(shape_of(sa.type), -1) or _varies(shape_of(sb.type), -2):
        return None
    type = _sum_type(shapes[0][-1])
    total = builder.add(MatmulOp(a.centred(builder, type), b.centred(builder, type)))
    return _rescaled(builder, total, sa, sb)


def _rescaled(builder: Builder, total: SSAValue, left: SSAValue, right: SSAValue) -> SSAValue:
    left = builder.reshape(left, ()) if is_one(shape_of(left.type)) else left
    scale = builder.add(MulOp(right, left))
    return builder.add(MulOp(builder.cast(total, el.F32), scale))


def _parts(op: OpcOp) -> list[OpcOp]:
    """The operator, or the parts that a contract of dequantized values becomes."""
    if not isinstance(op, ContractOp) or not all(scaled(v) for v in op.operands[:2]):
        return [op]
    builder = Builder(op)
    builder.replace(contract(builder, op.values(), op.operands))
    return builder.added


def quantized(op: CastOp, builder: Builder) -> SSAValue | None:
    """A constant that is quantized  -->  constant of 8 bits; quantize(dequantize(q))  -->  q."""
    type = element(op.type)
    if not type.is_integer or type.bits != 8 or not element(op.tensor_types[0]).is_float:
        return None
    return narrowed(op, type, builder) or _dequantized_before(op)


def _dequantized_before(op: CastOp) -> SSAValue | None:
    """The integers of which quantizing makes the same again, with one positive scale and zero.

    Both roundings of q * scale / scale change it by less than half, so that it is rounded to q.
    """
    value, zero = op.operands[0], 0.0
    if isinstance(value.owner, AddOp):
        value, added = value.owner.operands
        known = uniform(added.owner.operands[0] if isinstance(added.owner, CastOp) else added)
        if known is None:
            return None
        zero = known
    if not isinstance(value.owner, RoundOp) or not isinstance(value.owner.operands[0].owner, DivOp):
        return None
    value, scale = value.owner.operands[0].owner.operands
    before = scaled(value)
    if before is None or before.steps != (uniform(scale), zero, element(op.type)):
        return None
    return before.integers if shape_of(before.integers.type) == shape_of(op.type) else None


REWRITES: dict[type[OpcOp], Callable[..., SSAValue | None]] = {
    CastOp: quantized,
    ConvOp: convolution,
    ConvTransposeOp: transposed_convolution,
    MatmulOp: product,
}


@dataclass(frozen=True)
class IntegerContractionsPass(ModulePass):
    """conv(dequantized x, dequantized w)  -->  conv(integers) * scale."""

    name = "integer-contractions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function."""
        for _, block in functions(op):
            for source in operators(block):
                for operator in _parts(source):
                    builder = Builder(operator)
                    value = REWRITES.get(type(operator), moved)(operator, builder)
                    if value is not None:
                        builder.replace(value)
            remove_unused(block)

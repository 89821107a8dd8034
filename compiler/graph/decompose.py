"""Rewrites each operator as primitives: scalar functions, conversions, reductions, movement.

::

    relu(x)            --> apply max(x, 0)
    add(x, y) on f16   --> cast (apply add(cast x to f32, cast y to f32)) to f16
    elu(x) on f32      --> cast (the formula on cast x to f64) to f32
    reduce_mean(x)     --> apply div(reduce_sum(x), number of elements)

Each operator is rounded once.  f16 and bf16 are computed in f32.  Formulas on f32 that would lose
more than 2 ULP are computed in f64, and those on 16 bits that take off an attribute which f32 does
not hold.  Afterwards only conversions, movement and constants have 16-bit floats.

Runs after normalize-axes, so reductions have axes and no keepdims.  Scalars in formulas are rank-0
constants, which normalize-broadcast broadcasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.opc.apply import ApplyOp
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import PowOp
from opc.dialects.opc.contraction import ContractOp, ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.cumulative import Cumulative
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp, WindowsOp
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.dialects.opc.unary import BitcastOp, CastOp, IdentityOp
from opc.dialects.opc.walk import WalkOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.errors import UnsupportedError
from opc.support.locations import location_of

from .contracted import contract
from .conv_transpose import conv_transpose
from .decompositions import ELEMENTWISE, power
from .reduction_decompositions import IN_F64, REDUCTIONS
from .rewriting import Builder, OperatorPass, uniform

KEPT = (
    *(ApplyOp, CastOp, BitcastOp, ConstantOp, ExtentOp, IotaOp, SliceOp, ConcatOp),
    *(WindowsOp, IndexingOp, WalkOp, ReshapeOp, BroadcastOp, TransposeOp),
)
"""Operators that are primitive for all element types."""
STAYS = ArgReduction | Cumulative | MatmulOp | ConvOp
"""Operators that are primitive in the type that they are computed in."""

NEEDS_F64 = frozenset({"opc.elu", "opc.selu", "opc.celu", "opc.silu"})
"""Formulas whose roundings add up to more than 2 ULP in f32."""

ONE_FUNCTION = frozenset({"opc.elu", "opc.celu", "opc.silu"})
"""Those that are a single scalar function, rounded once, for an alpha of 1."""

CANCELS = frozenset({"opc.hard_sigmoid", "opc.thresholded_relu", "opc.shrink"})
"""Formulas that compare with an attribute or take it off, so that its last bits decide results."""
ONE_ROUNDING = CANCELS | {"opc.leaky_relu"}
"""Formulas that are as accurate in f32 as in f64 if f32 represents the attributes."""


def compute_type(op: OpcOp, params: dict[str, Any], type: el.ElementType) -> el.ElementType:
    """The element type that an operator on ``type`` is computed in."""
    if type is el.F32 or (type.is_small_float and op.name in CANCELS):
        return el.F64 if _exceeds_f32(op, params) else el.F32
    if type.is_small_float:
        return el.F32
    if type.is_integer and (op.name in IN_F64 or op.name == "opc.shrink"):
        return el.F64
    return type


def _exceeds_f32(op: OpcOp, params: dict[str, Any]) -> bool:
    if op.name in ONE_ROUNDING:
        numbers = [v for v in params.values() if isinstance(v, float)]
        with np.errstate(over="ignore"):
            return any(float(np.float32(v)) != v for v in numbers)
    return op.name in NEEDS_F64 and not (op.name in ONE_FUNCTION and params["alpha"] == 1)


def formula(op: OpcOp, params: dict[str, Any], b: Builder, args: Sequence[SSAValue]) -> SSAValue:
    """The primitives of an operator; ``args`` have the type that it is computed in."""
    if isinstance(op, PowOp) and _keeps_shape(op):
        exponent = uniform(op.operands[1])
        product = None if exponent is None else power(b, args[0], exponent)
        if product is not None:
            return product
    if op.scalar is not None:
        return b.apply(op.scalar, *args)
    if op.name in ELEMENTWISE:
        return ELEMENTWISE[op.name](b, params, args)
    if op.name in REDUCTIONS and len(args) == 1:
        axes = Reduction.axes(len(shape_of(tensor_of(args[0]))), params)
        return REDUCTIONS[op.name](b, args[0], axes)
    if isinstance(op, ContractOp):
        return contract(b, params, args)
    if isinstance(op, ConvTransposeOp):
        try:
            return conv_transpose(b, params, args)
        except BudgetExceeded as error:
            raise UnsupportedError(f"{op.name}: {error}", location_of(op)) from None
    if isinstance(op, STAYS):
        return b.add(type(op)(*args, **{k: v for k, v in params.items() if v is not False}))
    raise UnsupportedError(f"{op.name} has no decomposition", location_of(op))


def _keeps_shape(op: OpcOp) -> bool:
    """Whether the result has the shape of the base."""
    base, exponent = (shape_of(t) for t in op.tensor_types)
    known = not any("?" in e.symbols() for e in base)
    single = len(exponent) <= len(base) and all(e == 1 for e in exponent)
    return single or (known and base == shape_of(op.type))


def _is_primitive_reduction(op: OpcOp) -> bool:
    return (
        op.name.removeprefix("opc.reduce_") in ("sum", "prod", "max", "min", "any", "all")
        and bool(op.values()["axes"])
        and not op.values()["keepdims"]
    )


class DecomposePass(OperatorPass):
    """elu(x), reduce_mean(x), ...  -->  primitives, rounded once."""

    name = "decompose"

    def rewrite(self, op: OpcOp) -> None:
        """Replace one operator by primitives, unless it is one."""
        if isinstance(op, KEPT):
            return
        b, params = Builder(op), op.values()
        if isinstance(op, IdentityOp):
            return b.replace(op.operands[0])
        if (
            isinstance(op, Reduction)
            and params["axes"] == ()
            and params["empty_axes"] == "identity"
        ):
            # normalize-axes removes these; formulas would take absolute values or logarithms.
            return b.replace(op.operands[0])
        computed = [compute_type(op, params, element(t)) for t in op.tensor_types]
        same = all(c is element(t) for c, t in zip(computed, op.tensor_types, strict=True))
        if same and (isinstance(op, STAYS) or _is_primitive_reduction(op)):
            return
        args = [b.cast(x, c) for x, c in zip(op.operands, computed, strict=True)]
        value = b.cast(formula(op, params, b, args), element(op.type))
        b.replace(b.reshape(value, shape_of(op.type)) if isinstance(op, Reduction) else value)

"""Replaces subnormal weights of contractions by zeros.

::

    matmul(x, constant [1.0, 1e-40])  -->  matmul(x, constant [1.0, 0.0])

Processors multiply subnormal numbers up to 190 times as slowly as others, and training leaves
thousands of them in a network.  A weight is a constant of f32 or f64 that at most reshapes,
transposes, broadcasts, slices and concatenations separate from a matrix product or a convolution.
A function with ``opc.subnormals = "kept"`` stays as it is.  Runs after decompose, which makes
contractions of recurrent layers, and sink-constants, which moves weights into bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import element as el
from opc.dialects.blob import Array, deferred
from opc.dialects.budgets import AT_ONCE
from opc.dialects.named import has_form
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import CONTRACTIONS, MOVED_WEIGHTS
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import element

from .rewriting import Builder, functions, operators, remove_unused


def has_subnormals(array: Array) -> bool:
    """Whether an array of floats has a subnormal element."""
    least = np.finfo(array.dtype).smallest_normal
    # Some at a time, since a copy of all weights may be as large as the model.
    flat = array.reshape(-1)
    parts = (np.abs(flat[k : k + AT_ONCE]) for k in range(0, flat.size, AT_ONCE))
    return any(bool(((part < least) & (part > 0)).any()) for part in parts)


@dataclass(frozen=True)
class FlushWeightsPass(ModulePass):
    """matmul(x, constant [1e-40])  -->  matmul(x, constant [0])."""

    name = "flush-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace the subnormal weights of all functions that do not keep them."""
        for function, block in functions(op):
            if has_form(function, "subnormals"):
                continue
            flushed: dict[SSAValue, SSAValue] = {}
            for operator in operators(block):
                if isinstance(operator, CONTRACTIONS):
                    for k, operand in enumerate(operator.operands):
                        operator.operands[k] = _flushed(operand, flushed)
            remove_unused(block)


def _flushed(value: SSAValue, flushed: dict[SSAValue, SSAValue]) -> SSAValue:
    """A weight without subnormal elements; another value, or one without any, is itself."""
    op = value.owner
    if not isinstance(op, (ConstantOp, *MOVED_WEIGHTS)):
        return value
    if value in flushed:
        return flushed[value]
    new: OpcOp | None = None
    if isinstance(op, ConstantOp):
        type = element(op.type)
        if type in (el.F32, el.F64) and has_subnormals(array := op.array()):
            least = np.finfo(array.dtype).smallest_normal
            zeroed = deferred(lambda: np.where(np.abs(array) < least, 0, array), type, array.shape)
            new = ConstantOp(value=zeroed)
    else:
        operands = [_flushed(v, flushed) for v in op.operands]
        if operands != list(op.operands):
            new = op.clone(dict(zip(op.operands, operands, strict=True)))
    flushed[value] = value if new is None else Builder(op).add(new)
    return flushed[value]

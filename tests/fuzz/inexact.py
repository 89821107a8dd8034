"""What the interpreter leaves open: the last bits of elementary functions, which are opc's own.

Sums, products and contractions have an order, in which the interpreter has their bits.  Reductions
with logarithms are computed here as they are decomposed, with the functions of ``scalars``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.reduction import ReduceLogSumExpOp, ReduceLogSumOp, Reduction
from opc.dialects.opc.unary import Conversion
from opc.dialects.shape import element
from opc.interpret.precision import Array, is_float, narrow, native
from opc.interpret.reduction import in_order, is_apart, resolve_axes
from opc.interpret.tolerance import is_exact

from . import scalars


def is_inexact(op: OpcOp, arrays: Sequence[Array]) -> bool:
    """Whether an elementwise operator has a tolerance."""
    if not isinstance(op, Elementwise) or isinstance(op, Conversion):
        return False
    return is_float(arrays[0]) and not is_exact(op.name, op.values())


def has_logarithm(op: OpcOp, arrays: Sequence[Array]) -> bool:
    """Whether an operator is a reduction with a logarithm, and no identity."""
    return isinstance(op, ReduceLogSumOp | ReduceLogSumExpOp) and _axes(op, arrays) is not None


def with_logarithm(op: Reduction, arrays: Sequence[Array]) -> Array:
    """The bits of such a reduction: ``log(sum(x))``, ``log(sum(exp(x - m))) + m``."""
    axes, type = _axes(op, arrays), element(op.type)
    assert axes is not None
    x = native(arrays[0]) if type.is_float else arrays[0].astype(np.float64)
    with np.errstate(all="ignore"):
        shift = np.zeros((), x.dtype)
        if isinstance(op, ReduceLogSumExpOp):
            top = np.maximum.reduce(x, axis=axes, keepdims=True, initial=-np.inf)
            shift = np.where(np.isfinite(top), top, 0).astype(x.dtype)
            x = scalars.unary("opc.exp", x - shift)
        found = scalars.unary("opc.log", in_order(x, axes, "sum", is_apart(op)))
        if isinstance(op, ReduceLogSumExpOp):
            found = found + shift
    return narrow(found if op.values()["keepdims"] else np.squeeze(found, axis=axes), type)


def _axes(op: Reduction, arrays: Sequence[Array]) -> tuple[int, ...] | None:
    """The reduced axes from the front; None where the result is the operand itself."""
    params, rank = op.values(), arrays[0].ndim
    given = arrays[1] if len(arrays) == 2 else params["axes"]
    if given is None or (np.size(given) == 0 and params["empty_axes"] == "all"):
        return tuple(range(rank))
    return resolve_axes(given, rank, op.name) or None

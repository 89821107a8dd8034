"""Float sums and products: when the order of their terms can show in the result.

That of a contraction is prescribed, so the interpreter has its bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.unary import Conversion
from opc.interpret.precision import Array, is_float, wide
from opc.interpret.reduction import resolve_axes
from opc.interpret.tolerance import EXACT, IN_F64, is_exact

TERMS: dict[str, Any] = {
    "opc.reduce_l1": np.abs,
    "opc.reduce_sum_square": np.square,
}


def is_inexact(op: OpcOp, arrays: Sequence[Array]) -> bool:
    """Whether an elementwise operator has a tolerance."""
    if not isinstance(op, Elementwise) or isinstance(op, Conversion):
        return False
    return is_float(arrays[0]) and not is_exact(op.name, op.values())


def order_matters(op: OpcOp, arrays: Sequence[Array], is_rough: bool = False) -> bool:
    """Whether the order in which an operator adds or multiplies can show in its result.

    ``is_rough`` says that the operands are not exactly what compiled code has.
    """
    with np.errstate(all="ignore"):
        if isinstance(op, Reduction) and op.name in IN_F64 and arrays[0].ndim == 0:
            # Nothing is added up, but the logarithm is opc's own.
            return True
        axes = _axes(op, arrays) if isinstance(op, Reduction) else ()
        if not axes or op.name in EXACT:
            return False
        if op.name in IN_F64:
            return True
        x = arrays[0]
        if not is_float(x):
            return False
        if is_rough or (op.name == "opc.reduce_mean" and x.dtype == np.float64):
            return True
        return not _exact_sum(op.name, wide(x), axes)


def _axes(op: Reduction, arrays: Sequence[Array]) -> tuple[int, ...]:
    """The reduced axes from the front; none where the result is the operand itself."""
    params, rank = op.values(), arrays[0].ndim
    given = arrays[1] if len(arrays) == 2 else params["axes"]
    if given is None or (np.size(given) == 0 and params["empty_axes"] == "all"):
        return tuple(range(rank))
    return resolve_axes(given, rank, op.name)


def _exact_sum(name: str, x: Array, axes: tuple[int, ...]) -> bool:
    """Whether every partial sum, or product, has at most 24 bits."""
    x = np.where(np.isfinite(x), x, 0)
    if name == "opc.reduce_prod":
        size = np.multiply.reduce(np.maximum(np.abs(x), 1), axis=axes)
        return bool((x == np.rint(x)).all() and (size < 2**24).all())
    terms = TERMS.get(name, np.asarray)(x)
    top = float(np.max(np.add.reduce(np.abs(terms), axis=axes), initial=0))
    if not 1e-30 < top < 1e30:
        return top == 0
    quantum = 2.0 ** (math.floor(math.log2(top)) - 22)
    return bool((terms / quantum == np.rint(terms / quantum)).all())

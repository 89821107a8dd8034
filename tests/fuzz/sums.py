"""Float sums: when their order can show, and how far from each other two orders may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from elementwise_cases import Case
from tolerance import UNIT, assert_close, is_float, matmul_bound

from opc.dialects import element as el
from opc.dialects.opc.apply import ApplyOp
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.unary import Conversion
from opc.interpret.precision import wide

Array = np.ndarray[Any, np.dtype[Any]]

IN_F64 = frozenset({"opc.reduce_l2", "opc.reduce_log_sum", "opc.reduce_log_sum_exp"})
"""Never exact: integers go through f64, floats through a function of the sum."""
ANY_ORDER = frozenset({"opc.reduce_max", "opc.reduce_min", "opc.reduce_any", "opc.reduce_all"})
TERMS: dict[str, Any] = {
    "opc.reduce_l1": np.abs,
    "opc.reduce_sum_square": np.square,
    "opc.reduce_l2": np.square,
}


def axes_of(op: Reduction, arrays: Sequence[Array]) -> tuple[int, ...] | None:
    """The reduced axes from the front; None where an empty list asks for the operand itself."""
    params, rank = op.values(), arrays[0].ndim
    given = arrays[1].reshape(-1).tolist() if len(arrays) == 2 else params["axes"]
    if given is None or (len(given) == 0 and params["empty_axes"] == "all"):
        return tuple(range(rank))
    return tuple(a % rank for a in given) or None


def is_inexact(op: OpcOp, arrays: Sequence[Array]) -> Case | None:
    """An elementwise operator as a case of the unit tests, if its result has a tolerance."""
    if not isinstance(op, Elementwise) or isinstance(op, Conversion):
        return None
    params = {k: v for k, v in op.values().items() if k != "result_type"}
    case = Case(op.__class__, tuple(range(len(arrays))), params)
    name = params["function"] if isinstance(op, ApplyOp) else op.scalar
    if case.is_exact or (name == "pow" and arrays[0].dtype.kind in "iu"):
        return None
    return case


def order_matters(op: OpcOp, arrays: Sequence[Array], is_rough: bool = False) -> bool:
    """Whether the order in which an operator adds or multiplies can show in its result.

    ``is_rough`` says that the operands are not exactly what compiled code has.
    """
    with np.errstate(all="ignore"):
        if isinstance(op, MatmulOp):
            return is_float(arrays[0]) and (is_rough or not _exact_products(*map(wide, arrays)))
        if not isinstance(op, Reduction) or op.name in ANY_ORDER or axes_of(op, arrays) is None:
            return False
        if op.name in IN_F64:
            return True
        x = arrays[0]
        if not is_float(x):
            return False
        if is_rough or (op.name == "opc.reduce_mean" and x.dtype == np.float64):
            return True
        return not _exact_sum(op, wide(x), axes_of(op, arrays) or ())


def _exact_sum(op: Reduction, x: Array, axes: tuple[int, ...]) -> bool:
    """Whether every partial sum, or product, has at most 24 bits."""
    x = np.where(np.isfinite(x), x, 0)
    if op.name == "opc.reduce_prod":
        size = np.multiply.reduce(np.maximum(np.abs(x), 1), axis=axes)
        return bool((x == np.rint(x)).all() and (size < 2**24).all())
    terms = TERMS.get(op.name, np.asarray)(x)
    return _on_grid(terms, np.add.reduce(np.abs(terms), axis=axes))


def _on_grid(terms: Array, total: Array) -> bool:
    top = float(np.max(total, initial=0))
    if top == 0:
        return True
    if not 1e-30 < top < 1e30:
        return False
    quantum = 2.0 ** (math.floor(math.log2(top)) - 22)
    return bool((terms / quantum == np.rint(terms / quantum)).all())


def _exact_products(a: Array, b: Array) -> bool:
    a, b = (np.where(np.isfinite(x), x, 0) for x in (a, b))
    top = float(np.max(np.matmul(np.abs(a), np.abs(b)), initial=0))
    whole = all(bool((x * 2 == np.rint(x * 2)).all()) for x in (a, b))
    return whole and top < 2**21


def check_sum(op: OpcOp, arrays: Sequence[Array], wanted: Array, found: Array) -> None:
    """AssertionError unless a result is within the bound of a sum in any order."""
    what = f"{op.name} on {arrays[0].dtype}{list(arrays[0].shape)}"
    if not is_float(arrays[0]):
        error = np.abs(found.astype(np.longdouble) - wanted.astype(np.longdouble))
        bound = 1 + 64 * 2.0**-53 * np.abs(wanted.astype(np.longdouble))
        assert (error <= bound).all(), f"{what}: off by {error.max()}"
        return
    with np.errstate(all="ignore"):
        bound, ulp, free = _bound(op, arrays, wanted)
    small = arrays[0].dtype.itemsize == 2
    # Where a partial sum may overflow, or digits were lost that the result shows, all is allowed.
    kept = np.where(free, wanted, found)
    assert_close(kept, wanted, ulp + small, np.where(free, 0, bound), zero_signs=False, what=what)


def _bound(op: OpcOp, arrays: Sequence[Array], wanted: Array) -> tuple[Array, float, Array]:
    """The absolute error that is allowed, ULP beside it, and where there is no limit."""
    type = next(e for e in el.FLOAT if e.dtype == arrays[0].dtype)
    unit = UNIT[type.name]
    most = float(np.finfo(np.float64 if type is el.F64 else np.float32).max)
    least = 2.0 ** (-1074 if type is el.F64 else -149)
    if isinstance(op, MatmulOp):
        a, b = (np.where(np.isfinite(x), x, 0) for x in map(wide, arrays))
        total = np.matmul(np.abs(a), np.abs(b))
        count = a.shape[-1]
        return matmul_bound(a, b, type) + count * least, 0, total > most / 2
    assert isinstance(op, Reduction)
    axes, keepdims = axes_of(op, arrays) or (), op.values()["keepdims"]
    x = np.where(np.isfinite(wide(arrays[0])), wide(arrays[0]), 0).astype(np.longdouble)
    n = max(math.prod(x.shape[a] for a in axes), 1)
    relative = (16 + 2 * math.ceil(math.log2(n))) * unit
    size = np.abs(np.where(np.isfinite(wide(wanted)), wide(wanted), 0).astype(np.longdouble))
    if op.name == "opc.reduce_prod":
        above = np.multiply.reduce(np.maximum(np.abs(x), 1), axis=axes, keepdims=keepdims)
        return n * unit * size + n * least * above, 0, above > most / 2
    if op.name == "opc.reduce_log_sum_exp":
        return relative + 28 * unit + size * unit, 2, np.zeros(size.shape, bool)
    terms = TERMS.get(op.name, np.asarray)(x)
    total = np.add.reduce(np.abs(terms), axis=axes, keepdims=keepdims)
    # Terms that are squares are rounded themselves, and may vanish.
    square = (unit * total + n * least) if terms is not x and op.name != "opc.reduce_l1" else 0
    bound, free = relative * total + square, total > most / 2
    match op.name:
        case "opc.reduce_mean":
            return bound / n, 1, free
        case "opc.reduce_l2":
            root = np.sqrt(total)
            return np.minimum(bound / np.where(root > 0, root, 1), np.sqrt(bound)), 2, free
        case "opc.reduce_log_sum":
            exact = np.abs(np.add.reduce(x, axis=axes, keepdims=keepdims))
            lost = bound / np.where(exact > 0, exact, 1)
            return 2 * lost, 2, free | ((lost > 0.1) | (exact == 0)) & (bound > 0)
        case _:
            return bound, 0, free

"""Formulas of reductions: elementwise operators before and after a primitive reduction.

A formula takes the builder, the operand in the type that it is computed in, and the reduced axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.shape import shape_of, tensor_of

from .decompositions import divide_by_count
from .rewriting import Builder, keep_axes

Axes: TypeAlias = "Sequence[int]"
Formula: TypeAlias = "Callable[[Builder, SSAValue, Axes], SSAValue]"


def plain(name: str) -> Formula:
    """reduce_sum(x) --> reduce_sum(x), in the type that it is computed in."""
    return lambda b, x, axes: b.reduce(name, x, axes)


def mean(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_mean(x) --> reduce_sum(x) / number of elements."""
    shape = shape_of(tensor_of(x))
    size = ex.product(shape[k] for k in axes)
    total = b.reduce("sum", x, axes)
    if size == 1:
        return total
    count = size.constant if size.constant is not None else b.add(ExtentOp.of(size))
    return divide_by_count(b, total, count)


def l1(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_l1(x) --> reduce_sum(|x|)."""
    return b.reduce("sum", b.apply("abs", x), axes)


def sum_square(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_sum_square(x) --> reduce_sum(x * x)."""
    return b.reduce("sum", b.apply("mul", x, x), axes)


def l2(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_l2(x) --> sqrt(reduce_sum(x * x))."""
    return b.apply("sqrt", sum_square(b, x, axes))


def log_sum(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_log_sum(x) --> log(reduce_sum(x))."""
    return b.apply("log", b.reduce("sum", x, axes))


def log_sum_exp(b: Builder, x: SSAValue, axes: Axes) -> SSAValue:
    """reduce_log_sum_exp(x) --> log(reduce_sum(exp(x - m))) + m with m = reduce_max(x).

    0 replaces an m that is infinite or NaN: only infinite elements overflow, and inf - inf makes
    no NaN.
    """
    shape = shape_of(tensor_of(x))
    top = b.reduce("max", x, axes)
    finite = b.apply("lt", b.apply("abs", top), float("inf"))
    shift = b.apply("select", finite, top, 0)
    centred = b.apply("sub", x, b.reshape(shift, keep_axes(shape, axes)))
    total = b.reduce("sum", b.apply("exp", centred), axes)
    return b.apply("add", b.apply("log", total), shift)


REDUCTIONS: dict[str, Formula] = {
    "opc.reduce_sum": plain("sum"),
    "opc.reduce_prod": plain("prod"),
    "opc.reduce_max": plain("max"),
    "opc.reduce_min": plain("min"),
    "opc.reduce_any": plain("any"),
    "opc.reduce_all": plain("all"),
    "opc.reduce_mean": mean,
    "opc.reduce_l1": l1,
    "opc.reduce_l2": l2,
    "opc.reduce_sum_square": sum_square,
    "opc.reduce_log_sum": log_sum,
    "opc.reduce_log_sum_exp": log_sum_exp,
}
"""Formulas by the name of the reduction."""

IN_F64 = frozenset({"opc.reduce_l2", "opc.reduce_log_sum", "opc.reduce_log_sum_exp"})
"""Reductions that are computed in f64 for integers, then truncated."""

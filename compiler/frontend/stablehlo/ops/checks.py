"""Checks that fail the call: what tests of StableHLO expect of their results."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.frontend.stablehlo.node import Node, operation

from .elementwise import signed
from .solvers import SOLVERS

TARGETS = (
    "check.eq",
    "check.expect_eq",
    "check.expect_close",
    "check.expect_almost_eq",
    "shape_assertion",
    *SOLVERS,
)
"""The custom calls that have a meaning."""


def is_far(x: Any, y: Any, tolerance: float) -> Any:
    """Whether numbers differ by more than a tolerance; NaN is near to NaN alone."""
    x, y = (v.astype("f64") for v in (x, y))
    near = (x == y) | (onp.isnan(x) & onp.isnan(y)) | (onp.abs(x - y) <= tolerance)
    return ~near


def is_not_close(x: Any, y: Any, most: int) -> Any:
    """Whether there are more than ``most`` - 1 floats between two; NaN is close to NaN alone."""
    bits, others = signed(x, "ui"), signed(y, "ui")
    type = bits.element
    top = 1 << (type.bits - 1)

    def key(v: Any) -> Any:
        size = v & (top - 1)
        return onp.where(v >= top, top - size, top + size)

    a, b = key(bits), key(others)
    distance = onp.maximum(a, b) - onp.minimum(a, b)
    finite = onp.isfinite(x) & onp.isfinite(y)
    both = onp.isnan(x) & onp.isnan(y)
    return ~(both | (bits == others) | (finite & (distance <= most)))


@operation("custom_call")
def custom_call(*arrays: Any, call_target_name: str, node: Node) -> Any:
    """The checks of the public test data, without numbers of their own, and of jax's extents."""
    if call_target_name in SOLVERS:
        # Further operands are the extents of results.
        shapes = node.attributes.get("indices_of_shape_operands") or ()
        return SOLVERS[call_target_name](
            *(x for k, x in enumerate(arrays) if k not in shapes), node=node
        )
    if call_target_name == "shape_assertion":
        message, one = str(node.attr("error_message")).partition(". ")[0], ex.const(1)
        node.insert(RequireRangeOp.of(arrays[0].astype("i32").value, one, one, message))
        return []
    if call_target_name != "check.eq":
        return checked(node, call_target_name, arrays, 3, 0.001)
    checked(node, "check.expect_almost_eq", arrays, 0, 1e-4)
    return [node.trace.constant(True, el.I1)]


@operation(
    "check.expect_eq",
    "check.expect_eq_const",
    "check.expect_close",
    "check.expect_almost_eq",
    "check.expect_almost_eq_const",
)
def check(*arrays: Any, node: Node) -> list[Any]:
    """The operations of the dialect ``check``."""
    most, tolerance = node.attributes.get("max_ulp_difference", 1), node.attributes.get("tolerance")
    name = node.operator.removesuffix("_const")
    return checked(node, name, arrays, most, 1e-4 if tolerance is None else tolerance)


def checked(
    node: Node, name: str, arrays: tuple[Any, ...], most: int, tolerance: float
) -> list[Any]:
    """Fail the call where the first array is not as the second."""
    x, y = (node.trace.array(node.computed(v.value)) for v in arrays)
    if x.element is el.I1:
        x, y = x.astype("i8"), y.astype("i8")
    if name == "check.expect_eq" or not x.element.is_float:
        # NaN differs from everything.
        wrong = x != y
    elif name == "check.expect_close":
        wrong = is_not_close(x, y, most)
    else:
        wrong = is_far(x, y, tolerance)
    count = onp.sum(wrong.astype("i32"))
    zero = ex.const(0)
    node.insert(RequireRangeOp.of(count.value, zero, zero, f"{name}: elements differ"))
    return []

"""Reductions with axes as attribute or input, ArgMax and ArgMin, CumSum and CumProd."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import reduction as red
from opc.dialects.opc import unary
from opc.dialects.opc.cumulative import CumProdOp, CumSumOp, Cumulative
from opc.dialects.shape import MAX_RANK, shape_of, tensor_of, type_text
from opc.frontend.models.moving import prefixes_along
from opc.frontend.models.traced import value

from .node import Node
from .schema import Legalize, Result, onnx, rows

PLAIN = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")
"""Pure reductions, which are the identity over no axes."""


def reducer(operator: str, op: type[red.Reduction]) -> Legalize:
    """ReduceX(x, axes) --> opc.reduce_x x, with axes as an attribute if they are known."""

    def legalize(node: Node) -> Result:
        kind = op
        if node.element() is el.I1:
            kind = red.ReduceAnyOp if operator == "ReduceMax" else red.ReduceAllOp
        keepdims = bool(node.attr("keepdims"))
        noop = bool(node.attr("noop_with_empty_axes"))
        axes: tuple[int, ...] = ()
        if node.has(1):
            node.ranked(1, 0, 1)
            numbers = node.known_numbers(1)
            if numbers is None and node.shape(1) != (0,):
                count = node.shape(1)[0].constant if node.shape(1) else 1
                if noop and operator not in PLAIN and count is None:
                    return _composite(node, operator, keepdims)
                empty = "identity" if noop else "all"
                return node.add(kind(node[0], node[1], keepdims=keepdims, empty_axes=empty))
            axes = tuple(numbers or ())
        shape = node.shape()
        if axes:
            return node.add(kind(node[0], axes=node.axes(axes, len(shape)), keepdims=keepdims))
        if not noop:
            return node.add(kind(node[0], keepdims=keepdims))
        if operator in PLAIN:
            return node.add(unary.IdentityOp(node[0]))
        # A composite reduction over an appended axis of extent 1.
        return node.add(kind(node.reshape(node[0], (*shape, 1)), axes=(len(shape),)))

    return legalize


def _composite(node: Node, operator: str, keepdims: bool) -> SSAValue:
    """A composite over possibly no axes, decomposed, in a wider type."""
    element = node.element()
    is_sum = operator in ("ReduceL1", "ReduceSumSquare")
    wide = element.computed if element.is_float or is_sum else el.F64
    trace = node.trace
    x: Any = node.traced(0, wide)

    def reduced(kind: type[red.Reduction], x: Any) -> Any:
        axes = node.traced(1)
        return trace.emit(kind, x, axes, keepdims=keepdims, empty_axes="identity")

    if operator == "ReduceL1":
        y = reduced(red.ReduceSumOp, abs(x))
    elif operator == "ReduceLogSum":
        y = onp.log(reduced(red.ReduceSumOp, x))
    elif operator == "ReduceLogSumExp":
        if not keepdims:
            raise node.unsupported("run-time axes of unknown number need keepdims = 1")
        top = reduced(red.ReduceMaxOp, x)
        shift = onp.where(abs(top) < float("inf"), top, 0)
        y = onp.log(reduced(red.ReduceSumOp, onp.exp(x - shift))) + shift
    else:
        y = reduced(red.ReduceSumOp, x * x)
        y = onp.sqrt(y) if operator == "ReduceL2" else y
    return value(node, y)


OPS = (
    "ReduceL1:1,11,13,18 ReduceL2:1,11,13,18 ReduceLogSum:1,11,13,18,28 "
    "ReduceLogSumExp:1,11,13,18,28 ReduceMax:1,11,12,13,18,20 ReduceMean:1,11,13,18 "
    "ReduceMin:1,11,12,13,18,20 ReduceProd:1,11,13,18 ReduceSum:1,11,13 "
    "ReduceSumSquare:1,11,13,18"
)
for _name, _op, _since in rows(OPS, red):
    onnx(_name, *_since)(reducer(_name, _op))


def arg(op: type[red.ArgReduction]) -> Legalize:
    """ArgX(x) --> opc.argx x."""

    def legalize(node: Node) -> Result:
        axis = node.axis(node.attr("axis"), len(shape_of(tensor_of(node[0]))))
        flags: dict[str, Any] = {n: bool(node.attr(n)) for n in ("keepdims", "select_last_index")}
        return node.add(op(node[0], axis=axis, **flags))

    return legalize


onnx("ArgMax", 1, 11, 12, 13)(arg(red.ArgMaxOp))
onnx("ArgMin", 1, 11, 12, 13)(arg(red.ArgMinOp))


def running(op: type[Cumulative]) -> Legalize:
    """CumX(x, axis) {exclusive, reverse} --> opc.cum_x along the axis."""

    def legalize(node: Node) -> Result:
        shape = node.shape()
        if ex.product(node.shape(1)) != 1:
            raise node.error(f"expected one axis, found {type_text(node[1].type)}")
        flags = (bool(node.choice(name, 0, 1)) for name in ("exclusive", "reverse"))
        how = dict(zip(("exclusive", "reverse"), flags, strict=True))
        x = node.traced(0)
        numbers = node.known_numbers(1)
        if numbers is not None:
            return x.trace.emit(op, x, axis=node.axis(numbers[0], len(shape)), **how).value
        if not 0 < 2 * len(shape) <= MAX_RANK:
            raise node.unsupported(
                f"an axis that is only known at run time, of rank {len(shape)}, "
                f"expected 1 to {MAX_RANK // 2}"
            )
        parts = node.split(1, shape, len(shape) - 1)
        return prefixes_along(x, parts, op, **how).value

    return legalize


onnx("CumSum", 11, 14)(running(CumSumOp))
onnx("CumProd", 26)(running(CumProdOp))

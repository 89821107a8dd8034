"""Pooling: reductions over windows of a padded tensor.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

import math
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import reduction as red
from opc.dialects.opc import unary
from opc.dialects.opc.binary import MaxOp, ModOp, PowOp
from opc.dialects.shape import shape_of, shape_text, tensor_of
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pooling import Windows, lowest
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .normalization import wide
from .schema import BF16, BYTES, FLOAT, INT64, add
from .window import SAME, listed, pads_of


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.shape()) - 2
    if rank < 1:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    kernel = listed(node, "kernel_shape", rank, 0, 1)
    strides = listed(node, "strides", rank, 1, 1)
    has_dilations = node.schema.has("dilations")
    dilations = listed(node, "dilations", rank, 1, 1) if has_dilations else (1,) * rank
    pads = pads_of(node, kernel, strides, dilations)
    windows = Windows(kernel, strides, dilations, pads[:rank], pads[rank:], (0,) * rank)
    if (
        not node.schema.has("ceil_mode")
        or not node.attr("ceil_mode")
        or node.attr("auto_pad") in SAME
    ):
        return windows
    return windows.rounded_up(node.shape()[2:])


def max_pool(node: Node) -> tuple[Result, ...]:
    """MaxPool(x) --> opc.reduce_max of the windows, and the indices of the maxima."""
    windows = windows_of(node)
    if len(node.op.outputs) < 2:
        return (windows.greatest(node, node[0]),)
    view = windows.view(node, node[0], lowest(node, node.element()))
    greatest = node.add(red.ReduceMaxOp(view, axes=windows.axes))
    return greatest, _positions(node, windows, view)


def _positions(node: Node, windows: Windows, view: SSAValue) -> SSAValue:
    """The index of each maximum in the flat input, row-major or column-major."""
    shape, trace, rank = node.shape(), NodeTrace(node), len(windows.kernel)
    lead, size = shape_of(tensor_of(view))[:-rank], math.prod(windows.kernel)
    winners = node.add(red.ArgMaxOp(node.reshape(view, (*lead, size)), axis=-1))
    # Strides of the spatial axes within an image.
    order = range(rank) if node.attr("storage_order") else range(rank - 1, -1, -1)
    step: Any = 1
    steps = [step] * rank
    for axis in order:
        steps[axis] = step
        step = step * trace.size(shape[2 + axis])

    def along(axis: int) -> Any:
        numbers = trace.given(trace.numbers(lead[axis]), el.I64)
        return numbers.reshape([trace.size(e) if k == axis else 1 for k, e in enumerate(lead)])

    total, inner = (along(0) * trace.size(shape[1]) + along(1)) * step, size
    for axis, count in enumerate(windows.kernel):
        inner //= count
        within = node.scaled("div", winners, inner)
        part = trace.array(node.add(ModOp(within, node.constant(count, el.I64))))
        before = ex.Expr.of(windows.before[axis])
        begin = along(2 + axis) * windows.strides[axis] - trace.size(before)
        at = begin + part * windows.dilations[axis]
        if before != 0:
            # If padding wins a tie, the index is that of the first element.
            first = ModOp(begin.value, node.constant(windows.dilations[axis], el.I64))
            at = trace.array(node.add(MaxOp(at.value, node.add(first))))
        total = total + at * steps[axis]
    return total.value


def average_pool(node: Node) -> Result:
    """AveragePool(x) --> window sums divided by element counts."""
    windows, type = windows_of(node), wide(node.element())
    zero = node.constant(0, type)
    view = windows.view(node, node.cast(node[0], type), zero)
    total = node.add(red.ReduceSumOp(view, axes=windows.axes))
    includes = node.since >= 7 and bool(node.attr("count_include_pad"))
    counts = windows.counts(node, node.shape()[2:], type, includes)
    return node.cast(node.binary("div", total, counts), node.element())


def _norm(node: Node, x: SSAValue, axes: tuple[int, ...], keepdims: bool) -> SSAValue:
    """The p-norm over axes."""
    p = node.attr("p")
    if p == 1:
        return node.add(red.ReduceL1Op(x, axes=axes, keepdims=keepdims))
    if p == 2:
        return node.add(red.ReduceL2Op(x, axes=axes, keepdims=keepdims))
    if not p > 0:
        raise node.error(f"attribute p is {p}, expected more than 0")
    type = wide(node.element())
    power = node.add(PowOp(node.add(unary.AbsOp(x)), node.constant(p, type)))
    total = node.add(red.ReduceSumOp(power, axes=axes, keepdims=keepdims))
    return node.add(PowOp(total, node.constant(1 / p, type)))


def lp_pool(node: Node) -> Result:
    """LpPool(x) --> the p-norm of each window."""
    windows, type = windows_of(node), wide(node.element())
    zero = node.constant(0, type)
    view = windows.view(node, node.cast(node[0], type), zero)
    return node.cast(_norm(node, view, windows.axes, False), node.element())


def _spatial(node: Node) -> tuple[int, ...]:
    rank = len(node.shape())
    if rank < 3:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    return tuple(range(2, rank))


def global_average_pool(node: Node) -> Result:
    """GlobalAveragePool(x) --> opc.reduce_mean over the spatial axes."""
    x = node.cast(node[0], wide(node.element()))
    mean = node.add(red.ReduceMeanOp(x, axes=_spatial(node), keepdims=True))
    return node.cast(mean, node.element())


def global_max_pool(node: Node) -> Result:
    """GlobalMaxPool(x) --> opc.reduce_max over the spatial axes."""
    return node.add(red.ReduceMaxOp(node[0], axes=_spatial(node), keepdims=True))


def global_lp_pool(node: Node) -> Result:
    """GlobalLpPool(x) --> the p-norm over the spatial axes."""
    x = node.cast(node[0], wide(node.element()))
    return node.cast(_norm(node, x, _spatial(node), True), node.element())


_BASE = "auto_pad:string=NOTSET kernel_shape:ints! pads:ints strides:ints"
_CEIL, _DILATIONS = " ceil_mode:int=0", " dilations:ints"
add("MaxPool", 1, "X:T -> Y:T", FLOAT, max_pool, _BASE)
for _since, _types in (
    (8, FLOAT),
    (10, FLOAT),
    (11, FLOAT),
    (12, FLOAT | BYTES),
    (22, FLOAT | BYTES | BF16),
):
    add(
        "MaxPool",
        _since,
        "X:T -> Y:T Indices?:I",
        {"T": _types, "I": INT64},
        max_pool,
        f"{_BASE} storage_order:int=0{_CEIL + _DILATIONS if _since >= 10 else ''}",
    )
_COUNT = " count_include_pad:int=0"
add("AveragePool", 1, "X:T -> Y:T", FLOAT, average_pool, _BASE)
add("AveragePool", 7, "X:T -> Y:T", FLOAT, average_pool, _BASE + _COUNT)
for _since, _types in ((10, FLOAT), (11, FLOAT), (19, FLOAT), (22, FLOAT | BF16)):
    _more = _COUNT + _CEIL + (_DILATIONS if _since >= 19 else "")
    add("AveragePool", _since, "X:T -> Y:T", _types, average_pool, _BASE + _more)
_FIRST = "auto_pad:string=NOTSET kernel_shape:ints p:float=2 pads:ints strides:ints"
add("LpPool", 1, "X:T -> Y:T", FLOAT, lp_pool, _FIRST)
for _since, _types in ((2, FLOAT), (11, FLOAT), (18, FLOAT), (22, FLOAT | BF16)):
    _more = " p:int=2" + (_CEIL + _DILATIONS if _since >= 18 else "")
    add("LpPool", _since, "X:T -> Y:T", _types, lp_pool, _BASE + _more)
for _since, _types in ((1, FLOAT), (22, FLOAT | BF16)):
    add("GlobalAveragePool", _since, "X:T -> Y:T", _types, global_average_pool)
    add("GlobalMaxPool", _since, "X:T -> Y:T", _types, global_max_pool)
for _since, _types in ((1, FLOAT), (2, FLOAT), (22, FLOAT | BF16)):
    _p = "p:float=2" if _since == 1 else "p:int=2"
    add("GlobalLpPool", _since, "X:T -> Y:T", _types, global_lp_pool, _p)

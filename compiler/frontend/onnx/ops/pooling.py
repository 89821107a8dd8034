"""Pooling: reductions over windows of a padded tensor.

f16 and bf16 are summed in f32 and rounded once.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects.opc import reduction as red
from opc.dialects.opc import unary
from opc.dialects.opc.binary import PowOp
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.pooling import Windows
from opc.frontend.models.windows import integers, positions_of_greatest, view_of

from .node import Node
from .normalization import wide
from .schema import BF16, BYTES, FLOAT, INT64, add
from .window import SAME, pads_of


def windows_of(node: Node) -> Windows:
    """The windows that the attributes describe.  InputError if they do not fit the input."""
    rank = len(node.shape()) - 2
    if rank < 1:
        raise node.error(f"no axes to pool: the input is {shape_text(node.shape())}")
    kernel = integers(node, "kernel_shape", rank, 1, 0)
    strides = integers(node, "strides", rank, 1, 1)
    has_dilations = node.schema.has("dilations")
    dilations = integers(node, "dilations", rank, 1, 1) if has_dilations else (1,) * rank
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
    view = view_of(node, windows)
    greatest = node.add(red.ReduceMaxOp(view, axes=windows.axes))
    is_column_major = bool(node.attr("storage_order"))
    return greatest, positions_of_greatest(node, windows, view, 0, is_column_major)


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

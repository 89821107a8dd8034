"""Resize and Upsample by run-time scales, sizes or regions, or of unknown extents."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.reduction import ReduceAllOp, ReduceMaxOp, ReduceMinOp
from opc.dialects.shape import shape_text
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.op_builder import Result
from opc.frontend.models.resize import F32, Method
from opc.frontend.models.resize_run_time import (
    RunTimeAxis,
    Term,
    outside_at_run_time,
    resized_at_run_time,
    tap_count,
)

from .node import Node
from .normalization import wide
from .shapes import extents_in

EXACT = 1 << 24
"""Positions are computed in f32, which is exact for integers up to this."""


def needs_run_time(
    node: Node, positions: Sequence[int], sizes: int | None, axes: Sequence[int]
) -> bool:
    """Whether float inputs, the sizes, or resized extents are unknown at compile time."""
    for position in positions:
        if is_given(node, position) and not isinstance(node[position].owner, ConstantOp):
            return True
    shape = node.shape()
    if sizes is None:
        values = _constants(node, positions[-1])
        return any(v != 1 and shape[a].constant is None for a, v in zip(axes, values, strict=False))
    wanted = extents_in(node, sizes)
    if wanted is None or any(e.constant is None for e in wanted):
        return True
    pairs = zip(axes, wanted, strict=False)
    return any(shape[a].constant is None and shape[a] != e for a, e in pairs)


def is_given(node: Node, position: int) -> bool:
    """Whether a list input is present and not empty."""
    return node.has(position) and not any(e == 0 for e in node.shape(position))


def _constants(node: Node, position: int) -> list[float | None]:
    """The elements of a list input; None for each if unknown at compile time."""
    op = node[position].owner
    if isinstance(op, ConstantOp):
        return [float(v) for v in op.array().reshape(-1)]
    return [None] * (node.shape(position)[0].constant or 0)


def _terms(node: Node, position: int, count: int, type: el.ElementType) -> list[Term]:
    shape = node.shape(position)
    if len(shape) != 1 or shape[0] != count:
        name = node.schema.input(position).name
        raise node.unsupported(f"input {name} is {shape_text(shape)}, expected [{count}]")
    values, n = node.cast(node[position], type), Numbers(node)
    return [Term(node, n.element(values, k)) for k in range(count)]


def resize_at_run_time(
    node: Node,
    method: Method,
    axes: Sequence[int],
    inputs: tuple[int | None, int, int | None],
    policy: str,
    value: float,
) -> Result:
    """Resize(x, roi, scales, sizes) at run time; ``inputs`` are the positions of the lists.

    The result's extents are computed first.  Scales <= 0, negative sizes, resized axes without
    elements, and extents above ``EXACT`` are errors at run time.
    """
    in_roi, in_scales, in_sizes = inputs
    type, count = node.element(), len(axes)
    roi = _terms(node, in_roi, 2 * count, el.F32) if in_roi is not None else []
    parts = [(roi[k], roi[count + k]) if roi else None for k in range(count)]
    extents = [node.shape()[a] for a in axes]
    if in_sizes is None:
        scales, sizes, kept = _by_scales(node, in_scales, extents, bool(roi))
    else:
        scales, sizes, kept = _by_sizes(node, in_sizes, extents, policy, bool(roi))
    counts: dict[tuple[str, int], SSAValue] = {}
    for k in kept:
        size, scale = sizes[k], scales[k]
        if not isinstance(size, ex.Expr):
            counts["size", k] = size
        if method.antialias and method.mode != "nearest":
            counts["taps", k] = tap_count(method, scale, extents[k])
    names = list(counts)
    read = node.read_value("plain", Numbers(node).line(list(counts.values()))) if counts else ()
    extent_of = dict(zip(names, read, strict=True))
    x = node[0] if method.mode == "nearest" else node.cast(node[0], wide(type))
    resized: list[RunTimeAxis] = []
    for k in kept:
        size = sizes[k]
        known = size if isinstance(size, ex.Expr) else extent_of["size", k]
        taps = extent_of.get(("taps", k), ex.const(2 * method.radius))
        resized.append(RunTimeAxis(axes[k], extents[k], known, scales[k], parts[k], taps))
    for a in resized:
        x = resized_at_run_time(node, x, a, method)
    for a in resized:
        x = outside_at_run_time(node, x, a, method, value)
    return node.cast(x, type)


_Sizes = tuple[list[Term], list[SSAValue | ex.Expr], list[int]]
"""The scales in f32, the sizes as tensors or expressions, and the resized axes."""


def _by_scales(node: Node, position: int, extents: Sequence[ex.Expr], has_roi: bool) -> _Sizes:
    n, count = Numbers(node), len(extents)
    known = _constants(node, position)
    scales = _terms(node, position, count, el.F32)
    sizes: list[SSAValue | ex.Expr] = []
    for scale, extent, number in zip(scales, extents, known, strict=True):
        exact = _exact(extent, number)
        if exact is not None:
            _require(node, exact, extent)
            sizes.append(exact)
            continue
        length = Term(node, n.of(extent)).cast(el.F32)
        size = (scale * length).floor()
        # NaN and infinity fail these comparisons.
        fits = (scale > F32(0)) & (scale < F32(EXACT)) & (size <= F32(EXACT))
        sizes.append(_checked(node, size.cast(el.I64).value, extent, fits))
    return scales, sizes, [k for k in range(count) if known[k] != 1 or has_roi]


def _exact(extent: ex.Expr, scale: float | None) -> ex.Expr | None:
    """The size if the scale is an integer or a power of 1/2, else None."""
    if scale is None or not 2.0**-24 <= scale <= EXACT:
        return None
    if scale.is_integer():
        return extent * int(scale)
    parts = 1 / scale
    is_power = parts.is_integer() and not int(parts) & (int(parts) - 1)
    return ex.floordiv(extent, int(parts)) if is_power else None


def _require(node: Node, size: ex.Expr, extent: ex.Expr) -> None:
    """Require a size and extent that can be resized."""
    for e in (size, extent):
        what = f"f32 cannot tell the places of {extent_text(e)} elements apart"
        node.require("equal", ex.minimum(e, EXACT), e, what)
    some = ex.minimum(extent, 1)
    what = f"an axis without elements cannot become one of {extent_text(size)}"
    node.require("equal", ex.maximum(some, ex.minimum(size, 1)), some, what)


def _checked(node: Node, size: SSAValue, extent: ex.Expr, fits: Term) -> SSAValue:
    """A size, or the invalid -1 if a condition fails."""
    n = Numbers(node)
    here = n.apply(b.LessEqualOp, extent, EXACT)
    filled = n.apply(b.OrOp, n.less(0, extent), n.less(size, 1))
    return n.where(n.apply(b.AndOp, n.apply(b.AndOp, fits.value, here), filled), size, -1)


def _by_sizes(
    node: Node, position: int, extents: Sequence[ex.Expr], policy: str, has_roi: bool
) -> _Sizes:
    n, count = Numbers(node), len(extents)
    terms = _terms(node, position, count, el.I64)
    known = extents_in(node, position)
    lengths = [Term(node, n.of(e)).cast(el.F64) for e in extents]
    ratios = [
        size.cast(el.F64) / (length > 0).where(length, 1)
        for size, length in zip(terms, lengths, strict=True)
    ]
    line = n.line([v.value for v in terms])
    limits = [n.apply(b.LessEqualOp, 0, line), n.apply(b.LessEqualOp, line, EXACT)]
    inside = node.add(ReduceAllOp(n.apply(b.AndOp, *limits), axes=(0,)))
    fits = Term(node, inside)
    if policy == "stretch":
        scales = [r.cast(el.F32) for r in ratios]
        kept = [k for k in range(count) if known is None or known[k] != extents[k] or has_roi]
        sizes: list[SSAValue | ex.Expr] = []
        for k, size in enumerate(terms):
            wanted = None if known is None else known[k]
            if wanted is not None and ex.is_nonnegative(wanted):
                _require(node, wanted, extents[k])
                sizes.append(wanted)
            else:
                sizes.append(_checked(node, size.value, extents[k], fits))
        return scales, sizes, kept
    reduce: type[OpcOp] = ReduceMinOp if policy == "not_larger" else ReduceMaxOp
    one = Term(node, node.add(reduce(n.line([r.value for r in ratios]), axes=(0,))))
    sizes = []
    for extent, length in zip(extents, lengths, strict=True):
        size = (one * length + 0.5).floor()
        small = fits & (size <= float(EXACT))
        sizes.append(_checked(node, size.cast(el.I64).value, extent, small))
    return [one.cast(el.F32)] * count, sizes, list(range(count))

"""Movement of arrays: repeats, blocks, diagonals, one-hot, rolls, and prefix sums.

Functions that depend on the position of an element compare ``opc.iota`` along axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.cumulative import Cumulative
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import Shape, shape_text

from .call import Call
from .traced import extended


def tiled(call: Call, x: Any, repeats: Sequence[ex.Expr]) -> Any:
    """Copies of x along each axis; InputError for a negative number of them."""
    if any((n := e.constant) is not None and n < 0 for e in repeats):
        raise call.error(f"a repeat of {shape_text(repeats)} is negative")
    return onp.tile(x, list(repeats))


def depth_to_space(call: Call, block: int, depth_first: bool) -> Any:
    """Channels of input 0 [N, C, spatial...] become blocks of positions along spatial axes.

    ``[N, C*b*b, H, W] --> [N, C, H*b, W*b]``: within the channels stands C first if
    ``depth_first``, else last.
    """
    batch, channels, *space = call.shape()
    rank = len(space)
    count = ex.const(block**rank)
    call.require("divides", channels, count, "blocks do not divide the channels")
    left = ex.floordiv(channels, count)
    split = (left, *[block] * rank) if depth_first else (*[block] * rank, left)
    first = 2 if depth_first else 1
    order = [0, 1 if depth_first else rank + 1]
    for k in range(rank):
        order += [rank + 2 + k, first + k]
    parts = call.traced(0).reshape((batch, *split, *space)).transpose(order)
    return parts.reshape((batch, left, *(e * block for e in space)))


def space_to_depth(call: Call, x: Any, block: int, depth_first: bool) -> Any:
    """The inverse of :func:`depth_to_space`."""
    batch, channels, *space = x.extents
    for extent in space:
        what = "blocks do not divide the extents"
        call.require("divides", extent, ex.const(block), what)
    rank = len(space)
    shorter = [ex.floordiv(e, block) for e in space]
    split = [e for extent in shorter for e in (extent, block)]
    blocks = [3 + 2 * k for k in range(rank)]
    order = [0, *((1, *blocks) if depth_first else (*blocks, 1)), *(2 + 2 * k for k in range(rank))]
    parts = x.reshape((batch, channels, *split)).transpose(order)
    return parts.reshape((batch, channels * block**rank, *shorter))


def _distance(rows: Any, columns: Any) -> Any:
    """Column minus row of each element of a matrix."""
    return columns.reshape(1, -1) - rows.reshape(-1, 1)


def band(x: Any, diagonal: Any, upper: bool) -> Any:
    """The matrices of x with zeros below or above a diagonal; 0 is the main one."""
    distance = _distance(*map(x.trace.positions, x.extents[-2:]))
    inside = distance >= diagonal if upper else distance <= diagonal
    return onp.where(inside, x, x.trace.constant(0, x.element))


def eye(rows: ex.Expr, columns: ex.Expr, diagonal: Any, type: el.ElementType) -> Any:
    """A matrix with ones in diagonal ``k``, an i64 of rank 0, and zeros elsewhere."""
    return (_distance(*map(diagonal.trace.positions, (rows, columns))) == diagonal).astype(type)


def one_hot(indices: Any, depth: ex.Expr, on: Any, off: Any, axis: int, wraps: bool) -> Any:
    """A new axis of extent ``depth``: ``on`` where the position is the index, else ``off``.

    Indices are i64; with ``wraps`` negative ones count from the end.
    """
    if wraps:
        indices = onp.where(indices < 0, indices + depth, indices)
    places = indices.trace.positions(depth).reshape([-1, *[1] * (indices.ndim - axis)])
    return onp.where(onp.expand_dims(indices, axis) == places, on, off)


def centred(x: Any, axis: int, extent: ex.Expr) -> Any:
    """x cropped or padded with zeros to an extent, centred.

    The odd element is cropped or added at the end.
    """
    old = x.extents[axis]
    stays = ex.minimum(old, extent)
    cut = ex.floordiv(old - stays, 2)
    before = ex.floordiv(extent - stays, 2)
    if cut != 0 or stays != old:
        x = x[(*[slice(None)] * axis, slice(cut, cut + stays))]
    return extended(x, axis, before, extent - stays - before)


def rolled(x: Any, axis: int, shift: int) -> Any:
    """Elements rotated along an axis of known extent."""
    cut = -shift % x.shape[axis] if x.shape[axis] else 0
    lead = [slice(None)] * axis
    parts = (slice(cut, None), slice(cut))
    return onp.concatenate([x[(*lead, part)] for part in parts], axis) if cut else x


def sums_around(x: Any, axes: Sequence[int], before: int, after: int) -> Any:
    """For each element, the sum from ``before`` positions before it to ``after`` after it."""
    for k in axes:
        x = extended(x, k, before, after)
    sizes = [before + after + 1 if k in axes else 1 for k in range(min(axes), x.ndim)]
    ones = [1] * len(sizes)
    seen = x.trace.emit(WindowsOp, x, sizes=sizes, strides=ones, dilations=ones)
    return onp.sum(seen, tuple(range(-len(sizes), 0)))


def prefixes_along(x: Any, parts: tuple[Shape, Shape], op: type[Cumulative], **how: bool) -> Any:
    """Prefix totals along an axis whose number is known at run time only.

    ``parts`` are the extents of x with 1 for that axis, and 1 but for that axis.
    """
    others, own = parts
    pairs = [e for pair in zip(own, others, strict=True) for e in pair]
    order = [*range(0, 2 * x.ndim, 2), *range(1, 2 * x.ndim, 2)]
    matrix = x.reshape(pairs).transpose(order).reshape((ex.product(own), ex.product(others)))
    totals = x.trace.emit(op, matrix, axis=0, **how).reshape((*own, *others))
    return totals.transpose(np.argsort(order).tolist()).reshape(x.extents)


def split_at(shape: Shape, axis: int) -> tuple[Shape, Shape]:
    """The extents with 1 for an axis, and 1 but for that axis."""
    one = ex.const(1)
    return (
        tuple(one if k == axis else e for k, e in enumerate(shape)),
        tuple(e if k == axis else one for k, e in enumerate(shape)),
    )

"""Movement: repeats, blocks, diagonals, one-hot, rolls.

Functions that depend on the position of an element compare ``opc.iota`` along axes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import (
    AddOp,
    EqualOp,
    GreaterEqualOp,
    LessEqualOp,
    LessOp,
    SubOp,
    WhereOp,
)
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.parts import TO_THE_END, WindowsOp
from opc.dialects.opc.reduction import ReduceSumOp
from opc.dialects.shape import element, shape_of, tensor_of

from .op_builder import Builder
from .parts import filled, sliced


def along(builder: Builder, line: SSAValue, axis: int, rank: int) -> SSAValue:
    """A 1-D tensor as one axis of a tensor of ``rank``, whose other extents are 1."""
    (extent,) = shape_of(tensor_of(line))
    return builder.reshape(line, [extent if k == axis else ex.const(1) for k in range(rank)])


def positions(builder: Builder, extent: ex.Expr, axis: int, rank: int) -> SSAValue:
    """0, 1, 2, ... in i64 along one axis of a tensor of ``rank``."""
    return along(builder, builder.add(IotaOp.of(extent)), axis, rank)


def tiled(builder: Builder, x: SSAValue, repeats: Sequence[ex.Expr]) -> SSAValue:
    """Copies of x along each axis.

    x of [N, 4] twice and three times --> broadcast [1, N, 1, 4] to [2, N, 3, 4], as [2*N, 12]
    """
    shape = shape_of(tensor_of(x))
    parts: list[ex.Expr] = []
    wanted: list[ex.Expr] = []
    for extent, count in zip(shape, repeats, strict=True):
        if extent == 1:
            parts.append(extent)
            wanted.append(count)
            continue
        if count != 1:
            parts.append(ex.const(1))
            wanted.append(count)
        parts.append(extent)
        wanted.append(extent)
    every = builder.broadcast(builder.reshape(x, parts), wanted)
    return builder.reshape(every, [e * n for e, n in zip(shape, repeats, strict=True)])


def depth_to_space(builder: Builder, x: SSAValue, block: int, depth_first: bool) -> SSAValue:
    """Channels of x [N, C, spatial...] become blocks of positions along spatial axes.

    ``[N, C*b*b, H, W] --> [N, C, H*b, W*b]``: within the channels stands C first if
    ``depth_first``, else last.
    """
    batch, channels, *space = shape_of(tensor_of(x))
    rank = len(space)
    left = ex.floordiv(channels, block**rank)
    blocks = [ex.const(block)] * rank
    split = (left, *blocks) if depth_first else (*blocks, left)
    first = 2 if depth_first else 1
    order = [0, 1 if depth_first else rank + 1]
    for k in range(rank):
        order += [rank + 2 + k, first + k]
    parts = builder.reshape(x, (batch, *split, *space))
    transposed = builder.transpose(parts, order)
    return builder.reshape(transposed, (batch, left, *(e * block for e in space)))


def space_to_depth(builder: Builder, x: SSAValue, block: int, depth_first: bool) -> SSAValue:
    """The inverse of :func:`depth_to_space`."""
    batch, channels, *space = shape_of(tensor_of(x))
    rank = len(space)
    shorter = [ex.floordiv(e, block) for e in space]
    split = [e for extent in shorter for e in (extent, ex.const(block))]
    blocks = [3 + 2 * k for k in range(rank)]
    order = [0, *((1, *blocks) if depth_first else (*blocks, 1)), *(2 + 2 * k for k in range(rank))]
    parts = builder.reshape(x, (batch, channels, *split))
    transposed = builder.transpose(parts, order)
    return builder.reshape(transposed, (batch, channels * block**rank, *shorter))


def band(builder: Builder, x: SSAValue, diagonal: SSAValue, upper: bool) -> SSAValue:
    """The matrices of x with zeros below or above a diagonal; 0 is the main one."""
    shape = shape_of(tensor_of(x))
    rank = len(shape)
    rows, columns = (positions(builder, shape[k], k, rank) for k in (rank - 2, rank - 1))
    kind = GreaterEqualOp if upper else LessEqualOp
    inside = builder.add(kind(builder.add(SubOp(columns, rows)), diagonal))
    return builder.add(WhereOp(inside, x, builder.constant(0, element(tensor_of(x)))))


def eye(
    builder: Builder, rows: ex.Expr, columns: ex.Expr, diagonal: SSAValue, type: el.ElementType
) -> SSAValue:
    """A matrix with ones in diagonal ``k``, an i64 of rank 0, and zeros elsewhere."""
    distance = builder.add(SubOp(positions(builder, columns, 1, 2), positions(builder, rows, 0, 2)))
    return builder.cast(builder.add(EqualOp(distance, diagonal)), type)


def one_hot(
    builder: Builder,
    indices: SSAValue,
    depth: ex.Expr,
    on: SSAValue,
    off: SSAValue,
    axis: int,
    wraps: bool,
) -> SSAValue:
    """A new axis of extent ``depth``: ``on`` where the position is the index, else ``off``.

    Indices are i64; with ``wraps`` negative ones count from the end.
    """
    shape = list(shape_of(tensor_of(indices)))
    rank = len(shape) + 1
    if wraps:
        zero, extent = builder.constant(0, el.I64), builder.add(ExtentOp.of(depth))
        behind = builder.add(AddOp(indices, extent))
        indices = builder.add(WhereOp(builder.add(LessOp(indices, zero)), behind, indices))
    lined = builder.reshape(indices, [*shape[:axis], ex.const(1), *shape[axis:]])
    is_hot = builder.add(EqualOp(lined, positions(builder, depth, axis, rank)))
    return builder.add(WhereOp(is_hot, on, off))


def centred(builder: Builder, x: SSAValue, axis: int, extent: ex.Expr) -> SSAValue:
    """x cropped or padded with zeros to an extent, centred.

    The odd element is cropped or added at the end.
    """
    shape = shape_of(tensor_of(x))
    stays = ex.minimum(shape[axis], extent)
    cut = ex.floordiv(shape[axis] - stays, 2)
    before = ex.floordiv(extent - stays, 2)
    zero = builder.constant(0, element(tensor_of(x)))
    if cut != 0 or stays != shape[axis]:
        x = sliced(builder, x, [axis], [(cut, cut + stays, 1)])
    return filled(builder, x, axis, before, extent - stays - before, zero)


def rolled(builder: Builder, x: SSAValue, axis: int, shift: int) -> SSAValue:
    """Elements rotated along an axis of known extent."""
    extent = shape_of(tensor_of(x))[axis].constant
    assert extent is not None
    cut = -shift % extent if extent else 0
    if not cut:
        return x
    last = sliced(builder, x, [axis], [(cut, TO_THE_END, 1)])
    return builder.concat([last, sliced(builder, x, [axis], [(0, cut, 1)])], axis)


def sums_around(
    builder: Builder, x: SSAValue, axes: Sequence[int], before: int, after: int
) -> SSAValue:
    """For each element, the sum from ``before`` positions before it to ``after`` after it."""
    first, rank = min(axes), len(shape_of(tensor_of(x)))
    zero = builder.constant(0, element(tensor_of(x)))
    for k in axes:
        x = filled(builder, x, k, before, after, zero)
    sizes = [before + after + 1 if k in axes else 1 for k in range(first, rank)]
    ones = [1] * len(sizes)
    seen = builder.add(WindowsOp(x, sizes=sizes, strides=ones, dilations=ones))
    return builder.add(ReduceSumOp(seen, axes=tuple(range(-len(sizes), 0))))

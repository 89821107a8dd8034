"""Movement that several formats of models have: repeats, blocks, bands, and places that are marked.

What depends on where an element is compares positions along axes (``opc.iota``).
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
    """A 1-D tensor as an axis of a tensor of a rank, whose other extents are 1."""
    (extent,) = shape_of(tensor_of(line))
    return builder.reshape(line, [extent if k == axis else ex.const(1) for k in range(rank)])


def positions(builder: Builder, extent: ex.Expr, axis: int, rank: int) -> SSAValue:
    """0, 1, 2, ... in i64 along an axis of a tensor of a rank."""
    return along(builder, builder.add(IotaOp.of(extent)), axis, rank)


def tiled(builder: Builder, x: SSAValue, repeats: Sequence[ex.Expr]) -> SSAValue:
    """x put beside itself along each axis, so many times.

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
    """Channels of x [N, C, spatial...] become blocks of so many positions along each spatial axis.

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
    """What :func:`depth_to_space` is undone by."""
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
    """The matrices in x with zeros below, or above, a diagonal; 0 is the main one."""
    shape = shape_of(tensor_of(x))
    rank = len(shape)
    rows, columns = (positions(builder, shape[k], k, rank) for k in (rank - 2, rank - 1))
    kind = GreaterEqualOp if upper else LessEqualOp
    inside = builder.add(kind(builder.add(SubOp(columns, rows)), diagonal))
    return builder.add(WhereOp(inside, x, builder.constant(0, element(tensor_of(x)))))


def eye(
    builder: Builder, rows: ex.Expr, columns: ex.Expr, diagonal: SSAValue, type: el.ElementType
) -> SSAValue:
    """A matrix with ones in a diagonal, which is an i64 of rank 0, and zeros elsewhere."""
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
    """A new axis of an extent, on where its position is the index and off elsewhere.

    Indices are i64; where one ``wraps``, a negative one counts from the end.
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
    """As many elements along an axis: those of x in the middle, or zeros on both sides of x.

    Of an odd number of elements to cut off or to put there, the odd one is behind.
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
    """Elements moved along an axis of known extent; what goes beyond its end comes in front."""
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
    """For each element, the sum of those up to so many places in front of it and behind it."""
    first, rank = min(axes), len(shape_of(tensor_of(x)))
    zero = builder.constant(0, element(tensor_of(x)))
    for k in axes:
        x = filled(builder, x, k, before, after, zero)
    sizes = [before + after + 1 if k in axes else 1 for k in range(first, rank)]
    ones = [1] * len(sizes)
    seen = builder.add(WindowsOp(x, sizes=sizes, strides=ones, dilations=ones))
    return builder.add(ReduceSumOp(seen, axes=tuple(range(-len(sizes), 0))))

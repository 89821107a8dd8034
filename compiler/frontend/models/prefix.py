"""Sums and products of all elements up to each one, along an axis."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .bodies import Values, scan
from .op_builder import Builder

IDENTITIES = {"add": 0, "mul": 1}


def prefixes(
    builder: Builder,
    at: Operation,
    x: SSAValue,
    operator: str,
    *,
    exclusive: bool = False,
    is_reversed: bool = False,
) -> SSAValue:
    """For x of [n, m] the totals of the first 1, 2, ..., n rows, by ``add`` or ``mul``.

    ``exclusive`` ones are of the first 0, 1, ..., n - 1 rows; reversed ones count from the end.
    Each total is the one before and one row more, in that order; f16 and bf16 are computed in f32
    and each total is rounded once.  ``at`` is what this is a part of.
    """
    given = element(tensor_of(x))
    type = el.F32 if given.is_small_float else given
    rows, columns = shape_of(tensor_of(x))
    start = builder.constant(np.full((), IDENTITIES[operator]), type)

    def step(inner: Builder, arguments: Values) -> tuple[Values, Values]:
        before, row = arguments
        total = inner.binary(operator, before, inner.cast(row, type))
        return [total], [inner.cast(before if exclusive else total, given)]

    _, (found,) = scan(
        builder,
        at,
        rows,
        ([builder.broadcast(start, (columns,))], [x], []),
        step,
        is_reversed=is_reversed,
    )
    return found


def prefixes_along(
    builder: Builder,
    at: Operation,
    x: SSAValue,
    parts: tuple[Shape, Shape],
    operator: str,
    *,
    exclusive: bool = False,
    is_reversed: bool = False,
) -> SSAValue:
    """The totals along one axis of x.

    ``parts`` are its extents with 1 for that axis, and 1 but for that axis: so the axis may be one
    that only a run knows.
    """
    others, own = parts
    shape, rank = shape_of(tensor_of(x)), len(others)
    pairs = [e for pair in zip(own, others, strict=True) for e in pair]
    order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    front = builder.transpose(builder.reshape(x, pairs), order)
    matrix = builder.reshape(front, (ex.product(own), ex.product(others)))
    found = prefixes(builder, at, matrix, operator, exclusive=exclusive, is_reversed=is_reversed)
    back = builder.reshape(found, (*own, *others))
    return builder.reshape(builder.transpose(back, np.argsort(order).tolist()), shape)


def split_at(shape: Shape, axis: int) -> tuple[Shape, Shape]:
    """The extents with 1 for an axis, and 1 but for that axis."""
    one = ex.const(1)
    return (
        tuple(one if k == axis else e for k, e in enumerate(shape)),
        tuple(e if k == axis else one for k, e in enumerate(shape)),
    )

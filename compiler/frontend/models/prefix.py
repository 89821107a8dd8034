"""Prefix sums and products along an axis."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.opc.cumulative import CumProdOp, CumSumOp, Cumulative
from opc.dialects.shape import Shape, shape_of, tensor_of

from .op_builder import Builder

OPERATORS: dict[str, type[Cumulative]] = {"add": CumSumOp, "mul": CumProdOp}


def prefixes(
    builder: Builder,
    x: SSAValue,
    operator: str,
    axis: int = 0,
    *,
    exclusive: bool = False,
    is_reversed: bool = False,
) -> SSAValue:
    """The totals of the first 1, 2, ..., n elements along an axis, with ``add`` or ``mul``.

    With ``exclusive`` of the first 0, 1, ..., n - 1; with ``is_reversed`` from the end.
    """
    make = OPERATORS[operator]
    return builder.add(make(x, axis=axis, exclusive=exclusive, reverse=is_reversed))


def prefixes_along(
    builder: Builder,
    x: SSAValue,
    parts: tuple[Shape, Shape],
    operator: str,
    *,
    exclusive: bool = False,
    is_reversed: bool = False,
) -> SSAValue:
    """Prefix totals along an axis whose number is known at run time only.

    ``parts`` are the extents of x with 1 for that axis, and 1 but for that axis.
    """
    others, own = parts
    shape, rank = shape_of(tensor_of(x)), len(others)
    pairs = [e for pair in zip(own, others, strict=True) for e in pair]
    order = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    front = builder.transpose(builder.reshape(x, pairs), order)
    matrix = builder.reshape(front, (ex.product(own), ex.product(others)))
    totals = prefixes(builder, matrix, operator, exclusive=exclusive, is_reversed=is_reversed)
    back = builder.reshape(totals, (*own, *others))
    return builder.reshape(builder.transpose(back, np.argsort(order).tolist()), shape)


def split_at(shape: Shape, axis: int) -> tuple[Shape, Shape]:
    """The extents with 1 for an axis, and 1 but for that axis."""
    one = ex.const(1)
    return (
        tuple(one if k == axis else e for k, e in enumerate(shape)),
        tuple(e if k == axis else one for k, e in enumerate(shape)),
    )

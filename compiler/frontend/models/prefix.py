"""Prefix sums and products along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.opc.cumulative import Cumulative
from opc.dialects.shape import Shape


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

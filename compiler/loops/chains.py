"""Which products of a chain are computed, and its blocks, where contracted axes are known.

A chain of several contracted axes is cut into blocks that are whole runs of the last axis, or parts
of one, so that no loop has to ask where a block ends::

    [3][3][64] by 512:  for block = 0 to 9 step 8 { for p = block to min(block + 8, 9) { for q } }

Products with padding add nothing to a sum, if the other factor is finite: a chain from +0 is never
-0.  So the first axis of a window, of which whole rows may be padding, only goes over what is
inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.body import number_of
from opc.dialects.order import BLOCK
from opc.schedule.contraction import Contraction, Operand, constant_of
from opc.schedule.window import Window


@dataclass(frozen=True)
class Blocks:
    """How a chain is cut: into blocks of ``runs`` of its last axis, or of a part of one if 0."""

    runs: int
    inner: int
    """Runs for each value of the first axis."""


def blocks_of(c: Contraction) -> Blocks | None:
    """The blocks of a chain of several axes; None if they end within runs of the last one."""
    inner = ex.product(map(c.extent, c.reduced[1:-1])).constant
    size = c.extent(c.reduced[-1]).constant
    if len(c.reduced) < 2 or inner is None or not size:
        return None
    if size % BLOCK == 0:
        return Blocks(0, inner)
    return Blocks(BLOCK // size, inner) if BLOCK % size == 0 else None


def inside(c: Contraction) -> tuple[ex.Expr, ex.Expr] | None:
    """Where the first contracted axis begins and ends that is not padding, over the outer axes.

    None if that is all of it, if it is the only axis, along which blocks begin, or if products with
    padding may be something else than 0.
    """
    if len(c.reduced) < 2:
        return None
    for operand, other in ((c.left, c.right), (c.right, c.left)):
        window = c.window(operand)
        if window is not None and window.is_padded:
            found = _inside(c, window)
            return found if found is not None and _is_finite(c, other) else None
    return None


def _inside(c: Contraction, window: Window) -> tuple[ex.Expr, ex.Expr] | None:
    (first, *_), load = c.reduced, window.load
    default = number_of(load.default) if load.default is not None else None
    if default is None or default.value.data != 0:
        return None
    outer = {axis[-1] for axis in c.outer}
    for e, size in zip(window.index, window.source, strict=True):
        at = e - ex.dim(first[-1])
        if e.coefficient(first[-1]) == 1 and at.dims() and at.dims() <= outer:
            extent = c.extent(first)
            begin, end = ex.maximum(ex.const(0) - at, 0), ex.minimum(size - at, extent)
            return begin, end
    return None


def _is_finite(c: Contraction, operand: Operand) -> bool:
    """Whether an operand is known, and has neither infinities nor NaN."""
    load = operand.load
    value = constant_of(load.source) if load is not None else None
    if not c.type.is_float or value is None:
        return value is not None or not c.type.is_float
    array = elements(value)
    return array is not None and bool(np.isfinite(array).all())

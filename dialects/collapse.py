"""Merge neighbouring dimensions that are one axis in memory, and drop those of extent 1.

``for d0 < 4: for d1 < 8: x[d0*8 + d1]  -->  for d0 < 32: x[d0]``

A broadcast over a middle axis, or a reduction over several adjacent ones, then costs as much as a
flat loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from opc.dialects.walking import walk

from . import body, kernel
from . import expr as ex
from .layout import linearize
from .shape import Shape, shape_of


@dataclass(frozen=True)
class Collapsed:
    """The new extents, and each old dimension as an expression over the new ones."""

    extents: Shape
    places: dict[int, ex.Expr]

    def dims(self, k: int) -> list[int]:
        """The old dimensions that equal a new one."""
        return [d for d, e in self.places.items() if e == ex.dim(k)]


def offsets_of(nest: kernel.NestOp) -> dict[Operation, ex.Expr]:
    """The row-major offset of each load and store, and the expression of each ``scalar.index``."""
    offsets: dict[Operation, ex.Expr] = {}
    targets = nest.targets
    for op in walk(nest.body):
        if isinstance(op, kernel.LoadOp):
            source = op.source.owner
            is_kept = isinstance(source, kernel.SweepOp)
            shape = source.extents.data if is_kept else shape_of(op.source.type)
            offsets[op] = linearize(op.index.data, shape)
        elif isinstance(op, kernel.StoreOp):
            target = targets[op.number]
            offsets[op] = linearize(op.index.data, shape_of(target.type))
        elif isinstance(op, body.IndexOp):
            offsets[op] = op.expr
    return offsets


def collapse(first: int, extents: Shape, offsets: Sequence[ex.Expr]) -> Collapsed:
    """Collapse dimensions ``first``, ``first + 1``, ... of the given extents.

    ``offsets`` are all expressions that depend on them.  Two neighbours merge if, in every offset,
    the stride of the outer one is the stride times the extent of the inner one.
    """
    groups = neighbours(first, extents, offsets)
    places = {first + k: ex.const(0) for k in range(len(extents))}
    for number, group in enumerate(groups):
        # The outer members of a group are 0: the innermost one runs over the merged extent.
        places[first + group[-1]] = ex.dim(number)
    merged = tuple(ex.product(extents[k] for k in group) for group in groups)
    return Collapsed(merged, places)


def neighbours(first: int, extents: Shape, offsets: Sequence[ex.Expr]) -> list[list[int]]:
    """Groups of positions in ``extents`` that are one axis in memory, without extents of 1."""
    groups: list[list[int]] = []
    for k, extent in enumerate(extents):
        if extent == 1:
            continue
        if groups and _mergeable(first + groups[-1][-1], first + k, extent, offsets):
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def _mergeable(outer: int, inner: int, extent: ex.Expr, offsets: Sequence[ex.Expr]) -> bool:
    for offset in offsets:
        a, b = offset.coefficient(outer), offset.coefficient(inner)
        if a is None or b is None or a != b * extent:
            return False
    return True

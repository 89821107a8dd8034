"""Split an axis along which memory is in pieces, as after a transpose and a reshape.

``for d0 < 512: y[d0] = x[floordiv(d0, 64), mod(d0, 64)]``  -->
``for d0 < 8: for d1 < 64: y[d0*64 + d1] = x[d0, d1]``

A nest without sweeps: only its last axis, which C compilers cannot vectorize otherwise, and only if
the pieces fill a vector, or are few enough to be interleaved::

    for d0 < 128: y[d0] = x[mod(d0 + 1, 2), floordiv(d0 + 1, 2)]  -->
    for d0 < 64: for d1 < 2: y[d0*2 + d1] = x[mod(d1 + 1, 2), d0 + floordiv(d1 + 1, 2)]

A contraction: any axis, such as the filters of a convolution with groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.passes import ModulePass

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.repeat import has_repeat
from opc.dialects.shape import DimsAttr, IndexAttr
from opc.dialects.walking import walk
from opc.support.target import PHASES, VECTOR

INDEXED = kernel.LoadOp | kernel.StoreOp | kernel.GatherOp | kernel.PickOp | body.IndexOp
"""The operations with indices."""


def _piece(nest: kernel.NestOp, axis: int) -> int | None:
    """The points of a piece of an axis, if it has several pieces of the same size."""
    extent = nest.extents.data[axis]
    sizes: set[int] = set()
    indices = (e for op in walk(nest.body) if isinstance(op, INDEXED) for e in op.index.data)
    for atom in (atom for e in indices for atom in e.divisions()):
        begin = (ex.Expr.of(atom.args[0]) - ex.dim(axis)).constant
        if begin is not None and begin >= 0:
            size = atom.args[1].constant
            if size is None or ex.mod(extent, size) != 0:
                return None
            if extent == size:
                continue
            if begin and size > PHASES:
                return None
            sizes.add(size)
    return min(sizes, default=None)


def split(nest: kernel.NestOp) -> bool:
    """Split an axis of a nest that is in pieces; whether there was one."""
    extents = nest.extents.data
    if has_repeat(nest):
        return False
    if nest.has_chain:
        picked = {op.dim for op in kernel.picks_of(nest)}
        sizes = ((k, _piece(nest, k)) for k in range(len(extents)) if k not in picked)
        axis, size = next(((k, size) for k, size in sizes if size is not None), (None, None))
    else:
        axis = next((k for k in reversed(range(len(extents))) if extents[k] != 1), None)
        if axis is None or nest.sweeps:
            return False
        size = _piece(nest, axis)
        size = None if size is None or PHASES < size < VECTOR else size
    if axis is None or size is None:
        return False
    split_axis(nest, axis, size)
    return True


def split_axis(nest: kernel.NestOp, axis: int, size: int) -> None:
    """Split an axis in two, the inner one of ``size`` points."""
    extents = nest.extents.data
    pieces = ex.floordiv(extents[axis], size), ex.const(size)
    parts = (*extents[:axis], *pieces, *extents[axis + 1 :])
    for op in walk(nest.body):
        inner = op.extents.data if isinstance(op, kernel.SweepOp) else ()
        scope = (*parts, *kernel.scope(op)[len(extents) :], *inner)
        places = {k: ex.dim(k + 1) for k in range(axis + 1, len(scope) - 1)}
        places[axis] = ex.dim(axis) * size + ex.dim(axis + 1)
        ranges = dict(enumerate(scope))
        if isinstance(op, INDEXED):
            index = tuple(e.substitute(places, ranges) for e in op.index.data)
            op.properties["index"] = IndexAttr(index)
            if isinstance(op, kernel.PickOp):
                op.properties["along"] = IndexAttr((ex.dim(op.dim + (op.dim > axis)),))
        elif isinstance(op, kernel.SweepOp) and op.places is not None:
            kept = [tuple(e.substitute(places, ranges) for e in p.data) for p in op.places]
            op.properties["places"] = ArrayAttr([IndexAttr(p) for p in kept])
    nest.properties["extents"] = DimsAttr(parts)


@dataclass(frozen=True)
class SplitAxesPass(ModulePass):
    """for d0 < 512 { x[d0 / 64, d0 mod 64] }  -->  for d0 < 8 { for d1 < 64 { x[d0, d1] } }."""

    name: ClassVar[str] = "split-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every nest."""
        for nest in [inner for inner in walk(op) if isinstance(inner, kernel.NestOp)]:
            while split(nest):
                pass

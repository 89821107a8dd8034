"""Parts of a loop as loops of their own, and expressions over the variables of other loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.shape import IndexAttr

At = tuple[ex.Expr, list[SSAValue]]
"""An expression and the values of its dimensions."""


def joined(e: ex.Expr, own: Sequence[SSAValue], dims: Sequence[SSAValue]) -> At:
    """An expression over values of its own as one over these dimensions and what else it needs."""
    used = [own[d] for d in sorted(e.dims())]
    every = [*dims, *(v for v in dict.fromkeys(used) if v not in dims)]
    renamed = {ex.Atom("dim", (d,)): ex.dim(every.index(own[d])) for d in e.dims()}
    return e.substitute(renamed, {}), every


def moved(e: ex.Expr, dims: list[SSAValue], variable: SSAValue, by: At) -> At:
    """An expression in which something else stands for a variable."""
    kept = [v for v in dims if v is not variable]
    value, every = joined(*by, kept)
    at = {
        ex.Atom("dim", (k,)): value if v is variable else ex.dim(kept.index(v))
        for k, v in enumerate(dims)
    }
    return e.substitute(at, {}), every


def part_of(op: loop.ForOp, start: At, count: At) -> loop.ForOp:
    """A loop over part of the points: ``count`` of them from ``start``."""
    part = loop.ForOp.of(ex.const(0), *count, kind="vector")
    mapping: dict[SSAValue, SSAValue] = {op.variable: part.variable}
    lane, dims = joined(ex.dim(0), [part.variable], start[1])
    point = start[0] + lane
    for inner in op.body.block.ops:
        new = inner.clone(mapping)
        part.body.block.add_op(new)
        if not isinstance(new, loop.LoadOp | loop.StoreOp | body.IndexOp):
            continue
        old = list(new.dims)
        if part.variable in old:
            e, every = moved(new.index.data[0], old, part.variable, (point, dims))
            new.properties["index"] = IndexAttr((e,))
            new.operands = [*list(new.operands)[: len(new.operands) - len(old)], *every]
    return part

"""Parts of a loop as loops of their own, and expressions over the variables of other loops."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.remarks import asked
from opc.dialects.schedule import IfOp
from opc.dialects.shape import IndexAttr
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

PLAIN = (body.ApplyOp, body.ConstantOp, body.IndexOp, loop.LoadOp, loop.StoreOp)
"""The operations of a loop that reduces nothing."""
At = tuple[ex.Expr, list[SSAValue]]
"""An expression and the values of its dimensions."""


class PlainLoopsPass(FunctionPass):
    """A pass that rewrites each vector loop of a function that has only plain operations."""

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite the loops of one function."""
        for op in [op for op in walk(function) if isinstance(op, loop.ForOp)]:
            if op.kind.data == "vector" and all(isinstance(o, PLAIN) for o in op.body.block.ops):
                self.rewrite_loop(op)

    @abstractmethod
    def rewrite_loop(self, op: loop.ForOp) -> None:
        """Rewrite one loop."""


def most_points(op: loop.ForOp) -> int | None:
    """The points of a loop at most; None if that is unknown."""
    most = ex.upper_bound(op.bounds[1] - op.bounds[0], {})
    return None if most is None else most.constant


def joined(e: ex.Expr, own: Sequence[SSAValue], dims: Sequence[SSAValue]) -> At:
    """Rewrite an expression over ``own`` values as one over ``dims`` and further ones of these."""
    used = [own[d] for d in sorted(e.dims())]
    every = [*dims, *(v for v in dict.fromkeys(used) if v not in dims)]
    renamed = {d: ex.dim(every.index(own[d])) for d in e.dims()}
    return e.substitute(renamed), every


def moved(e: ex.Expr, dims: list[SSAValue], variable: SSAValue, by: At) -> At:
    """Substitute an expression for a variable in another one."""
    kept = [v for v in dims if v is not variable]
    value, every = joined(*by, kept)
    at = {k: value if v is variable else ex.dim(kept.index(v)) for k, v in enumerate(dims)}
    return e.substitute(at), every


def replace(op: Operation, variable: SSAValue, by: At) -> None:
    """Substitute an expression for a variable in the bounds and indices of an operation."""
    if variable not in op.operands:
        return
    keys = [key for key, value in op.properties.items() if isinstance(value, IndexAttr)]
    dims: list[SSAValue] = list(op.dims)  # pyright: ignore
    others = list(op.operands)[: len(op.operands) - len(dims)]
    for key in keys:
        old = op.properties[key]
        assert isinstance(old, IndexAttr)
        op.properties[key] = IndexAttr(tuple(moved(e, dims, variable, by)[0] for e in old.data))
    op.operands = [*others, *moved(ex.const(0), dims, variable, by)[1]]


def choice(op: IfOp, then: Block, otherwise: Block) -> loop.IfOp:
    """The loops of both versions, under the condition of their schedule."""
    contrary, asks = 1 - op.when, asked(op.when, op.asks)
    first, second = ("", "") if op.names is None else (name.data for name in op.names)
    blocks, names, condition = (then, otherwise), (first, second), op.when
    if not loop.is_negated(contrary):
        blocks, names, condition = (otherwise, then), (second, first), contrary
    return loop.IfOp.of(condition, [], *blocks, names, asks)


def is_there(load: loop.LoadOp, store: loop.StoreOp) -> bool:
    """Whether a load reads the element that a later store of its block overwrites."""
    here = load.source is store.target and load.index == store.index
    return here and list(load.dims) == list(store.dims) and load.is_before_in_block(store)


def is_along(access: loop.LoadOp | loop.StoreOp, op: loop.ForOp) -> bool:
    """Whether an access is contiguous along a loop."""
    dims = list(access.dims)
    if dims.count(op.variable) != 1:
        return False
    step = access.index.data[0].coefficient(dims.index(op.variable))
    return step is not None and step == 1


def start_and_count(
    access: loop.LoadOp | loop.StoreOp, variable: SSAValue, count: At
) -> tuple[list[ex.Expr], list[SSAValue]]:
    """The first index of an access in a loop from 0, and the number of its elements."""
    start, dims = moved(access.index.data[0], list(access.dims), variable, (ex.const(0), []))
    number, dims = joined(*count, dims)
    return [start, number], dims


def insert(new: Operation, before: Operation) -> None:
    """Insert an operation before another one, whose location it takes."""
    Rewriter.insert_op(new, InsertPoint.before(before))
    for op in walk(new):
        op.location = before.location


def put_block(block: Block, before: Operation, location: LocationAttr) -> None:
    """Move the operations of a block before another operation and set their location."""
    for op in walk(block):
        op.location = location
    Rewriter.inline_block(block, InsertPoint.before(before))


def replace_by(op: Operation, block: Block) -> None:
    """Replace an operation by those of a block."""
    put_block(block, op, op.location)
    Rewriter.erase_op(op)


def block_of(op: loop.ForOp, upper: ex.Expr, size: int, is_whole: bool) -> loop.ForOp:
    """Insert a loop over blocks up to ``upper`` before a loop; return the loop over a block."""
    kind = "parallel" if isinstance(loop.around(op), FuncOp) else "serial"
    blocks = loop.ForOp.of(op.bounds[0], upper, list(op.dims), kind, size)
    count: At = ex.const(size), []
    if not is_whole:
        end, every = joined(op.bounds[1], list(op.dims), [blocks.variable])
        count = ex.minimum(end - ex.dim(0), ex.const(size)), every
    part = part_of(op, (ex.dim(0), [blocks.variable]), count)
    blocks.body.block.add_op(part)
    insert(blocks, op)
    return part


def from_zero(op: loop.ForOp) -> loop.ForOp:
    """Insert the same loop from 0 before a loop, and return it."""
    dims = list(op.dims)
    part = part_of(op, (op.bounds[0], dims), (op.bounds[1] - op.bounds[0], dims))
    insert(part, op)
    return part


def part_of(op: loop.ForOp, start: At, count: At) -> loop.ForOp:
    """A loop over ``count`` points of a loop from ``start`` on."""
    part = loop.ForOp.of(ex.const(0), *count, kind="vector")
    part.location = op.location
    mapping: dict[SSAValue, SSAValue] = {op.variable: part.variable}
    lane, dims = joined(ex.dim(0), [part.variable], start[1])
    point = start[0] + lane
    for inner in op.body.block.ops:
        new = inner.clone(mapping)
        part.body.block.add_op(new)
        replace(new, part.variable, (point, dims))
    return part

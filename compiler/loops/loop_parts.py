"""Parts of a loop as loops of their own, and expressions over the variables of other loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.comments import asked
from opc.dialects.schedule import IfOp
from opc.dialects.shape import IndexAttr

PLAIN = (body.ApplyOp, body.ConstantOp, body.IndexOp, loop.LoadOp, loop.StoreOp)
"""What a point consists of where nothing is reduced."""
At = tuple[ex.Expr, list[SSAValue]]
"""An expression and the values of its dimensions."""


def joined(e: ex.Expr, own: Sequence[SSAValue], dims: Sequence[SSAValue]) -> At:
    """An expression over values of its own as one over these dimensions and what else it needs."""
    used = [own[d] for d in sorted(e.dims())]
    every = [*dims, *(v for v in dict.fromkeys(used) if v not in dims)]
    renamed = {d: ex.dim(every.index(own[d])) for d in e.dims()}
    return e.substitute(renamed), every


def moved(e: ex.Expr, dims: list[SSAValue], variable: SSAValue, by: At) -> At:
    """An expression in which something else stands for a variable."""
    kept = [v for v in dims if v is not variable]
    value, every = joined(*by, kept)
    at = {k: value if v is variable else ex.dim(kept.index(v)) for k, v in enumerate(dims)}
    return e.substitute(at), every


def replace(op: Operation, variable: SSAValue, by: At) -> None:
    """Let something else stand for a variable in the bounds and indices of an operation."""
    if variable not in op.operands:
        return
    keys = [key for key, value in op.properties.items() if isinstance(value, IndexAttr)]
    dims: list[SSAValue] = list(op.dims)  # pyright: ignore
    others = list(op.operands)[: len(op.operands) - len(dims)]
    for key in keys:
        old = op.properties[key]
        assert isinstance(old, IndexAttr)
        found = [moved(e, dims, variable, by) for e in old.data]
        op.properties[key] = IndexAttr(tuple(e for e, _ in found))
    op.operands = [*others, *moved(ex.const(0), dims, variable, by)[1]]


def choice(op: IfOp, then: Block, otherwise: Block) -> loop.IfOp:
    """The loops of one version or of the other one, as their schedule chooses."""
    contrary, asks = 1 - op.when, asked(op.when, op.asks)
    first, second = ("", "") if op.names is None else (name.data for name in op.names)
    blocks, names, condition = (then, otherwise), (first, second), op.when
    if not loop.is_negated(contrary):
        blocks, names, condition = (otherwise, then), (second, first), contrary
    return loop.IfOp.of(condition, [], *blocks, names, asks)


def kind_of_blocks(op: loop.ForOp) -> str:
    """The kind of a loop over blocks of another one: threads share an outermost one."""
    return "parallel" if isinstance(loop.around(op), FuncOp) else "serial"


def is_there(load: loop.LoadOp, store: loop.StoreOp) -> bool:
    """Whether a value is read, before that, from where another one is stored."""
    here = load.source is store.target and load.index == store.index
    return here and list(load.dims) == list(store.dims) and load.is_before_in_block(store)


def is_along(access: loop.LoadOp | loop.StoreOp, op: loop.ForOp) -> bool:
    """Whether an access goes from one element to the next."""
    dims = list(access.dims)
    if dims.count(op.variable) != 1:
        return False
    step = access.index.data[0].coefficient(dims.index(op.variable))
    return step is not None and step == 1


def start_and_count(
    access: loop.LoadOp | loop.StoreOp, variable: SSAValue, count: At
) -> tuple[list[ex.Expr], list[SSAValue]]:
    """Where the staging buffer of an access starts, and the number of its elements."""
    start, dims = moved(access.index.data[0], list(access.dims), variable, (ex.const(0), []))
    number, dims = joined(*count, dims)
    return [start, number], dims


def insert(new: Operation, before: Operation) -> None:
    """Put an operation before another, whose location it takes."""
    assert before.parent is not None
    before.parent.insert_op_before(new, before)
    for op in new.walk():
        op.location = before.location


def put_block(block: Block, before: Operation, location: LocationAttr) -> None:
    """Move the operations of a block, which get a location, in front of another operation."""
    for op in block.walk():
        op.location = location
    Rewriter.inline_block(block, InsertPoint.before(before))


def block_of(op: loop.ForOp, upper: ex.Expr, size: int, is_whole: bool) -> loop.ForOp:
    """The loop over a block of points, in one over blocks up to ``upper`` in front of another."""
    blocks = loop.ForOp.of(op.bounds[0], upper, list(op.dims), kind_of_blocks(op), size)
    count: At = ex.const(size), []
    if not is_whole:
        end, every = joined(op.bounds[1], list(op.dims), [blocks.variable])
        count = ex.minimum(end - ex.dim(0), ex.const(size)), every
    part = part_of(op, (ex.dim(0), [blocks.variable]), count)
    blocks.body.block.add_op(part)
    insert(blocks, op)
    return part


def part_of(op: loop.ForOp, start: At, count: At) -> loop.ForOp:
    """A loop over part of the points: ``count`` of them from ``start``."""
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

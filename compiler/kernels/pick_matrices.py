"""Reads the matrices that indices choose in the contraction itself, instead of copies of them.

::

    %g = kernel.nest [2, 512, 64] {%i = load %chosen[d0]; gather %w[%i, d1, d2]; store}
    kernel.nest [2, 64] {sweep [512] (dot) {load %x[d0, d2] * load %g[d0, d2, d1]}}

    -->  kernel.nest [2, 64, 8] {
           kernel.pick d2 = %chosen[d0]
           sweep [512] (dot) {load %x[d0, d3] * load %w[d2, d3, d1]}}

So weights of experts that no token is routed to are not read, and the others lie in panels, as
those of a batch of matrices do.  The tables are constants: others would be packed as a whole.  All
loads from tables share the index; its dimensions are neither rows nor columns of a matrix.  Needs
fuse-kernels, which computes dequantized weights in the contraction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ReshapeOp
from opc.dialects.shape import DimsAttr, IndexAttr, Shape, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .fusion_inline import is_contraction, through_reshape
from .kernel_forms import identity, matrices_of

Key: TypeAlias = "tuple[SSAValue, Shape]"
"""An i64 tensor of indices, and where it is read."""


class PickMatricesPass(FunctionPass):
    """gather %w[%i, d1, d2] in front of a product  -->  pick d3 = %chosen[d0]; load %w[d3, ...]."""

    name = "pick-matrices"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite each contraction, and erase gathers that nothing reads any more."""
        numbers: dict[Hashable, SSAValue] = {}
        nests = [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]
        for nest in nests:
            if is_contraction(nest):
                _pick(nest, list(_choices(nest, numbers)))
        for op in reversed(list(function.body.block.ops)):
            is_gather = isinstance(op, kernel.NestOp) and matrices_of(op.outputs[0]) is not None
            if (is_gather or isinstance(op, ReshapeOp)) and not op.results[0].uses:
                Rewriter.erase_op(op)


@dataclass(frozen=True)
class Choice:
    """A load of matrices that indices choose."""

    load: kernel.LoadOp
    gather: kernel.GatherOp
    index: Shape
    """Of the load, over the dimensions of the gather's nest."""
    key: Key

    @property
    def axis(self) -> int:
        """The axis of the table along which it is chosen."""
        return self.gather.valued_axes()[0]

    @property
    def count(self) -> int | None:
        """The number of matrices, if it is known."""
        return shape_of(tensor_of(self.gather.source))[self.axis].constant


def _choices(nest: kernel.NestOp, numbers: dict[Hashable, SSAValue]) -> Iterator[Choice]:
    """The loads of a contraction that read matrices which indices choose."""
    rank = len(nest.extents.data)
    for load in [op for op in walk(nest.body) if isinstance(op, kernel.LoadOp)]:
        source, index, ranges = load.source, load.index.data, dict(enumerate(kernel.scope(load)))
        while isinstance(source.owner, ReshapeOp):
            source, index = through_reshape(source, index, ranges)
        if load.default is not None or (gather := matrices_of(source)) is None:
            continue
        places, scope = dict(enumerate(index)), _indices(gather)
        used = {d for op in scope for d in _dims(op)}
        if not all(_is_point(index[d], rank) for d in used):
            continue
        key = _read(gather, scope, places, ranges) or _computed(gather, scope, places, numbers)
        apart = {d for e in key[1] for d in e.dims()}
        own = {d for e in index for d in e.dims()} - apart
        # A matrix has columns of its own, or is beside the sum.
        if isinstance(load.parent_op(), kernel.NestOp) or any(d < rank for d in own):
            yield Choice(load, gather, index, key)


def _is_point(e: ex.Expr, rank: int) -> bool:
    """Whether an index depends on the points of a nest alone."""
    return all(d < rank for d in e.dims())


def _indices(gather: kernel.GatherOp) -> list[Operation]:
    """The operations that compute the index of a gather, in order."""
    needed: set[Operation] = set()
    pending: list[SSAValue] = [*gather.at]
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner not in needed:
            needed.add(owner)
            pending += owner.operands if isinstance(owner, body.ApplyOp) else ()
    assert gather.parent is not None
    return [op for op in gather.parent.ops if op in needed]


def _dims(op: Operation) -> set[int]:
    """The dimensions that an operation reads at."""
    if isinstance(op, kernel.LoadOp):
        return {d for e in op.index.data for d in e.dims()}
    return set(op.expr.dims()) if isinstance(op, body.IndexOp) else set()


def _read(
    gather: kernel.GatherOp, ops: list[Operation], places: dict[int, ex.Expr], ranges: ex.Ranges
) -> Key | None:
    """The index of a gather if it is one of a tensor; None if it is computed."""
    match ops:
        case [kernel.LoadOp() as load] if load.result is gather.at[0]:
            return load.source, tuple(e.substitute(places, ranges) for e in load.index.data)
        case _:
            return None


def _computed(
    gather: kernel.GatherOp,
    ops: list[Operation],
    places: dict[int, ex.Expr],
    numbers: dict[Hashable, SSAValue],
) -> Key:
    """The index of a gather out of a nest that computes it, one for all gathers of that index."""
    around = gather.parent_op()
    assert isinstance(around, kernel.NestOp)
    dims = sorted({d for op in ops for d in _dims(op)})
    renamed = {d: ex.dim(k) for k, d in enumerate(dims)}
    extents = tuple(around.extents.data[d] for d in dims)
    block, values, keys = Block(), dict[SSAValue, SSAValue](), dict[SSAValue, Hashable]()
    for op in ops:
        block.add_op(copy := op.clone(values))
        values[op.results[0]] = copy.results[0]
        if isinstance(copy, kernel.LoadOp | body.IndexOp):
            copy.properties["index"] = IndexAttr(
                tuple(e.substitute(renamed) for e in copy.index.data)
            )
        operands = tuple(keys.get(v, v) for v in op.operands)
        keys[op.results[0]] = op.name, tuple(sorted(map(str, copy.properties.values()))), operands
    key = keys[gather.at[0]], extents
    if key not in numbers:
        value = values[gather.at[0]]
        block.add_op(kernel.StoreOp.of(value, 0, identity(len(dims))))
        nest = kernel.NestOp.of(extents, block, [tensor_type(el.I64, extents)])
        nest.location = around.location
        Rewriter.insert_op(nest, InsertPoint.before(around))
        numbers[key] = nest.outputs[0]
    return numbers[key], tuple(places[d] for d in dims)


def _pick(nest: kernel.NestOp, choices: list[Choice]) -> None:
    """Make the choice a dimension of a contraction, behind the others of its points."""
    inside = [c for c in choices if not isinstance(c.load.parent_op(), kernel.NestOp)]
    if not inside or (count := inside[0].count) is None or count < 2:
        return
    rank, (source, index) = len(nest.extents.data), inside[0].key
    indexed = [op for op in walk(nest.body) if isinstance(op, kernel.LoadOp | body.IndexOp)]
    used = {d for op in indexed for e in op.index.data for d in e.dims()}
    dims = {d: ex.dim(d + 1) for d in used if d >= rank}
    for op in indexed:
        op.properties["index"] = IndexAttr(tuple(e.substitute(dims) for e in op.index.data))
    nest.properties["extents"] = DimsAttr((*nest.extents.data, ex.const(count)))
    for choice in choices:
        if choice.key != inside[0].key or choice.count != count:
            continue
        places = {d: e.substitute(dims) for d, e in enumerate(choice.index)}
        at = [e.substitute(places) for e in choice.gather.index.data]
        at[choice.axis] = ex.dim(rank)
        new = kernel.LoadOp.of(choice.gather.source, tuple(at))
        Rewriter.replace_op(choice.load, new)
    first = nest.body.block.first_op
    assert first is not None
    Rewriter.insert_op(kernel.PickOp.of(rank, source, index), InsertPoint.before(first))

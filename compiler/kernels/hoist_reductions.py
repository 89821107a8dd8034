"""Hoists reductions out of nest dimensions that they do not depend on.

A reduction whose operands do not vary along d1, since they are broadcast or filled with one value,
has the same result at each d1.  It is computed once, then broadcast, and fusion inlines that::

    %y = nest [8, 4096] { sweep [512] (dot) { load x[d0, d2]; mul 0.5 }; store [d0, d1] }
      -->
    %r = nest [8, 1] { sweep [512] (dot) { load x[d0, d2]; mul 0.5 }; store [d0, d1] }
    %y = nest [8, 4096] { load r[d0, 0]; store [d0, d1] }

Loads of a constant with one value become scalars.

The analysis follows broadcasts, reshapes, elementwise kernels and hoisted reductions.  A dimension
whose extent is unknown at compile time stays: it may be 0, and then there is no element at 0.
Reductions have their order, so no bit changes.  Runs after form-kernels, which makes index maps,
and before fuse-kernels.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.blob import BlobAttr
from opc.dialects.opc import movement
from opc.dialects.shape import element, tensor_of, tensor_type
from opc.graph.rewriting import splat
from opc.passes.function_pass import FunctionPass

from .fusion_inline import computing_ops, simple, through_reshape
from .kernel_forms import identity


class HoistReductionsPass(FunctionPass):
    """nest [8, 4096] {sweep}  -->  nest [8, 1] {sweep}; nest [8, 4096] {load, store}."""

    name = "hoist-reductions"

    def rewrite(self, function: FuncOp) -> None:
        """Hoist the reductions of a function, in order."""
        varies: dict[SSAValue, frozenset[int]] = {}
        for op in list(function.body.block.ops):
            ok, sweep = simple(op)
            if not ok or not isinstance(op, kernel.NestOp) or not _stores_points(op):
                continue
            needed = _needed(op, varies)
            varies[op.outputs[0]] = needed
            if sweep is not None:
                _hoist(op, varies)


def _stores_points(nest: kernel.NestOp) -> bool:
    """Whether each point stores only its own element."""
    stores = [op for op in computing_ops(nest) if isinstance(op, kernel.StoreOp)]
    return [op.index.data for op in stores] == [identity(len(nest.extents.data))]


def _needed(nest: kernel.NestOp, varies: dict[SSAValue, frozenset[int]]) -> frozenset[int]:
    """The dimensions of a nest that its result varies along."""
    dims: set[int] = set()
    for op in computing_ops(nest):
        if isinstance(op, body.IndexOp):
            dims |= op.expr.dims()
        elif isinstance(op, kernel.PrefixOp):
            dims.add(op.dim)
        elif isinstance(op, kernel.LoadOp):
            dims |= _read_along(op, varies)
    return frozenset(dims & set(range(len(nest.extents.data))))


def _read_along(op: kernel.LoadOp, varies: dict[SSAValue, frozenset[int]]) -> set[int]:
    """The dimensions that a loaded element varies along."""
    source, index = op.source, op.index.data
    if op.default is None:
        ranges = dict(enumerate(kernel.scope(op)))
        while isinstance(source.owner, movement.ReshapeOp):
            source, index = through_reshape(source, index, ranges)
        if _filled(source) is not None:
            return set()
        if source in varies:
            index = tuple(index[axis] for axis in varies[source])
    return {d for e in index for d in e.dims()}


def _filled(source: SSAValue) -> int | float | None:
    """The value of a constant with only one value; None for others, and for blobs."""
    op = source.owner
    is_weights = not isinstance(op, movement.ConstantOp) or isinstance(op.value, BlobAttr)
    return None if is_weights else splat(source)


def _hoist(nest: kernel.NestOp, varies: dict[SSAValue, frozenset[int]]) -> None:
    """Compute a nest without the dimensions that it does not vary along, and broadcast it."""
    shape = nest.extents.data
    dropped = {
        k for k, e in enumerate(shape) if k not in varies[nest.outputs[0]] and (e.constant or 0) > 1
    }
    if not dropped:
        return
    extents = tuple(ex.const(1) if k in dropped else e for k, e in enumerate(shape))
    (result,), block = nest.outputs, nest.parent
    assert block is not None
    type = tensor_type(element(tensor_of(result)), extents)
    for op in [op for op in computing_ops(nest) if isinstance(op, kernel.LoadOp)]:
        if (value := _filled(op.source)) is not None and op.default is None:
            Rewriter.replace_op(op, body.ConstantOp.of(value, element(tensor_of(op.source))))
    once = kernel.NestOp.of(extents, nest.body.detach_block(0), [type])
    point = Block()
    index = tuple(ex.const(0) if k in dropped else ex.dim(k) for k in range(len(shape)))
    point.add_op(read := kernel.LoadOp.of(once.outputs[0], index))
    point.add_op(kernel.StoreOp.of(read.result, 0, identity(len(shape))))
    broadcast = kernel.NestOp.of(shape, point, [result.type])
    once.location = broadcast.location = nest.location
    block.insert_ops_before([once, broadcast], nest)
    broadcast.outputs[0].name_hint = result.name_hint
    result.replace_all_uses_with(broadcast.outputs[0])
    varies[broadcast.outputs[0]] = varies.pop(result)
    Rewriter.erase_op(nest)

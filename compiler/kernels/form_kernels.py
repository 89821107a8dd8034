"""Turns each operator of the normal form into a nest: iteration space, index maps and body.

``opc.apply "add"(%a, %b)  -->  kernel.nest [4, 8] { load a[d0, d1]; load b[d0, d1]; add; store }``

Reductions, matmul and convolutions get a sweep over the reduced axes.  A scan becomes a
``kernel.prefix`` along its axis, and movement a load with another index map.  A constant with only
one value becomes a scalar in the body.  ``opc.reshape`` stays: it is a view of the same buffer, and
fusion looks through it.  Needs the normal form.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel, order
from opc.dialects import expr as ex
from opc.dialects.named import has_form
from opc.dialects.opc import (
    apply,
    contraction,
    cumulative,
    extent,
    indexing,
    movement,
    parts,
    reduction,
    unary,
    walk,
)
from opc.dialects.opc.base import OpcOp
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.errors import UnsupportedError, UsageError
from opc.passes.function_pass import FunctionPass
from opc.support.locations import location_of
from opc.support.target import FEW_PRODUCTS, STAGED

from .form_concat import concat
from .form_indirect import gather, gather_elements, scatter
from .form_walks import walks
from .kernel_forms import cast, compute, factor, finish, identity, load


def _elementwise(op: OpcOp) -> kernel.NestOp:
    block = Block()
    rank = len(shape_of(op.type))
    loaded = {v: load(block, v, identity(rank)) for v in dict.fromkeys(op.operands)}
    args = [loaded[v] for v in op.operands]
    assert op.function is not None
    scalar = body.ApplyOp.of(op.function, args, element(op.type))
    block.add_op(scalar)
    return finish(op, block, scalar.result)


def _extent(op: OpcOp) -> kernel.NestOp:
    assert isinstance(op, extent.ExtentOp)
    block = Block([index := body.IndexOp.of(op.extent)])
    return finish(op, block, index.result)


def _iota(op: OpcOp) -> kernel.NestOp:
    block = Block([index := body.IndexOp.of(ex.dim(0))])
    return finish(op, block, index.result)


def _broadcast(op: OpcOp) -> kernel.NestOp:
    source, target = shape_of(tensor_of(op.operands[0])), shape_of(op.type)
    lead = len(target) - len(source)
    index = tuple(
        ex.dim(k + lead) * (1 if e == size or ex.is_cut(e, size) else ex.nonunit(e))
        for k, (e, size) in enumerate(zip(source, target[lead:], strict=True))
    )
    block = Block()
    return finish(op, block, load(block, op.operands[0], index))


def _transpose(op: OpcOp) -> kernel.NestOp:
    order = op.values()["permutation"]
    index = tuple(ex.dim(order.index(k)) for k in range(len(order)))
    block = Block()
    return finish(op, block, load(block, op.operands[0], index))


def _view(op: OpcOp) -> kernel.NestOp:
    assert isinstance(op, parts.SliceOp | parts.WindowsOp)
    block = Block()
    return finish(op, block, load(block, op.operands[0], op.places()))


def _sweep(op: OpcOp, extents: Shape, kind: str, inner: Block, value: SSAValue) -> kernel.NestOp:
    lanes = op.values().get("order")
    if lanes is None and order.is_ordered(kind, element(tensor_of(op.operands[0]))):
        raise UsageError(f"{op.name}: expected an order, which fix-orders sets", location_of(op))
    inner.add_op(kernel.YieldOp(operands=[[value]]))
    sweep = kernel.SweepOp.of(extents, [kind], inner, lanes)
    return finish(op, Block([sweep]), sweep.outputs[0])


def _reduction(op: OpcOp) -> kernel.NestOp:
    """Kept axes become the nest, reduced axes the sweep."""
    source = shape_of(tensor_of(op.operands[0]))
    params = op.values()
    if isinstance(op, reduction.ArgReduction):
        axes: tuple[int, ...] = (params["axis"],)
        kind = op.reduction + ("_last" if params["select_last_index"] else "")
    else:
        assert isinstance(op, reduction.Reduction)
        axes, kind = op.axes(len(source), params), op.reduction
    kept = [k for k in range(len(source)) if k not in axes]
    dims = {axis: ex.dim(k) for k, axis in enumerate([*kept, *axes])}
    inner = Block()
    value = load(inner, op.operands[0], tuple(dims[k] for k in range(len(source))))
    return _sweep(op, tuple(source[k] for k in axes), kind, inner, value)


def _cumulative(op: OpcOp) -> kernel.NestOp:
    """All axes become the nest; form-sweeps makes one of them a sweep later."""
    assert isinstance(op, cumulative.Cumulative)
    block, params = Block(), op.values()
    value = load(block, op.operands[0], identity(len(shape_of(op.type))))
    flags = {name: params[name] for name in ("exclusive", "reverse")}
    block.add_op(total := kernel.PrefixOp.of(value, op.reduction, params["axis"], **flags))
    return finish(op, block, total.result)


def _matmul(op: OpcOp) -> kernel.NestOp:
    """Batches, rows and columns become the nest, the contracted axis the sweep."""
    a, b = op.operands
    rank = len(shape_of(op.type))
    batch, row, column, inner_dim = (*identity(rank - 2),), rank - 2, rank - 1, rank
    inner, extents, stored = Block(), shape_of(tensor_of(a))[-1:], element(op.type)
    type = stored.computed

    def factors(k: ex.Expr) -> tuple[SSAValue, SSAValue]:
        x = factor(inner, a, (*batch, ex.dim(row), k))
        y = factor(inner, b, (*batch, k, ex.dim(column)))
        return cast(inner, x, type), cast(inner, y, type)

    if _is_pointwise(op, extents[0]):
        inner.add_op(zero := body.ConstantOp.of(0, type))
        total: SSAValue = zero.result
        for k in range(extents[0].constant or 0):
            step = REDUCTIONS[_chain(op)].combine
            total = compute(inner, step, *factors(ex.const(k)), total)
        # The sum has one block, which is added to 0.  A product that underflows may be -0.
        total = compute(inner, "add", zero.result, total)
        return finish(op, inner, cast(inner, total, stored))
    inner.add_op(kernel.YieldOp(operands=[[compute(inner, "mul", *factors(ex.dim(inner_dim)))]]))
    sweep = kernel.SweepOp.of(extents, [_chain(op)], inner)
    outer = Block([sweep])
    return finish(op, outer, cast(outer, sweep.outputs[0], stored))


def _chain(op: OpcOp) -> str:
    """The reduction that adds products as the function says; of integers there is one."""
    is_rounded = element(op.type).is_float and has_form(op, "products")
    return "rounded_dot" if is_rounded else "dot"


def _is_pointwise(op: OpcOp, length: ex.Expr) -> bool:
    """Whether a matmul is written out as the few products of each result.

    Memory bounds it then, and tiles would write each result twice.  Rows must be long enough for
    vectors; else tiles are as fast.
    """
    columns, count = shape_of(op.type)[-1].constant, length.constant
    is_long = columns is not None and columns >= STAGED
    return is_long and count in range(1, FEW_PRODUCTS + 1) and element(op.type).is_float


def _conv(op: OpcOp) -> kernel.NestOp:
    """Batch, filters and positions become the nest, kernel and channels of a group the sweep."""
    x, w = op.operands
    filters, params = shape_of(tensor_of(w)), op.values()
    windows = contraction.ConvOp.windows(filters, params)
    rank, inner = len(windows), Block()
    batch, filter_, *positions = identity(2 + rank)
    *kernel_, channel = (ex.dim(2 + rank + k) for k in range(rank + 1))
    group = ex.floordiv(filter_, ex.floordiv(filters[0], params["groups"]))
    first = group * filters[1] if params["groups"] > 1 else ex.const(0)
    index = tuple(
        p * v.stride + (k * v.dilation if v.kernel != 1 else 0) - v.begin
        for p, k, v in zip(positions, kernel_, windows, strict=True)
    )
    is_padded = any(v.begin or v.end for v in windows)
    zero = body.ConstantOp.of(0, element(op.type)).value if is_padded else None
    a = factor(inner, x, (batch, first + channel, *index), zero)
    b = factor(inner, w, (filter_, channel, *kernel_))
    extents = (*filters[2:], filters[1])
    inner.add_op(kernel.YieldOp(operands=[[compute(inner, "mul", a, b)]]))
    sweep = kernel.SweepOp.of(extents, [_chain(op)], inner)
    return finish(op, Block([sweep]), sweep.outputs[0])


_FORMS: dict[type[OpcOp], Callable[[OpcOp], kernel.NestOp]] = {
    apply.ApplyOp: _elementwise,
    unary.CastOp: _elementwise,
    unary.BitcastOp: _elementwise,
    extent.ExtentOp: _extent,
    extent.IotaOp: _iota,
    movement.BroadcastOp: _broadcast,
    movement.TransposeOp: _transpose,
    parts.SliceOp: _view,
    parts.WindowsOp: _view,
    parts.ConcatOp: concat,
    indexing.GatherOp: gather,
    indexing.GatherElementsOp: gather_elements,
    indexing.ScatterOp: scatter,
    indexing.ScatterElementsOp: scatter,
    walk.WalkOp: walks,
    reduction.ReduceSumOp: _reduction,
    reduction.ReduceProdOp: _reduction,
    reduction.ReduceMaxOp: _reduction,
    reduction.ReduceMinOp: _reduction,
    reduction.ReduceAnyOp: _reduction,
    reduction.ReduceAllOp: _reduction,
    reduction.ArgMaxOp: _reduction,
    reduction.ArgMinOp: _reduction,
    cumulative.CumSumOp: _cumulative,
    cumulative.CumProdOp: _cumulative,
    contraction.MatmulOp: _matmul,
    contraction.ConvOp: _conv,
}
_PARTS = (parts.ConcatOp, movement.BroadcastOp)
"""Operators that are erased where concatenations have absorbed them."""
STAYS = (movement.ConstantOp, movement.ReshapeOp)


def form(op: Operation) -> kernel.NestOp | None:
    """The kernel of an operator; None if it stays."""
    if not isinstance(op, OpcOp) or isinstance(op, STAYS):
        return None
    make = _FORMS.get(type(op))
    if make is None:
        raise UnsupportedError(
            f"{op.name} is not in normal form; run decompose first", location_of(op)
        )
    return make(op)


class FormKernelsPass(FunctionPass):
    """opc.add  -->  kernel.nest {load, load, add, store}."""

    name = "form-kernels"

    def rewrite(self, function: FuncOp) -> None:
        """Form the kernels of a function; users first, while their operands are still operators."""
        for node in reversed(list(function.body.block.ops)):
            if isinstance(node, _PARTS) and not node.result.uses:
                Rewriter.erase_op(node)
            elif (nest := form(node)) is not None:
                nest.location = node.location
                Rewriter.replace_op(node, nest)

"""Forms the kernels of gathers and scatters, whose indices are data.

``opc.gather`` becomes a nest over its result, which loads indices and then an element.  The extent
is added to negative indices::

    kernel.nest [3, 8] { load i[d0]; lt; add; select; gather x[%i, d1]; store }

A constant of at most 16 floats is read by codes of four bits with a scalar function::

    gather [0.0, 0.5, ...], cast %code  -->  kernel.nest [3] { load code[d0]; choose; store }

``opc.scatter`` becomes one point with two sweeps: one copies, the other stores the updates in
row-major order::

    kernel.nest [] { sweep [9, 8] { load x; store }  sweep [3, 8] { load i; load u; scatter } }
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Block, SSAValue

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.indexing import (
    GatherElementsOp,
    GatherOp,
    IndexingOp,
    ScatterElementsOp,
    ScatterOp,
)
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Shape, broadcast_shapes, element, shape_of, tensor_of

from .kernel_forms import cast, compute, finish, identity, load

CODE = el.BY_NAME["ui4"]
HALVES = (el.F16, el.BF16)


def gather(op: OpcOp) -> kernel.NestOp:
    """A nest with a load whose index along some axes is a value."""
    assert isinstance(op, GatherOp)
    block, x = Block(), op.operands[0]
    if (codes := _codes(op)) is not None:
        code = load(block, codes, identity(len(shape_of(op.type))))
        return finish(op, block, cast(block, _chosen(block, x, code), element(op.type)))
    indices, batch, first = _shape_of_indices(op), op.values()["batch"], op.indexed()[0][0]
    at = _values(op, block, indices, first, batch)
    index = _index(len(shape_of(tensor_of(x))), list(at), len(indices) - batch)
    block.add_op(row := kernel.GatherOp.of(x, at, index))
    return finish(op, block, row.result)


def _codes(op: GatherOp) -> SSAValue | None:
    """The values of four bits by which a gather reads a constant of few floats; None for others."""
    x, *indices = op.operands
    table, index = tensor_of(x), indices[0].owner
    numbers = ex.product(shape_of(table)).constant
    is_few = len(shape_of(table)) == 1 and numbers is not None and 0 < numbers <= 1 << CODE.bits
    is_table = is_few and isinstance(x.owner, ConstantOp) and element(table) in (el.F32, *HALVES)
    if not is_table or not isinstance(index, CastOp):
        return None
    codes = index.operands[0]
    return codes if element(tensor_of(codes)) is CODE else None


def _chosen(block: Block, x: SSAValue, code: SSAValue) -> SSAValue:
    """The number of a constant at the position that a code says."""
    assert isinstance(x.owner, ConstantOp)
    numbers = x.owner.array().astype(np.float32)
    args = [code]
    for value in np.resize(numbers, 1 << CODE.bits):
        block.add_op(number := body.ConstantOp.of(value, el.F32))
        args.append(number.result)
    return compute(block, "choose", *args)


def gather_elements(op: OpcOp) -> kernel.NestOp:
    """A nest with a load at its own point but for one axis."""
    assert isinstance(op, GatherElementsOp)
    block, rank = Block(), len(shape_of(op.type))
    x, indices = op.operands
    at = _value(op, block, indices, identity(rank), op.indexed()[0][0])
    block.add_op(element := kernel.GatherOp.of(x, {op.indexed()[0][0]: at}, identity(rank)))
    return finish(op, block, element.result)


def _shape_of_indices(op: IndexingOp) -> Shape:
    return broadcast_shapes(shape_of(tensor_of(v)) for _, v in op.indexed())


def _index(rank: int, axes: list[int], count: int) -> Shape:
    """The index into a tensor where ``count`` axes of indices replace some of its axes."""
    kept = iter(
        ex.dim(k) for k in (*range(axes[0]), *range(axes[0] + count, rank + count - len(axes)))
    )
    return tuple(ex.const(0) if k in axes else next(kept) for k in range(rank))


def _values(
    op: IndexingOp, block: Block, indices: Shape, first: int, batch: int
) -> dict[int, SSAValue]:
    """The index along each indexed axis, at the point of the nest or sweep."""
    values: dict[int, SSAValue] = {}
    for axis, tensor in op.indexed():
        shape = shape_of(tensor_of(tensor))
        index: list[ex.Expr] = []
        for k, extent in enumerate(shape, start=len(indices) - len(shape)):
            d = ex.dim(k if k < batch else first + k - batch)
            index.append(d * (1 if extent == indices[k] else ex.nonunit(extent)))
        values[axis] = _value(op, block, tensor, tuple(index), axis)
    return values


def _value(op: IndexingOp, block: Block, tensor: SSAValue, index: Shape, axis: int) -> SSAValue:
    """An element of the indices as i64, counted from the front."""
    type = element(tensor_of(tensor))
    value = cast(block, load(block, tensor, index), el.I64)
    if type.kind == "unsigned" or not op.values()["from_end"]:
        return value
    e = shape_of(op.tensor_types[0])[axis]
    size = e.constant
    extent = body.IndexOp.of(e) if size is None else body.ConstantOp.of(size, el.I64)
    zero = body.ConstantOp.of(0, el.I64)
    block.add_ops([extent, zero])
    is_behind = compute(block, "lt", value, zero.result)
    from_front = compute(block, "add", value, extent.results[0])
    return compute(block, "select", is_behind, from_front, value)


def scatter(op: OpcOp) -> kernel.NestOp:
    """A nest with a sweep that copies, and one that stores the updates."""
    assert isinstance(op, ScatterOp | ScatterElementsOp)
    x, updates = op.operands[:2]
    shape, rank = shape_of(tensor_of(x)), len(shape_of(tensor_of(x)))
    copied = Block()
    copied.add_op(kernel.StoreOp.of(load(copied, x, identity(rank)), 0, identity(rank)))
    copied.add_op(kernel.YieldOp(operands=[[]]))
    put, sizes = Block(), shape_of(tensor_of(updates))
    point = identity(len(sizes))
    if isinstance(op, ScatterOp):
        indices, first = _shape_of_indices(op), op.indexed()[0][0]
        at = _values(op, put, indices, first, 0)
        index = _index(rank, list(at), len(indices))
    else:
        axis, tensor = op.indexed()[0]
        at, index = {axis: _value(op, put, tensor, point, axis)}, point
    name = op.values()["reduction"]
    value = load(put, updates, point)
    reduction = None if name == "none" else name
    put.add_op(kernel.ScatterOp.of(value, 0, at, index, reduction))
    put.add_op(kernel.YieldOp(operands=[[]]))
    sweeps = [kernel.SweepOp.of(shape, [], copied), kernel.SweepOp.of(sizes, [], put)]
    return kernel.NestOp.of((), Block(sweeps), [op.type])

"""What passes on kernels share: loads, scalar functions, a nest with a store, reshapes."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Attribute, Block, Operation, SSAValue, Use

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp, ReshapeOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.graph.rewriting import splat


def identity(rank: int) -> Shape:
    """[d0, d1, ...]."""
    return tuple(ex.dim(k) for k in range(rank))


def is_empty(value: SSAValue) -> bool:
    """Whether a tensor is known to have no elements."""
    return any(e == 0 for e in shape_of(tensor_of(value)))


def unshaped(value: SSAValue) -> SSAValue:
    """The tensor behind reshapes."""
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.operands[0]
    return value


def uses_of(value: SSAValue) -> Iterator[Use]:
    """The uses of a tensor and of its reshapes."""
    for use in value.uses:
        if isinstance(use.operation, ReshapeOp):
            yield from uses_of(use.operation.result)
        else:
            yield use


def load(
    block: Block, source: SSAValue, index: Shape, default: Attribute | None = None
) -> SSAValue:
    """Add a load, or a scalar for a constant with one value.

    With a default, the load is guarded.
    """
    value = splat(source)
    if value is None or default is not None:
        return factor(block, source, index, default)
    block.add_op(op := body.ConstantOp.of(value, element(tensor_of(source))))
    return op.result


def factor(
    block: Block, source: SSAValue, index: Shape, default: Attribute | None = None
) -> SSAValue:
    """Add a load, even of a constant with one value, since contractions pack it."""
    block.add_op(op := kernel.LoadOp.of(source, index, default))
    return op.result


def compute(block: Block, name: str, *args: SSAValue) -> SSAValue:
    """Add a scalar function."""
    op = body.ApplyOp.of(name, args)
    block.add_op(op)
    return op.result


def cast(block: Block, value: SSAValue, to: el.ElementType) -> SSAValue:
    """The value, converted if it has another type."""
    if value.type == to.type:
        return value
    op = body.ApplyOp.of("cast", [value], to)
    block.add_op(op)
    return op.result


def finish(op: OpcOp, block: Block, value: SSAValue) -> kernel.NestOp:
    """The nest that stores a value at each point of an operator's result."""
    shape = shape_of(op.type)
    block.add_op(kernel.StoreOp.of(value, 0, identity(len(shape))))
    return kernel.NestOp.of(shape, block, [op.type])


def matrices_of(value: SSAValue) -> kernel.GatherOp | None:
    """The gather of matrices of a constant along one axis that a tensor is; None for others."""
    nest = value.owner
    if not isinstance(nest, kernel.NestOp) or nest.sweeps or len(nest.outputs) != 1:
        return None
    gathers = [op for op in nest.body.block.ops if isinstance(op, kernel.GatherOp)]
    last = nest.body.block.last_op
    if len(gathers) != 1 or not isinstance(last, kernel.StoreOp):
        return None
    (gather,) = gathers
    is_constant = isinstance(gather.source.owner, ConstantOp)
    is_alone = last.value is gather.result and len(gather.at) == 1
    return gather if is_constant and is_alone and len(gather.index.data) > 2 else None


def shared_dims(nest: kernel.NestOp, sweep: kernel.SweepOp) -> set[int]:
    """The dimensions of a nest that each load of a sweep depends on, as of batches and groups."""
    loads = [op for op in sweep.body.block.ops if isinstance(op, kernel.LoadOp)]
    dims = [{d for e in load.index.data for d in e.dims()} for load in loads]
    return set(range(len(nest.extents.data))).intersection(*dims) if dims else set()


def before(op: Operation, new: Operation) -> SSAValue:
    """Insert an operation before another; its result."""
    assert op.parent is not None
    new.location = op.location
    op.parent.insert_op_before(new, op)
    return new.results[0]

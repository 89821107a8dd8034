"""Shared by graph passes: walking functions, building and replacing operators.

xDSL's ``PatternRewriter`` drops locations when it replaces an operation; the builder here keeps the
location of the operator that it replaces.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import element as el
from opc.dialects.blob import BlobAttr
from opc.dialects.expr import Expr
from opc.dialects.opc.apply import ApplyOp
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.opc.reduction import (
    ReduceAllOp,
    ReduceAnyOp,
    ReduceMaxOp,
    ReduceMinOp,
    ReduceProdOp,
    ReduceSumOp,
    Reduction,
)
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.errors import UnsupportedError
from opc.support.locations import location_of

REDUCTIONS: dict[str, type[Reduction]] = {
    "sum": ReduceSumOp,
    "prod": ReduceProdOp,
    "max": ReduceMaxOp,
    "min": ReduceMinOp,
    "any": ReduceAnyOp,
    "all": ReduceAllOp,
}
"""Primitive reductions, by their row in ``scalar.REDUCTIONS``."""


def functions(module: ModuleOp) -> Iterator[tuple[func.FuncOp, Block]]:
    """Each function that has a body, with its block.

    Raises UnsupportedError for several blocks.
    """
    for op in walk(module):
        if not isinstance(op, func.FuncOp) or not op.body.blocks:
            continue
        if len(op.body.blocks) != 1:
            raise UnsupportedError(
                f"func.func @{op.sym_name.data}: has {len(op.body.blocks)} blocks, expected 1",
                location_of(op),
            )
        yield op, op.body.block


def operators(block: Block) -> list[OpcOp]:
    """A list of the operators of a block, in order; the block may change while it is visited."""
    return [op for op in block.ops if isinstance(op, OpcOp)]


@dataclass(frozen=True)
class OperatorPass(ModulePass):
    """A pass that rewrites each operator, operands before their users."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite each operator of every function."""
        for _, block in functions(op):
            for operator in operators(block):
                self.rewrite(operator)

    @abstractmethod
    def rewrite(self, op: OpcOp) -> None:
        """Rewrite one operator, unless it is in the form of the pass."""


class OperatorBuilder:
    """Makes operators; ``insert`` puts each in its place."""

    def __init__(self, insert: Callable[[Operation], None]) -> None:
        self.insert = insert

    def add(self, op: OpcOp) -> SSAValue:
        """Insert an operator; its result."""
        self.insert(op)
        return op.result

    def constant(self, array: Any, type: el.ElementType) -> SSAValue:
        """A constant, the elements rounded to the type."""
        with np.errstate(over="ignore"):
            return self.add(ConstantOp.of(np.asarray(array).astype(type.dtype), type))

    def cast(self, x: SSAValue, type: el.ElementType, **how: Any) -> SSAValue:
        """x --> cast x, or x itself if it has that element type."""
        source = tensor_of(x)
        if element(source) is type:
            return x
        return self.add(CastOp(x, result_type=tensor_type(type, shape_of(source)), **how))

    def reshape(self, x: SSAValue, shape: Sequence[Expr | int]) -> SSAValue:
        """x --> reshape x, or x itself if it has that shape."""
        return self._move(ReshapeOp, x, shape)

    def broadcast(self, x: SSAValue, shape: Sequence[Expr | int]) -> SSAValue:
        """x --> broadcast x, or x itself if it has that shape."""
        return self._move(BroadcastOp, x, shape)

    def _move(self, kind: type[OpcOp], x: SSAValue, shape: Sequence[Expr | int]) -> SSAValue:
        if tuple(map(Expr.of, shape)) == shape_of(x.type):
            return x
        return self.add(kind(x, result_type=tensor_type(tensor_of(x).element_type, shape)))

    def transpose(self, x: SSAValue, order: Sequence[int]) -> SSAValue:
        """x --> transpose x, or x itself if the order is the identity."""
        is_kept = list(order) == sorted(order)
        return x if is_kept else self.add(TransposeOp(x, permutation=tuple(order)))

    def concat(self, parts: Sequence[SSAValue], axis: int) -> SSAValue:
        """x, y --> concat(x, y); a single tensor stays."""
        return parts[0] if len(parts) == 1 else self.add(ConcatOp(*parts, axis=axis))


class Builder(OperatorBuilder):
    """Inserts operators before the one that they replace, with its location."""

    def __init__(self, op: OpcOp) -> None:
        super().__init__(self._before)
        self.op = op
        self.added: list[OpcOp] = []

    def _before(self, op: Operation) -> None:
        assert isinstance(op, OpcOp)
        op.location = self.op.location
        block = self.op.parent
        assert block is not None
        block.insert_op_before(op, self.op)
        self.added.append(op)

    def apply(self, function: str, *operands: SSAValue | float) -> SSAValue:
        """A scalar function of broadcast operands; numbers get the type of the last tensor."""
        values: list[SSAValue] = []
        last = next(v for v in reversed(operands) if isinstance(v, SSAValue))
        type = element(tensor_of(last))
        for operand in operands:
            is_value = isinstance(operand, SSAValue)
            values.append(operand if is_value else self.constant(operand, type))
        return self.add(ApplyOp(*values, function=function))

    def reduce(self, name: str, x: SSAValue, axes: Sequence[int], **params: Any) -> SSAValue:
        """x --> reduce x without keepdims, or x itself if there are no axes."""
        return self.add(REDUCTIONS[name](x, axes=tuple(axes), **params)) if axes else x

    def replace(self, value: SSAValue) -> None:
        """Replace the operator by ``value``."""
        old = self.op.result
        if value.type != old.type:
            # Equal extents may have two expressions; users were checked against the old one.
            is_new = isinstance(value, OpResult) and value.op in self.added
            type = self.op.type
            value = set_type(value, type) if is_new else self.reshape(value, shape_of(type))
        old.replace_all_uses_with(value)
        erase(self.op)


def splat(value: SSAValue) -> int | float | None:
    """The value of all elements, if the tensor is a constant with only one value."""
    op = value.owner
    if not isinstance(op, ConstantOp) or element(op.type).is_small:
        return None
    if isinstance(op.value, BlobAttr) and len(set(op.value.data.sample)) > 1:
        return None
    array = op.array()
    if array.size == 0:
        return None
    # Bits are compared: -0.0 is not 0.0, and NaN is NaN.
    bits = np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(array.size, -1)
    # Of most weights the last one differs from the first.
    if (bits[-1] != bits[0]).any() or (bits != bits[0]).any():
        return None
    return array.reshape(-1)[0].item()


def uniform(value: SSAValue) -> int | float | None:
    """``splat`` of a constant that may be reshaped or broadcast."""
    while isinstance(value.owner, ReshapeOp | BroadcastOp):
        value = value.owner.operands[0]
    return splat(value)


def set_type(value: SSAValue, type: Attribute) -> SSAValue:
    """The same value with another type."""
    value._type = type  # pyright: ignore[reportPrivateUsage] # no setter; replacing loses the name
    return value


def keep_axes(shape: Shape, axes: Sequence[int]) -> tuple[Expr, ...]:
    """The shape with extent 1 for each of the axes."""
    return tuple(Expr.of(1) if k in axes else e for k, e in enumerate(shape))


def erase(op: Operation) -> None:
    """Erase an operation that has no uses."""
    assert op.parent is not None
    op.parent.erase_op(op)


def remove_unused(block: Block) -> None:
    """Erase operators without uses, last to first; operators have no effects."""
    for op in reversed(operators(block)):
        if op.result.first_use is None:
            erase(op)

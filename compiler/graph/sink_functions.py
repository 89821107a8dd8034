"""Sinks functions of constants behind the gathers that read some of their values.

::

    gather(mul(cast %q, %scale), %i), of constants %q [N, 384] and %scale [N, 1]
      --> mul(cast gather(%q, %i), gather(%scale, %i))

    gather(reshape(cast %w), %i)  --> reshape(cast gather(%w, %i)), if the axes of %i stay

    gather(transpose %w, %i)  --> transpose gather(%w, %i), if a product reads %w, too

A table of embeddings is then read as the model stores it, in the rows that a call needs; no call
computes the table.  Each value is computed as before.  Runs after decompose, which writes
dequantization as functions; fold-constants evaluates what is small.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects.budgets import FOLDED
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.elementwise import Elementwise
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.shape import Shape, shape_of, tensor_of, tensor_type

from .constant_chains import elements_of
from .rewriting import Builder, OperatorPass


class SinkFunctionsPass(OperatorPass):
    """gather(f(constant), i)  -->  f(gather(constant, i))."""

    name = "sink-functions"

    def rewrite(self, op: OpcOp) -> None:
        """Sink what computes the first operand of a gather."""
        if not isinstance(op, GatherOp) or op.values()["batch"]:
            return
        if is_gathered_weight(op.operands[0]):
            _sink_transpose(op)
            return
        table, axes = op.operands[0], _axes(op)
        is_large = (elements_of(table) or 0) > FOLDED
        is_large = is_large and all(shape_of(table.type)[axis] != 1 for axis in axes)
        if not is_large or not _is_computed(table) or not _can_sink(table, axes, {}):
            return
        builder = Builder(op)
        builder.replace(_Sinking(op, builder).value(table, shape_of(table.type)))


def is_gathered_weight(x: SSAValue) -> bool:
    """Whether gathers along an axis read x, the transpose of a constant that products read."""
    if not isinstance(x.owner, TransposeOp):
        return False
    constant, users = x.owner.operands[0], [use.operation for use in x.uses]
    is_read = any(isinstance(use.operation, MatmulOp) for use in constant.uses)
    return (isinstance(constant.owner, ConstantOp) and is_read) and all(
        isinstance(op, GatherOp) and op.operands[0] is x and len(_axes(op)) == 1 for op in users
    )


def _sink_transpose(op: GatherOp) -> None:
    """``gather(transpose %w, %i) --> transpose gather(%w, %i)``, along one axis."""
    transpose, builder = op.operands[0].owner, Builder(op)
    assert isinstance(transpose, TransposeOp)
    order, (axis,) = transpose.values()["permutation"], _axes(op)
    own, count = order[axis], len(shape_of(op.type)) - len(order) + 1
    params = op.values()
    params["axes"] = (own,)
    rows = builder.add(GatherOp(transpose.operands[0], *op.operands[1:], **params))
    # The axes of the indices stand for the indexed one, so later ones have moved.
    places = {k: [k + (count - 1) * (k > own)] for k in order} | {own: [*range(own, own + count)]}
    moved = [place for k in order for place in places[k]]
    builder.replace(builder.add(TransposeOp(rows, permutation=tuple(moved))))


def _axes(gather: GatherOp) -> Sequence[int]:
    return [axis for axis, _ in gather.indexed()]


def _is_computed(x: SSAValue) -> bool:
    """Whether a function gives the values, which at most reshapes and broadcasts follow."""
    while isinstance(x.owner, ReshapeOp | BroadcastOp):
        x = x.owner.operands[0]
    return isinstance(x.owner, Elementwise)


def _can_sink(x: SSAValue, axes: Sequence[int], seen: dict[SSAValue, bool]) -> bool:
    """Whether x is computed of constants alone, by functions and what keeps the indexed axes."""
    if x not in seen:
        op, shape = x.owner, shape_of(x.type)
        seen[x] = isinstance(op, ConstantOp) or (
            isinstance(op, Elementwise | BroadcastOp | ReshapeOp)
            and all(_can_sink_operand(op, v, shape, axes, seen) for v in op.operands)
        )
    return seen[x]


def _can_sink_operand(
    op: OpcOp, x: SSAValue, shape: Shape, axes: Sequence[int], seen: dict[SSAValue, bool]
) -> bool:
    """Whether an operand is the same at all indices, or has the axes of the result and can sink."""
    own = shape_of(tensor_of(x))
    if isinstance(op, ReshapeOp):
        keeps_axes = own[: axes[-1] + 1] == shape[: axes[-1] + 1]
        return keeps_axes and _can_sink(x, axes, seen)
    padded = _padded(own, len(shape))
    if all(padded[axis] == 1 for axis in axes):
        return True
    has_rank = own == padded or isinstance(x.owner, ConstantOp)
    return has_rank and all(padded[a] == shape[a] for a in axes) and _can_sink(x, axes, seen)


def _padded(shape: Shape, rank: int) -> Shape:
    return (ex.const(1),) * (rank - len(shape)) + shape


class _Sinking:
    """Computes values of gathered constants."""

    def __init__(self, gather: GatherOp, builder: Builder) -> None:
        self.gather, self.builder = gather, builder
        self.axes = _axes(gather)
        rank = len(shape_of(gather.type)) - len(shape_of(gather.tensor_types[0])) + len(self.axes)
        self.indices = shape_of(gather.type)[self.axes[0] : self.axes[0] + rank]
        """The extents that replace those of the indexed axes."""
        self.done: dict[tuple[SSAValue, int], SSAValue] = {}

    def value(self, x: SSAValue, around: Shape) -> SSAValue:
        """What gathering gives of x, an operand that broadcasts to the shape around."""
        key = x, len(around)
        if key not in self.done:
            self.done[key] = self._value(x, around)
        return self.done[key]

    def _value(self, x: SSAValue, around: Shape) -> SSAValue:
        rank, op = len(around), x.owner
        own = _padded(shape_of(tensor_of(x)), rank)
        if all(own[a] == 1 for a in self.axes):
            return self.builder.reshape(x, self._shape(own, [ex.const(1)] * len(self.indices)))
        if isinstance(op, ConstantOp):
            x = self.builder.reshape(x, own)
            params = self.gather.values()
            return self.builder.add(GatherOp(x, *self.gather.operands[1:], **params))
        assert isinstance(op, OpcOp)
        shape = shape_of(op.type)
        if isinstance(op, ReshapeOp):
            source = self.value(op.operands[0], shape_of(tensor_of(op.operands[0])))
            return self.builder.reshape(source, self._shape(shape, self.indices))
        operands = [self.value(v, shape) for v in op.operands]
        if isinstance(op, BroadcastOp):
            return self.builder.broadcast(operands[0], self._shape(shape, self.indices))
        type = tensor_type(tensor_of(x).element_type, self._shape(shape, self.indices))
        return self.builder.add(op.__class__(*operands, **{**op.values(), "result_type": type}))

    def _shape(self, shape: Shape, indices: Sequence[ex.Expr]) -> Shape:
        """A shape with other extents in place of the indexed axes."""
        first = self.axes[0]
        behind = (e for k, e in enumerate(shape) if k > first and k not in self.axes)
        return (*shape[:first], *indices, *behind)

"""Builder of operators of the ``opc`` dialect, for all model formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.bounds import greatest
from opc.dialects.opc import binary as b
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import shape_of, tensor_of
from opc.errors import UnsupportedError
from opc.frontend.python.array import Array
from opc.graph.rewriting import OperatorBuilder

from . import known as kn
from . import known_values as kv
from .containers import Held, Stacked
from .known import Known
from .parts import sliced

Result: TypeAlias = "SSAValue | Held"
"""What a node takes."""
Value: TypeAlias = SSAValue | Held | Known | Array
"""What a legalizing function gives for it."""
Insert: TypeAlias = "Callable[[Operation], None]"

ARITHMETIC: dict[str, type[OpcOp]] = {
    "add": b.AddOp,
    "sub": b.SubOp,
    "mul": b.MulOp,
    "div": b.DivOp,
}


class Builder(OperatorBuilder):
    """Makes operators of the ``opc`` dialect; ``insert`` puts each in its place.

    ``at`` is the operation that bodies of loops belong to.
    """

    def __init__(self, insert: Insert, at: Operation | None = None) -> None:
        super().__init__(insert)
        self.at = at

    def require(self, relation: str, a: ex.Expr, b: ex.Expr, what: str) -> None:
        """Require a relation of extents; an error if it cannot hold."""
        raise NotImplementedError

    def data_extent(self, value: SSAValue, most: ex.Expr | int | None) -> ex.Expr:
        """A computed i64 of rank 0 as an extent, with its upper bound.

        Without a bound (None) the caller gives one.
        """
        raise NotImplementedError

    def exact(self, value: Known | None) -> Known | None:
        """A known value whose elements do not exceed its type.

        Requirements make calls fail whose extents would exceed it.  None where factors are so large
        that wrapping may be intended: such values are computed at run time.
        """
        if value is None:
            return None
        most = ex.const(value.type.highest) if value.type.is_integer else None
        wrapped = [] if most is None else kv.may_wrap(value)
        if any(kv.is_meant_to_wrap(e, value.type) for e in wrapped):
            return None
        for e in wrapped:
            assert most is not None
            self.require("within", e, most, f"an extent exceeds {value.type}")
        return value

    def without_elements(self, extents: Sequence[ex.Expr]) -> SSAValue:
        """An empty tensor with these extents, to pass extents to a body."""
        return self.broadcast(self.constant(False, el.I1), (*extents, 0))

    def list_of_known_length(
        self, values: SSAValue, name: str, length: int | None = None
    ) -> SSAValue | None:
        """A list of integers as a tensor of known length; None without an upper bound.

        The length is ``length``, or the upper bound; a call with another length is an error.
        """
        shape = shape_of(tensor_of(values))
        count = ex.product(shape)
        length = greatest(count) if length is None else length
        if len(shape) > 1 or length is None:
            return None
        self.require("equal", count, ex.const(length), f"{name} has another number of elements")
        return self.reshape(values, (length,)) if shape else values

    def stack(self, values: Sequence[SSAValue], axis: int) -> SSAValue:
        """Tensors of one shape along a new axis."""
        shape = shape_of(tensor_of(values[0]))
        apart = [self.reshape(v, (*shape[:axis], 1, *shape[axis:])) for v in values]
        return self.concat(apart, axis)

    def part(self, x: SSAValue, number: int, axis: int = 0) -> SSAValue:
        """x at one index of an axis, without that axis."""
        shape = shape_of(tensor_of(x))
        selected = sliced(self, x, [axis], [(number, number + 1, 1)])
        return self.reshape(selected, (*shape[:axis], *shape[axis + 1 :]))

    def unsupported(self, message: str) -> UnsupportedError:
        """An error for what opc cannot compile; errors of nodes also give the place."""
        return UnsupportedError(message)

    def known_of(self, value: SSAValue) -> Known | None:
        """As ``exact``, of what a value is known to be."""
        return self.exact(kv.known_value(value, self.exact))

    def settled(self, value: SSAValue) -> SSAValue:
        """A value, or constants and extents that it is known to be."""
        if isinstance(value.owner, ConstantOp | ExtentOp):
            return value
        known = kv.known_value(value, self.exact)
        return value if known is None else self.tensor(known)

    def tensor(self, value: Value) -> SSAValue:
        """A value as a tensor; known values become constants and extents."""
        if isinstance(value, SSAValue):
            return value
        if isinstance(value, Array):
            return value.value
        if isinstance(value, Held):
            if isinstance(value, Stacked):
                raise self.unsupported(
                    "only a run knows how many values the sequence has: it cannot leave the graph, "
                    "nor be carried by a loop"
                )
            raise self.unsupported(f"{value.kind} cannot leave the graph")
        numbers = value.constants()
        if numbers is not None:
            return self.constant(np.array(numbers, object).reshape(value.shape), value.type)
        if value.array.size == 1 and not kv.may_wrap(kn.of(value.exprs, ())):
            total = self.add(ExtentOp.of(value.exprs[0]))
        else:
            total, *others = [self._part(*part) for part in value.parts()]
            for part in others:
                total = self.binary("add", total, part)
        return self.cast(self.reshape(total, value.shape), value.type)

    def _part(self, factors: ex.Factors, counts: Any) -> SSAValue:
        """Multiples of a product of extents, multiplied as data, which may wrap."""
        part = self.constant(counts, el.I64)
        for atom in factors:
            part = self.binary("mul", self.add(ExtentOp.of(ex.Expr({(atom,): 1}))), part)
        return part

    def binary(self, name: str, x: SSAValue, y: SSAValue) -> SSAValue:
        """The operator ``opc.name`` of two operands: add, sub, mul or div."""
        return self.add(ARITHMETIC[name](x, y))

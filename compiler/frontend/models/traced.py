"""Formulas written in NumPy, traced to operators before a node.

Element types follow NumPy: a Python number takes the element type of the other operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import Block, SSAValue

from opc import numpy as numpy  # the functions that operators of arrays call
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import limit
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.binary import DivOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import Tensor, tensor_of
from opc.frontend.python.array import Array, Trace
from opc.frontend.python.extent import Extent, Meetings, as_extent
from opc.frontend.python.promotion import promoted

from .op_builder import Builder
from .parts import filled

if TYPE_CHECKING:
    from .call import Call


class NodeTrace(Trace):
    """A trace that inserts operators by a builder; errors are those of the node."""

    def __init__(self, node: Builder) -> None:
        super().__init__(Block(), Meetings(()))
        self.node = node

    def emit(
        self, op: type[OpcOp], *inputs: Array, result_type: Tensor | None = None, **params: Any
    ) -> Array:
        """Add an operator."""
        values = [a.value for a in inputs]
        filled = {p.name: p.default for p in op.params} | params
        if op.takes_result_type:
            filled["result_type"] = result_type
        inferred = op.infer([tensor_of(v) for v in values], filled)
        return Array(self, self.node.add(op(*values, result_type=inferred, **params)))

    def require_equal(self, left: ex.Expr, right: ex.Expr, what: str) -> None:
        """State that two extents are equal."""
        if left != right:
            self.node.require("equal", left, right, what)

    def constant(self, array: Any, type: el.ElementType) -> Array:
        """A constant."""
        return Array(self, self.node.constant(array, type))

    def extent(self, extent: ex.Expr) -> Array:
        """The value of an extent, promoted as a Python int."""
        return Array(self, self.node.add(ExtentOp.of(extent)), weak=True)

    def array(self, value: SSAValue | Array) -> Any:
        """A value as a traced array, whose trace is this one."""
        return Array(self, value if isinstance(value, SSAValue) else value.value)

    def number(self, value: SSAValue | ex.Expr | int) -> Array:
        """An i64 of rank 0, with the element type of data: an extent, or a computed one."""
        if isinstance(value, SSAValue):
            return Array(self, value)
        known = ex.Expr.of(value).constant
        if known is not None:
            return self.constant(known, el.I64)
        return Array(self, self.node.add(ExtentOp.of(ex.Expr.of(value))))

    def positions(self, extent: ex.Expr) -> Array:
        """0, 1, 2, ... in i64, computed at run time."""
        return Array(self, self.node.add(IotaOp.of(extent)))

    def size(self, extent: ex.Expr) -> int | Extent:
        """An extent as a number or symbolic extent."""
        return as_extent(self, extent)

    def numbers(self, extent: ex.Expr) -> Any:
        """0, 1, 2, ... up to an extent, i64: an array of NumPy if the extent is known and small.

        Expressions of such arrays alone are constants.
        """
        if extent.constant is not None and extent.constant <= limit("table"):
            return np.arange(extent.constant)
        return self.positions(extent)

    def line(self, extent: ex.Expr) -> Any:
        """0, 1, 2, ... in i64: a constant if the extent is known and small."""
        return self.given(self.numbers(extent), el.I64)

    def full(self, shape: Sequence[ex.Expr | int], value: Any, type: el.ElementType) -> Any:
        """A number in a shape."""
        return self.array(self.node.broadcast(self.node.constant(value, type), shape))

    def given(self, x: Any, type: el.ElementType) -> Any:
        """An expression of ``numbers`` as a traced array of a type."""
        if isinstance(x, Array):
            return x.astype(type.name)
        return self.constant(np.asarray(x), type)


def gathered(x: Any, axes: Sequence[int], *places: Any, batch: int = 0) -> Any:
    """The elements of x at nonnegative indices along some axes; indices broadcast."""
    return x.trace.emit(GatherOp, x, *places, axes=tuple(axes), batch=batch, from_end=False)


def quotient(x: Any, y: Any) -> Any:
    """x / y of integers, rounded toward zero."""
    left, right = promoted(x, y)
    return left.trace.emit(DivOp, left, right)


def evenly(places: Sequence[int] | np.ndarray[Any, np.dtype[Any]]) -> slice | None:
    """Evenly spaced places of an axis as a slice of it; None for others."""
    steps = {int(b) - int(a) for a, b in pairwise(places)}
    if len(steps) > 1 or 0 in steps:
        return None
    step, start = min(steps, default=1), int(places[0]) if len(places) else 0
    stop = start + step * len(places)
    # A stop of the other sign would count from the other end.
    return slice(start, stop if (start < 0) == (stop < 0) else None, step)


def part(x: Any, axis: int, start: ex.Expr | int, stop: ex.Expr | int) -> Any:
    """The elements of x from ``start`` to before ``stop`` along an axis."""
    return x[(*[slice(None)] * axis, slice(start, stop))]


def unified(x: Any, shape: Sequence[ex.Expr | int], what: str) -> Any:
    """x with the extents of ``shape``, which they are required to equal.

    Values that must agree in shape then have one type.  An error if they cannot be equal.
    """
    wanted = tuple(map(ex.Expr.of, shape))
    for extent, due in zip(x.extents, wanted, strict=True):
        x.trace.node.require("equal", extent, due, what)
    return x.reshape(wanted)


def front(x: Any, axis: int, stop: ex.Expr | int) -> Any:
    """The elements of x before ``stop`` along an axis; the axis gets that extent."""
    lead, last = x.extents[:axis], x.extents[axis + 1 :]
    return part(x, axis, 0, stop).reshape((*lead, stop, *last))


def not_empty(x: Any, axis: int) -> Any:
    """x with one more element along an axis that may be empty, so that gathers are valid."""
    return x if (x.extents[axis].constant or 0) > 0 else extended(x, axis, 0, 1)


def extended(
    x: Any, axis: int, before: ex.Expr | int, after: ex.Expr | int, value: float = 0
) -> Any:
    """x with a number before and after its elements along an axis."""
    node = x.trace.node
    end = node.constant(value, x.element)
    return x.trace.array(filled(node, x.value, axis, before, after, end))


def lined(x: Any, axis: int, rank: int) -> Any:
    """A list as one axis of ``rank``, whose other extents are 1."""
    return x.reshape([-1 if k == axis else 1 for k in range(rank)])


def reversed_along(x: Any, axes: Sequence[int]) -> Any:
    """x in the opposite order along some axes, which may count from the end."""
    backward = {axis % x.ndim for axis in axes} if x.ndim else set[int]()
    return x[tuple(slice(None, None, -1 if k in backward else 1) for k in range(x.ndim))]


def traced(call: Call, type: el.ElementType | None = None) -> list[Any]:
    """The inputs as arrays of one trace; None for absent ones.

    They are of a type, or by default f32 for f16 and bf16.
    """
    return [
        call.traced(k, type or call.element(k).computed) if call.has(k) else None
        for k in range(max(call.input_count, len(call.inputs)))
    ]


def value(call: Call, x: Any, type: el.ElementType | None = None) -> SSAValue:
    """An array as a result of a node, by default in the element type of input 0."""
    return call.cast(x.value, type or call.element())

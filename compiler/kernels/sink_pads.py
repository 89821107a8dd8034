"""Moves padding of rows from the operand of a windowed max or min to its result.

::

    %p = nest [64] { sweep [114, 1] { -inf; store to [d0, d1, d2] }
                     sweep [1, 112] { -inf; store to [d0, d1, d2 + 1] }
                     sweep [112, 112] { load x[d0, d1, d2]; store to [d0, d1 + 1, d2 + 1] } ... }
    %r = nest [64, 56, 114] { load p[d0, d1*2, d2]; ...; load p[d0, d1*2 + 2, d2]; max; max }
      -->
    %r = nest [64] { sweep [56, 1] { -inf; store to [d0, d1, d2] }
                     sweep [56, 112] { load x[d0, max(d1*2 - 1, 0), d2]; ...; max; max;
                                       store to [d0, d1, d2 + 1] } ... }

A padding row never wins, and a window that reaches it also sees the row next to it.  So a clamped
index, which reads that row twice, gives the same result, and no padded copy is needed.  Needs
unroll-windows.

A 3 x 3 pool by 2 takes 0.5 of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.shape import IndexAttr, Shape, shape_of, tensor_type
from opc.passes.function_pass import FunctionPass
from opc.support.target import BODY, SEEN_ROWS, SHORT

from .extreme_keys import is_bound
from .kernel_forms import identity


class SinkPadsPass(FunctionPass):
    """max(load pad(x)[d1*2], ...)  -->  pad(max(load x[max(d1*2 - 1, 0)], ...))."""

    name = "sink-pads"

    def rewrite(self, function: FuncOp) -> None:
        """Sink the pads of all nests where it pays."""
        for nest in [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]:
            if (rows := _rows_of(nest)) is not None and rows.pay:
                rows.sink()


@dataclass(frozen=True)
class _Part:
    """A box of a tensor and the operations that compute its elements."""

    begin: Shape
    extents: Shape
    ops: tuple[Operation, ...]
    value: SSAValue
    """The element that ``ops`` compute."""

    @property
    def is_filled(self) -> bool:
        """Whether all elements are equal."""
        return not any(isinstance(op, kernel.LoadOp) for op in self.ops)

    def place(self, axis: int) -> tuple[ex.Expr, ex.Expr]:
        """Its begin and extent along an axis."""
        return self.begin[axis], self.extents[axis]


@dataclass(frozen=True)
class _Rows:
    """A nest that compares rows of a padded tensor that nothing else reads."""

    nest: kernel.NestOp
    value: SSAValue
    """The value that the nest stores."""
    padded: kernel.NestOp
    axis: int
    stride: int
    starts: dict[kernel.LoadOp, int]
    """For each load of a window, the row of ``inner`` that the first point reads."""
    inner: _Part
    others: tuple[_Part, ...]
    """The pads along other axes."""

    @cached_property
    def shape(self) -> Shape:
        """The shape of the result, with all padding of other axes."""
        shape = shape_of(self.padded.outputs[0].type)
        return _with(shape, self.axis, self.nest.extents.data[self.axis])

    @property
    def pay(self) -> bool:
        """Whether few windows read each value, it is cheap, and rows are not coalesced.

        Short rows with a stride of 1 are coalesced with their pads.  Without this condition 7 and
        23 columns took 1.4 and 1.7 times as long, 14 and 28 0.9 of the time.
        """
        seen, row, ops = len(self.starts), self.inner.extents[-1].constant or 0, self.inner.ops
        is_cheap = not any(isinstance(op, body.ApplyOp) and op.is_expensive for op in ops)
        is_row = self.axis < len(self.shape) - 1 and row > 1
        return (
            is_row
            and is_cheap
            and seen <= SEEN_ROWS * self.stride
            and seen * len(ops) <= BODY
            and sum(isinstance(op, kernel.LoadOp) for op in ops) == 1
            and (self.stride > 1 or row >= SHORT)
        )

    def sink(self) -> None:
        """Replace both nests by one."""
        (result,), outer = self.nest.outputs, self.padded.extents.data
        sweeps: list[Operation] = []
        for part in (*self.others, self.inner):
            block, begin = Block(), _with(part.begin, self.axis, ex.const(0))
            is_inner = part is self.inner
            value = self._compared(block) if is_inner else _copy(block, part, {})
            index = tuple(d + e for d, e in zip(identity(len(begin)), begin, strict=True))
            block.add_op(kernel.StoreOp.of(value, 0, index))
            block.add_op(kernel.YieldOp(operands=[[]]))
            extents = _with(part.extents, self.axis, self.shape[self.axis])
            sweeps.append(kernel.SweepOp.of(extents[len(outer) :], [], block))
        type = tensor_type(scalar_type(self.inner.value), self.shape)
        rows = kernel.NestOp.of(outer, Block(sweeps), [type])
        rows.location = self.nest.location
        Rewriter.insert_op(rows, InsertPoint.before(self.nest))
        result.replace_all_uses_with(rows.outputs[0])
        Rewriter.erase_op(self.nest)
        Rewriter.erase_op(self.padded)

    def _compared(self, block: Block) -> SSAValue:
        """Copy the body of the nest, with clamped loads of ``inner``."""
        last = (self.inner.extents[self.axis].constant or 0) - 1
        points = (self.shape[self.axis].constant or 0) - 1
        values: dict[SSAValue, SSAValue] = {}
        for op in self.nest.body.block.ops:
            if isinstance(op, kernel.LoadOp):
                row = ex.dim(self.axis) * self.stride + self.starts[op]
                if self.starts[op] < 0:
                    row = ex.maximum(row, 0)
                if points * self.stride + self.starts[op] > last:
                    row = ex.minimum(row, last)
                values[op.result] = _copy(block, self.inner, {self.axis: row})
            elif isinstance(op, body.ApplyOp):
                block.add_op(op.clone(values))
        return values[self.value]


def _with(shape: Shape, axis: int, value: ex.Expr) -> Shape:
    return (*shape[:axis], value, *shape[axis + 1 :])


def _copy(block: Block, part: _Part, at: dict[int, ex.Expr]) -> SSAValue:
    """Copy the operations of a part, at given indices along some axes; the element."""
    values: dict[SSAValue, SSAValue] = {}
    for op in part.ops:
        block.add_op(copy := op.clone(values))
        if isinstance(copy, kernel.LoadOp):
            copy.index = IndexAttr(tuple(e.substitute(at) for e in copy.index.data))
    return values[part.value]


def _rows_of(nest: kernel.NestOp) -> _Rows | None:
    """The rows that a nest compares; None if it does anything else."""
    ops, store = list(nest.body.block.ops)[:-1], nest.body.block.last_op
    loads = [op for op in ops if isinstance(op, kernel.LoadOp)]
    applied = {op.function.data for op in ops if isinstance(op, body.ApplyOp)}
    sources = {op.source for op in loads}
    if len(applied) != 1 or len(sources) != 1 or not isinstance(store, kernel.StoreOp):
        return None
    (kind,), (source,), rank = applied, sources, len(nest.extents.data)
    is_all = all(_is_compared(op) for op in ops)
    padded, users = source.owner, {use.operation for use in source.uses}
    if kind not in ("max", "min") or not is_all or not users <= set(loads):
        return None
    if not isinstance(padded, kernel.NestOp) or store.index.data != identity(rank):
        return None
    steps = _steps(loads)
    parts = _parts_of(padded)
    seen = [part for part in parts if not part.is_filled]
    if steps is None or len(seen) != 1:
        return None
    (axis, stride, starts), (inner,) = steps, seen
    others = _around(parts, inner, axis, kind, shape_of(source.type)[axis])
    starts = [start - (inner.begin[axis].constant or 0) for start in starts]
    if others is None or not _is_near(starts, stride, nest.extents.data[axis], inner.extents[axis]):
        return None
    rows = dict(zip(loads, starts, strict=True))
    compared = _Rows(nest, store.value, padded, axis, stride, rows, inner, others)
    is_read = all(isinstance(use.operation, kernel.LoadOp) for use in nest.outputs[0].uses)
    return compared if is_read or compared.shape == nest.extents.data else None


def _is_compared(op: Operation) -> bool:
    """Whether an operation is a load without a default or a function, and is used."""
    is_plain = isinstance(op, body.ApplyOp) or (isinstance(op, kernel.LoadOp) and not op.default)
    return is_plain and bool(op.results[0].uses)


def _steps(loads: list[kernel.LoadOp]) -> tuple[int, int, list[int]] | None:
    """The axis along which loads differ, the stride of points, and the first index of each load."""
    rank = len(loads[0].index.data)
    moved = [k for k in range(rank) if any(op.index.data[k] != ex.dim(k) for op in loads)]
    if len(moved) != 1:
        return None
    (axis,) = moved
    indices = [op.index.data[axis] for op in loads]
    steps = {e.coefficient(axis) for e in indices}
    step = steps.pop() if len(steps) == 1 else None
    stride = (step.constant or 0) if step is not None else 0
    starts = [e.substitute({axis: ex.const(0)}).constant for e in indices]
    known = [start for start in starts if start is not None]
    return (axis, stride, known) if stride > 0 and len(known) == len(starts) else None


def _parts_of(padded: kernel.NestOp) -> list[_Part]:
    """The parts of a tensor that sweeps store; none if it is computed in another way."""
    if len(padded.outputs) != 1:
        return []
    parts: list[_Part] = []
    for sweep in padded.body.block.ops:
        if not isinstance(sweep, kernel.SweepOp) or sweep.kinds.data:
            return []
        ops = [op for op in sweep.body.block.ops if not isinstance(op, kernel.YieldOp)]
        store = ops.pop() if ops else None
        is_plain = all(
            isinstance(op, body.ConstantOp | body.ApplyOp)
            or (isinstance(op, kernel.LoadOp) and op.default is None)
            for op in ops
        )
        if not is_plain or not isinstance(store, kernel.StoreOp):
            return []
        begin = tuple(e - ex.dim(k) for k, e in enumerate(store.index.data))
        extents = (*padded.extents.data, *sweep.extents.data)
        if any(e.dims() for e in begin) or len(begin) != len(extents):
            return []
        parts.append(_Part(begin, extents, tuple(ops), store.value))
    return parts


def _around(
    parts: list[_Part], inner: _Part, axis: int, kind: str, size: ex.Expr
) -> tuple[_Part, ...] | None:
    """The pads along other axes, if all others are rows beside ``inner`` that never win."""
    others = [part for part in parts if part is not inner]
    kept = tuple(part for part in others if part.place(axis) == (0, size))
    rows = [part for part in others if part not in kept]
    axes = [k for k in range(len(inner.begin)) if k != axis]
    is_beside = all(part.place(k) == inner.place(k) for part in rows for k in axes)
    never = all(is_bound(kind, part.value) for part in rows)
    return kept if rows and is_beside and never else None


def _is_near(starts: list[int], stride: int, points: ex.Expr, size: ex.Expr) -> bool:
    """Whether windows read contiguous rows, of which at least one is inside."""
    if points.constant is None or size.constant is None or points.constant == 0:
        return False
    first, last = min(starts), max(starts)
    behind = (points.constant - 1) * stride + first
    return sorted(starts) == list(range(first, last + 1)) and last >= 0 and behind < size.constant

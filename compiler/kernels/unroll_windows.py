"""Unrolls reductions of small sliding windows.

::

    kernel.nest [64, 56, 56] { kernel.sweep [3, 3] lanes 64 (sum) { load x[d0, d1 + d3, d2 + d4] } }
      -->
    kernel.nest [64, 56, 56] { load x[d0, d1, d2]; load x[d0, d1, d2 + 1]; ...; add; add; ... }

A window has few contiguous values, but the points along the innermost dimension have many, so the
nest is vectorized along points.  Sums keep their order, of which each lane has one block at most.
Runs after fuse-kernels and narrow-domains, which recognize reductions by their sweeps.
"""

from __future__ import annotations

import itertools
from functools import partial, reduce

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.order import GROUP, GROUPS, at_once, is_ordered
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import shape_of, tensor_type
from opc.dialects.walking import walk
from opc.graph.rewriting import set_type
from opc.passes.function_pass import FunctionPass
from opc.support.target import BODY, NEXT_BODY

from .extreme_keys import float_of, integer_of, key_of
from .in_place import copied_piece


class UnrollWindowsPass(FunctionPass):
    """nest {sweep [3, 3] (sum) {load}}  -->  nest {load, load, ..., add, add, ...}."""

    name = "unroll-windows"

    def rewrite(self, function: FuncOp) -> None:
        """Unroll nests all of whose sweeps are small windows."""
        for nest in [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]:
            sweeps = nest.sweeps
            if sweeps and all(_slides(nest, sweep) for sweep in sweeps):
                for sweep in sweeps:
                    _Unrolling(sweep, _has_keys(sweep)).write(len(nest.extents.data))


def _slides(nest: kernel.NestOp, sweep: kernel.SweepOp) -> bool:
    """Whether a sweep reduces a small window, and points are contiguous in memory."""
    count = ex.product(sweep.extents.data).constant or 0
    ops = [op for op in sweep.body.block.ops if not isinstance(op, kernel.YieldOp)]
    loads = [op for op in ops if isinstance(op, kernel.LoadOp)]
    return (
        count > 1
        and all(_is_few(sweep, k, count) for k in range(len(sweep.kinds)))
        and all(_is_plain(op) for op in ops)
        and len(steps := _steps(nest, loads)) > 0
        and count * len(ops) <= (NEXT_BODY if steps == {ex.const(1)} else BODY)
    )


def _is_few(sweep: kernel.SweepOp, number: int, count: int) -> bool:
    """Whether an expression can reduce ``count`` values; an ordered sum is of one block then."""
    kind, type = sweep.kinds.data[number].data, scalar_type(sweep.yielded[number])
    if kind not in REDUCTIONS or REDUCTIONS[kind].is_arg or REDUCTIONS[kind].is_chain:
        return False
    lanes = sweep.lanes_expr.constant if sweep.lanes_expr is not None else count
    return not is_ordered(kind, type) or count <= GROUP * GROUPS * (lanes or 0)


def _is_plain(op: Operation) -> bool:
    """Whether an operation of a sweep may be repeated."""
    if isinstance(op, kernel.LoadOp):
        return op.default is None and not scalar_type(op.result).is_small_float
    return isinstance(op, body.ConstantOp) or (isinstance(op, body.ApplyOp) and not op.is_expensive)


def _steps(nest: kernel.NestOp, loads: list[kernel.LoadOp]) -> set[ex.Expr | None]:
    """The steps of loads along the innermost points; empty if one has none, or none slides."""
    rank = len(nest.extents.data)
    inner = max((k for k, e in enumerate(nest.extents.data) if e != 1), default=rank)
    slides = any(
        min(e.dims(), default=rank) < rank <= max(e.dims(), default=0)
        for op in loads
        for e in op.index.data
    )
    if not slides or any(inner not in op.index.data[-1].dims() for op in loads):
        return set()
    return {op.index.data[-1].coefficient(inner) for op in loads}


def _has_keys(sweep: kernel.SweepOp) -> bool:
    """Store keys instead of floats, once for all windows, if a sweep only compares loads."""
    load, kinds = sweep.yielded[0].owner, [kind.data for kind in sweep.kinds]
    is_compared = len(kinds) == 1 and kinds[0] in ("max", "min")
    return is_compared and isinstance(load, kernel.LoadOp) and _store_keys(load, kinds[0])


def _store_keys(load: kernel.LoadOp, kind: str) -> bool:
    """Store the tensor of a load as keys, if nothing else reads it; whether it is."""
    source, type = load.source, scalar_type(load.result)
    nest = source.owner
    if not type.is_float or not isinstance(nest, kernel.NestOp):
        return False
    if not source.has_one_use() or load.default is not None:
        return False
    number = source.index if isinstance(source, OpResult) else 0
    sweeps = [op for op in walk(nest.body) if isinstance(op, kernel.SweepOp)]
    if any(place.data for op in sweeps for _, _, place in op.kept()):
        return False
    if any(copied_piece(nest, op) for op in sweeps):  # the copy will be dropped
        return False
    for store in [op for op in walk(nest.body) if isinstance(op, kernel.StoreOp)]:
        if store.number != number:
            continue
        value = store.value
        copied = value.owner if value.has_one_use() else None
        # A value that is only copied, beside pads say, is stored as a key by its own nest.
        if not (isinstance(copied, kernel.LoadOp) and _store_keys(copied, kind)):
            store.operands[0] = key_of(Here(store), kind, value, type)
            _erase_unused(value)
    set_type(source, tensor_type(integer_of(type), shape_of(source.type)))
    Rewriter.replace_op(load, kernel.LoadOp.of(source, load.index.data))
    return True


def _erase_unused(value: SSAValue) -> None:
    """Erase the operations that compute a value, if it is unused."""
    op = value.owner
    if value.uses or not isinstance(op, body.ApplyOp | body.ConstantOp):
        return
    args = list(op.operands)
    Rewriter.erase_op(op)
    for arg in args:
        _erase_unused(arg)


class Here:
    """Inserts scalar operations before an operation."""

    def __init__(self, op: Operation) -> None:
        self.op = op

    def add(self, op: Operation) -> SSAValue:
        """Add an operation; its first result."""
        block = self.op.parent
        assert block is not None
        block.insert_op_before(op, self.op)
        return op.results[0]

    def apply(self, name: str, *args: SSAValue) -> SSAValue:
        """A scalar function."""
        return self.add(body.ApplyOp.of(name, args))

    def constant(self, value: int | float | bool, type: ElementType) -> SSAValue:
        """A scalar constant."""
        return self.add(body.ConstantOp.of(value, type))


class _Unrolling(Here):
    """Replaces a sweep by scalar operations."""

    def __init__(self, sweep: kernel.SweepOp, has_keys: bool) -> None:
        super().__init__(sweep)
        self.sweep, self.has_keys = sweep, has_keys

    def write(self, rank: int) -> None:
        """Write the operations, and erase the sweep."""
        extents = [e.constant or 0 for e in self.sweep.extents.data]
        points = itertools.product(*map(range, extents))
        bodies = [self._body({rank + k: ex.const(p) for k, p in enumerate(at)}) for at in points]
        for number, kind in enumerate(self.sweep.kinds):
            value = self._reduced(kind.data, [values[number] for values in bodies])
            self.sweep.outputs[number].replace_all_uses_with(value)
        Rewriter.erase_op(self.sweep)

    def _body(self, at: dict[int, ex.Expr]) -> list[SSAValue]:
        """The values that the sweep yields at a point."""
        values: dict[SSAValue, SSAValue] = {}
        for op in self.sweep.body.block.ops:
            if isinstance(op, kernel.LoadOp):
                index = tuple(e.substitute(at) for e in op.index.data)
                values[op.result] = self.add(kernel.LoadOp.of(op.source, index))
            elif not isinstance(op, kernel.YieldOp):
                values[op.results[0]] = self.add(op.clone(values))
        return [values.get(v, v) for v in self.sweep.yielded]

    def _reduced(self, kind: str, values: list[SSAValue]) -> SSAValue:
        """The reduction of values, in order."""
        row, type = REDUCTIONS[kind], scalar_type(values[0])
        result = scalar_type(self.sweep.outputs[0])
        if kind in ("max", "min") and result.is_float:
            keys = values if self.has_keys else [key_of(self, kind, v, type) for v in values]
            return float_of(self, kind, reduce(partial(self.apply, kind), keys), result)
        if not is_ordered(kind, type):
            return reduce(partial(self.apply, row.combine), values)
        lanes = self.sweep.lanes_expr
        assert lanes is not None and lanes.constant is not None
        total = at_once(values, lanes.constant, partial(self.apply, row.combine))
        return self.apply(row.combine, self.constant(row.identity(type), type), total)

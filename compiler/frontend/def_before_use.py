"""Check that the nests of a kernel module read only what earlier nests wrote.

Buffers, unlike tensors, do not imply an order.  In an edited module with exchanged nests or tile
fusions, a nest may read memory that nothing has written::

    kernel.nest [50, 50] into (%y) { ... kernel.load %q[d0, d2] ... }    // refused
    kernel.nest [50, 50] into (%q) { ... }

Nests of a tile fusion run in their order, too, tile by tile, and tiles are independent
(``schedule.tile_fusion``).  Of a buffer that is written in parts, those that a nest reads must be,
where it is known which these are, and all of a result must be.  That a nest overwrites what another
one still has to read cannot be seen: the order of nests is what says which of the two is meant.

Where extents are numbers and an index is a sum, it stays inside of its axis.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.buffer import LocalOp, SliceOp, ViewOp, results_of, root, shown, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.named import donations
from opc.dialects.opc.control import ControlOp
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.errors import InputError
from opc.support.locations import location_of

Span: TypeAlias = "tuple[int, int]"
"""A half-open range of elements of a buffer."""


def check_written(function: FuncOp) -> None:
    """Raise InputError if a nest reads elements of a buffer that nothing before it wrote."""
    results = results_of(function)
    donated = [results[number] for number in donations(function).values()]
    results = [result for result in results if result not in donated]
    buffers = _Buffers(set(results))
    buffers.visit(function.body.block.ops)
    for result in results:
        size = ex.product(shape_of(result.type)).constant
        spans = buffers.parts.get(result, [])
        is_whole = result not in buffers.parts or size is None or _holds(spans, (0, size))
        if size != 0 and (result in buffers.empty or not is_whole):
            part = "all of " if spans else ""
            raise InputError(f"nothing writes {part}{shown(result)}", location_of(function))


@dataclass
class _Buffers:
    """The written parts of buffers that begin without values."""

    empty: set[SSAValue]
    """Buffers without any written element."""
    parts: dict[SSAValue, list[Span]] = field(default_factory=dict[SSAValue, list[Span]])
    """The written spans of partly written buffers."""

    def visit(self, ops: Iterable[Operation]) -> None:
        """Visit operations in execution order."""
        for op in ops:
            if isinstance(op, SliceOp | LocalOp):
                self.empty.add(op.result)
            elif isinstance(op, kernel.NestOp):
                self._nest(op)
            elif isinstance(op, ControlOp):
                filled = op.operands_filled
                for value in op.operands:
                    if value not in filled:
                        self._read(op, op.name, value)
                for value in filled:
                    self._written(value)
            elif op.regions:
                self.visit(inner for region in op.regions for inner in region.block.ops)
            elif op.dialect_name() == "opc":
                for value in op.operands:
                    self._read(op, op.name, value)
            elif not isinstance(op, ViewOp):
                # Lowered loops may write their buffers in any order.
                for value in op.operands:
                    self._written(value)

    def _nest(self, nest: kernel.NestOp) -> None:
        offsets = offsets_of(nest)
        for op in walk(nest.body):
            if any(e == 0 for e in kernel.scope(op)):
                continue
            if isinstance(op, kernel.LoadOp | kernel.GatherOp):
                span = None
                if isinstance(op, kernel.LoadOp) and op.default is None:
                    _check_inside(nest, op, op.source)
                    span = _span(op.source, offsets[op], op)
                self._read(nest, kernel.shown(nest), op.source, span)
        spans: dict[SSAValue, list[Span | None]] = {}
        for op in walk(nest.body):
            if isinstance(op, kernel.StoreOp):
                target = nest.targets[op.number]
                _check_inside(nest, op, target)
                spans.setdefault(root(target), []).append(_span(target, offsets[op], op))
            elif isinstance(op, kernel.ScatterOp):
                spans.setdefault(root(nest.targets[op.number]), []).append(None)
        for target in nest.targets:
            # Stores of a result also cover values materialized in it before.
            for span in spans.get(root(target), [None]):
                self._written(target, span)

    def _read(self, op: Operation, name: str, value: SSAValue, span: Span | None = None) -> None:
        buffer = root(value)
        if not isinstance(value.type, MemRefType):
            return
        spans = self.parts.get(buffer)
        is_there = buffer not in self.empty
        if spans is not None and span is not None:
            is_there = _holds(spans, span)
        if not is_there:
            label = shown(value if buffer.name_hint is None else buffer)
            part = "" if spans is None else " in part"
            raise InputError(
                f"{name} reads {label}, which nothing before it writes{part}", location_of(op)
            )

    def _written(self, value: SSAValue, span: Span | None = None) -> None:
        buffer = root(value)
        if buffer not in self.empty and buffer not in self.parts:
            return
        self.empty.discard(buffer)
        if span is None:
            self.parts.pop(buffer, None)
        else:
            self.parts.setdefault(buffer, []).append(span)


def _check_inside(
    nest: kernel.NestOp, op: kernel.LoadOp | kernel.StoreOp, buffer: SSAValue
) -> None:
    """Raise InputError if an index of an access certainly leaves its axis."""
    if isinstance(buffer.owner, kernel.SweepOp) or any(e == 0 for e in kernel.scope(op)):
        return
    for axis, (e, extent) in enumerate(zip(op.index.data, shape_of(buffer.type), strict=True)):
        ends = _ends(e, op)
        if ends is None or (count := extent.constant) is None:
            continue
        if ends[0] < 0 or ends[1] >= count:
            raise InputError(
                f"{kernel.shown(nest)}: index {e} of {shown(buffer)} is {ends[0]} to {ends[1]} "
                f"along axis {axis}, of {count}",
                location_of(op),
            )


def _ends(e: ex.Expr, op: Operation) -> Span | None:
    """The least and the greatest value of a linear index; None if unknown.

    Also none where nothing is accessed.
    """
    first = last = e.substitute({d: ex.const(0) for d in e.dims()})
    for d, extent in enumerate(kernel.scope(op)):
        step = e.coefficient(d)
        if step is None or step.constant is None:
            return None
        reach = step * (extent - 1)
        first, last = (first, last + reach) if step.constant >= 0 else (first + reach, last)
    if first.constant is None or last.constant is None:
        return None
    return first.constant, last.constant


def _span(buffer: SSAValue, offset: ex.Expr, op: Operation) -> Span | None:
    """The range of elements of a buffer that an access may touch; None if unknown."""
    ends = _ends(offset + start_of(buffer), op)
    return None if ends is None else (ends[0], ends[1] + 1)


def _holds(spans: list[Span], wanted: Span) -> bool:
    """Whether the union of other spans contains a span."""
    at, end = wanted
    for first, last in sorted(spans):
        if first <= at < last:
            at = last
    return at >= end

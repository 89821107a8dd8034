"""What a step of a C file does: bytes and operations, counted by walking its loops.

Bytes are those of buffers, each element that is read once, and once that is written: what has to
come from memory or go there, however often a loop comes back to it in a cache.  What lies in local
arrays and registers does not count.  Where a step touches a part of a buffer more than once, that
counts as often, up to the whole of it.

Operations are scalar functions; one that is made of others, such as an exponential, counts as many
simple ones as the table of scalar functions says, and a fused multiply-add two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import element_in
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.dialects.scalar import CONVERSIONS, REINTERPRETED, SCALARS
from opc.dialects.shape import shape_of
from opc.emit.steps import Step

MIDDLE = 2
"""Iterations that stand for all but the first and the last, where these differ."""


@dataclass(frozen=True)
class Work:
    """Bytes and operations of one run of a step."""

    bytes_read: int
    bytes_written: int
    operations: int

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.bytes_read + self.bytes_written


def work_of(
    steps: Sequence[Step], function: FuncOp, symbols: Mapping[str, int]
) -> list[Work | None]:
    """The work of each step of a function and of the bodies of its control flow.

    ``symbols`` are the extents that the function is called with.  None for a step whose loops have
    data-dependent extents.
    """
    around = dict(_contexts(function, symbols))
    works: list[Work | None] = []
    for step in steps:
        owner = step.ops[0].parent_op()
        known = around.get(owner) if isinstance(owner, FuncOp) else None
        try:
            works.append(None if known is None else _Counter(known).count(step.ops))
        except KeyError:
            # A symbol, or a variable, of which nothing is known before the call.
            works.append(None)
    return works


def _contexts(
    function: FuncOp, symbols: Mapping[str, int]
) -> Iterator[tuple[FuncOp, Mapping[str, int]]]:
    """The functions that run, each with the values of its symbols."""
    yield function, symbols
    for op in function.body.block.ops:
        if not isinstance(op, ControlOp):
            continue
        for inner, binding in zip(op.bodies(), op.bindings(), strict=True):
            try:
                known = {n: int(e.evaluate({}, symbols)) for n, e in binding.values.items()}
            except KeyError:
                continue
            yield from _contexts(inner, known)


class _Counter:
    """Counts what some operations do, with values for symbols."""

    def __init__(self, symbols: Mapping[str, int]) -> None:
        self.symbols = symbols
        self.operations = 0.0
        self.read: defaultdict[SSAValue, float] = defaultdict(float)
        self.written: defaultdict[SSAValue, float] = defaultdict(float)
        self.values: dict[SSAValue, int] = {}

    def count(self, ops: Sequence[Operation]) -> Work:
        """The work of operations that run once."""
        for op in ops:
            self._operation(op, 1)
        return Work(self._bytes(self.read), self._bytes(self.written), round(self.operations))

    def _bytes(self, touched: Mapping[SSAValue, float]) -> int:
        total = 0.0
        for buffer, elements in touched.items():
            size = self._evaluate(ex.product(shape_of(buffer.type)), ())
            total += min(elements, size) * element_in(buffer).bytes
        return round(total)

    def _evaluate(self, e: ex.Expr, dims: Any) -> int:
        known = {k: self.values[dims[k]] for k in e.dims()}
        return int(e.evaluate(known, self.symbols))

    def _touch(self, touched: defaultdict[SSAValue, float], value: SSAValue, times: float) -> None:
        while isinstance(value.owner, loop.ViewOp):
            value = value.owner.source
        if not isinstance(value.owner, loop.LocalOp):
            touched[value] += times

    def _operation(self, op: Operation, times: float) -> None:
        match op:
            case loop.ForOp():
                self._loop(op, times)
            case loop.IfOp():
                for inner in op.blocks[0 if self._evaluate(op.holds, op.dims) else 1 :][:1]:
                    for child in inner.ops:
                        self._operation(child, times)
            case loop.LoadOp() | loop.GatherOp():
                self._touch(self.read, op.source, times)
            case loop.StoreOp() | loop.ScatterOp():
                self._touch(self.written, op.target, times)
            case body.ApplyOp():
                self.operations += times * cost(op.function.data)
            case loop.CombineOp():
                self.operations += times * self._evaluate(shape_of(op.lanes.type)[0], ())
            case loop.TransposeOp() | loop.NonTemporalOp() | loop.LookUpOp():
                sizes = (
                    op.index.data[4:6] if isinstance(op, loop.TransposeOp) else op.index.data[2:3]
                )
                times *= math.prod(self._evaluate(e, op.dims) for e in sizes)
                self._touch(self.read, op.source, times)
                self._touch(self.written, op.target, times)
                if isinstance(op, loop.LookUpOp):
                    self._touch(self.read, op.table, times)
            case loop.WidenOp():
                self._touch(self.read, op.source, times * self._evaluate(op.index.data[1], op.dims))
            case loop.MatrixMultiplyOp():
                rows, columns, *_ = op.shape
                self._touch(self.read, op.left, times * rows * op.products)
                self._touch(self.read, op.right, times * columns * op.products)
                self.operations += times * 2 * rows * columns * op.products
            case loop.GroupOp():
                number = times * self._evaluate(op.index.data[1], op.dims)
                self._touch(self.read, op.source, number)
                self.operations += number
            case loop.NarrowOp():
                number = self._evaluate(op.index.data[1], op.dims)
                self._touch(self.written, op.target, times * number)
            case RequireRangeOp():
                number = self._evaluate(ex.product(shape_of(op.values.type)), ())
                self._touch(self.read, op.values, times * number)
                self.operations += times * number
            case _:
                pass

    def _loop(self, op: loop.ForOp, times: float) -> None:
        lower, upper, step = op.bounds
        start, end = self._evaluate(lower, op.dims), self._evaluate(upper, op.dims)
        rounds = max(0, -(-(end - start) // step))
        chosen = {0: float(rounds)} if rounds else {}
        if rounds > MIDDLE + 2 and _decides(op):
            # The first, the last, and some between that stand for all others.
            middle = [1 + (rounds - 3) * k // (MIDDLE - 1) for k in range(MIDDLE)]
            chosen = {0: 1.0, **dict.fromkeys(middle, (rounds - 2) / MIDDLE), rounds - 1: 1.0}
        elif _decides(op):
            chosen = dict.fromkeys(range(rounds), 1.0)
        for k, weight in chosen.items():
            self.values[op.variable] = start + k * step
            for inner in op.body.block.ops:
                self._operation(inner, times * weight)


def _decides(op: loop.ForOp) -> bool:
    """Whether a bound or a condition inside a loop depends on its variable."""
    counting = (loop.ForOp, loop.IfOp, loop.NonTemporalOp, loop.TransposeOp)
    counting += (loop.WidenOp, loop.NarrowOp, loop.GroupOp, loop.LookUpOp)
    return any(
        use.operation is not op and isinstance(use.operation, counting) for use in op.variable.uses
    )


def cost(function: str) -> int:
    """How many simple operations a scalar function is."""
    if function in ("fma", "mul_add"):
        return 2
    if function in REINTERPRETED:
        return 0
    return 1 if function in CONVERSIONS or function not in SCALARS else SCALARS[function].cost


def outline(step: Step, most: int = 8) -> list[str]:
    """The loops of a step, a line for each, inner ones indented: what its schedule has become."""
    lines: list[str] = []

    def visit(ops: Sequence[Operation], depth: int) -> None:
        for op in ops:
            if isinstance(op, loop.ForOp):
                lower, upper, step = op.bounds
                extent = str(upper - lower)
                by = f" by {step}" if step > 1 else ""
                lines.append(f"{'  ' * depth}{op.kind.data} {extent[:40]}{by}")
                visit(list(op.body.block.ops), depth + 1)
            elif isinstance(op, loop.IfOp):
                words = f"if {str(op.holds)[:40]}", "else"
                for word, block in zip(words, op.blocks, strict=False):
                    lines.append(f"{'  ' * depth}{word}")
                    visit(list(block.ops), depth + 1)

    visit(step.ops, 0)
    return (
        lines if len(lines) <= most else [*lines[: most - 1], f"and {len(lines) - most + 1} more"]
    )

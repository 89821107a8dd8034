"""Insertion points for loops, and the values of a nest at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Block, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import LocalOp, buffer_of
from opc.dialects.collapse import Collapsed
from opc.dialects.element import ElementType
from opc.dialects.schedule import Axis
from opc.dialects.shape import shape_of
from opc.schedule.nest import NestFacts

ZERO = ex.const(0)


@dataclass
class Insertion:
    """A block, the loop variables around it, and the dimensions of a nest as expressions over these
    (``d<k>`` stands for ``variables[k]``).
    """

    block: Block
    variables: list[SSAValue]
    at: dict[int, ex.Expr] = field(default_factory=dict[int, ex.Expr])

    def add(self, op: Operation) -> SSAValue:
        """Add an operation and return its first result."""
        self.block.add_op(op)
        return op.results[0]

    def resolve(self, e: ex.Expr) -> tuple[ex.Expr, list[SSAValue]]:
        """Rewrite an expression over dimensions as one over the variables that it needs."""
        (resolved,), used = self.resolve_all((e,))
        return resolved, used

    def resolve_all(self, es: Sequence[ex.Expr]) -> tuple[tuple[ex.Expr, ...], list[SSAValue]]:
        """Rewrite expressions over dimensions as ones over the variables that they need."""
        return self.over([e.substitute(self.at) for e in es])

    def over(self, es: Sequence[ex.Expr]) -> tuple[tuple[ex.Expr, ...], list[SSAValue]]:
        """Rewrite expressions over all variables as ones over those that they need."""
        used = sorted({d for e in es for d in e.dims()})
        renamed = {d: ex.dim(k) for k, d in enumerate(used)}
        return tuple(e.substitute(renamed) for e in es), [self.variables[d] for d in used]

    def loop(
        self,
        lower: int | ex.Expr,
        upper: int | ex.Expr,
        kind: str,
        step: int = 1,
        along: Axis | None = None,
    ) -> Insertion:
        """Add a loop, and return the insertion point in it; its variable is the last one.

        Bounds are expressions over the variables.  The variable is the last dimension of ``along``.
        """
        (first, last), dims = self.over((ex.Expr.of(lower), ex.Expr.of(upper)))
        op = loop.ForOp.of(first, last, dims, kind, step)
        self.block.add_op(op)
        inside = Insertion(op.body.block, [*self.variables, op.variable], dict(self.at))
        if along is not None:
            inside.at[along[-1]] = inside.variable()
        return inside

    def bind(self, value: SSAValue) -> Insertion:
        """The same place with a value as the last variable."""
        return Insertion(self.block, [*self.variables, value], dict(self.at))

    def each(self, count: ex.Expr) -> tuple[Insertion, ex.Expr]:
        """A vector loop over ``count`` values, and its index; no loop for a single value."""
        if count == 1:
            return self, ZERO
        inside = self.loop(0, count, "vector")
        return inside, inside.variable()

    def when(self, condition: ex.Expr) -> Insertion:
        """The insertion point under a condition, an expression over the variables."""
        return self.either(condition, has_else=False)[0]

    def either(self, condition: ex.Expr, has_else: bool = True) -> tuple[Insertion, Insertion]:
        """The insertion points where a condition holds, and where it does not."""
        ((condition,), dims), blocks = self.over((condition,)), (Block(), Block())
        self.block.add_op(loop.IfOp.of(condition, dims, blocks[0], blocks[1] if has_else else None))
        then, otherwise = (
            Insertion(block, list(self.variables), dict(self.at)) for block in blocks
        )
        return then, otherwise

    def steps(
        self, lower: ex.Expr, upper: ex.Expr, kind: str, size: ex.Expr
    ) -> tuple[Insertion, ex.Expr]:
        """A loop in steps of any size, and the start of a step; it counts steps of unknown size."""
        if size.constant is not None:
            inside = self.loop(lower, upper, kind, size.constant)
            return inside, inside.variable()
        inside = self.loop(0, ex.floordiv(upper - lower + size - 1, size), kind)
        return inside, lower + inside.variable() * size

    def transpose(self, source: SSAValue, target: SSAValue, index: Sequence[ex.Expr]) -> None:
        """Transpose a block; ``index`` is that of ``loop.transpose``, over the variables."""
        self.block.add_op(loop.TransposeOp.of((source, target), *self.over(index)))

    def variable(self) -> ex.Expr:
        """The innermost loop variable."""
        return ex.dim(len(self.variables) - 1)

    def constant(self, value: int | float | bool, type: ElementType) -> SSAValue:
        """A scalar constant."""
        return self.add(body.ConstantOp.of(value, type))

    def apply(self, name: str, *args: SSAValue) -> SSAValue:
        """A scalar function."""
        return self.add(body.ApplyOp.of(name, args))

    def local(
        self, type: ElementType, count: int | None = None, lanes: int | None = None
    ) -> SSAValue:
        """A local variable, or an array of ``count`` values, perhaps in registers of ``lanes``."""
        return self.add(LocalOp.of(type, count, lanes))

    def cast(self, x: SSAValue, type: ElementType) -> SSAValue:
        """A value in another type, or itself if it has that type."""
        return x if x.type == type.type else self.add(body.ApplyOp.of("cast", [x], type))

    def read(self, buffer: SSAValue, e: ex.Expr | int = 0) -> SSAValue:
        """An element at an offset over the variables."""
        (index,), dims = self.over((ex.Expr.of(e),))
        return self.add(loop.LoadOp.of(buffer, index, dims))

    def view(self, buffer: SSAValue, e: ex.Expr) -> SSAValue:
        """A view of a buffer from an offset over the variables on."""
        (offset,), dims = self.over((e,))
        return self.add(loop.ViewOp.of(buffer, buffer_of("view", buffer), offset, dims))

    def write(self, value: SSAValue, buffer: SSAValue, e: ex.Expr | int = 0) -> None:
        """Store at an offset over the variables."""
        (index,), dims = self.over((ex.Expr.of(e),))
        self.block.add_op(loop.StoreOp.of(value, buffer, index, dims))


@dataclass(frozen=True)
class Span:
    """The part of an axis inside loops: from ``start`` to ``end``, at most ``size`` values."""

    start: ex.Expr
    end: ex.Expr
    size: ex.Expr

    @property
    def count(self) -> ex.Expr:
        """The number of values."""
        return self.end - self.start

    def block(self, start: ex.Expr, size: ex.Expr) -> Span:
        """A block of ``size`` values from ``start``, at most up to the end."""
        length, by = self.count.constant, size.constant
        is_even = length is not None and by is not None and length % by == 0
        end = start + size
        return Span(start, end if is_even else ex.minimum(end, self.end), size)

    def has(self, size: ex.Expr) -> bool:
        """Whether one block of a size covers it, so that there is no loop."""
        most, by = self.size.constant, size.constant
        return size == self.size or (most is not None and by is not None and by >= most)


def placed(outer: Collapsed, variables: Mapping[int, ex.Expr]) -> dict[int, ex.Expr]:
    """The dimensions of a nest, from variables of its collapsed dimensions."""
    return {d: e.substitute(variables) for d, e in outer.places.items()}


class NestValues(NestFacts):
    """Writes the scalars of a nest, and knows the values written."""

    def __init__(self, nest: kernel.NestOp) -> None:
        super().__init__(nest)
        self.values: dict[SSAValue, SSAValue] = {}
        self.arrays: dict[SSAValue, SSAValue] = {}
        self.tiles: dict[Operation, tuple[SSAValue, ex.Expr]] = {}
        """Loads and stores that use a tile instead, at an offset over the loop variables."""
        self.sections: dict[kernel.SweepOp, list[Operation]] = {}
        """The stages and loops of each sweep in the schedule."""

    def keep(self, outputs: Mapping[SSAValue, tuple[SSAValue, ex.Expr]]) -> None:
        """See the base.  A sweep reads kept values first, before anything overwrites them."""
        super().keep(outputs)
        for result, (buffer, _) in outputs.items():
            self.arrays[result] = buffer
            for use in list(result.uses):
                op, block = use.operation, use.operation.parent
                if isinstance(op, kernel.LoadOp) and block is not None:
                    first = block.first_op
                    is_inside = isinstance(block.parent_op(), kernel.SweepOp)
                    if is_inside and first is not None and first is not op:
                        op.detach()
                        block.insert_op_before(op, first)

    def buffer(self, load: kernel.LoadOp) -> SSAValue:
        """What a load reads: the array or output in which a sweep kept values, or a buffer."""
        return self.arrays.get(load.source, load.source)

    def scalars(self, ops: Iterable[Operation], here: Insertion) -> None:
        """Write operations of a body."""
        for op in ops:
            self.scalar(op, here)

    def scalar(self, op: Operation, here: Insertion) -> None:
        """Write one operation of a body."""
        match op:
            case body.ConstantOp():
                self.values[op.result] = here.add(op.clone())
            case body.ApplyOp():
                args = [self.values[a] for a in op.args]
                new = body.ApplyOp(
                    operands=[args], result_types=[op.result.type], properties=dict(op.properties)
                )
                self.values[op.result] = here.add(new)
            case body.IndexOp():
                self.values[op.result] = here.add(body.IndexOp.of(*here.resolve(op.expr)))
            case kernel.LoadOp():
                if op in self.tiles:
                    self.values[op.result] = here.read(*self.tiles[op])
                    return
                if op.default is not None:
                    self.values[op.result] = self._guarded(op, op.default, here)
                    return
                e, dims = here.resolve(self.offsets[op])
                self.values[op.result] = here.add(loop.LoadOp.of(self.buffer(op), e, dims))
            case kernel.StoreOp():
                if op in self.tiles:
                    here.write(self.values[op.value], *self.tiles[op])
                    return
                e, dims = here.resolve(self.offsets[op])
                target = self.nest.targets[op.number]
                here.block.add_op(loop.StoreOp.of(self.values[op.value], target, e, dims))
            case _:
                pass

    def _guarded(self, op: kernel.LoadOp, default: Attribute, here: Insertion) -> SSAValue:
        """A load under the condition that its index is inside; elsewhere its default."""
        local = here.local(body.scalar_type(op.result))
        number = body.ConstantOp(properties={"value": default}, result_types=[op.result.type])
        here.write(here.add(number), local)
        is_inside, ranges = ex.const(1), dict(enumerate(kernel.scope(op)))
        for e, extent in zip(op.index.data, shape_of(op.source.type), strict=True):
            at, most = e.substitute(here.at), ex.upper_bound(e, ranges)
            if any(c < 0 for _, c in e.terms):
                is_inside = is_inside * ex.atleast(at, 0)
            if most is None or any(c < 0 for _, c in (extent - 1 - most).terms):
                is_inside = is_inside * ex.atleast(extent - 1, at)
        inside = here.when(is_inside)
        inside.write(inside.add(loop.LoadOp.of(op.source, *here.resolve(self.offsets[op]))), local)
        return here.read(local)

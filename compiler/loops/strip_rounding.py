"""Cut a loop over a strip where it rounds to f16 or bf16, so that a strip is rounded at once.

::

    for l = 0 to 64 { y[l] = exp(round_f16(x[l] - s)) }
      -->
    for l = 0 to 64 { wide[l] = x[l] - s }
    round wide to f16
    for l = 0 to 64 { y[l] = exp(wide[l]) }

What later loops need besides goes through arrays of its own, or is loaded again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.element import ElementType
from opc.dialects.strip import NARROW

from .loop_parts import insert

ROUNDINGS = {f"round_{type}": type for type in NARROW}


def rounded_to(op: Operation) -> ElementType | None:
    """The type that an operation rounds to."""
    return ROUNDINGS.get(op.function.data) if isinstance(op, body.ApplyOp) else None


def own_strip(value: SSAValue, op: loop.ForOp) -> loop.StoreOp | None:
    """The store of a value that does nothing but put it in order into a local array."""
    for use in value.uses:
        store = use.operation
        if (
            isinstance(store, loop.StoreOp)
            and isinstance(store.target.owner, loop.LocalOp)
            and store.parent is op.body.block
            and list(store.dims) == [op.variable]
            and store.index.data[0] == ex.dim(0)
            and sum(u.operation.parent is store.parent for u in store.target.uses) == 1
        ):
            return store
    return None


def varying(op: loop.ForOp) -> set[SSAValue]:
    """The values that differ between the points of a loop."""
    found: set[SSAValue] = {op.variable}
    for inner in op.body.block.ops:
        if any(operand in found for operand in inner.operands):
            found.update(inner.results)
    return found


def roundings(op: loop.ForOp) -> list[body.ApplyOp]:
    """Where a loop rounds what differs between its points."""
    values = varying(op)
    return [
        inner
        for inner in op.body.block.ops
        if isinstance(inner, body.ApplyOp) and rounded_to(inner) and inner.result in values
    ]


def _is_in_order(ops: Sequence[Operation]) -> bool:
    """Whether loads stay right if all are done first, and stores in any order."""
    written: set[SSAValue] = set()
    for op in ops:
        if isinstance(op, loop.LoadOp) and root(op.source) in written:
            return False
        if isinstance(op, loop.StoreOp):
            if root(op.target) in written:
                return False
            written.add(root(op.target))
    return True


@dataclass
class _Cut:
    """A loop that is being cut: the loops so far, and where each has which value."""

    op: loop.ForOp
    length: int
    levels: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The number of the loop that computes a value, or the first that can load it."""
    arrays: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    again: set[SSAValue] = field(default_factory=set[SSAValue])
    """Values that every loop can compute for itself."""
    parts: list[loop.ForOp] = field(default_factory=list[loop.ForOp])
    values: list[dict[SSAValue, SSAValue]] = field(default_factory=list[dict[SSAValue, SSAValue]])
    between: list[list[Operation]] = field(default_factory=list[list[Operation]])
    """What follows each loop."""

    def number(self) -> int:
        """Say in which loop each value is computed; the number of loops."""
        ops, values = list(self.op.body.block.ops), varying(self.op)
        written = {root(o.target) for o in ops if isinstance(o, loop.StoreOp)}
        carried = self._carried(ops, values)
        # What is carried from point to point is read where it is written: in the second round.
        for _ in range(2):
            for op in ops:
                level = max((self.levels.get(v, 0) for v in op.operands), default=0)
                for result in op.results:
                    if result in carried:
                        level = max(level, self.levels.get(carried[result], 0))
                    rounds = rounded_to(op) is not None and result in values
                    self.levels[result] = level + rounds
                    is_read = isinstance(op, loop.LoadOp)
                    kept = is_read and root(op.source) in written
                    if (is_read or result not in values) and not kept:
                        self.again.add(result)
        return 1 + max(self.levels.values(), default=0)

    @staticmethod
    def _carried(ops: list[Operation], values: set[SSAValue]) -> dict[SSAValue, SSAValue]:
        """What each read of a running result, such as a maximum, is replaced by."""
        stores = {root(o.target): o.value for o in ops if isinstance(o, loop.StoreOp)}
        return {
            op.result: stores[root(op.source)]
            for op in ops
            if isinstance(op, loop.LoadOp) and op.result not in values and root(op.source) in stores
        }

    def open(self, count: int) -> None:
        """Make the loops, empty."""
        lower, upper, _ = self.op.bounds
        for _ in range(count):
            part = loop.ForOp.of(lower, upper, list(self.op.dims), "vector")
            self.parts.append(part)
            self.values.append({self.op.variable: part.variable})
            self.between.append([])

    def local(self, type: ElementType) -> SSAValue:
        """A new array for one value of each point."""
        new = loop.LocalOp.of(type, self.length)
        insert(new, self.op)
        return new.result

    def get(self, value: SSAValue, level: int) -> SSAValue:
        """A value in one of the loops."""
        known = self.values[level]
        owner = value.owner
        if value in known or not isinstance(owner, Operation):
            return known.get(value, value)
        if owner.parent is not self.op.body.block:
            return value
        if value in self.again or (level == self.levels[value] and value not in self.arrays):
            known[value] = self.copy(owner, level).results[0]
            return known[value]
        if value not in self.arrays:
            self.arrays[value] = self.local(scalar_type(value))
            home = self.levels[value]
            self.write(self.get(value, home), self.arrays[value], home)
        load = loop.LoadOp.of(self.arrays[value], ex.dim(0), [self.parts[level].variable])
        self.parts[level].body.block.add_op(load)
        known[value] = load.result
        return load.result

    def copy(self, op: Operation, level: int) -> Operation:
        """The same operation in one of the loops."""
        operands = [self.get(v, level) for v in op.operands]
        new = op.clone()
        for k, operand in enumerate(operands):
            new.operands[k] = operand
        self.parts[level].body.block.add_op(new)
        return new

    def write(self, value: SSAValue, array: SSAValue, level: int) -> None:
        """Keep a value of each point in an array."""
        variable = self.parts[level].variable
        store = loop.StoreOp.of(value, array, ex.dim(0), [variable])
        self.parts[level].body.block.add_op(store)

    def round(self, op: body.ApplyOp, type: ElementType) -> loop.StoreOp | None:
        """Round a strip after the loop that computes it; a store that is done by that."""
        level = self.levels[op.result] - 1
        before, after = own_strip(op.args[0], self.op), own_strip(op.result, self.op)
        # A strip that is narrowed anyway is read back, which rounds it.
        narrow = None if before is None else self._narrowing(before.target, type)
        done = before
        if narrow is None or before is None or before.target.uses.get_length() != 2:
            narrow = None if after is None else self._narrowing(after.target, type)
            done = after
        array = done.target if done is not None else self.local(el.F32)
        self.arrays[op.result] = array
        self.write(self.get(op.args[0], level), array, level)
        upper, dims = self.op.bounds[1], list(self.op.dims)
        if narrow is None:
            self.between[level].append(loop.RoundOp.of(array, type, upper, dims))
            return done
        narrow.detach()
        back = loop.WidenOp.of(narrow.target, array, narrow.index.data, list(narrow.dims))
        self.between[level] += [narrow, back]
        return done

    def _narrowing(self, array: SSAValue, type: ElementType) -> loop.NarrowOp | None:
        """Where a strip goes as what it is rounded to, before anything else is done with it."""
        after = self.op.next_op
        while after is not None and not any(array in o.operands for o in after.walk()):
            after = after.next_op
        if isinstance(after, loop.NarrowOp) and after.wide is array and after.type is type:
            return after
        return None


def cut_at_roundings(op: loop.ForOp, length: int) -> None:
    """Cut a loop from 0 over at most ``length`` points."""
    ops, rounded = list(op.body.block.ops), set(roundings(op))
    if not rounded or not _is_in_order(ops):
        return
    cut = _Cut(op, length)
    cut.open(cut.number())
    done: set[Operation | None] = set()
    for inner in ops:
        type = rounded_to(inner)
        if inner in rounded and isinstance(inner, body.ApplyOp) and type is not None:
            done.add(cut.round(inner, type))
        elif inner.results:
            cut.get(inner.results[0], cut.levels[inner.results[0]])
    # Only now is it known which stores rounding has done.
    for inner in ops:
        if isinstance(inner, loop.StoreOp) and inner not in done:
            cut.copy(inner, max(cut.levels.get(v, 0) for v in inner.operands))
    for part, between in zip(cut.parts, cut.between, strict=True):
        for new in (part, *between):
            insert(new, op)
    op.detach()
    op.erase()

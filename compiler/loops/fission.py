"""Cut loops whose points take several long functions one after the other into a loop for each.

A processor looks ahead over some hundred instructions.  Where functions follow one another, these
are a few points, each waiting for itself.  So a block of points goes through the first function,
then through the second, by way of arrays in the first-level cache::

    for i = 0 to n { y[i] = tanh(exp(x[i])) }
      -->
    for b = 0 to n step 512
      for k = 0 to min(512, n - b) { a[k] = exp(x[b + k]) }
      for k = 0 to min(512, n - b) { y[b + k] = tanh(a[k]) }

Where there are no functions, many simple operations that wait for each other count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.element import ElementType
from opc.target import BLOCK, FUNCTION, SHORT

from .loop_parts import PLAIN, joined, kind_of_blocks, part_of

AT_ONCE = BLOCK + BLOCK // 4
"""Points up to which there is one block: a second one would be of few points."""
KEPT = 4
"""Values that are kept from one loop of simple operations for the next, at most."""


class Chain:
    """The operations of a loop, and which of the loops that it is cut into each goes to."""

    def __init__(self, op: loop.ForOp) -> None:
        self.ops = list(op.body.block.ops)
        self.written = {root(o.target) for o in self.ops if isinstance(o, loop.StoreOp)}
        depths: dict[SSAValue, int] = {}
        """Functions on the way to a value, itself included; if there are none, operations."""
        applied = [o for o in self.ops if isinstance(o, body.ApplyOp)]
        self.has_functions = any(o.is_long for o in applied)
        for o in applied:
            before = max((depths.get(a, 0) for a in o.args), default=0)
            depths[o.result] = before + (o.is_long or not self.has_functions)
        most = max(depths.values(), default=0)
        each = 1 if self.has_functions else -(-most // max(round(most / FUNCTION), 1))
        self.stages: dict[Operation, int] = {}
        for o in self.ops:
            if isinstance(o, body.ApplyOp | loop.StoreOp):
                depth = depths.get(o.result if isinstance(o, body.ApplyOp) else o.value, 0)
                self.stages[o] = max(-(-depth // max(each, 1)), 1)
        self.count = max(self.stages.values(), default=1)
        # What needs no function, or nothing else, goes where it is used first.
        least = 0 if self.has_functions else 1
        for o in reversed(self.ops):
            early = isinstance(o, body.ApplyOp) and depths[o.result] <= least
            if early or (isinstance(o, loop.LoadOp) and not self.repeats(o)):
                users = (use.operation for use in o.results[0].uses)
                self.stages[o] = min((self.stages.get(u, 1) for u in users), default=1)
        if not self.has_functions and self._kept() > KEPT * (self.count - 1):
            self.stages, self.count = dict.fromkeys(self.stages, 1), 1

    def _kept(self) -> int:
        """How many values of one loop a later one would read."""
        ops = [o for o in self.stages if isinstance(o, body.ApplyOp)]
        users = {o: [u.operation for u in o.result.uses] for o in ops}
        later = (o for o in ops if any(self.stages[u] > self.stages[o] for u in users[o]))
        return sum(1 for _ in later)

    def repeats(self, op: Operation) -> bool:
        """Whether an operation costs nothing to do again in another loop."""
        if isinstance(op, loop.LoadOp):
            return root(op.source) not in self.written
        return isinstance(op, body.ConstantOp | body.IndexOp)

    def is_safe(self) -> bool:
        """Whether what is read and written again comes in the same order."""
        read, written = dict[SSAValue, int](), dict[SSAValue, int]()
        """The last stage so far that reads or writes each buffer."""
        for o in self.ops:
            if isinstance(o, loop.StoreOp):
                mine, others, buffer = written, read, root(o.target)
            elif isinstance(o, loop.LoadOp) and not self.repeats(o):
                mine, others, buffer = read, written, root(o.source)
            else:
                continue
            stage = self.stages[o]
            if others.get(buffer, stage) > stage:
                return False
            mine[buffer] = max(mine.get(buffer, stage), stage)
        return True


class Pool:
    """Local arrays ahead of a loop, used again once the last stage that reads them is over."""

    def __init__(self, op: loop.ForOp, length: int) -> None:
        self.op, self.length = op, length
        self.busy: list[tuple[ElementType, int, SSAValue]] = []

    def take(self, type: ElementType, stage: int, last: int) -> SSAValue:
        """An array for values that are computed in one stage and read up to another one."""
        for k, (found, until, array) in enumerate(self.busy):
            if found is type and until < stage:
                self.busy[k] = type, last, array
                return array
        local = loop.LocalOp.of(type, self.length)
        local.location = self.op.location
        assert self.op.parent is not None
        self.op.parent.insert_op_before(local, self.op)
        self.busy.append((type, last, local.result))
        return local.result


def cut(op: loop.ForOp) -> None:
    """Cut a loop, if it is worth it."""
    ops = list(op.body.block.ops)
    if op.kind.data != "vector" or op.bounds[2] != 1:
        return
    if not all(isinstance(o, PLAIN) for o in ops):
        return
    chain = Chain(op)
    span, dims = op.bounds[1] - op.bounds[0], list(op.dims)
    if chain.count == 1 or not chain.is_safe():
        return
    if span.constant is not None and span.constant < SHORT:
        return
    assert op.parent is not None
    most = ex.upper_bound(span, {})
    if most is not None and most.constant is not None and most.constant <= AT_ONCE:
        part = part_of(op, (op.bounds[0], dims), (span, dims))
        op.parent.insert_op_before(part, op)
        _split(part, most.constant)
    else:
        blocks = loop.ForOp.of(*op.bounds[:2], dims, kind_of_blocks(op), BLOCK)
        end, every = joined(op.bounds[1], dims, [blocks.variable])
        count = ex.minimum(end - ex.dim(0), ex.const(BLOCK))
        if span.constant is not None and span.constant % BLOCK == 0:
            count, every = ex.const(BLOCK), []
        part = part_of(op, (ex.dim(0), [blocks.variable]), (count, every))
        blocks.body.block.add_op(part)
        op.parent.insert_op_before(blocks, op)
        _split(part, BLOCK)
        for new in blocks.walk():
            new.location = op.location
    op.detach()
    op.erase()


def _split(op: loop.ForOp, length: int) -> None:
    """One loop for each stage in place of a loop from 0 over at most ``length`` points."""
    chain, pool = Chain(op), Pool(op, length)
    arrays: dict[SSAValue, SSAValue] = {}
    stages: dict[int, list[Operation]] = {}
    for o in chain.ops:
        if o in chain.stages:
            stages.setdefault(chain.stages[o], []).append(o)
    assert op.parent is not None
    for stage in range(1, chain.count + 1):
        new = loop.ForOp.of(*op.bounds[:2], list(op.dims), "vector")
        here, mapping = new.body.block, {op.variable: new.variable}
        for o in stages.get(stage, ()):
            for a in o.operands:
                owner = a.owner
                if a in mapping or not isinstance(owner, Operation) or owner.parent is not o.parent:
                    continue
                again = owner.clone(mapping) if chain.repeats(owner) else None
                again = again or loop.LoadOp.of(arrays[a], ex.dim(0), [new.variable])
                here.add_op(again)
                mapping[a] = again.results[0]
            here.add_op(o.clone(mapping))
            for result in o.results:
                last = max((chain.stages.get(u.operation, stage) for u in result.uses), default=0)
                if last > stage:
                    arrays[result] = pool.take(scalar_type(result), stage, last)
                    here.add_op(
                        loop.StoreOp.of(mapping[result], arrays[result], ex.dim(0), [new.variable])
                    )
        op.parent.insert_op_before(new, op)
        for inner in new.walk():
            inner.location = op.location
    op.detach()
    op.erase()


@dataclass(frozen=True)
class FissionPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "fission"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                for inner in list(function.walk()):
                    if isinstance(inner, loop.ForOp):
                        cut(inner)

"""Split a loop into stages: a loop for each, with arrays for values that later ones need.

::

    for k in 0 to n { y[k] = tanh(exp(x[k])) }
      -->
    for k in 0 to n { a[k] = exp(x[k]) }
    for k in 0 to n { y[k] = tanh(a[k]) }

A load is repeated in a later stage if the loop does not write its buffer.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.element import ElementType

from .loop_parts import insert


class Stages:
    """The operations of a loop, and the stage of each."""

    def __init__(self, op: loop.ForOp) -> None:
        self.ops = list(op.body.block.ops)
        self.variable = op.variable
        self.written = {root(o.target) for o in self.ops if isinstance(o, loop.StoreOp)}
        self.stages: dict[Operation, int] = {}

    @property
    def count(self) -> int:
        """The number of stages."""
        return max(self.stages.values(), default=1)

    def repeats(self, op: Operation) -> bool:
        """Whether an operation may be repeated in another stage at no cost."""
        if isinstance(op, loop.LoadOp):
            return root(op.source) not in self.written
        return isinstance(op, body.ConstantOp | body.IndexOp)

    def is_late(self, op: Operation) -> bool:
        """Whether an operation goes to the stage of its first use: a load that is not repeated."""
        return isinstance(op, loop.LoadOp) and not self.repeats(op)

    def settle(self) -> None:
        """Put late operations into the stage of their first use."""
        for o in reversed(self.ops):
            if self.is_late(o):
                users = (use.operation for use in o.results[0].uses)
                self.stages[o] = min((self.stages.get(u, 1) for u in users), default=1)

    def is_safe(self) -> bool:
        """Whether the stages keep the order of reads and writes of each buffer.

        A value that is carried from point to point is read and written in one stage.
        """
        read, written = dict[SSAValue, int](), dict[SSAValue, int]()
        """The last stage so far that reads or writes each buffer."""
        carried = set[SSAValue]()
        for o in self.ops:
            if isinstance(o, loop.StoreOp):
                mine, others, buffer = written, read, root(o.target)
            elif isinstance(o, loop.LoadOp) and not self.repeats(o):
                mine, others, buffer = read, written, root(o.source)
                if self.variable not in o.dims:
                    carried.add(buffer)
            else:
                continue
            stage = self.stages[o]
            before = others.get(buffer, stage)
            if before > stage or (before < stage and buffer in carried):
                return False
            mine[buffer] = max(mine.get(buffer, stage), stage)
        return True


class Pool:
    """Local arrays before a loop, reused after the last stage that reads them."""

    def __init__(self, op: loop.ForOp, length: int) -> None:
        self.op, self.length = op, length
        self.busy: list[tuple[ElementType, int, SSAValue]] = []

    def take(self, type: ElementType, stage: int, last: int) -> SSAValue:
        """An array for values that are computed in ``stage`` and read up to stage ``last``."""
        for k, (held, until, array) in enumerate(self.busy):
            if held is type and until < stage:
                self.busy[k] = type, last, array
                return array
        local = loop.LocalOp.of(type, self.length)
        insert(local, self.op)
        self.busy.append((type, last, local.result))
        return local.result


def split(
    op: loop.ForOp, length: int, stages: Stages, rounded: Mapping[Operation, ElementType]
) -> None:
    """Replace a loop from 0 over at most ``length`` points by one loop for each stage.

    Values of ``rounded`` operations are rounded in their array, behind the loop of their stage.
    """
    pool, arrays = Pool(op, length), dict[SSAValue, SSAValue]()
    upper, dims = op.bounds[1], list(op.dims)
    members: dict[int, list[Operation]] = {}
    for o in stages.ops:
        if o in stages.stages:
            members.setdefault(stages.stages[o], []).append(o)
    for stage in range(1, stages.count + 1):
        new = loop.ForOp.of(op.bounds[0], upper, dims, "vector")
        here, mapping = new.body.block, {op.variable: new.variable}
        behind: list[Operation] = []
        for o in members.get(stage, ()):
            for a in o.operands:
                owner = a.owner
                if a in mapping or not isinstance(owner, Operation) or owner.parent is not o.parent:
                    continue
                repeated = owner.clone(mapping) if stages.repeats(owner) else None
                repeated = repeated or loop.LoadOp.of(arrays[a], ex.dim(0), [new.variable])
                here.add_op(repeated)
                mapping[a] = repeated.results[0]
            if o not in rounded:
                here.add_op(o.clone(mapping))
            for result in o.results:
                last = max((stages.stages.get(u.operation, stage) for u in result.uses), default=0)
                if last > stage:
                    array = arrays[result] = pool.take(scalar_type(result), stage, last)
                    value = mapping[o.operands[0] if o in rounded else result]
                    here.add_op(loop.StoreOp.of(value, array, ex.dim(0), [new.variable]))
                    if o in rounded:
                        behind.append(loop.RoundOp.rounding(array, rounded[o], upper, dims))
        for part in (new, *behind):
            insert(part, op)
    Rewriter.erase_op(op)

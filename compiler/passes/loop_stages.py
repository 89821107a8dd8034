"""The stages of a loop's round: each waits for what the one before finds."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects import expr as ex

from .loop_parts import array_of
from .loop_places import go_apart
from .prefetching import is_large
from .strip_rounding import root

CHEAP = (body.ConstantOp, body.IndexOp)
"""Done again rather than kept."""


def points_of(op: loop.ForOp) -> int | None:
    """How many points a loop has with those inside of it, if that is known."""
    lower, upper, step = op.bounds
    spans = [(upper_ - lower).constant for upper_ in ex.least_of(upper)]
    known = [span for span in spans if span is not None]
    inside = [points_of(o) for o in op.body.block.ops if isinstance(o, loop.ForOp)]
    if not known or None in inside:
        return None
    rounds = -(-min(known) // step)
    return rounds * max((n for n in inside if n is not None), default=1)


class Stages:
    """The operations of a round, and the stage that each belongs to."""

    def __init__(self, op: loop.ForOp) -> None:
        self.op = op
        self.ops = list(op.body.block.ops)
        self.stages: dict[Operation, int] = {}
        self._place_what_depends_on_loops()
        self._place_the_rest()
        self.count = 1 + max(self.stages.values(), default=0)

    def _needed(self, op: Operation) -> list[Operation]:
        """Operations of the round whose results an operation uses, or one inside of it."""
        owners = (v.owner for o in op.walk() for v in o.operands)
        return [
            owner
            for owner in owners
            if isinstance(owner, Operation) and owner.parent is self.op.body.block
        ]

    def _place_what_depends_on_loops(self) -> None:
        """Loops in order, each in a new stage if it waits for a value; scalars early."""
        now, loops = 0, set[int]()
        last: dict[SSAValue, int] = {}
        """The last stage that touches a buffer."""
        computed: dict[SSAValue, int] = {}
        """The stage before the one that may read a buffer."""
        for op in self.ops:
            before = [self.stages[o] for o in self._needed(op) if o in self.stages]
            touched = _buffers(op)
            after = [last[b] for b in touched if b in last]
            after += [computed[b] + 1 for b in touched if b in computed]
            if isinstance(op, loop.ForOp):
                now = max(now, *(s + 1 for s in before), *after, 0)
                self.stages[op] = now
                loops.add(now)
                if go_apart(op.body.block.ops, points_of(op)):
                    own = (b for b in touched if isinstance(b.owner, loop.LocalOp))
                    computed |= dict.fromkeys(own, now)
            elif before or after:
                stage = max(before + after)
                if isinstance(op, body.ApplyOp) and op.is_long and stage in loops:
                    stage += 1
                self.stages[op] = stage
            else:
                continue
            last |= dict.fromkeys(touched, self.stages[op])

    def _place_the_rest(self) -> None:
        """What waits for nothing goes where it is needed first."""
        first: dict[SSAValue, int] = {}
        for op in reversed(self.ops):
            if op not in self.stages:
                uses = {self._round(u.operation) for r in op.results for u in r.uses}
                needed = [self.stages[user] for user in uses]
                needed += [first[b] for b in _buffers(op) if b in first]
                self.stages[op] = min(needed, default=0)
            for b in _buffers(op):
                first[b] = min(first.get(b, self.stages[op]), self.stages[op])

    @property
    def second(self) -> int | None:
        """The first stage after the first one that has a loop."""
        later = (s for o, s in self.stages.items() if isinstance(o, loop.ForOp) and s > 0)
        return min(later, default=None)

    def ahead(self, rows: int) -> list[loop.PrefetchOp]:
        """Ask for what the first stage reads of the row ``rows`` further on, and the last writes.

        These stages do little else: nothing would go on while they wait for memory.
        """
        found = self._asked(0, rows)
        if self.count > 2:
            found |= self._asked(self.count - 1, 0)
        return list(found.values())

    def _asked(self, stage: int, rows: int) -> dict[SSAValue, loop.PrefetchOp]:
        """For each buffer that a stage reads, or for a later one writes, what asks for its row."""
        loops = [o for o, s in self.stages.items() if s == stage and isinstance(o, loop.ForOp)]
        found: dict[SSAValue, loop.PrefetchOp] = {}
        for op, points in ((op, points_of(o)) for o in loops for op in o.walk()):
            if not isinstance(op, loop.StoreOp if stage else loop.LoadOp) or points is None:
                continue
            buffer = array_of(op)
            dims = [v for v in op.dims if v is self.op.variable or not self._is_inside(v.owner)]
            if self.op.variable not in dims or buffer in found or not is_large(buffer):
                continue
            at = {
                ex.Atom("dim", (k,)): ex.dim(dims.index(v)) if v in dims else ex.const(0)
                for k, v in enumerate(op.dims)
            }
            start = op.index.data[0].substitute(at, {})
            step = start.coefficient(dims.index(self.op.variable))
            if step is not None and step.constant is not None and abs(step.constant) >= points:
                index = start + step * rows, ex.const(points)
                found[buffer] = loop.PrefetchOp.of(buffer, index, dims, write=stage > 0)
        return found

    def _is_inside(self, owner: Operation | Block) -> bool:
        return self.op.body.block.is_ancestor(owner)

    def _round(self, op: Operation) -> Operation:
        """The operation of the round that an operation is, or is inside of."""
        while op.parent is not self.op.body.block:
            parent = op.parent_op()
            assert parent is not None
            op = parent
        return op

    def crossing(self) -> list[loop.LocalOp]:
        """Local arrays and variables that several stages touch."""
        return [
            op
            for op in self.ops
            if isinstance(op, loop.LocalOp)
            and len({self.stages[self._round(u.operation)] for u in op.result.uses}) > 1
        ]

    def kept(self) -> list[SSAValue]:
        """Scalars that later stages use."""
        return [
            result
            for op in self.ops
            if not isinstance(op, (*CHEAP, loop.LocalOp))
            for result in op.results
            if any(self.stages[self._round(u.operation)] > self.stages[op] for u in result.uses)
        ]


def _buffers(op: Operation) -> set[SSAValue]:
    """The buffers that an operation reads or writes."""
    if isinstance(op, loop.PrefetchOp):
        return set()
    found = (v for o in op.walk() for v in o.operands if not isinstance(o, loop.PrefetchOp))
    return {root(v) for v in found if isinstance(v.type, MemRefType)}

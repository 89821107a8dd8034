"""Distribute a loop over short rows: a few rows go through the first sweep, then through the next.

What a sweep finds, the next one waits for: the greatest value of a row, its sum.  A processor looks
ahead over some hundred instructions; where rows are short, that is not even one row.  So a block of
rows goes through every stage together::

    for i = 0 to n { m = max of row i;  for j { y[i, j] = x[i, j] - m } }
      -->
    for b = 0 to n step 8
      for r = 0 to min(8, n - b) { m[r] = max of row b + r }
      for r = 0 to min(8, n - b) { for j { y[b + r, j] = x[b + r, j] - m[r] } }

A long function of what was found is a stage of its own, for C compilers to make vectors of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in
from opc.dialects.shape import IndexAttr, shape_of

from .loop_parts import PLAIN, Indexed, array_of, joined, put, replace
from .loop_stages import CHEAP, Stages, points_of

POINTS = 1024
"""Points of a block."""
MOST = 16
"""Rows of a block, at most."""
LONGEST = 1024
"""Bytes of a row up to which it is worth it: of longer ones, processors see enough."""
KEPT = 1 << 14
"""Bytes of what is kept for a block, at most."""
FEWEST = 32
"""Rows for which it is worth it."""
BLOCKS = 4
"""Blocks that are wanted at least, for threads to share."""


def _rows(op: loop.ForOp, stages: Stages) -> int:
    """How many rows go together; 1 if that brings nothing or cannot be done."""
    points = [points_of(o) for o in stages.ops if isinstance(o, loop.ForOp)]
    known = [n for n in points if n is not None]
    rounds = (op.bounds[1] - op.bounds[0]).constant
    if stages.count == 1 or len(known) < len(points):
        return 1
    if rounds is not None and rounds < FEWEST:
        return 1
    read = (array_of(o) for o in op.walk() if isinstance(o, loop.LoadOp | loop.AccumulateOp))
    outer = (element_in(v).bytes for v in read if not isinstance(v.owner, loop.LocalOp))
    if not 0 < max(known) * max(outer, default=1) <= LONGEST:
        return 1
    for o in stages.ops:
        if any(isinstance(r.type, MemRefType) for r in o.results) != isinstance(o, loop.LocalOp):
            return 1
    crossing = stages.crossing()
    for array in crossing:
        for use in array.result.uses:
            user = use.operation
            if not isinstance(user, Indexed) or array_of(user) is not array.result:
                return 1
    rows = min(MOST, POINTS // max(known))
    rows = 1 << rows.bit_length() - 1
    kept = sum(_length(local) * element_in(local.result).bytes for local in crossing)
    while rows > 1 and ((rounds is not None and rows * BLOCKS > rounds) or rows * kept > KEPT):
        rows //= 2
    return rows


class Distribution:
    """Writes the stages of a loop as loops over blocks of ``rows`` rounds."""

    def __init__(self, op: loop.ForOp, stages: Stages, rows: int) -> None:
        self.op, self.stages, self.rows = op, stages, rows
        lower, upper, _ = op.bounds
        self.ahead = stages.ahead(rows) if stages.second is not None else []
        self.block = loop.ForOp.of(lower, upper, list(op.dims), op.kind.data, rows)
        self.arrays: dict[SSAValue, SSAValue] = {}
        """Arrays with a part for each row, by what that part stands for."""
        for local in stages.crossing():
            type = MemRefType(local.result.type.element_type, [rows * _length(local)])
            self._declare(local.result, loop.LocalOp(result_types=[type]))
        for value in stages.kept():
            self._declare(value, loop.LocalOp.of(scalar_type(value), rows))

    def _declare(self, what: SSAValue, local: loop.LocalOp) -> None:
        self.block.body.block.add_op(local)
        self.arrays[what] = local.result

    def write(self) -> None:
        """Put the new loops in place of the old one."""
        for stage in range(self.stages.count):
            self._stage(stage)
        put(self.block, self.op)

    def _stage(self, stage: int) -> None:
        ops = [o for o in self.stages.ops if self.stages.stages[o] == stage]
        start = self.block.variable
        end, dims = joined(self.op.bounds[1], list(self.op.dims), [start])
        count = ex.minimum(end - ex.dim(0), ex.const(self.rows))
        plain = all(isinstance(o, PLAIN) for o in ops)
        new = loop.ForOp.of(ex.const(0), count, dims, "vector" if plain else "serial")
        self.block.body.block.add_op(new)
        if stage == self.stages.second:
            new.body.block.add_ops(self.ahead)
        mapping: dict[SSAValue, SSAValue] = {}
        for o in ops:
            if isinstance(o, loop.LocalOp) and o.result in self.arrays:
                continue
            for inner in o.walk():
                for v in inner.operands:
                    self._bring(v, new, mapping)
            clone = o.clone(mapping)
            new.body.block.add_op(clone)
            for old, inner in zip(o.walk(), clone.walk(), strict=True):
                if isinstance(old, Indexed) and array_of(old) in self.arrays:
                    self._move(inner, self.arrays[array_of(old)], array_of(old), new)
            for result in o.results:
                if result in self.arrays:
                    store = loop.StoreOp.of(
                        mapping[result], self.arrays[result], ex.dim(0), [new.variable]
                    )
                    new.body.block.add_op(store)
        asked = {op.source for op in self.ahead}
        for inner in list(new.body.walk()):
            if isinstance(inner, loop.PrefetchOp) and stage == 0 and inner.source in asked:
                inner.detach()
                inner.erase()
                continue
            replace(inner, self.op.variable, (ex.dim(0) + ex.dim(1), [start, new.variable]))

    def _bring(self, value: SSAValue, new: loop.ForOp, mapping: dict[SSAValue, SSAValue]) -> None:
        """Make a value of an earlier stage known in this one."""
        owner = value.owner
        if value in mapping or not isinstance(owner, Operation):
            return
        if owner.parent is not self.op.body.block:
            return
        if isinstance(owner, CHEAP):
            again = owner.clone(mapping)
        elif isinstance(owner, loop.LocalOp):
            return
        else:
            again = loop.LoadOp.of(self.arrays[value], ex.dim(0), [new.variable])
        new.body.block.add_op(again)
        mapping[value] = again.results[0]

    def _move(self, access: Operation, array: SSAValue, local: SSAValue, new: loop.ForOp) -> None:
        """Let an access go to the part of an array that belongs to the row."""
        assert isinstance(access, Indexed) and isinstance(local.owner, loop.LocalOp)
        row = ex.dim(0) * _length(local.owner)
        part, dims = joined(row, [new.variable], list(access.dims))
        old, *others = access.index.data
        access.properties["index"] = IndexAttr((old + part, *others))
        count = len(access.operands) - len(access.dims)
        operands = [array if v is local else v for v in list(access.operands)[:count]]
        access.operands = [*operands, *dims]


def _length(local: loop.LocalOp) -> int:
    return ex.product(shape_of(local.result.type)).constant or 1


@dataclass(frozen=True)
class DistributeLoopsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "distribute-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                for inner in reversed(list(function.walk())):
                    if isinstance(inner, loop.ForOp):
                        distribute(inner)


def distribute(op: loop.ForOp) -> None:
    """Distribute a loop, if it is worth it."""
    if op.kind.data != "parallel" or op.bounds[2] != 1:
        return
    stages = Stages(op)
    rows = _rows(op, stages)
    if rows > 1:
        Distribution(op, stages, rows).write()

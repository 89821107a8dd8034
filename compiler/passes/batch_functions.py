"""Compute functions for several rounds of a narrow loop at once.

A loop over 7 points does not fill vector registers, and what is left of one over 31 not either:
there C compilers compute an exponential one by one, which takes ten times as long.  So rounds of
the loop around go together; what functions take, and what they give, lies in arrays::

    for i = 0 to 100000 { for j = 0 to 7 { y[i*7 + j] = exp(x[i*7 + j] * s[i]) } }
      -->
    for b = 0 to 100000 step 48
      for i = b to min(b + 48, 100000) { for j = 0 to 7 { a[(i - b)*7 + j] = x[i*7 + j] * s[i] } }
      for k = 0 to (min(b + 48, 100000) - b)*7 { y[b*7 + k] = exp(a[k]) }

What depends on nothing but memory in this order goes with the functions, as the store here.  What
is the same in every round, as a row that is broadcast, is computed once for a block, before all of
them; if nothing else needs arrays, simple operations go together like functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type

from .loop_parts import At, joined
from .narrow_loops import FLAT, POINTS, Access, Narrow

LINE = 64
"""Bytes of the widest vector register."""
MOST = 1024
"""Points up to which rounds are not cut."""
LARGE = 4096
"""Points that are never needed to fill vectors."""
MANY = 8
"""Blocks from which on it is worth it to compute before what repeats itself."""


class Batch:
    """Writes the loops for a narrow one."""

    def __init__(self, narrow: Narrow) -> None:
        self.narrow = narrow
        self.arrays: dict[SSAValue, SSAValue] = {}
        self.taken = narrow.taken()
        self.outside = Block()
        self.dims: list[SSAValue] = list(narrow.around.dims)
        self.begin, self.end, _ = narrow.around.bounds
        self.kind: str = narrow.around.kind.data
        self.block = self.outside
        spans = [(end - self.begin).constant for end in ex.least_of(self.end)]
        most = min((n for n in spans if n is not None), default=None)
        widest = max(scalar_type(r).bytes for op in narrow.together for r in op.results)
        # All points together fill vectors, unless they are so many that it does not matter.
        vector = LINE // max(widest, 4)
        vector //= math.gcd(vector, narrow.points)
        vector = 1 if vector * narrow.points > LARGE else vector
        wanted = FLAT if narrow.every else POINTS
        self.rounds = -(-wanted // (vector * narrow.points)) * vector
        if most is not None and (most <= self.rounds or most * narrow.points <= MOST):
            self.rounds = most
        else:
            if most is None or most >= MANY * self.rounds:
                self._fix()
            self._cut()

    def _fix(self) -> None:
        """Compute what repeats itself in every round once, before all rounds."""
        fixed = [v for v in self.taken if self.narrow.repeats(v)]
        if fixed:
            self._declare(fixed)
            span = self.begin, self.end, self.dims, self.kind
            self.begin, self.end, self.dims = ex.const(0), ex.const(self.rounds), []
            self.kind = "serial"
            self._round(self.narrow.needed(fixed), fixed, ())
            self.begin, self.end, self.dims, self.kind = span
            self.taken = [v for v in self.taken if v not in fixed]

    def _declare(self, values: Iterable[SSAValue]) -> None:
        """Arrays with a place for each point."""
        for value in values:
            points = max(self.rounds * self.narrow.points, 1)
            local = loop.LocalOp.of(scalar_type(value), points)
            self.block.add_op(local)
            self.arrays[value] = local.result

    def _cut(self) -> None:
        """Take so many rounds at a time."""
        op = loop.ForOp.of(self.begin, self.end, self.dims, self.kind, self.rounds)
        span = (self.end - self.begin).constant
        begin, (end, dims) = ex.dim(0), joined(self.end, self.dims, [op.variable])
        is_whole = span is not None and span % self.rounds == 0
        self.end = begin + self.rounds if is_whole else ex.minimum(begin + self.rounds, end)
        self.begin, self.dims, self.kind = begin, dims, "serial"
        self.outside.add_op(op)
        self.block = op.body.block

    def write(self) -> loop.ForOp | None:
        """Put the loops in place of the old ones; the narrow one of them that is left, if any."""
        narrow, around = self.narrow, self.narrow.around
        taken, given = self.taken, narrow.given()
        self._declare((*taken, *given))
        if taken:
            self._round(narrow.needed(taken), taken, ())
        self._functions()
        apart = {*narrow.together, *narrow.stores()}
        rest = {op for block in narrow.blocks for op in block.ops if op not in apart}
        left = None
        if any(isinstance(op, loop.StoreOp) for o in rest - {*narrow.path} for op in o.walk()):
            left = self._round(rest, (), given)
        assert around.parent is not None
        for op in list(self.outside.ops):
            op.detach()
            for inner in op.walk():
                inner.location = around.location
            around.parent.insert_op_before(op, around)
        around.detach()
        around.erase()
        return left

    def _round(
        self, wanted: set[Operation], kept: Iterable[SSAValue], read: Sequence[SSAValue]
    ) -> loop.ForOp:
        """The loops as they were, with some of their operations; some values are kept, or read."""
        narrow = self.narrow
        begin, dims = joined(self.begin, self.dims, [])
        end, dims = joined(self.end, self.dims, dims)
        new = loop.ForOp.of(begin, end, dims, self.kind)
        self.block.add_op(new)
        mapping: dict[SSAValue, SSAValue] = {narrow.around.variable: new.variable}
        for old, following in zip([narrow.around, *narrow.path], [*narrow.path, None], strict=True):
            deeper = new
            if following is not None:
                deeper = loop.ForOp.of(*following.bounds[:2], [], following.kind.data)
                mapping[following.variable] = deeper.variable
            for op in old.body.block.ops:
                if op is following:
                    new.body.block.add_op(deeper)
                elif op.results and op.results[0] in read:
                    load = loop.LoadOp.of(self.arrays[op.results[0]], *self._place(mapping))
                    new.body.block.add_op(load)
                    mapping[op.results[0]] = load.result
                elif op in wanted:
                    new.body.block.add_op(op.clone(mapping))
            new = deeper
        for value in kept:
            store = loop.StoreOp.of(mapping[value], self.arrays[value], *self._place(mapping))
            new.body.block.add_op(store)
        return new

    def _place(self, mapping: Mapping[SSAValue, SSAValue]) -> At:
        """Where in arrays a point lies."""
        steps = self.narrow.steps()
        begin, dims = joined(self.begin, self.dims, [mapping[v] for v, _ in steps])
        place = sum((ex.dim(k) * step for k, (_, step) in enumerate(steps)), ex.const(0))
        return place - begin * self.narrow.points, dims

    def _functions(self) -> None:
        """One loop over the points of all rounds."""
        narrow, stores = self.narrow, self.narrow.stores()
        count, dims = joined((self.end - self.begin) * narrow.points, self.dims, [])
        flat = loop.ForOp.of(ex.const(0), count, dims, "vector")
        here, mapping = flat.body.block, dict[SSAValue, SSAValue]()
        for op in narrow.ops:
            if op not in narrow.together and op not in stores:
                continue
            for a in op.operands:
                if a in mapping or not narrow.is_inside(a):
                    continue
                new = self._operand(a, flat.variable)
                here.add_op(new)
                mapping[a] = new.results[0]
            if isinstance(op, loop.StoreOp):
                at = self._flat(op, flat.variable)
                here.add_op(loop.StoreOp.of(mapping[op.value], op.target, *at))
                continue
            here.add_op(op.clone(mapping))
            for value in (r for r in op.results if r in self.arrays):
                here.add_op(
                    loop.StoreOp.of(mapping[value], self.arrays[value], ex.dim(0), [flat.variable])
                )
        self.block.add_op(flat)

    def _operand(self, value: SSAValue, point: SSAValue) -> Operation:
        """What a function takes, as an operation of the loop over points."""
        op = value.owner
        if isinstance(op, body.ConstantOp):
            return op.clone()
        if value in self.arrays:
            return loop.LoadOp.of(self.arrays[value], ex.dim(0), [point])
        assert isinstance(op, loop.LoadOp)
        return loop.LoadOp.of(op.source, *self._flat(op, point))

    def _flat(self, access: Access, point: SSAValue) -> At:
        """Where an access goes that is in order, point after point from the first round, or always
        to the same place.
        """
        inner = [op.variable for op in self.narrow.path]
        variable = self.narrow.around.variable
        dims = [v for v in access.dims if v is not variable and v not in inner]
        begin, every = joined(self.begin, self.dims, [point, *dims])
        at = {
            ex.Atom("dim", (k,)): ex.const(0)
            if v in inner
            else begin
            if v is variable
            else ex.dim(every.index(v))
            for k, v in enumerate(access.dims)
        }
        index = access.index.data[0].substitute(at, {})
        return index if self.narrow.is_uniform(access) else index + ex.dim(0), every


def batch(function: FuncOp) -> None:
    """Rewrite a function."""
    pending = [op for op in function.walk() if isinstance(op, loop.ForOp)]
    while pending:
        narrow = Narrow.of(pending.pop())
        left = None if narrow is None else Batch(narrow).write()
        if left is not None:
            pending.append(left)


@dataclass(frozen=True)
class BatchFunctionsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "batch-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                batch(function)

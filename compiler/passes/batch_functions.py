"""Compute functions for several rounds of a narrow loop at once.

A loop over 7 points does not fill vector registers, and what is left of one over 31 not either:
there C compilers compute an exponential one by one, which takes twenty times as long.  So rounds of
the loop around go together; what functions take, and what they give, lies in arrays::

    for i = 0 to 100000 { for j = 0 to 7 { y[i*7 + j] = exp(x[i*7 + j] * s[i]) } }
      -->
    for b = 0 to 100000 step 48
      for i = b to min(b + 48, 100000) { for j = 0 to 7 { a[(i - b)*7 + j] = x[i*7 + j] * s[i] } }
      for k = 0 to (min(b + 48, 100000) - b)*7 { y[b*7 + k] = exp(a[k]) }

What depends on nothing but memory in this order goes with the functions, as the store here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.scalar import SCALARS
from opc.dialects.strip import NARROW

from .loop_parts import At, joined
from .strip_rounding import root

VECTOR = 16
"""Points that fill a vector register, as far as it matters."""
WIDEST = 512
"""Points of a loop from which on what is left over does not matter to a long function."""
WIDE = 64
"""The same for a short one."""
LINE = 64
"""Bytes of the widest vector register."""
POINTS = 256
"""Points that go together, at least."""
BRANCHES = ("max", "min", "order", "rank")
"""Functions of floats that look for NaN and for zeros."""
PURE = (body.ApplyOp, body.ConstantOp, body.IndexOp, loop.LoadOp)

Access = loop.LoadOp | loop.StoreOp


def _is_narrow(points: int) -> bool:
    """Whether a loop leaves vector registers half empty, or points over."""
    rest = points % VECTOR
    return points > 1 and rest != 0 and (points < VECTOR or rest != VECTOR // 2)


def _widest(op: Operation) -> int:
    """Up to how many points of a loop it costs far more one by one than in vectors; 0 if never."""
    if not isinstance(op, body.ApplyOp):
        return 0
    name, type = op.function.data, scalar_type(op.args[0])
    if SCALARS[name].cost > 1:
        return WIDEST
    if name in BRANCHES and type.is_float:
        return WIDE
    return VECTOR - 1 if name == "cast" and type in NARROW else 0


def _is_across(op: loop.ForOp) -> bool:
    """Whether a loop goes across memory, and the one around it along: that one C compilers make
    vectors of.
    """
    outer = op.parent_op()
    assert isinstance(outer, loop.ForOp)
    if (_points(outer) or VECTOR) < VECTOR:
        return False
    loads = [o for o in op.body.block.ops if isinstance(o, loop.LoadOp)]
    along, across = ({_step(o, v) for o in loads} for v in (op.variable, outer.variable))
    return 1 in across and 1 not in along


def _step(access: Access, variable: SSAValue) -> int | None:
    """By how much an access moves on with a variable, if that is a constant."""
    dims = list(access.dims)
    if variable not in dims:
        return 0
    step = access.index.data[0].coefficient(dims.index(variable))
    return None if step is None else step.constant


def _points(op: loop.ForOp) -> int | None:
    """How often a loop from 0 runs, if that is known."""
    lower, upper, step = op.bounds
    return upper.constant if lower == 0 and step == 1 else None


def _roots(ops: Iterable[Operation], apart: type[Operation]) -> set[SSAValue]:
    """The buffers that operations use, but for those of one kind."""
    others = (op for op in ops if not isinstance(op, apart | loop.PrefetchOp))
    return {root(v) for op in others for v in op.operands if isinstance(v.type, MemRefType)}


class Narrow:
    """A narrow loop, what is around it, and which of its operations go together.

    ``path`` leads from a loop whose rounds go together, which is ``around`` it all, to the narrow
    one, by way of short ones.
    """

    def __init__(self, around: loop.ForOp, path: Sequence[loop.ForOp], points: int) -> None:
        self.around = around
        self.path = list(path)
        self.inner = self.path[-1]
        self.points = points
        every = list(around.body.block.walk())
        self.written = _roots(every, loop.LoadOp)
        self.loaded = _roots(every, loop.StoreOp)
        self.blocks = [around.body.block, *(op.body.block for op in path)]
        self.together = self._together()
        """Functions, and what goes with them."""

    @staticmethod
    def of(inner: loop.ForOp) -> Narrow | None:
        """A loop, if it is narrow and computes functions, and nothing stands in the way."""
        points, path = _points(inner), [inner]
        ops = list(inner.body.block.ops)
        if points is None or not _is_narrow(points) or points > max(map(_widest, ops), default=0):
            return None
        if not all(isinstance(op, (*PURE, loop.StoreOp)) for op in ops):
            return None
        around = inner.parent_op()
        while isinstance(around, loop.ForOp) and points < POINTS:
            rounds, outer = _points(around), around.parent_op()
            if rounds is None or rounds * points > POINTS or not isinstance(outer, loop.ForOp):
                break
            points *= rounds
            path.insert(0, around)
            around = outer
        if not isinstance(around, loop.ForOp) or around.bounds[2] != 1 or _is_across(inner):
            return None
        found = Narrow(around, path, points)
        return found if found.together else None

    @property
    def ops(self) -> list[Operation]:
        """What a point does."""
        return list(self.inner.body.block.ops)

    def steps(self) -> list[tuple[SSAValue, int]]:
        """Every loop variable, and how many points one step of it takes."""
        found, step = list[tuple[SSAValue, int]](), 1
        for op in (*self.path[::-1], self.around):
            found.append((op.variable, step))
            step *= _points(op) or 1
        return found

    def is_in_order(self, access: Access) -> bool:
        """Whether an access goes through memory in order, point after point, round after round."""
        return all(_step(access, variable) == step for variable, step in self.steps())

    def is_inside(self, value: SSAValue) -> bool:
        """Whether a value is computed in one of the loops."""
        return isinstance(value.owner, Operation) and value.owner.parent in self.blocks

    def is_read(self, value: SSAValue) -> bool:
        """Whether a value of a point is read in order from memory that is not written here."""
        op = value.owner
        return (
            isinstance(op, loop.LoadOp)
            and op.parent is self.inner.body.block
            and self.is_in_order(op)
            and root(op.source) not in self.written
        )

    def needed(self, values: Iterable[SSAValue]) -> set[Operation]:
        """Operations of the loops that some values need."""
        found, pending = set[Operation](), list(values)
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Operation) and self.is_inside(value) and op not in found:
                found.add(op)
                pending += op.operands
        return found

    def _is_early(self, value: SSAValue) -> bool:
        """Whether a value can be computed for several rounds before anything is written."""
        return all(
            isinstance(op, PURE)
            and not (isinstance(op, loop.LoadOp) and root(op.source) in self.written)
            for op in self.needed([value])
        )

    def _together(self) -> set[Operation]:
        """Functions whose operands need no other function, and what comes before or after them."""
        found, ordered = set[Operation](), set[SSAValue]()
        for op in self.ops:
            if not isinstance(op, body.ApplyOp):
                ordered |= {r for r in op.results if self.is_read(r)}
                continue
            fixed = (body.ConstantOp,)
            known = [
                a in ordered or not self.is_inside(a) or isinstance(a.owner, fixed) for a in op.args
            ]
            after = any(a.owner in found for a in op.args)
            if _widest(op):
                others = [a for a, is_known in zip(op.args, known, strict=True) if not is_known]
                if not all(self._is_early(a) and not self.needed([a]) & found for a in others):
                    continue
            elif not all(known):
                continue
            ordered.add(op.result)
            if _widest(op) or after:
                found.add(op)
        for op in reversed(self.ops):
            users = {use.operation for r in op.results for use in r.uses}
            if isinstance(op, body.ApplyOp) and op.result in ordered and users & found:
                found.add(op)
        return found

    def taken(self) -> list[SSAValue]:
        """What functions take that must lie in arrays before."""
        operands = (a for op in self.ops if op in self.together for a in op.operands)
        return [
            a
            for a in dict.fromkeys(operands)
            if self.is_inside(a)
            and a.owner not in self.together
            and not isinstance(a.owner, body.ConstantOp)
            and not self.is_read(a)
        ]

    def stores(self) -> list[loop.StoreOp]:
        """Stores that go together with the functions whose results they store."""
        targets = [root(op.target) for op in self.around.walk() if isinstance(op, loop.StoreOp)]
        return [
            op
            for op in self.ops
            if isinstance(op, loop.StoreOp)
            and op.value.owner in self.together
            and self.is_in_order(op)
            and root(op.target) not in self.loaded
            and targets.count(root(op.target)) == 1
        ]

    def given(self) -> list[SSAValue]:
        """Results that are used apart from functions, by way of arrays."""
        apart = {*self.together, *self.stores()}
        return [
            op.results[0]
            for op in self.ops
            if op in self.together and any(u.operation not in apart for u in op.results[0].uses)
        ]


class Batch:
    """Writes the loops for a narrow one."""

    def __init__(self, narrow: Narrow) -> None:
        self.narrow = narrow
        self.arrays: dict[SSAValue, SSAValue] = {}
        self.outside, self.dims = Block(), list(narrow.around.dims)
        self.begin, self.end, _ = narrow.around.bounds
        self.kind = narrow.around.kind.data
        self.block = self.outside
        spans = [(end - self.begin).constant for end in ex.least_of(self.end)]
        most = min((n for n in spans if n is not None), default=None)
        widest = max(scalar_type(r).bytes for op in narrow.together for r in op.results)
        # All points together fill vectors.
        vector = LINE // max(widest, 4)
        self.rounds = -(-POINTS // (vector * narrow.points)) * vector
        if most is not None and most <= self.rounds:
            self.rounds = most
        else:
            self._cut()

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
        taken, given = narrow.taken(), narrow.given()
        for value in (*taken, *given):
            local = loop.LocalOp.of(scalar_type(value), max(self.rounds * narrow.points, 1))
            self.block.add_op(local)
            self.arrays[value] = local.result
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
            new = op.clone(mapping)
            if isinstance(op, loop.StoreOp):
                new = loop.StoreOp.of(mapping[op.value], op.target, *self._flat(op, flat.variable))
            here.add_op(new)
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
        """Where an access that is in order goes, point after point from the first round."""
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
        return access.index.data[0].substitute(at, {}) + ex.dim(0), every


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

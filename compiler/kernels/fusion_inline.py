"""Which kernels dissolve into their users, and what is read once they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.budgets import INLINED
from opc.dialects.element import element_of
from opc.dialects.indirect import is_indirect
from opc.dialects.layout import before_reshape
from opc.dialects.opc import movement
from opc.dialects.scalar import REDUCTIONS, SCALARS
from opc.dialects.shape import Shape, shape_of, tensor_of
from opc.support.target import CHEAP

Access: TypeAlias = "tuple[SSAValue, Shape]"

DIVISIONS = 1
"""Most reshapes, one behind the other, whose indices need a division."""


def simple(op: Operation | Block) -> tuple[bool, kernel.SweepOp | None]:
    """Whether a nest is as form-kernels makes it, and its sweep if it has one."""
    if not isinstance(op, kernel.NestOp) or len(op.outputs) != 1 or op.into:
        return False, None
    if is_indirect(op):
        return False, None
    sweeps = [o for o in op.body.block.ops if isinstance(o, kernel.SweepOp)]
    if len(sweeps) > 1 or any(
        isinstance(o, kernel.SweepOp) for s in sweeps for o in s.body.walk() if o is not s
    ):
        return False, None
    if sweeps and (len(sweeps[0].kinds) != 1 or sweeps[0].kinds.data[0].data == kernel.KEEP):
        return False, None
    return True, sweeps[0] if sweeps else None


def is_contraction(op: Operation | Block) -> bool:
    """Whether a nest as form-kernels makes it adds products in a chain.

    It reads each element of an operand once, to lay it out for all that need it.
    """
    sweep = simple(op)[1]
    return sweep is not None and REDUCTIONS[sweep.kinds.data[0].data].is_chain


def computing_ops(nest: kernel.NestOp) -> Iterator[Operation]:
    """The operations of a simple nest's body, the sweep's before those after it."""
    for op in nest.body.block.ops:
        if isinstance(op, kernel.SweepOp):
            yield from op.body.block.ops
        yield op


def loads(nest: kernel.NestOp) -> Iterator[kernel.LoadOp]:
    """Every load of a nest."""
    return (op for op in computing_ops(nest) if isinstance(op, kernel.LoadOp))


def cost_of(nest: kernel.NestOp) -> int:
    """What one point costs, about one for each simple operation."""
    return sum(
        SCALARS[op.function.data].cost
        * (2 if (t := element_of(op.result.type)) and t.bits == 64 else 1)
        for op in computing_ops(nest)
        if isinstance(op, body.ApplyOp)
    )


def through_reshape(source: SSAValue, index: Shape, ranges: ex.Ranges) -> Access:
    """The element before a reshape, for an element after it."""
    op = source.owner
    assert isinstance(op, movement.ReshapeOp)
    before = shape_of(tensor_of(op.operands[0]))
    return op.operands[0], before_reshape(index, shape_of(tensor_of(source)), before, ranges)


def _divisors(index: Shape) -> list[ex.Expr]:
    """What is divided by to compute an index."""
    atoms = (atom for e in index for factors, _ in e.terms for atom in factors)
    return [ex.Expr.of(atom.args[1]) for atom in atoms if atom.kind in ("floordiv", "mod")]


def is_plain(index: Shape) -> bool:
    """Whether an index can be computed without a division."""
    return not _divisors(index)


class Inlining:
    """Which kernels dissolve into their users, and what is read once they have."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.inlined: set[SSAValue] = set()
        self._cost: dict[SSAValue, int] = {}
        self._depth: dict[SSAValue, int] = {}
        self._divisions: dict[SSAValue, int] = {}
        self._memory: dict[Operation, frozenset[SSAValue]] = {}
        # A concatenation of a thousand parts is a long kernel that a thousand others ask for.
        self._simple = {op: simple(op) for op in ops}
        for op in ops:
            ok, sweep = self._simple[op]
            if isinstance(op, kernel.NestOp) and ok:
                divisions = self._untangle(op)
                if sweep is None:
                    self._divisions[op.outputs[0]] = divisions
                    self._decide(op)

    def _untangle(self, nest: kernel.NestOp) -> int:
        """How many divided indices are nested in what a kernel reads, at most DIVISIONS.

        Each reshape that splits an index other than by the shape doubles it, so a source that is
        behind one already stays in memory.  So does one that is computed, where the index would be
        divided by what only a run knows: memory needs no division.
        """
        most = 0
        for load in loads(nest):
            behind = self.resolve(load.source)
            if behind not in self.inlined:
                continue
            index, source, divided, is_slow = load.index.data, load.source, 0, False
            ranges = dict(enumerate(kernel.scope(load)))
            while isinstance(source.owner, movement.ReshapeOp):
                source, index = through_reshape(source, index, ranges)
                divisors = _divisors(index)
                divided = int(bool(divisors))
                is_slow = any(e.constant is None for e in divisors)
            divided += self._divisions[behind]
            if divided > DIVISIONS or (is_slow and self._cost[behind] > 0):
                self.inlined.discard(behind)
                self._memory.clear()
            else:
                most = max(most, divided)
        return most

    def _decide(self, nest: kernel.NestOp) -> None:
        value = nest.outputs[0]
        sources = {self.resolve(load.source) for load in loads(nest)} & self.inlined
        cost = cost_of(nest) + sum(self._cost[s] for s in sources)
        depth = 1 + max((self._depth[s] for s in sources), default=0)
        self._cost[value], self._depth[value] = cost, depth
        users = list(_users(value))
        leaves = any(isinstance(u, ReturnOp) for u, _ in users)
        if leaves or not users or depth > INLINED or not all(self._is_simple(u) for u, _ in users):
            return
        if _is_seen_through_window(value):
            return
        follows = self._ends_a_row(nest) or self._follows_contraction(nest)
        follows = follows or self._has_functions(nest)
        if follows and all(is_contraction(u) for u, _ in users):
            return
        if kernel.prefixes_of(nest) or self.stays_apart(nest, [u for u, _ in users]):
            return
        if cost > 0 and self._quantizes(nest) and all(_contracts(u) for u, _ in users):
            return
        once = len({u for u, _ in users}) == 1 and not _repeats(nest, users)
        is_cheap = cost == 0 or (cost <= CHEAP and not any(_heavy(u) for u, _ in users))
        # No loop over an index that is divided becomes one of vectors.
        if once or (is_cheap and not (cost > 0 and self._divisions[value])):
            self.inlined.add(value)

    def stays_apart(self, nest: kernel.NestOp, others: Iterable[Operation]) -> bool:
        """Whether a kernel is better computed by itself than where one of the others hands totals
        on, value by value along rows: functions and conversions of 16 bits want vectors, and what
        turns axes around wants tiles.
        """
        prefixed = [op for op in others if kernel.prefixes_of(op)]
        if any(map(_goes_along_rows, prefixed)) and self._computes(nest, _wants_vectors):
            return True
        indices = (index for _, index in self.accesses(nest, None)) if prefixed else ()
        dims = ([d for e in index if (d := e.dim()) is not None] for index in indices)
        return any(found != sorted(found) for found in dims)

    def _has_functions(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel, or what is inlined into it, computes functions that want vectors.

        In a contraction they would be computed in panels, whose rows may be too narrow for those.
        """
        return self._computes(nest, lambda op: op.is_expensive)

    def _computes(self, nest: kernel.NestOp, is_wanted: Callable[[body.ApplyOp], bool]) -> bool:
        """Whether a kernel, or what is inlined into it, applies such a function."""
        inlined = [
            s.owner for load in loads(nest) if (s := self.resolve(load.source)) in self.inlined
        ]
        return any(
            isinstance(op, body.ApplyOp) and is_wanted(op) for op in computing_ops(nest)
        ) or any(
            isinstance(owner, kernel.NestOp) and self._computes(owner, is_wanted)
            for owner in inlined
        )

    def _ends_a_row(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel needs what rows of its points were reduced to, as a softmax does.

        Then it is the last sweep of that reduction, along the rows.  In a contraction it would be
        computed across them, where its operand is laid out in panels.
        """
        size = ex.product(nest.extents.data)
        return any(
            self._is_simple(owner)
            and simple(owner)[1] is not None
            and not is_contraction(owner)
            and ex.product(owner.extents.data) != size
            for source in self._reads(nest)
            if isinstance(owner := source.owner, kernel.NestOp)
        )

    def _follows_contraction(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel computes from each sum of a contraction what alone is needed of it.

        Then it is computed where the sum is, and what follows may read its results where they lie.
        """
        # Indices are asked for last: of a long chain that is inlined, they take long to find.
        if cost_of(nest) == 0 or not any(is_contraction(s.owner) for s in self._reads(nest)):
            return False
        point = tuple(map(ex.dim, range(len(nest.extents.data))))
        return any(
            isinstance(owner := source.owner, kernel.NestOp)
            and is_contraction(owner)
            and index == point
            and source.has_one_use()
            and source.type == nest.outputs[0].type
            for source, index in self.accesses(nest, None)
        )

    def _quantizes(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel makes integers of floats, which take less memory.

        Contractions of integers read these where they lie, several at once.
        """
        types = [element_of(tensor_of(s).element_type) for s in self._reads(nest)]
        result = element_of(tensor_of(nest.outputs[0]).element_type)
        return (result is not None and result.is_integer) and any(t and t.is_float for t in types)

    def _reads(self, nest: kernel.NestOp) -> frozenset[SSAValue]:
        """The tensors in memory, behind reshapes, that a kernel reads by what is inlined in it."""
        if nest not in self._memory:
            found: set[SSAValue] = set()
            for source in {self.resolve(load.source) for load in loads(nest)}:
                owner = source.owner
                if source in self.inlined and isinstance(owner, kernel.NestOp):
                    found |= self._reads(owner)
                else:
                    found.add(source)
            self._memory[nest] = frozenset(found)
        return self._memory[nest]

    def _is_simple(self, op: Operation) -> bool:
        return self._simple[op][0] if op in self._simple else simple(op)[0]

    def cost(self, value: SSAValue) -> int:
        """The cost of one element of a kernel's result, with the kernels inlined into it."""
        return self._cost.get(value, 0)

    def resolve(self, source: SSAValue) -> SSAValue:
        """The tensor behind reshapes."""
        while isinstance(source.owner, movement.ReshapeOp):
            source = source.owner.operands[0]
        return source

    def materialized(self, source: SSAValue) -> bool:
        """Whether a tensor is in memory, rather than inlined."""
        return self.resolve(source) not in self.inlined

    def accesses(self, nest: kernel.NestOp, sweep: kernel.SweepOp | None) -> list[Access]:
        """What a member reads from tensors in memory, with indices over its own dimensions."""
        extents = (*nest.extents.data, *(sweep.extents.data if sweep else ()))
        ranges = dict(enumerate(extents))
        found: dict[Access, None] = {}
        pending: list[Access] = []
        for op in loads(nest):
            access = op.source, op.index.data
            if op.default is None:
                pending.append(access)
            else:
                found[access] = None
        seen: set[Access] = set()
        while pending:
            access = pending.pop()
            if access in seen:
                continue
            seen.add(access)
            source, index = self.look_through(*access, ranges)
            owner = source.owner
            if source in self.inlined and isinstance(owner, kernel.NestOp):
                at = dict(enumerate(index))
                pending += [
                    (op.source, tuple(e.substitute(at, ranges) for e in op.index.data))
                    for op in loads(owner)
                ]
            else:
                found[(source, index)] = None
        return list(found)

    def look_through(self, source: SSAValue, index: Shape, ranges: ex.Ranges) -> Access:
        """Follow reshapes as long as no division is needed, or the tensor is not in memory."""
        while isinstance(source.owner, movement.ReshapeOp):
            before = through_reshape(source, index, ranges)
            if not is_plain(before[1]) and self.materialized(source):
                break
            source, index = before
        return source, index


def _wants_vectors(op: body.ApplyOp) -> bool:
    """Whether a function takes long where it is computed for one value."""
    types = (scalar_type(v) for v in (*op.args, op.result))
    return op.is_expensive or (op.function.data == "cast" and any(t.is_small_float for t in types))


def _goes_along_rows(op: Operation) -> bool:
    """Whether a nest hands totals on along the axis along which memory goes."""
    if not isinstance(op, kernel.NestOp) or not (prefixes := kernel.prefixes_of(op)):
        return False
    return all(e == 1 for e in op.extents.data[prefixes[0].dim + 1 :])


def _contracts(user: Operation) -> bool:
    """Whether a nest is a contraction, or converts what only such read."""
    if is_contraction(user):
        return True
    if not isinstance(user, kernel.NestOp) or simple(user) != (True, None):
        return False
    applied = [op for op in computing_ops(user) if isinstance(op, body.ApplyOp)]
    if any(op.function.data != "cast" for op in applied):
        return False
    users = list(_users(user.outputs[0]))
    return bool(users) and all(is_contraction(u) for u, _ in users)


def _users(value: SSAValue) -> Iterator[tuple[Operation, kernel.LoadOp | None]]:
    """Nests, returns and others that use a tensor, directly or through reshapes."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, movement.ReshapeOp):
            yield from ((u, None) for u, _ in _users(op.result))
        elif isinstance(op, kernel.LoadOp):
            yield kernel.loops_around(op)[0], op
        else:
            yield op, None


def _is_seen_through_window(value: SSAValue) -> bool:
    """Whether a tensor is read where it may have no element, or again for neighbours."""
    uses = [use.operation for use in value.uses]
    return any(
        (
            isinstance(op, kernel.LoadOp)
            and (op.default is not None or any(len(e.dims()) > 1 for e in op.index.data))
        )
        or (isinstance(op, movement.ReshapeOp) and _is_seen_through_window(op.result))
        for op in uses
    )


def _repeats(nest: kernel.NestOp, users: list[tuple[Operation, kernel.LoadOp | None]]) -> bool:
    """Whether a user would compute it at more points than it has."""
    size = ex.product(nest.extents.data)
    for user, load in users:
        if is_contraction(user):
            continue
        around = kernel.scope(load) if load is not None else None
        if around is None:
            assert isinstance(user, kernel.NestOp)
            sweep = simple(user)[1]
            around = (*user.extents.data, *(sweep.extents.data if sweep else ()))
        points = ex.product(around)
        known = points.constant, size.constant
        if points != size and (None in known or (known[0] or 0) > (known[1] or 0)):
            return True
    return len({load.index for _, load in users if load is not None}) > 1


def _heavy(user: Operation) -> bool:
    """Whether a user reads each element many times, as a matmul does."""
    return (
        isinstance(user, kernel.NestOp)
        and simple(user)[1] is not None
        and not is_contraction(user)
        and len([op for op in loads(user)]) > 1
    )

"""Decides which producers are inlined, and finds the loads that remain."""

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
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.scalar import REDUCTIONS, SCALARS
from opc.dialects.shape import Shape, element, shape_of, tensor_of
from opc.dialects.walking import walk
from opc.support.target import CHEAP

from .kernel_forms import matrices_of, unshaped, uses_of

Access: TypeAlias = "tuple[SSAValue, Shape]"

DIVISIONS = 1
"""The greatest number of nested reshapes whose indices need a division."""


def simple(op: Operation | Block) -> tuple[bool, kernel.SweepOp | None]:
    """Whether a nest is as form-kernels makes it and can be fused, and its sweep if it has one."""
    if not isinstance(op, kernel.NestOp) or len(op.outputs) != 1 or op.into:
        return False, None
    if is_indirect(op):
        return False, None
    sweeps = op.sweeps
    if len(sweeps) > 1 or any(isinstance(o, kernel.SweepOp) for s in sweeps for o in walk(s.body)):
        return False, None
    if sweeps and (len(sweeps[0].kinds) != 1 or sweeps[0].kinds.data[0].data == kernel.KEEP):
        return False, None
    return True, sweeps[0] if sweeps else None


def is_contraction(op: Operation | Block) -> bool:
    """Whether a simple nest is a contraction.

    It reads each element of an operand once, to pack it.
    """
    return _has_chain(simple(op)[1])


def _has_chain(sweep: kernel.SweepOp | None) -> bool:
    return sweep is not None and REDUCTIONS[sweep.kinds.data[0].data].is_chain


def computing_ops(nest: kernel.NestOp) -> Iterator[Operation]:
    """The operations of a simple nest in order, with those of its sweep."""
    for op in nest.body.block.ops:
        if isinstance(op, kernel.SweepOp):
            yield from op.body.block.ops
        yield op


def loads(nest: kernel.NestOp) -> Iterator[kernel.LoadOp]:
    """The loads of a simple nest."""
    return (op for op in computing_ops(nest) if isinstance(op, kernel.LoadOp))


def cost_of(nest: kernel.NestOp) -> int:
    """The cost of one point, about 1 for each simple operation."""
    return sum(
        SCALARS[op.function.data].cost
        * (2 if (t := element_of(op.result.type)) and t.bits == 64 else 1)
        for op in computing_ops(nest)
        if isinstance(op, body.ApplyOp)
    )


def through_reshape(source: SSAValue, index: Shape, ranges: ex.Ranges) -> Access:
    """The operand of a reshape and the index into it, for an index into the result."""
    op = source.owner
    assert isinstance(op, movement.ReshapeOp)
    before = shape_of(tensor_of(op.operands[0]))
    return op.operands[0], before_reshape(index, shape_of(tensor_of(source)), before, ranges)


def _divisors(index: Shape) -> list[ex.Expr]:
    """The divisors in an index."""
    atoms = (atom for e in index for factors, _ in e.terms for atom in factors)
    return [ex.Expr.of(atom.args[1]) for atom in atoms if atom.kind in ("floordiv", "mod")]


def is_plain(index: Shape) -> bool:
    """Whether an index needs no division."""
    return not _divisors(index)


class Inlining:
    """The producers that are inlined, and the loads that remain."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.inlined: set[SSAValue] = set()
        self._cost: dict[SSAValue, int] = {}
        self._depth: dict[SSAValue, int] = {}
        self._divisions: dict[SSAValue, int] = {}
        self._memory: dict[Operation, frozenset[SSAValue]] = {}
        self._applies: dict[tuple[Operation, Callable[[body.ApplyOp], bool]], bool] = {}
        self._loads: dict[Operation, tuple[kernel.LoadOp, ...]] = {}
        self._epilogues: set[SSAValue] = set()
        """Results of epilogues that several kernels read."""
        # Cached, since a concatenation of a thousand parts is long and has a thousand producers.
        self._simple = {op: simple(op) for op in ops}
        for op in ops:
            ok, sweep = self._simple[op]
            if isinstance(op, kernel.NestOp) and ok:
                self._loads[op] = tuple(loads(op))
                divisions = self._untangle(op)
                if sweep is None:
                    self._divisions[op.outputs[0]] = divisions
                    self._decide(op)

    def _untangle(self, nest: kernel.NestOp) -> int:
        """The greatest number of nested divisions in the indices of loads; at most DIVISIONS.

        Each division doubles the size of an index, so a source with more of them is not inlined.
        Nor is a source with arithmetic where the divisor is unknown at compile time, since a load
        from memory needs no division.
        """
        most = 0
        for load in self._loads_of(nest):
            tensor = unshaped(load.source)
            if tensor not in self.inlined:
                continue
            index, source, divided, is_slow = load.index.data, load.source, 0, False
            ranges = dict(enumerate(kernel.scope(load)))
            while isinstance(source.owner, movement.ReshapeOp):
                source, index = through_reshape(source, index, ranges)
                divisors = _divisors(index)
                divided = int(bool(divisors))
                is_slow = any(e.constant is None for e in divisors)
            divided += self._divisions[tensor]
            if divided > DIVISIONS or (is_slow and self._cost[tensor] > 0):
                self.inlined.discard(tensor)
                self._memory.clear()
                self._applies.clear()
            else:
                most = max(most, divided)
        return most

    def _decide(self, nest: kernel.NestOp) -> None:
        value = nest.outputs[0]
        sources = {unshaped(load.source) for load in self._loads_of(nest)} & self.inlined
        cost = cost_of(nest) + sum(self._cost[s] for s in sources)
        depth = 1 + max((self._depth[s] for s in sources), default=0)
        self._cost[value], self._depth[value] = cost, depth
        users = list(_users(value))
        leaves = any(isinstance(u, ReturnOp) for u, _ in users)
        if leaves or not users or depth > INLINED or not all(self._of(u)[0] for u, _ in users):
            return
        if _is_seen_through_window(value):
            return
        is_epilogue = self._follows_contraction(nest)
        follows = is_epilogue or self._ends_a_row(nest)
        # In a contraction, rows of panels may be too narrow for vectors of expensive functions.
        follows = follows or self._computes(nest, _is_expensive)
        if follows and all(self._is_contraction(u) for u, _ in users):
            return
        if kernel.prefixes_of(nest) or self.stays_apart(nest, [u for u, _ in users]):
            return
        if self._narrows_sums(nest):
            return
        if cost > 0 and self._quantizes(nest) and all(self._contracts(u) for u, _ in users):
            return
        once = len({u for u, _ in users}) == 1 and not self._repeats(nest, users)
        if is_epilogue and not once:
            # The contraction writes a result in any case, and users read one tensor less.
            self._epilogues.add(value)
            return
        once = once or (self._widens_weights(nest) and all(self._contracts(u) for u, _ in users))
        is_cheap = cost == 0 or (cost <= CHEAP and not any(self._heavy(u) for u, _ in users))
        # A loop whose index is divided is not vectorized.
        if once or (is_cheap and not (cost > 0 and self._divisions[value])):
            self.inlined.add(value)

    def stays_apart(self, nest: kernel.NestOp, others: Iterable[Operation]) -> bool:
        """Whether a kernel is not fused with a scan among the others.

        A scan along rows computes one value at a time, but expensive functions and conversions of
        16 bits need vectors, and transposes need tiles.
        """
        prefixed = [op for op in others if kernel.prefixes_of(op)]
        if any(map(_goes_along_rows, prefixed)) and self._computes(nest, _wants_vectors):
            return True
        indices = (index for _, index in self.accesses(nest, None)) if prefixed else ()
        dims = ([d for e in index if (d := e.dim()) is not None] for index in indices)
        return any(order != sorted(order) for order in dims)

    def _computes(self, nest: kernel.NestOp, is_wanted: Callable[[body.ApplyOp], bool]) -> bool:
        """Whether a kernel, or a producer inlined into it, applies such a function."""
        key = nest, is_wanted
        if key not in self._applies:
            sources = {unshaped(load.source) for load in self._loads_of(nest)} & self.inlined
            self._applies[key] = any(
                isinstance(op, body.ApplyOp) and is_wanted(op) for op in computing_ops(nest)
            ) or any(
                isinstance(owner := s.owner, kernel.NestOp) and self._computes(owner, is_wanted)
                for s in sources
            )
        return self._applies[key]

    def _ends_a_row(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel needs reductions of its own rows, as a softmax does.

        It then becomes the last sweep of that reduction, along the rows.  In a contraction it would
        be computed across them, where operands are packed.
        """
        size = ex.product(nest.extents.data)
        return any(
            self._of(owner)[0]
            and self._of(owner)[1] is not None
            and not self._is_contraction(owner)
            and ex.product(owner.extents.data) != size
            for source in self._reads(nest)
            if isinstance(owner := source.owner, kernel.NestOp)
        )

    def _follows_contraction(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel is the epilogue of a contraction, or goes on with one that is.

        Nothing but such kernels reads what the contraction computes.
        """
        # Indices come last: for a long chain of inlined kernels they take long to compute.
        ends = {s for s in self._reads(nest) if self._is_continued(s, nest)}
        if cost_of(nest) == 0 or not ends:
            return False
        point = tuple(map(ex.dim, range(len(nest.extents.data))))
        return any(i == point and s in ends for s, i in self.accesses(nest, None))

    def _narrows_sums(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel ends in fewer bits than a contraction gives that only it goes on with.

        If another contraction goes on with it, it reads these bits: both branches of a quantized
        residual block.
        """
        if cost_of(nest) == 0:
            return False
        bits = element(tensor_of(nest.outputs[0])).bits
        sums = {s for s in self._reads(nest) if self._is_contraction(s.owner) and s.has_one_use()}
        point = tuple(map(ex.dim, range(len(nest.extents.data))))
        return any(
            element(tensor_of(s)).bits > bits and index == point
            for s, index in (self.accesses(nest, None) if sums else ())
            if s in sums
        )

    def _is_continued(self, source: SSAValue, nest: kernel.NestOp) -> bool:
        """Whether a kernel goes on with what a contraction gives, if it reads its own points."""
        is_end = self._is_contraction(source.owner) or source in self._epilogues
        return is_end and source.type == nest.outputs[0].type and self._is_read_by_points(source)

    def _is_read_by_points(self, value: SSAValue) -> bool:
        """Whether one kernel reads a contraction, or only kernels without sweeps an epilogue."""
        if value not in self._epilogues:
            return value.has_one_use()
        return all(self._simple.get(user) == (True, None) for user, _ in _users(value))

    def _quantizes(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel converts floats to integers, which contractions read without packing."""
        types = [element_of(tensor_of(s).element_type) for s in self._reads(nest)]
        result = element_of(tensor_of(nest.outputs[0]).element_type)
        return (result is not None and result.is_integer) and any(t and t.is_float for t in types)

    def _widens_weights(self, nest: kernel.NestOp) -> bool:
        """Whether a kernel computes floats of constants of fewer bits: panels hold these."""
        sources = self._reads(nest)
        known = [
            s for s in sources if isinstance(s.owner, ConstantOp) or matrices_of(s) is not None
        ]
        bits = [element(tensor_of(s)).bits for s in known]
        wide = element(tensor_of(nest.outputs[0]))
        return len(bits) == len(sources) > 0 and wide.is_float and min(bits) < wide.bits

    def _contracts(self, user: Operation) -> bool:
        """Whether a nest is a contraction, or only converts operands of contractions."""
        if self._is_contraction(user):
            return True
        if not isinstance(user, kernel.NestOp) or self._of(user) != (True, None):
            return False
        applied = [op for op in computing_ops(user) if isinstance(op, body.ApplyOp)]
        if any(op.function.data != "cast" for op in applied):
            return False
        users = list(_users(user.outputs[0]))
        return bool(users) and all(self._is_contraction(u) for u, _ in users)

    def _repeats(
        self, nest: kernel.NestOp, users: list[tuple[Operation, kernel.LoadOp | None]]
    ) -> bool:
        """Whether a user would compute a kernel at more points than its own."""
        size = ex.product(nest.extents.data)
        for user, load in users:
            if self._is_contraction(user):
                continue
            extents = kernel.scope(load) if load is not None else None
            if extents is None:
                assert isinstance(user, kernel.NestOp)
                sweep = self._of(user)[1]
                extents = (*user.extents.data, *(sweep.extents.data if sweep else ()))
            points = ex.product(extents)
            counts = points.constant, size.constant
            if points != size and (None in counts or (counts[0] or 0) > (counts[1] or 0)):
                return True
        return len({load.index for _, load in users if load is not None}) > 1

    def _heavy(self, user: Operation) -> bool:
        """Whether a user is a reduction of several tensors, which reads each element many times."""
        return (
            isinstance(user, kernel.NestOp)
            and self._of(user)[1] is not None
            and not self._is_contraction(user)
            and len(self._loads_of(user)) > 1
        )

    def _reads(self, nest: kernel.NestOp) -> frozenset[SSAValue]:
        """The tensors in memory, behind reshapes, that a kernel and its inlined producers read."""
        if nest not in self._memory:
            tensors: set[SSAValue] = set()
            for source in {unshaped(load.source) for load in self._loads_of(nest)}:
                owner = source.owner
                if source in self.inlined and isinstance(owner, kernel.NestOp):
                    tensors |= self._reads(owner)
                else:
                    tensors.add(source)
            self._memory[nest] = frozenset(tensors)
        return self._memory[nest]

    def _of(self, op: Operation | Block) -> tuple[bool, kernel.SweepOp | None]:
        if isinstance(op, Operation) and op in self._simple:
            return self._simple[op]
        return simple(op)

    def _is_contraction(self, op: Operation | Block) -> bool:
        return _has_chain(self._of(op)[1])

    def _loads_of(self, nest: kernel.NestOp) -> tuple[kernel.LoadOp, ...]:
        return self._loads[nest] if nest in self._loads else tuple(loads(nest))

    def cost(self, value: SSAValue) -> int:
        """The cost of one element of a kernel's result, with its inlined producers."""
        return self._cost.get(value, 0)

    def materialized(self, source: SSAValue) -> bool:
        """Whether a tensor is in memory, rather than inlined."""
        return unshaped(source) not in self.inlined

    def accesses(self, nest: kernel.NestOp, sweep: kernel.SweepOp | None) -> list[Access]:
        """The loads of a kernel from tensors in memory, with indices over its own dimensions."""
        extents = (*nest.extents.data, *(sweep.extents.data if sweep else ()))
        ranges = dict(enumerate(extents))
        remaining: dict[Access, None] = {}
        pending: list[Access] = []
        for op in self._loads_of(nest):
            access = op.source, op.index.data
            if op.default is None:
                pending.append(access)
            else:
                remaining[access] = None
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
                    for op in self._loads_of(owner)
                ]
            else:
                remaining[(source, index)] = None
        return list(remaining)

    def look_through(self, source: SSAValue, index: Shape, ranges: ex.Ranges) -> Access:
        """Follow reshapes while the index needs no division, or the tensor is not in memory."""
        while isinstance(source.owner, movement.ReshapeOp):
            before = through_reshape(source, index, ranges)
            if not is_plain(before[1]) and self.materialized(source):
                break
            source, index = before
        return source, index


def _is_expensive(op: body.ApplyOp) -> bool:
    return op.is_expensive


def _wants_vectors(op: body.ApplyOp) -> bool:
    """Whether a function is slow without vectors."""
    types = (scalar_type(v) for v in (*op.args, op.result))
    return op.is_expensive or (op.function.data == "cast" and any(t.is_small_float for t in types))


def _goes_along_rows(op: Operation) -> bool:
    """Whether a nest scans along the contiguous axis."""
    if not isinstance(op, kernel.NestOp) or not (prefixes := kernel.prefixes_of(op)):
        return False
    return all(e == 1 for e in op.extents.data[prefixes[0].dim + 1 :])


def _users(value: SSAValue) -> Iterator[tuple[Operation, kernel.LoadOp | None]]:
    """The operations that use a tensor, through reshapes too, with their direct loads."""
    for use in uses_of(value):
        if isinstance(op := use.operation, kernel.LoadOp):
            yield kernel.loops_around(op)[0], op if op.source is value else None
        else:
            yield op, None


def _is_seen_through_window(value: SSAValue) -> bool:
    """Whether loads of a tensor are guarded, or windows that overlap."""
    return any(
        isinstance(op := use.operation, kernel.LoadOp)
        and (op.default is not None or any(len(e.dims()) > 1 for e in op.index.data))
        for use in uses_of(value)
    )

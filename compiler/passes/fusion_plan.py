"""Decide what is fused: which kernels dissolve into their users, and which share a nest.

1. A kernel without a reduction is *inlined* where its user can compute it at no more points than
   it has itself, or where it costs next to nothing.  All others, and whatever leaves the function,
   are *members*.
2. Members join a *group*, which becomes one nest.  The group's outer dimensions are those along
   which every member needs only its own point of the others; what remains of a member's dimensions
   becomes a sweep.
3. Within a group, members share a *sweep* if none needs the finished reduction of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.element import element_of
from opc.dialects.opc import movement
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import Shape, shape_of, tensor_of

Access: TypeAlias = "tuple[SSAValue, Shape]"

CHEAP = 4
"""Cost (about one addition each) up to which a kernel is computed again for each user."""
DEPTH = 48
"""Longest chain of inlined kernels; beyond it one becomes a member, which costs nothing."""
AGAIN = 64
"""Cost up to which a value that cannot be kept is computed again in a later sweep."""
KEPT_BYTES = 32 * 1024
"""Most memory that a nest keeps between its sweeps: what the first-level cache holds."""
MOST_SWEEPS = 16
"""Most sweeps of one nest; what comes after starts another."""


@dataclass(eq=False)
class Member:
    """A kernel that is computed once, as part of a group."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp | None
    accesses: list[Access]
    group: Group = field(init=False)
    outer: tuple[int, ...] = ()
    slot: int = 0
    """Number of the group's sweep in which it is computed; for a point, the first that may use it."""
    kept: bool = False

    @property
    def value(self) -> SSAValue:
        """The tensor that it computes."""
        return self.nest.outputs[0]

    @property
    def points(self) -> Shape:
        """Extents of its own nest."""
        return self.nest.extents.data

    @property
    def inner(self) -> tuple[int, ...]:
        """Its dimensions that are not the group's, numbered as in its own nest and sweep."""
        rank = len(self.points)
        reduced = len(self.sweep.extents.data) if self.sweep else 0
        return (*(d for d in range(rank) if d not in self.outer), *range(rank, rank + reduced))

    @property
    def inner_extents(self) -> Shape:
        """Extents of ``inner``: those of the sweep that computes it."""
        extents = (*self.points, *(self.sweep.extents.data if self.sweep else ()))
        return tuple(extents[d] for d in self.inner)

    def placed(self, dims: int) -> dict[ex.Atom, ex.Expr]:
        """Its dimensions in terms of the group's, of which the outer ones are ``dims`` many."""
        places = [*self.outer, *self.inner]
        assert dims == len(self.outer)
        return {ex.Atom("dim", (d,)): ex.dim(k) for k, d in enumerate(places)}


@dataclass(eq=False)
class Group:
    """Members that become one nest, in the order in which they are computed."""

    number: int
    members: list[Member]
    before: int = 0
    """Bit set of the groups that must be computed earlier."""
    sweeps: list[Shape] = field(default_factory=list[Shape])
    kept: int = 0
    """Bytes that it keeps between sweeps."""

    @property
    def extents(self) -> Shape:
        """Extents of the outer dimensions."""
        first = self.members[0]
        return tuple(first.points[d] for d in first.outer)


def simple(op: Operation) -> tuple[bool, kernel.SweepOp | None]:
    """Whether a nest is as form-kernels makes it, and its sweep if it has one."""
    if not isinstance(op, kernel.NestOp) or len(op.outputs) != 1 or op.into:
        return False, None
    sweeps = [o for o in op.body.block.ops if isinstance(o, kernel.SweepOp)]
    if len(sweeps) > 1 or any(isinstance(o, kernel.SweepOp) for s in sweeps for o in s.body.walk()
                              if o is not s):
        return False, None
    if sweeps and (len(sweeps[0].kinds) != 1 or sweeps[0].kinds.data[0].data == kernel.KEEP):
        return False, None
    return True, sweeps[0] if sweeps else None


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
    offset = ex.linearize(index, shape_of(tensor_of(source)))
    return op.operands[0], ex.delinearize(offset, before, ranges)


def is_plain(index: Shape) -> bool:
    """Whether an index can be computed without a division."""
    return not any(
        atom.kind in ("floordiv", "mod") for e in index for factors, _ in e.terms for atom in factors
    )


class Inlining:
    """Which kernels dissolve into their users, and what is read once they have."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        self.inlined: set[SSAValue] = set()
        self._cost: dict[SSAValue, int] = {}
        self._depth: dict[SSAValue, int] = {}
        for op in ops:
            ok, sweep = simple(op)
            if isinstance(op, kernel.NestOp) and ok and sweep is None:
                self._decide(op)

    def _decide(self, nest: kernel.NestOp) -> None:
        value = nest.outputs[0]
        sources = {self.resolve(load.source) for load in loads(nest)} & self.inlined
        cost = cost_of(nest) + sum(self._cost[s] for s in sources)
        depth = 1 + max((self._depth[s] for s in sources), default=0)
        self._cost[value], self._depth[value] = cost, depth
        users = list(_users(value))
        leaves = any(isinstance(u, ReturnOp) for u, _ in users)
        if leaves or not users or depth > DEPTH or not all(simple(u)[0] for u, _ in users):
            return
        once = len({u for u, _ in users}) == 1 and not _repeats(nest, users)
        if once or cost == 0 or (cost <= CHEAP and not any(_heavy(u) for u, _ in users)):
            self.inlined.add(value)

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
        pending: list[Access] = [(op.source, op.index.data) for op in loads(nest)]
        seen: set[Access] = set()
        while pending:
            access = pending.pop()
            if access in seen:
                continue
            seen.add(access)
            source, index = self.look_through(*access, ranges)
            owner = source.owner
            if source in self.inlined and isinstance(owner, kernel.NestOp):
                at = {ex.Atom("dim", (k,)): e for k, e in enumerate(index)}
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


def _repeats(nest: kernel.NestOp, users: list[tuple[Operation, kernel.LoadOp | None]]) -> bool:
    """Whether a user would compute it at more points than it has."""
    size = ex.product(nest.extents.data)
    for user, load in users:
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
    return isinstance(user, kernel.NestOp) and simple(user)[1] is not None and len(
        [op for op in loads(user)]) > 1


class Grouping:
    """Which members share a nest."""

    def __init__(self, ops: Sequence[Operation], inlining: Inlining) -> None:
        self.groups: list[Group] = []
        self.member: dict[SSAValue, Member] = {}
        self._sweeps = Sweeps(self.member, inlining)
        self._similar: dict[tuple[Shape, Shape, Access], Group] = {}
        for op in ops:
            ok, sweep = simple(op)
            if not isinstance(op, kernel.NestOp) or op.outputs and op.outputs[0] in inlining.inlined:
                continue
            member = Member(op, sweep, inlining.accesses(op, sweep) if ok else _opaque(op))
            self._place(member, inlining, ok)

    def producers(self, member: Member, inlining: Inlining) -> dict[Member, list[Shape]]:
        """Members that a member reads, directly or through a reshape, with the indices."""
        found: dict[Member, list[Shape]] = {}
        for source, index in member.accesses:
            behind = inlining.resolve(source)
            producer = self.member.get(behind)
            if producer is not None:
                # Through a reshape that needs divisions, no index says which point is meant.
                found.setdefault(producer, []).append(index if behind is source else ())
        return found

    def _place(self, member: Member, inlining: Inlining, ok: bool) -> None:
        producers = self.producers(member, inlining)
        before = 0
        for p in producers:
            before |= p.group.before | 1 << p.group.number
        if ok:
            candidates = dict.fromkeys(p.group for p in reversed(producers))
            for group in (*candidates, *self._siblings(member)):
                if self._join(member, group, producers):
                    return
        group = Group(len(self.groups), [member], before)
        member.group, member.outer = group, tuple(range(len(member.points)))
        self.groups.append(group)
        self._sweeps.assign(group, member)
        self._register(member)

    def _siblings(self, member: Member) -> list[Group]:
        if member.sweep is None:
            return []
        keys = ((member.points, member.sweep.extents.data, a) for a in member.accesses)
        return [self._similar[k] for k in keys if k in self._similar]

    def _register(self, member: Member) -> None:
        for output in member.nest.outputs:
            self.member[output] = member
        if member.sweep is not None:
            for access in member.accesses:
                key = (member.points, member.sweep.extents.data, access)
                self._similar.setdefault(key, member.group)

    def _join(self, member: Member, group: Group, producers: dict[Member, list[Shape]]) -> bool:
        if not all(simple(m.nest)[0] for m in group.members):
            return False
        outside = [p.group for p in producers if p.group is not group]
        if any(g.before >> group.number & 1 for g in outside):
            return False  # something between the group and this member would come too late
        shared = [(p, index) for p, indices in producers.items() if p.group is group
                  for index in indices]
        outer = _common_outer(member, group, shared)
        if outer is None:
            return False
        if not self._enter(member, group, outer):
            return False
        added = group.before
        for g in outside:
            added |= g.before | 1 << g.number
        if added != group.before:
            group.before = added
            for g in self.groups:
                if g.before >> group.number & 1:
                    g.before |= added
        self._register(member)
        return True


    def _enter(self, member: Member, group: Group, outer: dict[Member, tuple[int, ...]]) -> bool:
        """Take a member in, unless its sweeps cannot be had; then all is as before."""
        before = {m: (m.outer, m.slot, m.kept) for m in group.members}
        sweeps, kept = list(group.sweeps), group.kept
        changed = any(m.outer != dims for m, dims in outer.items() if m is not member)
        for m, dims in outer.items():
            m.outer = dims
        member.group = group
        group.members.append(member)
        if changed:
            group.sweeps, group.kept = [], 0
            for m in group.members:
                m.kept = False
        again = group.members if changed else [member]
        if all(self._sweeps.assign(group, m) for m in again):
            return True
        group.members.pop()
        group.sweeps, group.kept = sweeps, kept
        for m, (dims, slot, was_kept) in before.items():
            m.outer, m.slot, m.kept = dims, slot, was_kept
        return False


def _opaque(nest: kernel.NestOp) -> list[Access]:
    return [(op.source, ()) for op in nest.body.walk() if isinstance(op, kernel.LoadOp)
            and not isinstance(op.source.owner, kernel.SweepOp)]


def _common_outer(
    member: Member, group: Group, shared: list[tuple[Member, Shape]]
) -> dict[Member, tuple[int, ...]] | None:
    """The outer dimensions of all members once ``member`` joins; None if there is no use in it."""
    rank = len(member.points)
    first = group.members[0]
    matched: dict[int, int] = {}
    if not shared:  # a sibling, with the same dimensions
        matched = {k: k for k in range(rank)} if len(first.outer) == rank else {}
        if first.points != member.points:
            return None
    for number, (producer, index) in enumerate(shared):
        if len(index) != len(producer.points):
            return None
        found: dict[int, int] = {}
        for k, d in enumerate(producer.outer):
            at = index[d].dim()
            if at is not None and at < rank and at not in found.values():
                found[k] = at
        matched = found if number == 0 else {
            k: d for k, d in matched.items() if found.get(k) == d
        }
    kept = sorted(k for k, d in matched.items()
                  if first.points[first.outer[k]] == member.points[d])
    shrinks = len(kept) < len(first.outer)
    # Whoever reduces must do so within one point; and a nest without points gains nothing.
    if shrinks and any(m.sweep is not None for m in group.members):
        return None
    if member.sweep is not None and len(kept) < rank:
        return None
    if not kept and (shrinks or rank):
        return None
    result = {m: tuple(m.outer[k] for k in kept) for m in group.members}
    result[member] = tuple(matched[k] for k in kept)
    return result


class Sweeps:
    """Gives the members of a group their sweeps, one after the other."""

    def __init__(self, members: dict[SSAValue, Member], inlining: Inlining) -> None:
        self.members = members
        self.inlining = inlining

    def assign(self, group: Group, member: Member) -> bool:
        """Put a member into the first sweep in which everything that it needs is there.

        False if it needs, from an earlier sweep, values that are too many to keep and too dear
        to compute again.
        """
        earliest = 0
        late: list[Member] = []
        for source, index in member.accesses:
            producer = self.members.get(self.inlining.resolve(source))
            if producer is None or producer.group is not group or producer is member:
                continue
            if producer.sweep is None and producer.inner:
                at_point = pointwise(member, producer, index)
                earliest = max(earliest, producer.slot + (0 if at_point else 1))
                late.append(producer)
            else:
                earliest = max(earliest, producer.slot + (1 if producer.sweep else 0))
        if not member.inner and member.sweep is None:
            member.slot = earliest
        else:
            extents = member.inner_extents
            member.slot = next((s for s in range(earliest, len(group.sweeps))
                                if group.sweeps[s] == extents), len(group.sweeps))
            if member.slot == len(group.sweeps):
                if len(group.sweeps) >= MOST_SWEEPS:
                    return False
                group.sweeps.append(extents)
        return all(self._provide(group, p) for p in dict.fromkeys(late) if p.slot < member.slot)

    def _provide(self, group: Group, producer: Member) -> bool:
        """See to it that a later sweep can have the values of an earlier one."""
        if producer.kept:
            return True
        again = self._cost_again(group, producer)
        if again <= CHEAP:
            return True
        size = ex.product(producer.inner_extents).constant
        element = element_of(tensor_of(producer.value).element_type)
        # Down a column the values would be kept for many columns at once, which no cache holds.
        along_rows = producer.inner[-1] == len(producer.points) - 1
        if size is not None and element is not None and along_rows:
            size *= element.bytes
            if group.kept + size <= KEPT_BYTES:
                producer.kept = True
                group.kept += size
                return True
        return again <= AGAIN

    def _cost_again(self, group: Group, producer: Member) -> int:
        """What it costs to compute a value once more, with what it needs that is not kept."""
        total = self.inlining.cost(producer.value)
        for source, _ in producer.accesses:
            needed = self.members.get(self.inlining.resolve(source))
            if (needed is not None and needed.group is group and needed.sweep is None
                    and needed.inner and not needed.kept and total <= AGAIN):
                total += self._cost_again(group, needed)
        return total


def pointwise(member: Member, producer: Member, index: Shape) -> bool:
    """Whether a member needs a producer only at its own point of the sweep."""
    return len(index) == len(producer.points) and producer.inner_extents == member.inner_extents and all(
        index[d].dim() == mine for d, mine in zip(producer.inner, member.inner, strict=True)
    )

"""Decides what is fused: which kernels are inlined into their users, and which share a nest.

1. A kernel without a reduction is *inlined* where its user computes it at no more points than it
   has itself, or where it is cheap.  All other kernels, and results of the function, are *members*.
2. Members join a *group*, which becomes one nest.  Its outer dimensions are those along which each
   member needs only its own point of the others.  The other dimensions of a member become a sweep.
3. Members of a group share a *sweep* if none needs the result of a reduction of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from opc.dialects import kernel
from opc.dialects.indirect import is_indirect
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp, RequireRangeOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Shape
from opc.dialects.walking import walk

from .data_dependent_symbols import DataSymbols
from .fusion_inline import Access, Inlining, simple
from .fusion_sweeps import Alone, Group, Member, Sweeps
from .kernel_forms import unshaped

PLACED = kernel.NestOp | ControlOp | RequireRangeOp | DataExtentOp
"""Operations that have a position in the order of groups."""


class Grouping:
    """Which members share a nest."""

    def __init__(self, ops: Sequence[Operation], inlining: Inlining) -> None:
        self.groups: list[Group] = []
        self.member: dict[SSAValue, Member] = {}
        self.sweeps = Sweeps(self.member, inlining)
        self._checks: list[Member] = []
        """Checks that come before all gathers and scatters."""
        self._from_data = DataSymbols(ops)
        self._guards: list[tuple[frozenset[str], Member]] = []
        """Definitions of data-dependent symbols and their requirements, in order."""
        self._similar: dict[tuple[Shape, Shape, Access], Group] = {}
        for op in ops:
            ok, sweep = simple(op)
            is_guard = isinstance(op, RequireOp) and bool(self._from_data.of(op))
            if not (is_guard or isinstance(op, PLACED)) or (
                op.results and op.results[0] in inlining.inlined
            ):
                continue
            if ok and isinstance(op, kernel.NestOp):
                member = Member(op, sweep, inlining.accesses(op, sweep))
            else:
                assert isinstance(op, PLACED | RequireOp)
                member = Member(op, sweep, _opaque(op))
            self._place(member, inlining, ok)
            if isinstance(op, DataExtentOp):
                self._guards.append((frozenset([op.defined]), member))
            elif is_guard:
                self._guards.append((self._from_data.of(op), member))

    def producers(self, member: Member, inlining: Inlining) -> dict[Member, list[Shape]]:
        """Members that a member reads, directly or through a reshape, with the indices."""
        producers: dict[Member, list[Shape]] = {}
        for source, index in member.accesses:
            tensor = unshaped(source)
            producer = self.member.get(tensor)
            if producer is not None:
                # Through a reshape that needs divisions, the index is not a point of the producer.
                producers.setdefault(producer, []).append(index if tensor is source else ())
        for symbols, guard in self._guards:
            if symbols & self._from_data.of(member.nest):
                producers.setdefault(guard, [])
        return producers

    def _place(self, member: Member, inlining: Inlining, ok: bool) -> None:
        producers = self.producers(member, inlining)
        before = 0
        for p in producers:
            before |= p.group.before | 1 << p.group.number
        if isinstance(member.nest, RequireRangeOp):
            self._checks.append(member)
        elif is_indirect(member.nest):
            for check in self._checks:
                before |= check.group.before | 1 << check.group.number
        if ok:
            candidates = dict.fromkeys(p.group for p in reversed(producers))
            for group in (*candidates, *self._siblings(member)):
                if self._join(member, group, producers, inlining):
                    return
        group = Group(len(self.groups), [member], before)
        member.group, member.outer = group, tuple(range(len(member.points)))
        self.groups.append(group)
        self.sweeps.assign(group, member)
        self._register(member)

    def _siblings(self, member: Member) -> list[Group]:
        if member.sweep is None or member.is_contraction:
            return []
        keys = ((member.points, member.sweep.extents.data, a) for a in member.accesses)
        return [self._similar[k] for k in keys if k in self._similar]

    def _register(self, member: Member) -> None:
        for output in member.nest.results:
            self.member[output] = member
        member.group.searches |= member.is_search
        member.group.adds_in_lanes |= member.adds_in_lanes
        member.group.prefixes += member.prefixes
        if member.sweep is not None:
            for access in member.accesses:
                key = (member.points, member.sweep.extents.data, access)
                self._similar.setdefault(key, member.group)

    def _join(
        self,
        member: Member,
        group: Group,
        producers: dict[Member, list[Shape]],
        inlining: Inlining,
    ) -> bool:
        # A nest that is not simple is alone in its group.
        if member.is_contraction or not simple(group.members[0].nest)[0]:
            return False
        if (group.searches and member.adds_in_lanes) or (group.adds_in_lanes and member.is_search):
            return False  # a search and an ordered sum
        outside = [p.group for p in producers if p.group is not group]
        if any(g.before >> group.number & 1 for g in outside):
            return False  # a producer needs results of the group
        shared = [
            (p, index) for p, indices in producers.items() if p.group is group for index in indices
        ]
        outer = _common_outer(member, group, shared)
        if outer is None:
            return False
        if group.members[0].is_contraction and not _follows(member, outer):
            return False
        if not self._fits_scans(member, group, outer, inlining):
            return False
        if not self._enter(member, group, outer, [p for p, _ in shared]):
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

    def _fits_scans(
        self,
        member: Member,
        group: Group,
        outer: Mapping[Member, tuple[int, ...]],
        inlining: Inlining,
    ) -> bool:
        """Whether scans, if any, have one axis and direction, and members the same points."""
        prefixes = [*group.prefixes, *member.prefixes]
        if not prefixes:
            return True
        members = {m: outer.get(m, m.outer) for m in (*group.members, member)}
        nests = [m.nest for m in members if isinstance(m.nest, kernel.NestOp)]
        are_points = all(
            m.sweep is None and dims == tuple(range(len(m.points))) for m, dims in members.items()
        )
        directions = {(op.dim, op.reverse) for op in prefixes}
        apart = any(inlining.stays_apart(nest, nests) for nest in nests)
        return are_points and len(directions) == 1 and not apart

    def _enter(
        self,
        member: Member,
        group: Group,
        outer: dict[Member, tuple[int, ...]],
        read: list[Member],
    ) -> bool:
        """Add a member if sweeps can be assigned; else restore the group."""
        changed = len(outer) > 1
        before = {m: (m.outer, m.slot, m.kept) for m in (group.members if changed else read)}
        sweeps, kept = list(group.sweeps), group.kept
        for m, dims in outer.items():
            m.outer = dims
        member.group = group
        group.members.append(member)
        if changed:
            group.sweeps, group.kept = [], 0
            for m in group.members:
                m.kept = False
        again = group.members if changed else [member]
        if all(self.sweeps.assign(group, m) for m in again):
            return True
        group.members.pop()
        group.sweeps, group.kept = sweeps, kept
        for m, (dims, slot, was_kept) in before.items():
            m.outer, m.slot, m.kept = dims, slot, was_kept
        return False


def _follows(member: Member, outer: dict[Member, tuple[int, ...]]) -> bool:
    """Whether a member reduces nothing and is computed at each point of the others."""
    return member.sweep is None and all(len(m.points) == len(dims) for m, dims in outer.items())


def _opaque(nest: kernel.NestOp | Alone) -> list[Access]:
    if not isinstance(nest, kernel.NestOp):
        return [(value, ()) for value in nest.operands]
    return [
        (op.source, ())
        for op in walk(nest.body)
        if isinstance(op, kernel.LoadOp | kernel.GatherOp)
        and not isinstance(op.source.owner, kernel.SweepOp)
    ]


def _common_outer(
    member: Member, group: Group, shared: list[tuple[Member, Shape]]
) -> dict[Member, tuple[int, ...]] | None:
    """The outer dimensions of ``member`` in the group, and of the others if they change.

    None if it should not join.
    """
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
        dims: dict[int, int] = {}
        for k, d in enumerate(producer.outer):
            at = index[d].dim()
            if at is not None and at < rank and at not in dims.values():
                dims[k] = at
        _match_units(producer, index, member, dims)
        matched = dims if number == 0 else {k: d for k, d in matched.items() if dims.get(k) == d}
    kept = sorted(k for k, d in matched.items() if first.points[first.outer[k]] == member.points[d])
    shrinks = len(kept) < len(first.outer)
    # A reduction must be within one point, and a nest without points gains nothing.
    if shrinks and any(m.sweep is not None for m in group.members):
        return None
    if member.sweep is not None and len(kept) < rank:
        return None
    if not kept and (shrinks or rank):
        return None
    result: dict[Member, tuple[int, ...]] = {}
    if shrinks:
        result = {m: tuple(m.outer[k] for k in kept) for m in group.members}
    result[member] = tuple(matched[k] for k in kept)
    return result


def _match_units(producer: Member, index: Shape, member: Member, dims: dict[int, int]) -> None:
    """Match outer dimensions of extent 1, whose index a reshape made 0, with those of a member."""
    for k, d in enumerate(producer.outer):
        units = [a for a, e in enumerate(member.points) if e == 1 and a not in dims.values()]
        if k not in dims and index[d] == 0 and producer.points[d] == 1 and units:
            dims[k] = units[0]

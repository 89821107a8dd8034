"""The members of a group, and the assignment of sweeps to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.budgets import SWEEPS
from opc.dialects.element import element_of
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp, RequireRangeOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import Shape, tensor_of
from opc.support.target import AGAIN, CHEAP, KEPT

from .fusion_inline import Access, Inlining, is_contraction
from .kernel_forms import unshaped

Alone: TypeAlias = "ControlOp | RequireRangeOp | DataExtentOp | RequireOp"
"""Operations that are not kernels, but have a position among these."""


@dataclass(frozen=True)
class Space:
    """The iteration space of a sweep, and the lanes of its ordered sums, if it has any."""

    extents: Shape
    lanes: ex.Expr | None = None

    def shared(self, other: Space) -> Space | None:
        """The space of a sweep for both; None if extents or orders differ."""
        if self.extents != other.extents:
            return None
        if self.lanes is None or other.lanes is None or self.lanes == other.lanes:
            return Space(self.extents, self.lanes if other.lanes is None else other.lanes)
        return None


@dataclass(eq=False)
class Member:
    """A kernel that is computed once, in a group; control flow and checks have their own group."""

    nest: kernel.NestOp | Alone
    sweep: kernel.SweepOp | None
    accesses: list[Access]
    group: Group = field(init=False)
    outer: tuple[int, ...] = ()
    slot: int = 0
    """The number of the sweep that computes it; for a point, of the first one that may use it."""
    kept: bool = False

    @property
    def value(self) -> SSAValue:
        """The tensor that it computes."""
        return self.nest.results[0]

    @property
    def is_contraction(self) -> bool:
        """Whether it is a contraction."""
        return is_contraction(self.nest)

    @property
    def is_search(self) -> bool:
        """Whether it is an arg-reduction."""
        kinds = self.sweep.kinds if self.sweep else ()
        return any(k.data != kernel.KEEP and REDUCTIONS[k.data].is_arg for k in kinds)

    @property
    def adds_in_lanes(self) -> bool:
        """Whether it is an ordered sum."""
        return self.sweep is not None and self.sweep.lanes_expr is not None

    @cached_property
    def prefixes(self) -> list[kernel.PrefixOp]:
        """Its scans."""
        return kernel.prefixes_of(self.nest) if isinstance(self.nest, kernel.NestOp) else []

    @property
    def points(self) -> Shape:
        """The extents of its own nest."""
        return self.nest.extents.data if isinstance(self.nest, kernel.NestOp) else ()

    @property
    def inner(self) -> tuple[int, ...]:
        """Its dimensions that are not outer, numbered as in its own nest and sweep."""
        rank = len(self.points)
        reduced = len(self.sweep.extents.data) if self.sweep else 0
        return (*(d for d in range(rank) if d not in self.outer), *range(rank, rank + reduced))

    @property
    def inner_extents(self) -> Shape:
        """The extents of ``inner``, which are those of the sweep that computes it."""
        extents = (*self.points, *(self.sweep.extents.data if self.sweep else ()))
        return tuple(extents[d] for d in self.inner)

    @property
    def space(self) -> Space:
        """The space of a sweep that computes it."""
        return Space(self.inner_extents, self.sweep.lanes_expr if self.sweep else None)

    def placed(self, dims: int) -> dict[int, ex.Expr]:
        """Its dimensions as dimensions of the group, of which the first ``dims`` are outer."""
        assert dims == len(self.outer)
        return {d: ex.dim(k) for k, d in enumerate([*self.outer, *self.inner])}


@dataclass(eq=False)
class Group:
    """Members that become one nest, in order of computation."""

    number: int
    members: list[Member]
    before: int = 0
    """The bit set of the groups that must be computed earlier."""
    sweeps: list[Space] = field(default_factory=list[Space])
    kept: int = 0
    """Bytes that it materializes in local arrays."""
    searches: bool = False
    adds_in_lanes: bool = False
    """Whether one of its members is an ordered sum."""
    prefixes: list[kernel.PrefixOp] = field(default_factory=list[kernel.PrefixOp])
    """The scans of its members."""

    @property
    def extents(self) -> Shape:
        """The extents of the outer dimensions."""
        first = self.members[0]
        return tuple(first.points[d] for d in first.outer)


class Sweeps:
    """Assigns sweeps to the members of groups."""

    def __init__(self, members: dict[SSAValue, Member], inlining: Inlining) -> None:
        self.members = members
        self.inlining = inlining

    def assign(self, group: Group, member: Member) -> bool:
        """Assign a member to the first sweep in which its operands are available.

        False if it needs values of an earlier sweep that are too many to materialize and too
        expensive to recompute.
        """
        earliest = 0
        inner: list[Member] = []
        for source, index in member.accesses:
            producer = self.members.get(unshaped(source))
            if producer is None or producer.group is not group or producer is member:
                continue
            if producer.sweep is None and producer.inner:
                at_point = pointwise(member, producer, index)
                earliest = max(earliest, producer.slot + (0 if at_point else 1))
                inner.append(producer)
            else:
                earliest = max(earliest, producer.slot + (1 if producer.sweep else 0))
        if not member.inner and member.sweep is None:
            member.slot = earliest
        else:
            space, count = member.space, len(group.sweeps)
            fitting = (
                (slot, both)
                for slot in range(earliest, count)
                if (both := group.sweeps[slot].shared(space)) is not None
            )
            member.slot, space = next(fitting, (count, space))
            if member.slot == SWEEPS:
                return False
            group.sweeps[member.slot : member.slot + 1] = [space]
        return all(self._provide(group, p) for p in dict.fromkeys(inner) if p.slot < member.slot)

    def reads(self, member: Member, producer: Member) -> bool:
        """Whether a member reads the tensor of another."""
        return any(unshaped(s) is producer.value for s, _ in member.accesses)

    def _provide(self, group: Group, producer: Member) -> bool:
        """Make values available to later sweeps: materialized, or recomputed if cheap enough."""
        if producer.kept:
            return True
        again = self.cost_again(group, producer)
        if again <= CHEAP:
            return True
        size = ex.product(producer.inner_extents).constant
        element = element_of(tensor_of(producer.value).element_type)
        # Along a column, values of many columns would be materialized at once, too many for caches.
        along_rows = producer.inner[-1] == len(producer.points) - 1
        if size is not None and element is not None and along_rows:
            size *= element.bytes
            if group.kept + size <= KEPT:
                producer.kept = True
                group.kept += size
                return True
        return again <= AGAIN

    def cost_again(self, group: Group, producer: Member) -> int:
        """The cost of recomputing a value, with operands that are not materialized."""
        total = self.inlining.cost(producer.value)
        for source, _ in producer.accesses:
            needed = self.members.get(unshaped(source))
            if (
                needed is not None
                and needed.group is group
                and needed.sweep is None
                and needed.inner
                and not needed.kept
                and total <= AGAIN
            ):
                total += self.cost_again(group, needed)
        return total


def pointwise(member: Member, producer: Member, index: Shape) -> bool:
    """Whether a member reads a producer only at its own point of the sweep."""
    return (
        len(index) == len(producer.points)
        and producer.inner_extents == member.inner_extents
        and all(
            index[d].dim() == mine for d, mine in zip(producer.inner, member.inner, strict=True)
        )
    )

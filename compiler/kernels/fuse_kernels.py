"""Fuse kernels: ``a = exp(x); b = a + y  -->  one nest``.

What is fused is decided in ``fusion_plan``; here the nests are written.  Every value is computed
as far out as its dimensions allow and once per point, so what does not change in a sweep is not
computed in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.opc import movement
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import data_extents
from opc.dialects.shape import Shape, element, tensor_of
from opc.passes.function_pass import FunctionPass
from opc.support.provenance import fused

from .data_dependent_symbols import symbols_of
from .fusion_inline import Inlining, simple, through_reshape
from .fusion_plan import Grouping
from .fusion_sweeps import Group, Member, Space
from .kernel_forms import is_empty
from .materialized_values import give_places, keep_in_outputs


@dataclass(eq=False)
class Scope:
    """A block under construction: the nest's (depth 0), or a sweep's (depth 1)."""

    depth: int
    dims: int
    """How many dimensions there are: expressions over these can be computed here."""
    block: Block = field(default_factory=Block)
    known: dict[Hashable, SSAValue] = field(default_factory=dict[Hashable, SSAValue])


class Writer:
    """Writes the nest of one group."""

    def __init__(
        self,
        group: Group,
        inlining: Inlining,
        members: dict[SSAValue, Member],
        outside: set[SSAValue],
    ) -> None:
        self.group = group
        self.inlining = inlining
        self.members = members
        self.nest = Scope(0, len(group.extents))
        self.scopes = [self.nest]
        self.results: list[Member] = [m for m in group.members if m.value in outside]
        self.scalars: dict[Member, SSAValue] = {}
        self.arrays: dict[Member, SSAValue] = {}
        self.depths: dict[SSAValue, int] = {}
        self.origins: list[Operation] = [m.nest for m in group.members]

    def write(self) -> kernel.NestOp:
        """The nest."""
        for slot, space in enumerate(self.group.sweeps):
            self._points(slot)
            self._sweep(slot, space)
        self._points(len(self.group.sweeps))
        nest = kernel.NestOp.of(
            self.group.extents, self.nest.block, [m.value.type for m in self.results]
        )
        nest.location = fused(op.location for op in self.origins)
        return nest

    def _points(self, slot: int) -> None:
        """Members that are one scalar for each point of the nest, as soon as they can be."""
        for member in self.group.members:
            if member.sweep is None and not member.inner and member.slot == slot:
                self.scalars[member] = value = self._body(member)
                self._store(member, value)

    def _sweep(self, slot: int, space: Space) -> None:
        scope = Scope(1, self.nest.dims + len(space.extents))
        self.scopes.append(scope)
        kinds: list[str] = []
        yielded: list[SSAValue] = []
        owners: list[Member] = []
        inside: list[Member] = []
        for member in self.group.members:
            if member.slot != slot or not (member.inner or member.sweep):
                continue
            value = self._body(member)
            if member.sweep is not None:
                kinds.append(member.sweep.kinds.data[0].data)
            else:
                self.scalars[member] = value
                inside.append(member)
                self._store(member, value)
                if not member.kept:
                    continue
                kinds.append(kernel.KEEP)
            yielded.append(value)
            owners.append(member)
        scope.block.add_op(kernel.YieldOp(operands=[yielded]))
        sweep = kernel.SweepOp.of(space.extents, kinds, scope.block, space.lanes)
        self.nest.block.add_op(sweep)
        self.scopes.pop()
        for member in inside:
            del self.scalars[member]
        for member, result in zip(owners, sweep.outputs, strict=True):
            if member.sweep is None:
                self.arrays[member] = result
                continue
            self.depths[result] = 0
            self.scalars[member] = value = self._tail(member, result)
            self._store(member, value)

    def _ranges(self) -> ex.Ranges:
        extents = (
            *self.group.extents,
            *(self.group.sweeps[self._slot].extents if len(self.scopes) > 1 else ()),
        )
        return dict(enumerate(extents))

    def _body(self, member: Member) -> SSAValue:
        """The value of a member (for a reduction: what is reduced) at its own point."""
        self._slot = member.slot
        self._current = member
        assert isinstance(member.nest, kernel.NestOp)
        block = member.sweep.body.block if member.sweep else member.nest.body.block
        return self._copy(block, member.placed(self.nest.dims))

    def _tail(self, member: Member, result: SSAValue) -> SSAValue:
        """What a reduction's nest computes from the reduced value."""
        assert member.sweep is not None and isinstance(member.nest, kernel.NestOp)
        self._current = member
        return self._copy(
            member.nest.body.block, member.placed(self.nest.dims), {member.sweep.outputs[0]: result}
        )

    def _copy(
        self,
        block: Block,
        at: dict[int, ex.Expr],
        values: dict[SSAValue, SSAValue] | None = None,
    ) -> SSAValue:
        """Write a block's operations with other dimensions; the value that it stores or yields."""
        values = dict(values or {})
        ranges = self._ranges()
        for op in block.ops:
            match op:
                case body.ConstantOp():
                    values[op.result] = self._add(op.clone(), (op.value,), -1)
                case body.IndexOp():
                    values[op.result] = self._index(op.expr.substitute(at, ranges))
                case body.ApplyOp():
                    values[op.result] = self._apply(op, [values[a] for a in op.args])
                case kernel.PrefixOp():
                    total = op.like(values[op.value], at[op.dim].dim())
                    key = ("prefix", total.value, *total.properties.values())
                    values[op.result] = self._add(total, key, 0)
                case kernel.LoadOp():
                    index = tuple(e.substitute(at, ranges) for e in op.index.data)
                    if op.default is None or is_empty(op.source):
                        values[op.result] = self._element(op.source, index)
                    else:
                        load = kernel.LoadOp.of(op.source, index, op.default)
                        key = ("guarded", op.source, index, op.default)
                        values[op.result] = self._add(load, key, self._depth_of(index))
                case kernel.StoreOp():
                    return values[op.value]
                case kernel.YieldOp():
                    return values[op.values[0]]
                case _:
                    pass
        raise AssertionError("a kernel stores or yields")

    def _element(self, source: SSAValue, index: Shape) -> SSAValue:
        """An element of a tensor, computed in place where its kernel is inlined."""
        ranges = self._ranges()
        source, index = self.inlining.look_through(source, index, ranges)
        producer = self.members.get(self.inlining.resolve(source))
        if producer is not None and producer.group is self.group:
            # What is computed again may be asked for at an index that has a division already;
            # a reshape of what this nest computes is there only behind it.
            while isinstance(source.owner, movement.ReshapeOp):
                source, index = through_reshape(source, index, ranges)
        if is_empty(source):
            # No round reads it.  As a load, whose index may have lost the dimension without values,
            # it could move out of the sweep that has no rounds, and read what is not there.
            zero = body.ConstantOp.of(0, element(tensor_of(source)))
            return self._add(zero, (zero.value,), -1)
        key = ("element", source, index)
        known = self._known(key)
        if known is not None:
            return known
        value = self._inside(source, index)
        if value is None and source in self.inlining.inlined:
            value = self._inline(source, index)
        if value is None:
            load = kernel.LoadOp.of(source, index)
            return self._add(load, key, self._depth_of(index))
        self.scopes[self.depths.get(value, 0)].known[key] = value
        return value

    def _inline(self, source: SSAValue, index: Shape) -> SSAValue:
        owner = source.owner
        assert isinstance(owner, kernel.NestOp)
        self.origins.append(owner)
        at = dict(enumerate(index))
        return self._copy(owner.body.block, at)

    def _inside(self, source: SSAValue, index: Shape) -> SSAValue | None:
        """The value of a member of this group: a scalar, an element kept, or computed again."""
        producer = self.members.get(source)
        if producer is None or producer.group is not self.group:
            return None
        if not (producer.inner and producer.sweep is None):
            return self.scalars[producer]
        placed = self._current.placed(self.nest.dims)
        # A dimension of one value may be one of the nest here, and one of the sweep there.
        units = {d: ex.const(0) for d, n in enumerate(self.group.extents) if n == 1}
        mine = [placed[d].substitute(units) for d in self._current.inner]
        theirs = [index[d].substitute(units) for d in producer.inner]
        if producer in self.scalars and theirs == mine:
            return self.scalars[producer]
        if producer in self.arrays:
            load = kernel.LoadOp.of(self.arrays[producer], tuple(theirs))
            return self._add(load, ("element", source, index), self._depth_of(tuple(theirs)))
        return self._inline(source, index)

    def _index(self, e: ex.Expr) -> SSAValue:
        return self._add(body.IndexOp.of(e), e, self._depth_of((e,)))

    def _apply(self, op: body.ApplyOp, args: Sequence[SSAValue]) -> SSAValue:
        key = ("apply", op.function, tuple(args), op.result.type)
        known = self._known(key)
        if known is not None:
            return known
        copy = body.ApplyOp(
            operands=[args], result_types=[op.result.type], properties=dict(op.properties)
        )
        return self._add(copy, key, max((self.depths[a] for a in args), default=0))

    def _depth_of(self, index: Shape) -> int:
        return int(any(d >= self.nest.dims for e in index for d in e.dims()))

    def _known(self, key: Hashable) -> SSAValue | None:
        return next((s.known[key] for s in self.scopes if key in s.known), None)

    def _add(self, op: Operation, key: Hashable, depth: int) -> SSAValue:
        """Add an operation to the block of the given depth, unless it is there already."""
        known = self._known(key)
        if known is not None:
            return known
        scope = self.scopes[max(depth, 0)]
        scope.block.add_op(op)
        result = op.results[0]
        scope.known[key] = result
        self.depths[result] = scope.depth
        return result

    def _store(self, member: Member, value: SSAValue) -> None:
        if member not in self.results:
            return
        placed = member.placed(self.nest.dims)
        index = tuple(placed[d] for d in range(len(member.points)))
        store = kernel.StoreOp.of(value, self.results.index(member), index)
        self.scopes[-1].block.add_op(store)


class FuseKernelsPass(FunctionPass):
    """See the module's docstring; needs form-kernels."""

    name = "fuse-kernels"

    def rewrite(self, function: FuncOp) -> None:
        """See the base."""
        fuse(function)


def fuse(function: FuncOp) -> None:
    """Fuse the kernels of one function."""
    block = function.body.block
    _erase_unused(block)
    ops = list(block.ops)
    inlining = Inlining(ops)
    grouping = Grouping(ops, inlining)
    outside = _needed_outside(grouping, inlining)
    last = block.last_op
    assert last is not None
    for group in sorted(grouping.groups, key=lambda g: (g.before.bit_count(), g.number)):
        first = group.members[0]
        if not simple(first.nest)[0]:
            first.nest.detach()
            block.insert_op_before(first.nest, last)
            continue
        writer, nest = _write(group, grouping, inlining, outside)
        block.insert_op_before(nest, last)
        for member, result in zip(writer.results, nest.outputs, strict=True):
            result.name_hint = member.value.name_hint
            member.value.replace_all_uses_with(result)
    _erase({op for op in ops if isinstance(op, kernel.NestOp) and simple(op)[0]})
    _sort_reshapes(block)


def _write(
    group: Group, grouping: Grouping, inlining: Inlining, outside: set[SSAValue]
) -> tuple[Writer, kernel.NestOp]:
    """Write the nest of a group, in which every value has a place that is to be kept in one."""
    barred: set[Member] = set()
    while True:
        marked = keep_in_outputs(group, grouping.sweeps, barred)
        writer = Writer(group, inlining, grouping.member, outside)
        nest = writer.write()
        placed = give_places(nest)
        without = {m for m in marked if writer.arrays[m] not in placed}
        if not without:
            return writer, nest
        barred |= without
        for member in marked:
            member.kept = False
        nest.erase()


def _erase_unused(block: Block) -> None:
    """Remove what nothing needs: it would be computed alone."""
    for op in reversed(list(block.ops)):
        removable = isinstance(
            op, kernel.NestOp | ControlOp | movement.ReshapeOp | movement.ConstantOp
        )
        if removable and not any(result.uses for result in op.results):
            op.detach()
            op.erase()


def _needed_outside(grouping: Grouping, inlining: Inlining) -> set[SSAValue]:
    """Members whose tensors must be written to memory."""
    needed: set[SSAValue] = set()
    for value in grouping.member:
        behind = [value]
        while behind:
            current = behind.pop()
            for use in current.uses:
                if isinstance(use.operation, movement.ReshapeOp):
                    behind.append(use.operation.result)
                elif not isinstance(use.operation, kernel.LoadOp):
                    needed.add(value)
    for group in grouping.groups:
        for member in group.members:
            for source, _ in member.accesses:
                behind_reshapes = inlining.resolve(source)
                producer = grouping.member.get(behind_reshapes)
                if producer is not None and (
                    producer.group is not group or behind_reshapes is not source
                ):
                    needed.add(behind_reshapes)
    return needed


def _erase(ops: set[Operation]) -> None:
    for op in ops:
        op.detach()
    for op in ops:
        for result in op.results:
            result.erase(safe_erase=False)
        op.drop_all_references()


def _sort_reshapes(block: Block) -> None:
    """Put each reshape right behind what it reshapes and its extents; drop what nothing uses."""
    for op in reversed(list(block.ops)):
        if isinstance(op, movement.ReshapeOp) and not op.result.uses:
            op.detach()
            op.erase()
    from_data = {op.defined: op for op in data_extents(block)}
    for op in [o for o in block.ops if isinstance(o, movement.ReshapeOp)]:
        source = op.operands[0].owner
        needed = [from_data[name] for name in symbols_of(op.result) & from_data.keys()]
        if needed:
            order = {o: k for k, o in enumerate(block.ops)}
            places = [*needed, *([source] if isinstance(source, Operation) else [])]
            source = max(places, key=order.__getitem__)
        op.detach()
        if isinstance(source, Block):
            first = block.first_op
            assert first is not None
            block.insert_op_before(op, first)
        else:
            block.insert_op_after(op, source)

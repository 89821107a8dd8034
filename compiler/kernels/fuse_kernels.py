"""Fuses kernels: ``a = exp(x); b = a + y  -->  one nest``.

``fusion_plan`` decides what is fused; this file writes the nests.  Each value is computed once per
point, as far out as its dimensions allow, so sweeps contain no loop-invariant operations.  Needs
form-kernels.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.opc import movement
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import data_extents
from opc.dialects.shape import Shape, element, tensor_of
from opc.passes.function_pass import FunctionPass
from opc.support.provenance import fused

from .data_dependent_symbols import symbols_of
from .forward_slices import forward_slices
from .fusion_inline import Inlining, simple, through_reshape
from .fusion_plan import Grouping
from .fusion_sweeps import Group, Member, Space
from .kernel_forms import is_empty, unshaped, uses_of
from .materialized_values import give_places, keep_in_outputs


@dataclass(eq=False)
class Scope:
    """A block under construction: that of the nest (depth 0) or of a sweep (depth 1)."""

    depth: int
    dims: int
    """The number of dimensions in scope."""
    block: Block = field(default_factory=Block)
    known: dict[Hashable, SSAValue] = field(default_factory=dict[Hashable, SSAValue])


class Writer:
    """Writes the nest of a group."""

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
        """Write the nest."""
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
        """Write members that are a scalar at each point of the nest, as early as possible."""
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
        """The value of a member at its own point; for a reduction, the reduced operand."""
        self._slot = member.slot
        self._current = member
        assert isinstance(member.nest, kernel.NestOp)
        block = member.sweep.body.block if member.sweep else member.nest.body.block
        return self._copy(block, member.placed(self.nest.dims))

    def _tail(self, member: Member, result: SSAValue) -> SSAValue:
        """The epilogue of a reduction."""
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
        """Copy a block with other dimensions; the value that it stores or yields."""
        values = dict(values or {})
        ranges = self._ranges()
        for op in block.ops:
            match op:
                case body.ConstantOp():
                    values[op.result] = self._add(op.clone(), (op.value,), -1)
                case body.IndexOp():
                    e = op.expr.substitute(at, ranges)
                    values[op.result] = self._add(body.IndexOp.of(e), e, self._depth_of((e,)))
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
        """An element of a tensor: computed where its kernel is inlined or fused, else loaded."""
        ranges = self._ranges()
        source, index = self.inlining.look_through(source, index, ranges)
        producer = self.members.get(unshaped(source))
        if producer is not None and producer.group is self.group:
            # Values of this nest are computed before any reshape of them, so the index is always
            # that before the reshape, though it may need a division.
            while isinstance(source.owner, movement.ReshapeOp):
                source, index = through_reshape(source, index, ranges)
        if is_empty(source):
            # No iteration reads it.  A load without the empty dimension in its index could move out
            # of the sweep, which has no iterations, and read outside the tensor.
            zero = body.ConstantOp.of(0, element(tensor_of(source)))
            return self._add(zero, (zero.value,), -1)
        key = ("element", source, index)
        if (written := self._known(key)) is not None:
            return written
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
        return self._copy(owner.body.block, dict(enumerate(index)))

    def _inside(self, source: SSAValue, index: Shape) -> SSAValue | None:
        """An element of a member of this group: a scalar, materialized, or recomputed."""
        producer = self.members.get(source)
        if producer is None or producer.group is not self.group:
            return None
        if not (producer.inner and producer.sweep is None):
            return self.scalars[producer]
        placed = self._current.placed(self.nest.dims)
        # A dimension of extent 1 may belong to the nest in one member and to the sweep in another.
        units = {d: ex.const(0) for d, n in enumerate(self.group.extents) if n == 1}
        mine = [placed[d].substitute(units) for d in self._current.inner]
        theirs = [index[d].substitute(units) for d in producer.inner]
        if producer in self.scalars and theirs == mine:
            return self.scalars[producer]
        if producer in self.arrays:
            load = kernel.LoadOp.of(self.arrays[producer], tuple(theirs))
            return self._add(load, ("element", source, index), self._depth_of(tuple(theirs)))
        return self._inline(source, index)

    def _apply(self, op: body.ApplyOp, args: Sequence[SSAValue]) -> SSAValue:
        key = ("apply", op.function, tuple(args), op.result.type)
        if (written := self._known(key)) is not None:
            return written
        copy = body.ApplyOp(
            operands=[args], result_types=[op.result.type], properties=dict(op.properties)
        )
        return self._add(copy, key, max((self.depths[a] for a in args), default=0))

    def _depth_of(self, index: Shape) -> int:
        return int(any(d >= self.nest.dims for e in index for d in e.dims()))

    def _known(self, key: Hashable) -> SSAValue | None:
        return next((s.known[key] for s in self.scopes if key in s.known), None)

    def _add(self, op: Operation, key: Hashable, depth: int) -> SSAValue:
        """Add an operation to the block of a depth, unless an equal one is in scope."""
        if (written := self._known(key)) is not None:
            return written
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
    """nest {exp, store a}; nest {load a, add, store}  -->  nest {exp, add, store}."""

    name = "fuse-kernels"

    def rewrite(self, function: FuncOp) -> None:
        """Fuse the kernels of a function."""
        fuse(function)


def fuse(function: FuncOp) -> None:
    """Fuse the kernels of one function."""
    block = function.body.block
    _erase_unused(block)
    ops = list(block.ops)
    inlining = Inlining(ops)
    grouping = Grouping(ops, inlining)
    outside = _needed_outside(grouping)
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
    forward_slices(function)
    _sort_reshapes(block)


def _write(
    group: Group, grouping: Grouping, inlining: Inlining, outside: set[SSAValue]
) -> tuple[Writer, kernel.NestOp]:
    """Write the nest of a group; values without an output to lie in are recomputed."""
    barred: set[Member] = set()
    while True:
        materialized = keep_in_outputs(group, grouping.sweeps, barred)
        writer = Writer(group, inlining, grouping.member, outside)
        nest = writer.write()
        placed = give_places(nest)
        without = {m for m in materialized if writer.arrays[m] not in placed}
        if not without:
            return writer, nest
        barred |= without
        for member in materialized:
            member.kept = False
        nest.erase()


def _erase_unused(block: Block) -> None:
    """Erase operations without uses."""
    for op in reversed(list(block.ops)):
        removable = isinstance(
            op, kernel.NestOp | ControlOp | movement.ReshapeOp | movement.ConstantOp
        )
        if removable and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _needed_outside(grouping: Grouping) -> set[SSAValue]:
    """Members whose tensors must be stored."""
    needed = {
        value
        for value in grouping.member
        if not all(isinstance(use.operation, kernel.LoadOp) for use in uses_of(value))
    }
    for group in grouping.groups:
        for member in group.members:
            for source, _ in member.accesses:
                tensor = unshaped(source)
                producer = grouping.member.get(tensor)
                if producer is not None and (producer.group is not group or tensor is not source):
                    needed.add(tensor)
    return needed


def _erase(ops: set[Operation]) -> None:
    for op in ops:
        op.detach()
    for op in ops:
        for result in op.results:
            result.erase(safe_erase=False)
        op.drop_all_references()


def _sort_reshapes(block: Block) -> None:
    """Move each reshape right behind its operand and its extents; erase unused ones."""
    for op in reversed(list(block.ops)):
        if isinstance(op, movement.ReshapeOp) and not op.result.uses:
            Rewriter.erase_op(op)
    from_data = {op.defined: op for op in data_extents(block)}
    for op in [o for o in block.ops if isinstance(o, movement.ReshapeOp)]:
        source = op.operands[0].owner
        needed = [from_data[name] for name in symbols_of(op.result) & from_data.keys()]
        if needed:
            order = {o: k for k, o in enumerate(block.ops)}
            definitions = [*needed, *([source] if isinstance(source, Operation) else [])]
            source = max(definitions, key=order.__getitem__)
        op.detach()
        if isinstance(source, Block):
            first = block.first_op
            assert first is not None
            block.insert_op_before(op, first)
        else:
            block.insert_op_after(op, source)

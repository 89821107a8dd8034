"""Decide which results go past the caches: where memory bounds a nest, and caches would not help.

``kernel.store %r to 0[d0, d1]  -->  kernel.store %r to 0[d0, d1] nontemporal <1>``

A store to memory that is not in a cache reads it first, and later pushes out something else.  Whole
cache lines can be written without either.  That pays where a nest reads as much as last-level
caches hold besides what is written, or more, does little with it, and where nothing reads the
result.  Every row must be whole cache lines, if the result starts at one, or rows that are not too
short must follow one another.  Where only a run knows how many bytes there are, or how many threads
may write them, that is an expression, and there will be loops for both.

``loops.past_caches`` writes such loops.  Needs plan-buffers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import element_in, index_of
from opc.dialects.collapse import Collapsed
from opc.dialects.indirect import is_indirect
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of
from opc.kernels.plan_buffers import OUTPUTS
from opc.target import LINE, LITTLE, Target, target

from .nest import NestFacts, has_functions
from .plan_points import points_of_block
from .plan_transposed_results import find_turning
from .plan_transposes import find_tiling
from .store_axes import LEAST, SHORTEST, Axes, axes_of


def results(function: FuncOp) -> Sequence[SSAValue]:
    """The buffers that a function returns its results in."""
    count = function.attributes.get(OUTPUTS)
    args = function.body.block.args[:-1]
    number = count.value.data if isinstance(count, IntegerAttr) else 0
    return args[len(args) - number :]


def plan_stores(function: FuncOp, machine: Target) -> None:
    """Say of each store to a result whether it goes past the caches."""
    only_written = {r for r in results(function) if all(map(_only_writes, _users(r)))}
    for nest in function.body.block.ops:
        if isinstance(nest, kernel.NestOp) and only_written & {*nest.targets}:
            planner, targets = Planner(nest, machine), nest.targets
            for store in planner.stores:
                if store.nontemporal is None and targets[store.number] in only_written:
                    when = planner.when(store)
                    if when != 0:
                        store.properties["nontemporal"] = index_of(when)


def _users(buffer: SSAValue) -> Iterable[Operation]:
    return (use.operation for use in buffer.uses)


def _only_writes(op: Operation) -> bool:
    return isinstance(op, kernel.NestOp) and not (is_indirect(op) or op.has_chain)


def _stores(nest: kernel.NestOp) -> list[kernel.StoreOp]:
    return [op for op in nest.body.walk() if isinstance(op, kernel.StoreOp)]


class Planner:
    """What is known of a nest once, for all of its stores."""

    def __init__(self, nest: kernel.NestOp, machine: Target) -> None:
        self.nest, self.machine = nest, machine
        self.stores = _stores(nest)
        self._little: dict[Block, bool] = {}

    @cached_property
    def values(self) -> NestFacts:
        """The scalars of the nest."""
        return NestFacts(self.nest)

    @cached_property
    def outer(self) -> Collapsed:
        """Its points, along axes of memory."""
        return self.values.outer

    @cached_property
    def is_tiled(self) -> bool:
        """Whether it reads and writes along different dimensions."""
        return find_tiling(self.values) is not None

    @cached_property
    def pays(self) -> ex.Expr:
        """1 where it moves enough; results that are turned around in any case do not count."""
        if find_turning(self.values) is not None:
            return ex.const(0)
        return _pays(self.nest, self.machine, self.is_tiled)

    def _does_little(self, store: kernel.StoreOp) -> bool:
        block = store.parent
        assert block is not None
        if block not in self._little:
            self._little[block] = _does_little(self.nest, block)
        return self._little[block]

    def when(self, store: kernel.StoreOp) -> ex.Expr:
        """1 where a store had better go past the caches, else 0."""
        if not self._does_little(store) or self.pays == 0:
            return ex.const(0)
        values, when, size = self.values, self.pays, scalar_type(store.value).bytes
        axes = axes_of(values, self.outer, store)
        if axes is None:
            return ex.const(0)
        # Of several results one would be written twice, conversions take longer than memory, and
        # nests that reduce are long enough to read as they are.
        is_plain = not self.is_tiled and len(self.stores) == 1 and size >= 4
        is_apart = not values.sweeps or _is_apart(values, self.outer, axes, self.machine)
        is_plain = is_plain and is_apart
        if when not in (0, 1) and not is_plain:
            return ex.const(0)
        known, line = axes.length.constant, LINE // size
        if known == 0:
            return ex.const(0)
        is_long = known is not None and (known % line == 0 or known * size >= LEAST)
        if axes.is_even(line) and (is_long or is_plain):
            return when
        if is_plain and axes.follow_one_another:
            return when * ex.atleast(axes.length * size, SHORTEST)
        return ex.const(0)


def _is_apart(values: NestFacts, outer: Collapsed, axes: Axes, machine: Target) -> bool:
    """Whether the loops of sweeps stand by themselves, since all points are one block."""
    n = axes.length.constant
    is_across = len(axes.around) == 1 and outer.extents == (axes.length,)
    cells = machine.totals // 4
    return is_across and points_of_block(values, cells, None) == (n, False)


def _does_little(nest: kernel.NestOp, block: Block) -> bool:
    """Whether a point takes so little that memory may take the time.

    What is copied only, C compilers leave to memcpy, which knows how to.
    """
    applied = [op for op in block.ops if isinstance(op, body.ApplyOp)]
    is_little = 0 < sum(SCALARS[op.function.data].cost for op in applied) <= LITTLE
    return is_little and not has_functions(nest.body.block.ops)


def _pays(nest: kernel.NestOp, machine: Target, is_turned: bool) -> ex.Expr:
    """1 where a nest moves so much that its results had better go past the caches, else 0."""
    loads = (op.source for op in nest.body.walk() if isinstance(op, kernel.LoadOp))
    targets = nest.targets
    stored = {targets[op.number] for op in _stores(nest)}
    read = _bytes({v for v in loads if not isinstance(v.owner, kernel.SweepOp)} - stored)
    written = _bytes(stored)
    amounts = sum(read, sum(written, ex.const(0))), 2 * sum(read, ex.const(0))
    shared, alone = machine.shared, machine.alone
    if is_turned:
        shared = alone = machine.shared // 2
    known = [e.constant for e in amounts if e.constant is not None]
    if len(known) < len(amounts):
        amount = amounts[any(e in read for e in written)]
        return ex.atleast(amount, 2 * shared - ex.ALONE * (2 * (shared - alone)))
    if max(known) >= 2 * shared:
        return ex.const(1)
    return ex.ALONE if max(known) >= 2 * alone else ex.const(0)


def _bytes(buffers: Iterable[SSAValue]) -> list[ex.Expr]:
    return [ex.product(shape_of(v.type)) * element_in(v).bytes for v in buffers]


@dataclass(frozen=True)
class PlanStoresPass(ModulePass):
    """See the module's docstring; ``target`` names the machine."""

    name: ClassVar[str] = "plan-stores"
    target: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Plan the stores of every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                plan_stores(function, target(self.target))

"""Nests that reduce nothing, point after point: which results go past the caches.

A store to memory that is not in a cache reads it first, and later pushes out something else.  Whole
cache lines can be written without either.  That pays where a nest reads as much as last-level
caches hold besides what is written, or more, does little with it, reduces nothing, and where
nothing reads the result.  Every row must be whole cache lines, if the result starts at one.  Where
only a run knows how many bytes there are, or whether rows are whole lines (a difference of rows
takes 0.66 to 0.80 times as long then), that is an expression, and there will be loops for both.

Nests of other rows, and reductions, gained 1.07 and 1.13 times over 11 and 7 graphs, which is not
worth their loops. Loops begin at the first cache line of each row: with results that begin 16 bytes
behind one, as NumPy allocates them, a difference with a row takes 0.5 to 0.6 of the time so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.buffer import OUTPUTS
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import ForOp, IfOp, NonTemporalOp, RunOp
from opc.support.target import BURST, LEAST_NON_TEMPORAL, LINE, LITTLE, Target

from .cost import bytes_of, cost_of, has_functions
from .nest import NestFacts
from .nest_trees import in_threads, nested
from .plan_transposes import find_tiling


@dataclass(frozen=True)
class NonTemporal:
    """The stores of a nest that go past the caches, and when: 1, 0, or an expression."""

    stores: list[int]
    when: ex.Expr
    asks: Mapping[ex.Atom, str] = field(default_factory=dict[ex.Atom, str])
    """What the choices in that ask for."""

    def __bool__(self) -> bool:
        """Whether any does."""
        return bool(self.stores)


NONE = NonTemporal([], ex.const(0))


def only_written(function: FuncOp) -> set[SSAValue]:
    """The buffers that a function returns its results in, as far as nothing reads them."""
    count = function.attributes.get(OUTPUTS)
    args = function.body.block.args[:-1]
    number = count.value.data if isinstance(count, IntegerAttr) else 0
    results = args[len(args) - number :]
    # A nest may write many of them: it is looked at once.
    writers = {use.operation for r in results for use in r.uses}
    only = {op for op in writers if _only_writes(op)}
    return {r for r in results if all(use.operation in only for use in r.uses)}


def _only_writes(op: Operation) -> bool:
    return isinstance(op, kernel.NestOp) and not (is_indirect(op) or op.has_chain)


def find_non_temporal(
    facts: NestFacts, results: Collection[SSAValue], machine: Target
) -> NonTemporal:
    """Which of the stores to some results go past the caches, and when."""
    stores, targets = facts.stores, facts.nest.targets
    may = [store for store in stores if targets[store.number] in results]
    if facts.sweeps or not may or not facts.outer.extents or not _does_little(facts):
        return NONE
    is_tiled, length = find_tiling(facts) is not None, facts.outer.extents[-1].constant
    when = _pays(facts.nest, machine)

    def goes(store: kernel.StoreOp) -> bool:
        size = scalar_type(store.value).bytes
        # Of several results one would be written twice, and conversions take longer than memory.
        if not is_tiled and len(stores) == 1 and size >= 4:
            return True
        is_long = length is not None and (
            length * size % LINE == 0 or length * size >= LEAST_NON_TEMPORAL
        )
        return is_long and when == 1

    found = [s for s in may if facts.broken_lines(s).constant in (0, None) and goes(s)]
    # One comparison, however many stores and axes: schedules allow few in a condition.
    broken = ex.atleast(sum(map(facts.broken_lines, found), ex.const(0)), 1)
    asks = dict.fromkeys(when.atoms(), "more than the caches hold")
    asks |= dict.fromkeys(broken.atoms(), "rows end within a cache line")
    when = when * (1 - broken)
    return (
        NonTemporal([stores.index(s) for s in found], when, asks) if found and when != 0 else NONE
    )


def _does_little(facts: NestFacts) -> bool:
    """Whether a point takes so little that memory may take the time.

    What is copied only, C compilers leave to memcpy, which knows how to.
    """
    return 0 < cost_of(facts.ops) <= LITTLE and not has_functions(facts.ops)


def _pays(nest: kernel.NestOp, machine: Target) -> ex.Expr:
    """1 where a nest moves so much that its results had better go past the caches, else 0."""
    targets, inside = nest.targets, list(nest.body.walk())
    stored = {targets[op.number] for op in inside if isinstance(op, kernel.StoreOp)}
    loaded = {op.source for op in inside if isinstance(op, kernel.LoadOp)}
    read, written = ([bytes_of(v) for v in buffers] for buffers in (loaded - stored, stored))
    amounts = sum(read, sum(written, ex.const(0))), 2 * sum(read, ex.const(0))
    known = [e.constant for e in amounts if e.constant is not None]
    most = max(known) if len(known) == len(amounts) else amounts[any(e in read for e in written)]
    return ex.atleast(most, machine.past)


def points(facts: NestFacts, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """Loops over the points; where only a run knows whether results go past the caches, two."""
    if not non_temporal:
        return _plain(facts)
    past = _non_temporal(facts, non_temporal)
    if non_temporal.when == 1:
        return past
    names = "through the caches", "past the caches"
    return [IfOp.of(1 - non_temporal.when, _plain(facts), past, names, non_temporal.asks)]


def _plain(facts: NestFacts) -> list[IRDLOperation]:
    axes, out = facts.axes, [RunOp.of("out")]
    inner = nested([(axis, 1, "vector") for axis in axes[-1:]], out)
    return in_threads([(axis, 1) for axis in axes[:-1]], inner)


def _non_temporal(facts: NestFacts, non_temporal: NonTemporal) -> list[IRDLOperation]:
    (*around, last), length = facts.axes, facts.outer.extents[-1]
    size = burst_of(length, max(scalar_type(op.value).bytes for op in facts.stores))
    ops: list[IRDLOperation] = [ForOp.of(last, 1, "vector", [RunOp.of("out")])]
    is_peeled = length.constant is None or length.constant > size
    ops = [
        ForOp.of(last, size, "parallel", [NonTemporalOp.of(non_temporal.stores, ops)], is_peeled)
    ]
    return in_threads([(axis, 1) for axis in around], ops)


def burst_of(length: ex.Expr, bytes: int) -> int:
    """Points of a block: of blocks that are no shorter, all as long as each other if possible."""
    n, line, least = length.constant, LINE // bytes, BURST // LINE
    if n is None or n % line:
        return BURST // bytes
    lines = n // line
    return line * next((k for k in range(least, 2 * least) if lines % k == 0), min(least, lines))

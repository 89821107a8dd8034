"""Plan nests without sweeps point by point, with non-temporal stores where they pay.

A store to memory that is in no cache reads the line first, and later evicts another one.
Non-temporal stores of whole cache lines do neither.  They pay where a nest reads at least as much
as the last-level cache holds, computes little, reduces nothing, and where nothing reads the result.
Each row must be whole cache lines, if the result starts at one.  Where the number of bytes, or
whether rows are whole lines, is known at run time only, a condition chooses between two versions (a
difference of rows takes 0.66 to 0.80 of the time then).

Nests of other rows, and reductions, gained 1.07 and 1.13 times over 11 and 7 graphs, which is not
worth their loops.  Loops begin at the first cache line of each row: with results that begin 16
bytes behind one, as NumPy allocates them, a difference with a row takes 0.5 to 0.6 of the time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.buffer import bytes_of, results_of
from opc.dialects.indirect import is_indirect
from opc.dialects.schedule import ForOp, IfOp, NonTemporalOp, RunOp
from opc.dialects.walking import walk
from opc.support.target import BURST, LEAST_NON_TEMPORAL, LINE, LITTLE, Target

from .cost import cost_of
from .nest import NestFacts, has_functions
from .nest_trees import in_threads, nested
from .plan_transposes import find_tiling


@dataclass(frozen=True)
class NonTemporal:
    """The non-temporal stores of a nest, and when they are used: 1, 0, or a condition."""

    stores: list[int]
    when: ex.Expr
    asks: Mapping[ex.Atom, str] = field(default_factory=dict[ex.Atom, str])
    """The meaning of each choice in the condition."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.stores)


NONE = NonTemporal([], ex.const(0))


def only_written(function: FuncOp) -> set[SSAValue]:
    """The result buffers of a function that nothing reads."""
    results = results_of(function)
    # A nest may write many of them: it is looked at once.
    users = {use.operation for r in results for use in r.uses}
    nests = {op for op in users if isinstance(op, kernel.NestOp)}
    writers: set[Operation] = {op for op in nests if not (is_indirect(op) or op.has_chain)}
    return {r for r in results if all(use.operation in writers for use in r.uses)}


def find_non_temporal(
    facts: NestFacts, results: Collection[SSAValue], machine: Target
) -> NonTemporal:
    """Which stores to ``results`` are non-temporal, and when."""
    stores, targets = facts.stores, facts.nest.targets
    may = [store for store in stores if targets[store.number] in results]
    # Of points that compute little, memory limits the speed.  Copies are left to memcpy, which C
    # compilers call, and which uses such stores itself.
    does_little = 0 < cost_of(facts.ops) <= LITTLE and not has_functions(facts.ops)
    if facts.sweeps or not may or not facts.outer.extents or not does_little:
        return NONE
    is_tiled, length = find_tiling(facts) is not None, facts.outer.extents[-1].constant
    when = _pays(facts.nest, machine)

    def is_non_temporal(store: kernel.StoreOp) -> bool:
        size = scalar_type(store.value).bytes
        # Of several results one would be written twice.  Conversions take longer than memory.
        if not is_tiled and len(stores) == 1 and size >= 4:
            return True
        is_long = length is not None and (
            length * size % LINE == 0 or length * size >= LEAST_NON_TEMPORAL
        )
        return is_long and when == 1

    chosen = [s for s in may if facts.broken_lines(s).constant in (0, None) and is_non_temporal(s)]
    # One comparison for all stores and axes: a condition may have few.
    broken = ex.atleast(sum(map(facts.broken_lines, chosen), ex.const(0)), 1)
    asks = dict.fromkeys(when.atoms(), "more than the caches hold")
    asks |= dict.fromkeys(broken.atoms(), "rows end within a cache line")
    when = when * (1 - broken)
    if not chosen or when == 0:
        return NONE
    return NonTemporal([stores.index(s) for s in chosen], when, asks)


def _pays(nest: kernel.NestOp, machine: Target) -> ex.Expr:
    """1 where a nest moves so many bytes that non-temporal stores pay, else 0."""
    targets, inside = nest.targets, list(walk(nest.body))
    stored = {targets[op.number] for op in inside if isinstance(op, kernel.StoreOp)}
    loaded = {op.source for op in inside if isinstance(op, kernel.LoadOp)}
    read, written = ([bytes_of(v) for v in buffers] for buffers in (loaded - stored, stored))
    amounts = sum(read, sum(written, ex.const(0))), 2 * sum(read, ex.const(0))
    known = [e.constant for e in amounts if e.constant is not None]
    most = max(known) if len(known) == len(amounts) else amounts[any(e in read for e in written)]
    return ex.atleast(most, machine.past)


def points(facts: NestFacts, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """Loops over the points; two versions where a condition chooses the stores."""
    if not non_temporal:
        return _plain(facts)
    ops = _non_temporal(facts, non_temporal)
    if non_temporal.when == 1:
        return ops
    names = "through the caches", "past the caches"
    return [IfOp.of(1 - non_temporal.when, _plain(facts), ops, names, non_temporal.asks)]


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
    """Points of a block, a burst at least; all blocks have equally many if possible."""
    n, line, least = length.constant, LINE // bytes, BURST // LINE
    if n is None or n % line:
        return BURST // bytes
    lines = n // line
    return line * next((k for k in range(least, 2 * least) if lines % k == 0), min(least, lines))

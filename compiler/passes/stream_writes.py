"""Write results that are too large for caches past them.

A store to memory that is not in a cache reads it first, and later pushes out something else.  Whole
cache lines can be written without either.  So what a loop computes goes to an array in the
first-level cache, and from there to memory at once::

    for i = 0 to 4194304 { y[i] = x[i] - b }
      -->
    for i = 0 to 4194304 step 128
      for l = 0 to 128 { row[l] = x[i + l] - b }
      stream 128 of row to y[i ...]

That is little at a time, as processors read on from several places meanwhile: with 1024 values it
took up to 1.5 times as long.  For rows that may start within a cache line see ``stream_rows``.

Where the sweep before asks for what will be written, it does so for nothing: instead it writes, bit
by bit, what the round before has computed, while it computes itself::

    for i { for j step 64 { ...;  ask for 64 of y[i] };  for j { y[i, j] = e[j] / s } }
      -->
    for i { for j step 64 { ...;  stream 64 of row to y[i - 1] };  for j { row[j] = e[j] / s } }
    stream row to the last y[i]

Then it asks for what it reads two rows later, too.  (Where results go through the caches, asking
for both takes longer: that was up to 1.6 times as slow.)

Where extents are unknown, a loop that reduces nothing is there twice, for few bytes and for many,
and so is one that would pay if one thread did it all: one of the two does not run.

Only where memory bounds the loop, and that reads as much as last-level caches hold besides what is
written, or more: else they take what several threads write faster than memory does.  Only where
nothing is read back, and where every store goes along whole cache lines, if the result starts at
one, or along rows that are not too short and follow one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop, tile
from opc.dialects import expr as ex
from opc.dialects.buffer import element_in
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import shape_of

from .loop_parts import PLAIN, At, has_functions, insert, joined, moved, put
from .plan_buffers import OUTPUTS
from .prefetching import LINE, ask_for, one_of_each
from .stream_loops import (
    copied,
    in_blocks,
    is_even,
    is_innermost,
    limit,
    outermost,
    start_of,
    store_in,
    stream_block,
)
from .stream_rows import SHORTEST, follow_one_another, stream_rows

Answer = TypeVar("Answer")

SHARED = 16 << 20
"""Bytes that a loop must read, or access on an average of reading and writing: last-level caches do
not hold more.  Half as many are enough where rows become columns."""
ALONE = 9 << 20
"""The same where the C is compiled for one thread: without OpenMP."""
BLOCK = 512
"""Bytes that are written at once, while processors read on from several places."""
ROW = 4096
"""Most bytes of a row that is written at once, because what is reduced meanwhile is in order."""
LITTLE = 16
"""Simple operations of a point up to which memory takes the time."""
LEAST = 1024
"""Fewest bytes written at once that are no whole number of cache lines."""
AHEAD = 2
"""How many rows ahead a sweep asks for what it reads, if it writes past the caches meanwhile."""


@dataclass
class Write:
    """The store of a loop to a result, and where that starts for the first point."""

    op: loop.ForOp
    store: loop.StoreOp
    most: int
    """The greatest number of points of the loop."""
    ask: loop.PrefetchOp | None = None
    """What asks for the memory in the sweep before."""
    when: ex.Expr = field(default_factory=lambda: ex.const(1))
    """1 where it pays, else 0."""


class Nests:
    """What was found about loops, until one is rewritten: a nest may write many results."""

    def __init__(self) -> None:
        self._found: dict[tuple[Any, ...], Any] = {}

    def ask(self, question: Callable[..., Answer], *about: Any) -> Answer:
        """The answer to a question."""
        key = (question, *about)
        if key not in self._found:
            self._found[key] = question(*about)
        return self._found[key]

    def forget(self) -> None:
        """Ask again: loops have changed."""
        self._found.clear()


def results(function: FuncOp) -> Sequence[SSAValue]:
    """The buffers that a function returns its results in."""
    count = function.attributes.get(OUTPUTS)
    args = function.body.block.args[:-1]
    number = count.value.data if isinstance(count, IntegerAttr) else 0
    return args[len(args) - number :]


def _bytes(buffers: Iterable[SSAValue]) -> list[ex.Expr]:
    return [ex.product(shape_of(v.type)) * element_in(v).bytes for v in buffers]


def pays(op: loop.ForOp) -> ex.Expr:
    """1 where a nest moves so much that its results had better go past the caches, else 0."""
    ops = list(op.walk())
    stored = {o.target for o in ops if isinstance(o, loop.StoreOp)}
    used = {v for o in ops for v in o.operands if isinstance(v.type, MemRefType)}
    read, written = _bytes(used - stored), _bytes(stored)
    amounts = sum(read, sum(written, ex.const(0))), 2 * sum(read, ex.const(0))
    turned = any(isinstance(o, tile.TransposeOp) for o in ops)
    shared, alone = (SHARED // 2, SHARED // 2) if turned else (SHARED, ALONE)
    known = [e.constant for e in amounts if e.constant is not None]
    if len(known) < len(amounts):
        amount = amounts[any(e in read for e in written)]
        return ex.atleast(amount, 2 * shared - ex.ALONE * (2 * (shared - alone)))
    if max(known) >= 2 * shared:
        return ex.const(1)
    return ex.ALONE if max(known) >= 2 * alone else ex.const(0)


def does_little(op: loop.ForOp, alone: bool) -> bool:
    """Whether a loop does little for each point, so that memory may take the time.

    The loops around it call no functions either, unless the loop counts ``alone``.
    """
    applied = [o.function.data for o in op.body.block.ops if isinstance(o, body.ApplyOp)]
    # What is copied only, C compilers leave to memcpy, which knows how to.
    is_little = 0 < sum(SCALARS[name].cost for name in applied) <= LITTLE
    return is_little and not has_functions([op if alone else outermost(op)])


def writes(buffer: SSAValue, nests: Nests) -> list[Write] | None:
    """All that is done to a result, if that is stores which it pays to make past the caches."""
    asks = [use.operation for use in buffer.uses if isinstance(use.operation, loop.PrefetchOp)]
    found: dict[loop.ForOp, Write] = {}
    for use in buffer.uses:
        if use.operation in asks:
            continue
        write = _write(use.operation, nests)
        if write is None or write.op in found:
            return None
        found[write.op] = write
    for write in found.values():
        if asks:
            write.ask = asks[0]
            if len(asks) > 1 or len(found) > 1 or not _can_wait(write, asks[0]):
                return None
        write.when = nests.ask(pays, outermost(write.op))
        if write.when == 0 or not nests.ask(does_little, write.op, bool(asks)):
            return None
        if write.when != 1 and (asks or not nests.ask(_can_be_twice, outermost(write.op))):
            return None
    return list(found.values())


def _can_be_twice(nest: loop.ForOp) -> bool:
    """Whether a nest may be there twice.

    Of several results one would be written twice, conversions take longer than memory, and nests
    that reduce are long enough to read as they are.
    """
    ops = list(nest.walk())
    stores = [o for o in ops if isinstance(o, loop.StoreOp)]
    plain = all(isinstance(o, (loop.ForOp, *PLAIN)) for o in ops)
    return plain and len(stores) == 1 and element_in(stores[0].target).bytes >= 4


def _can_wait(write: Write, ask: loop.PrefetchOp) -> bool:
    """Whether what one round writes may go to memory in the next, when a sweep asks for as much.

    So the rounds must follow one another in one thread, one at least, the sweep must come before
    the loop, and ask for just what that writes, a number of cache lines at a time.  Functions of
    f64 take twice as long for as much memory, which then is no bound.
    """
    op, rows, steps = write.op, write.op.parent_op(), ask.parent_op()
    if not isinstance(rows, loop.ForOp) or not isinstance(steps, loop.ForOp):
        return False
    if rows.kind.data != "serial" or rows.bounds[2] != 1 or not _has_rounds(rows):
        return False
    if steps.parent_op() is not rows or not steps.is_before_in_block(op):
        return False
    size, step = element_in(write.store.target).bytes, steps.bounds[2]
    count = ex.const(write.most)
    if steps.bounds[:2] != (ex.const(0), count) or op.bounds[:2] != (ex.const(0), count):
        return False
    if (
        size > 4
        or write.most % step != 0
        or step * size % LINE != 0
        or ask.index.data[1] != ex.const(step)
    ):
        return False
    start, dims = start_of(op, write.store)
    asked, every = joined(ask.index.data[0], list(ask.dims), [*dims, steps.variable])
    return len(every) == len(dims) + 1 and asked == start + ex.dim(len(dims))


def _has_rounds(op: loop.ForOp) -> bool:
    """Whether a loop over a block of what another one goes over runs at all."""
    around, (lower, upper, _) = op.parent_op(), op.bounds
    if not isinstance(around, loop.ForOp):
        return False
    dims = list(op.dims)
    start, every = joined(ex.dim(0), [around.variable], dims)
    end, _ = joined(around.bounds[1], list(around.dims), every)
    spans = [(e - lower).constant for e in ex.least_of(upper) if lower != start or e != end]
    return all(span is not None and span > 0 for span in spans)


def _write(store: Operation, nests: Nests) -> Write | None:
    found = store_in(store)
    if found is None or not nests.ask(is_innermost, found[0]):
        return None
    op, store = found
    most, size = _most(op), element_in(store.target).bytes
    if most is None or (most * size % LINE != 0 and most * size < LEAST):
        return None
    if most * size > ROW and not nests.ask(_can_be_cut, op):
        return None
    return Write(op, store, most) if is_even(*start_of(op, store), LINE // size) else None


def _can_be_cut(op: loop.ForOp) -> bool:
    """Whether parts of a loop give what all of it does: what is reduced meanwhile is in order."""
    return op.kind.data == "vector" and all(isinstance(o, PLAIN) for o in op.body.block.ops)


def _most(op: loop.ForOp) -> int | None:
    lower, upper, _ = op.bounds
    spans = [(end - lower).constant for end in ex.least_of(upper)]
    return min((n for n in spans if n is not None), default=None)


def stream(write: Write) -> None:
    """Let a loop write to an array of its own, which is copied afterwards."""
    op, store = write.op, write.store
    if write.ask is not None:
        _stream_later(write, write.ask)
        return
    op, store = copied(op, store, write.when)
    type = element_in(store.target)
    line = LINE // type.bytes
    least, lines = -(-write.most * type.bytes // BLOCK), -(-write.most // line)
    if not _can_be_cut(op):
        least = 1
    # Loops over as many points each time are faster.
    parts = next((k for k in range(least, 2 * least) if lines % k == 0), least)
    size = -(-lines // parts) * line
    if parts > 1 or (write.when != 1 and outermost(op) is op):
        # What is streamed only sometimes needs a loop around it, which then does not run.
        op, store = in_blocks(op, store, size)
    stream_block(op, store, size)
    limit(outermost(op), write.when)


def stream_by_size(buffer: SSAValue, nests: Nests) -> None:
    """Let a loop over unknown extents, or rows of any, write past the caches if that does much.

    Of several loops of which one runs (see ``row_versions``), that is the one of long rows.
    """
    sizes = {use.operation: _is_large(use.operation, buffer, nests) for use in buffer.uses}
    stores = [store for store, size in sizes.items() if size != 0]
    if len(stores) != 1:
        return
    found, when = store_in(stores[0]), sizes[stores[0]]
    assert found is not None
    nests.forget()
    points = BLOCK // element_in(buffer).bytes
    op, store = copied(*found, when)
    if is_even(*start_of(op, store), LINE // element_in(buffer).bytes):
        op, store = in_blocks(op, store, points)
        stream_block(op, store, points)
    else:
        op = stream_rows(op, store, points)
    limit(outermost(op), when)


def _is_large(store: Operation, buffer: SSAValue, nests: Nests) -> ex.Expr:
    """1 where a store writes so much that it had better go past the caches, as the extents say."""
    found = store_in(store)
    if found is None or not nests.ask(is_innermost, found[0]):
        return ex.const(0)
    op, _ = found
    when, span = nests.ask(pays, outermost(op)), op.bounds[1] - op.bounds[0]
    if when == 0 or span.dims() or not nests.ask(does_little, op, False):
        return ex.const(0)
    if not nests.ask(_can_be_twice, outermost(op)):
        return ex.const(0)
    if is_even(*start_of(*found), LINE // element_in(buffer).bytes):
        return when
    if not follow_one_another(*found):
        return ex.const(0)
    return when * ex.atleast(span * element_in(buffer).bytes, SHORTEST)


def _stream_later(write: Write, ask: loop.PrefetchOp) -> None:
    """Let a sweep copy bit by bit what the round before has written to an array of its own."""
    op, store, rows = write.op, write.store, write.op.parent_op()
    steps = ask.parent_op()
    assert isinstance(rows, loop.ForOp) and isinstance(steps, loop.ForOp)
    row = loop.LocalOp.of(element_in(store.target), write.most)
    insert(row, rows)
    lower, dims = joined(rows.bounds[0], list(rows.dims), [rows.variable])
    # In the first round that is nothing, of the first row.
    done = ex.minimum(1, ex.dim(0) - lower)
    before: At = ex.dim(0) - done, dims
    at, places = moved(ask.index.data[0], list(ask.dims), rows.variable, before)
    count, places = joined(done * steps.bounds[2], dims, places)
    start, places = joined(ex.dim(0), [steps.variable], places)
    whole = ex.const(write.most)
    put(loop.StreamOp.of(row.result, store.target, (start, at, count, whole), places), ask)
    ahead = ex.dim(0) + AHEAD, [rows.variable]
    for load in one_of_each([o for o in steps.walk() if isinstance(o, loop.LoadOp)]):
        ask_for(load, steps, steps, rows.variable, ahead)
    last = rows.bounds[1] - 1, list(rows.dims)
    at, places = moved(*start_of(op, store), rows.variable, last)
    new = loop.StreamOp.of(row.result, store.target, (ex.const(0), at, whole, whole), places)
    assert rows.parent is not None
    rows.parent.insert_op_after(new, rows)
    new.location = op.location
    put(loop.StoreOp.of(store.value, row.result, ex.dim(0), [op.variable]), store)


@dataclass(frozen=True)
class StreamWritesPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "stream-writes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if not isinstance(function, FuncOp) or function.is_declaration:
                continue
            nests = Nests()
            for buffer in results(function):
                found = writes(buffer, nests)
                for write in found or ():
                    stream(write)
                    nests.forget()
                if not found:
                    stream_by_size(buffer, nests)

"""Loops that gcc must not make into vectors, since these would read what is not there.

Where the statements of a round load several elements that are close to each other, gcc 12 loads all
from the first one up to those of the next round (VMAT_STRIDED_SLP), also elements in between that
no statement reads: those behind a row, where every second row is copied.  It leaves the last rounds
to scalars so that nothing is read behind an array.  But where the step of the loads is negative it
is the first round that reads there, and an array may end with its page.  Loops without such a gap
behind the elements of a round, as those that reverse all rows, read what the text reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop

NO_VECTORS = "OPC_NO_VECTORS"
NO_VECTORS_TEXT = f"""\
/* Of this loop no vectors are made.  Where a negative step leaves out elements, gcc 12 loads those
   of several rounds with what lies between them, and begins with what lies behind the array. */
#if defined(__GNUC__) && !defined(__clang__)
#define {NO_VECTORS} __asm__ volatile("")
#else
#define {NO_VECTORS} (void)0
#endif
"""


def reads_behind(op: loop.ForOp) -> bool:
    """Whether vectors of several rounds of a loop would read elements that no round reads."""
    inside = list(op.walk())
    loads = (o for o in inside if isinstance(o, loop.LoadOp | loop.GatherOp))
    return any(_has_gap(load, op) for load in loads) and _has_group(inside, op)


def _has_gap(load: loop.LoadOp | loop.GatherOp, op: loop.ForOp) -> bool:
    """Whether a load goes backwards with the rounds, and leaves out elements between them.

    Behind a local array there is always something to read.
    """
    if isinstance(loop.root(load.source).owner, loop.LocalOp):
        return False
    step = _step(load, op)
    if step is None or step >= -1:
        return False
    around = list(_loops_around(load, op))
    counts = [(upper - lower).constant for lower, upper, _ in (o.bounds for o in around)]
    steps = [_step(load, o) for o in around]
    if None in counts or None in steps or any(o.bounds[2] != 1 for o in around):
        return True
    within = [(n or 0, abs(s or 0)) for n, s in zip(counts, steps, strict=True) if s]
    last = sum((n - 1) * s for n, s in within)
    return prod(n for n, _ in within) != -step or last != -step - 1


def _has_group(inside: list[Operation], op: loop.ForOp) -> bool:
    """Whether a round stores several elements of one array, or has several sums or one in a loop.

    Of other loops gcc makes vectors that load each element on its own.
    """
    groups: Counter[SSAValue | None] = Counter()
    for store in inside:
        if isinstance(store, loop.StoreOp | loop.ScatterOp):
            target = loop.root(store.target)
            is_local = isinstance(target.owner, loop.LocalOp)
            if is_local and op.is_ancestor(target.owner):
                continue
            is_repeated = any(_loops_around(store, op))
            groups[None if is_local else target] += 2 if is_repeated else 1
    return any(count > 1 for count in groups.values())


def _loops_around(op: Operation, outside: loop.ForOp) -> Iterator[loop.ForOp]:
    """The loops within a loop that an operation is in."""
    at = op.parent_op()
    while at is not None and at is not outside:
        if isinstance(at, loop.ForOp):
            yield at
        at = at.parent_op()


def _step(load: loop.LoadOp | loop.GatherOp, op: loop.ForOp) -> int | None:
    """How many elements a load goes on with each round of a loop, if that is one known number.

    Loops inside may begin later with each round, too.
    """
    total = _along(load.index.data[0], list(load.dims), op.variable)
    for inner in _loops_around(load, op):
        later = _along(inner.bounds[0], list(inner.dims), op.variable)
        if later is None or later == 0:
            continue
        more = _along(load.index.data[0], list(load.dims), inner.variable)
        total = None if total is None or more is None else total + more * later
    buffer = load.source
    while isinstance(buffer.owner, loop.ViewOp):
        more = _along(buffer.owner.start, list(buffer.owner.dims), op.variable)
        total = None if total is None or more is None else total + more
        buffer = buffer.owner.source
    return None if total is None or total.constant is None else total.constant * op.bounds[2]


def _along(index: ex.Expr, dims: list[SSAValue], variable: SSAValue) -> ex.Expr | None:
    found = ex.const(0)
    for k in (k for k, value in enumerate(dims) if value is variable):
        more = index.coefficient(k)
        if more is None:
            return None
        found += more
    return found

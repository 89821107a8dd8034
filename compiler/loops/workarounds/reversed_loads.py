"""gcc 12 reads behind an array in loops that go backwards; such loops are not vectorized.

**Fault.**  Where an iteration loads several elements close to each other, vectors of gcc 12
(``VMAT_STRIDED_SLP``) load everything from the first of them to the first of the next iteration, so
also elements that no statement reads.  gcc leaves the last iterations to scalars, so that nothing
is read behind the array.  With a negative step it is the first iteration that reads there, and the
array may end with its page.

**Reproducer.**  A copy of every second row in reversed order, ``x[::-2]``, at ``-O3``:
``tests/unit/loops/workarounds/test_reversed_loads.py``.

**Instead.**  The mark ``no_vectors`` of the loop.  Loops without a gap behind the elements of an
iteration, such as those that reverse all rows, read what the text reads and have no mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod

from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.walking import walk


def reads_behind(op: loop.ForOp) -> bool:
    """Whether vectors of several iterations would read elements that no iteration reads."""
    inside = list(walk(op))
    if not any(_falls(o) for o in inside):
        return False
    loads = (o for o in inside if isinstance(o, loop.LoadOp | loop.GatherOp))
    return any(_has_gap(load, op) for load in loads) and _has_group(inside, op)


def _falls(op: Operation) -> bool:
    """Whether an index or a bound becomes less with some variable."""
    match op:
        case loop.LoadOp() | loop.GatherOp():
            e = op.index.data[0]
        case loop.ViewOp():
            e = op.start
        case loop.ForOp():
            e = op.bounds[0]
        case _:
            return False
    return any(number < 0 and factors for factors, number in e.terms)


def _has_gap(load: loop.LoadOp | loop.GatherOp, op: loop.ForOp) -> bool:
    """Whether a load goes backwards with the iterations and leaves out elements between them."""
    # Behind a local array there is always something to read.
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
    """Whether an iteration stores elements of one array, or has sums, several times.

    In other loops, vectors of gcc load each element on its own.
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
    """The loops around an operation, within another loop."""
    at = op.parent_op()
    while at is not None and at is not outside:
        if isinstance(at, loop.ForOp):
            yield at
        at = at.parent_op()


def _step(load: loop.LoadOp | loop.GatherOp, op: loop.ForOp) -> int | None:
    """By how many elements a load moves with each iteration of a loop; None if that varies.

    Loops inside may begin later with each iteration, too.
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
    stride = ex.const(0)
    for k in (k for k, value in enumerate(dims) if value is variable):
        more = index.coefficient(k)
        if more is None:
            return None
        stride += more
    return stride

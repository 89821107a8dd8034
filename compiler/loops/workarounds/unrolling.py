"""gcc 12 unrolls loops that are faster as they stand; such loops are marked to stay loops.

**Fault.**  Not of results but of time.  gcc vectorizes the statements of an unrolled loop only if
they are plain arithmetic, and often together with other iterations of a loop around it, value by
value: rows of 31 values behind a relu took 6 to 12 times as long, sums down 8 columns 2.7 times.

**Reproducer.**  A relu of rows of 31 values, with ``OPC_ROLLED`` defined as nothing.

**Instead.**  The mark ``rolled``, a pragma that gcc shall not unroll, on loops of as many
iterations as ``target.ROLLED`` and its like list.

**Fault.**  Of steps of a tile whose sums fill the registers, gcc mixes several, and writes sums to
the stack in between: 10 of 28, for each four steps.

**Reproducer.**  A product of matrices in tiles of 14 x 32 floats with AVX-512, with ``OPC_FEW``
defined as nothing.

**Instead.**  The mark ``few``, the same for all compilers, on loops over the steps of tiles with as
many vectors of sums as ``target.ROLLED_SUMS``.

**Fault.**  Of steps of a tile of few rows, gcc mixes up to 8, and has no registers for the columns
of all of them: each row reads them again.

**Reproducer.**  A product of matrices in tiles of 4 x 32 floats with AVX-512, with ``OPC_FEW``
defined as nothing.

**Instead.**  The same mark where tiles have as many rows as ``target.ROLLED_ROWS`` lists.
"""

from __future__ import annotations

from opc.dialects import body, loop
from opc.dialects.buffer import element_in
from opc.dialects.registers import array_in, lanes_of, vectors_of
from opc.support import target


def stays_rolled(op: loop.ForOp) -> bool:
    """Whether a loop is vectorized only if it is not unrolled."""
    lower, upper, step = op.bounds
    inside = list(op.body.block.ops)
    is_copy = all(isinstance(o, loop.LoadOp | loop.StoreOp) for o in inside)
    is_simple = not any(isinstance(o, body.ApplyOp) and o.is_expensive for o in inside)
    simple = target.ROLLED_SIMPLE if is_simple else ()
    counts = target.ROLLED_COPIES if is_copy else (*target.ROLLED, *simple)
    return (
        op.kind.data == "vector"
        and step == 1
        and (upper - lower).constant in counts
        and not any(isinstance(o, loop.ForOp | loop.IfOp) for o in inside)
    )


def mixes_badly(op: loop.ForOp) -> bool:
    """Whether a loop runs steps of a tile that leave too few registers for several of them."""
    *before, last = op.body.block.ops
    if op.kind.data != "serial" or any(isinstance(o, loop.ForOp) for o in before):
        return False
    rows, inner = 1, last
    while isinstance(inner, loop.ForOp) and inner.kind.data == "unroll":
        lower, upper, step = inner.bounds
        rows, last_op = rows * ((upper - lower).constant or 0) // step, inner.body.block.last_op
        assert last_op is not None
        inner = last_op
    sums = array_in(inner) if isinstance(inner, loop.ForOp) else None
    if sums is None:
        return False
    few = target.ROLLED_ROWS.get(lanes_of(sums) * element_in(sums).bytes, ())
    is_short = rows in few and vectors_of(sums) > rows
    return is_short or vectors_of(sums) >= target.ROLLED_SUMS

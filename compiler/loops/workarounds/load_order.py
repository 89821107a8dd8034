"""gcc 12 moves loads to where registers are short; such functions keep the order of the text.

**Fault.**  Not of results but of time.  A sum along rows adds values in pairs, and pairs of pairs.
gcc moves the loads to where fewest registers are in use: cache lines 0, 4, 8, ..., then 1.
Processors prefetch only what lies next, so a norm of rows of 768 values took 1.2 to 1.7 times as
long.  gcc also keeps a pointer for each access to a row, more than there are registers: a norm of
rows of 128 values took 1.3 times as long.

**Reproducer.**  ``@squares`` of ``tests/lit/emit/in_order.mlir``.

**Instead.**  Such a function has the mark ``in_order``, which turns off the three passes of gcc.
Expensive functions gain by these passes, so a loop with one has no mark.

**Fault.**  Not of results but of time.  Processors with AVX2 multiply small integers and add them
up in two instructions.  gcc begins the products of all rows of a tile before it adds them up, and
writes sums to the stack: of 6 x 16 sums 4 vectors of 12.

**Reproducer.**  A ``MatMulInteger`` of 128 x 768 x 3072 with AVX2.

**Instead.**  The same mark on functions with sums of integers in vectors of 32 bytes, which take
0.67 to 0.77 of the time so on a Zen 3 (AMD, family 25).
"""

from __future__ import annotations

from opc.dialects import body, loop
from opc.dialects.buffer import element_in
from opc.dialects.walking import walk
from opc.support.target import HALF_WIDEST


def reads_in_order(op: loop.ForOp) -> bool:
    """Whether a loop adds up rows in lanes and computes no expensive function, or integers."""
    inside = list(walk(op))
    sums = [o for o in inside if isinstance(o, loop.LocalOp) and o.register_lanes is not None]
    for o in sums:
        type = element_in(o.result)
        if type.is_integer and (o.register_lanes or 0) * type.bytes == HALF_WIDEST:
            return True
    has_functions = any(isinstance(o, body.ApplyOp) and o.is_expensive for o in inside)
    is_combined = any(isinstance(o, loop.CombineOp) for o in inside)
    return is_combined and not has_functions and not sums

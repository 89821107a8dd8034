"""gcc 12 moves the loads of sums along rows; functions with these keep the order of the text.

**Fault.**  Not of results but of time.  A sum along rows adds values in pairs, and pairs of pairs.
gcc moves the loads to where fewest registers are in use: cache lines 0, 4, 8, ..., then 1.
Processors prefetch only what lies next, so a norm of rows of 768 values took 1.2 to 1.7 times as
long.  gcc also keeps a pointer for each access to a row, more than there are registers: a norm of
rows of 128 values took 1.3 times as long.

**Reproducer.**  ``@squares`` of ``tests/lit/emit/in_order.mlir``.

**Instead.**  Such a function has the mark ``in_order``, which turns off the three passes of gcc.
Expensive functions gain by these passes, so a loop with one has no mark.
"""

from __future__ import annotations

from opc.dialects import body, loop
from opc.dialects.walking import walk


def reads_in_order(op: loop.ForOp) -> bool:
    """Whether a loop adds up rows in lanes and computes no expensive function."""
    inside = list(walk(op))
    return any(isinstance(o, loop.CombineOp) for o in inside) and not any(
        (isinstance(o, body.ApplyOp) and o.is_expensive)
        or (isinstance(o, loop.LocalOp) and o.register_lanes is not None)
        for o in inside
    )

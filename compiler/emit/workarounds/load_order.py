"""gcc 12 moves the loads of sums along rows; functions with these keep the order of the text.

**Fault.**  Not of results but of time.  A sum along rows adds values in pairs, and pairs of pairs.
gcc moves the loads to where fewest registers are in use: cache lines 0, 4, 8, ..., then 1.
Processors prefetch only what lies next, so a norm of rows of 768 values took 1.2 to 1.7 times as
long.  gcc also keeps a pointer for each access to a row, more than there are registers: a norm of
rows of 128 values took 1.3 times as long.

**Reproducer.**  ``@squares`` of ``tests/lit/emit/in_order.mlir``.

**Instead.**  Such a function has ``OPC_IN_ORDER``, which turns off the three passes of gcc.
Expensive functions gain by these passes, so a loop with one has no mark.  Into a function with
options of its own gcc inlines only what is marked ``always_inline``: helpers of scalars and lanes
are, helpers that move blocks of memory and the thread pool are not.
"""

from __future__ import annotations

from collections.abc import Mapping

from opc.dialects import body, loop
from opc.dialects.walking import walk

IN_ORDER = "OPC_IN_ORDER"
INLINE = "OPC_INLINE"
_LARGE = ("opc_share", "opc_transpose", "opc_non_temporal")
"""How the names of helpers begin that are not inlined."""


def reads_in_order(op: loop.ForOp) -> bool:
    """Whether a loop adds up rows in lanes and computes no expensive function."""
    inside = list(walk(op))
    return any(isinstance(o, loop.CombineOp) for o in inside) and not any(
        (isinstance(o, body.ApplyOp) and o.is_expensive)
        or (isinstance(o, loop.LocalOp) and o.register_lanes is not None)
        for o in inside
    )


def inlined(helpers: Mapping[object, str]) -> list[str]:
    """The texts of helpers, those of small ones marked as always inlined."""
    return [
        text
        if isinstance(name, str) and name.startswith(_LARGE)
        else text.replace("static inline ", f"static inline {INLINE} ")
        for name, text in helpers.items()
    ]

"""Functions that read memory as it lies there.

A sum along rows adds values in pairs, and pairs of pairs.  gcc knows that the order of the loads
does not matter to the result, and puts them where fewest registers are in use: line 0, 4, 8, ...,
then line 1.  Processors foresee what comes next only if it is what lies next: a norm of rows of 768
values took 1.2 to 1.7 times as long, so gcc is told not to move the loads of such a function.  Nor
is it to keep a pointer for each access to a row: these are more than there are registers, so it put
them into vector registers and memory, and a norm of rows of 128 values took 1.3 times as long.
Functions such as exponentials gain by what is forbidden here; a loop with one is left alone.

Of a function with options of its own gcc inlines only what is marked to be always inlined: helpers
of scalars and lanes are.  Those that move blocks of memory, and what keeps threads, stay as they
are.
"""

from __future__ import annotations

from collections.abc import Mapping

from opc.dialects import body, loop

IN_ORDER = "OPC_IN_ORDER"
INLINE = "OPC_INLINE"
IN_ORDER_TEXT = f"""\
/* Memory is read in the order of the text, in which it lies: processors see what comes next. */
#if defined(__GNUC__) && !defined(__clang__)
#define {IN_ORDER} __attribute__((optimize("no-schedule-insns", "no-tree-ter", "no-ivopts")))
#else
#define {IN_ORDER}
#endif
"""
INLINE_TEXT = f"""\
/* What functions with options of their own call. */
#if defined(__GNUC__) && !defined(__clang__)
#define {INLINE} __attribute__((always_inline))
#else
#define {INLINE}
#endif
"""
_LARGE = ("opc_share", "opc_transpose", "opc_non_temporal")
"""What helpers are named that are no part of a function that calls them."""


def reads_in_order(op: loop.ForOp) -> bool:
    """Whether a loop adds up rows in lanes, and computes no functions."""
    inside = list(op.walk())
    return any(isinstance(o, loop.CombineOp) for o in inside) and not any(
        (isinstance(o, body.ApplyOp) and o.is_expensive)
        or (isinstance(o, loop.LocalOp) and o.register_lanes is not None)
        for o in inside
    )


def inlined(helpers: Mapping[object, str]) -> list[str]:
    """The text of helpers by name, small ones as ones that are always inlined."""
    return [
        text
        if isinstance(name, str) and name.startswith(_LARGE)
        else text.replace("static inline ", f"static inline {INLINE} ")
        for name, text in helpers.items()
    ]

"""Loops that gcc must not unroll.

Those of few rounds it would unroll before it looks for vectors, and of the statements that it then
has it makes vectors only if they are plain arithmetic, and often ones of several rounds of a loop
around them, value by value: rows of 31 values took 6 to 12 times as long behind a relu, sums down
8 columns 2.7 times.
"""

from __future__ import annotations

from opc.dialects import body, loop
from opc.support import target

ROLLED = "OPC_ROLLED"
ROLLED_TEXT = f"""\
/* Unrolled, the next loop would be no vector operation. */
#if defined(__GNUC__) && !defined(__clang__)
#define {ROLLED} _Pragma("GCC unroll 1")
#else
#define {ROLLED}
#endif
"""
FEW = "OPC_FEW"
FEW_TEXT = f"""\
/* Not unrolled: what several rounds of the next loop need would take the place of sums. */
#if defined(__clang__)
#define {FEW} _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define {FEW} _Pragma("GCC unroll 1")
#else
#define {FEW}
#endif
"""


def marks(op: loop.ForOp) -> list[tuple[str, str]]:
    """What stands before a loop, and its definition."""
    if op.kind.data == "rolled":
        return [(FEW, FEW_TEXT)]
    return [(ROLLED, ROLLED_TEXT)] if _stays_rolled(op) else []


def _stays_rolled(op: loop.ForOp) -> bool:
    """Whether a loop is vectors only as long as it is a loop."""
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

"""Loops that gcc must not unroll, or not far.

Those of few rounds it would unroll before it looks for vectors, and of the statements that it then
has it makes vectors only if they are plain arithmetic, and often ones of several rounds of a loop
around them, value by value: rows of 31 values took 6 to 12 times as long behind a relu, sums down
8 columns 2.7 times.

Of rounds that it has unrolled it mixes the instructions.  Where a sum along rows is all that is
done, memory then is read out of order, and processors do not see what comes next: 36 MB in rows of
300 values took 2.5 times as long.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.dialects.shape import shape_of
from opc.passes.loop_parts import has_functions
from opc.passes.stream_writes import outermost

ROLLED = "OPC_ROLLED"
ROLLED_TEXT = f"""\
/* Unrolled, the next loop would be no vector operation, or read memory out of order. */
#if defined(__GNUC__) && !defined(__clang__)
#define {ROLLED} _Pragma("GCC unroll 1")
#else
#define {ROLLED}
#endif
"""
IN_ORDER = "OPC_IN_ORDER"
IN_ORDER_TEXT = f"""\
/* Unrolled further, the next loop would read memory out of order. */
#if defined(__GNUC__) && !defined(__clang__)
#define {IN_ORDER} _Pragma("GCC unroll 2")
#else
#define {IN_ORDER}
#endif
"""
LARGE = 8 << 20
"""Bytes of an array from which on the order in which it is read decides."""
ROUNDS = (8, 16)
"""As many values as fill vectors; of more rounds gcc unrolls no loop before."""


def marks(op: loop.ForOp) -> list[tuple[str, str]]:
    """What stands before a loop, and its definition."""
    if _stays_in_order(op):
        is_innermost = not any(isinstance(o, loop.ForOp) and _adds(o) for o in op.body.block.ops)
        return [(IN_ORDER, IN_ORDER_TEXT) if is_innermost else (ROLLED, ROLLED_TEXT)]
    return [(ROLLED, ROLLED_TEXT)] if _stays_rolled(op) else []


def _stays_rolled(op: loop.ForOp) -> bool:
    """Whether a loop is vectors only as long as it is a loop."""
    lower, upper, step = op.bounds
    return (
        op.kind.data == "vector"
        and step == 1
        and (upper - lower).constant in ROUNDS
        and not any(isinstance(o, loop.ForOp) for o in op.body.block.ops)
    )


def _stays_in_order(op: loop.ForOp) -> bool:
    """Whether all that a nest does is to read much memory and to add it up."""
    if not _adds(op):
        return False
    ops = list(outermost(op).walk())
    read = _sizes({o.source for o in ops if isinstance(o, loop.AccumulateOp | loop.LoadOp)})
    stored = _sizes({o.target for o in ops if isinstance(o, loop.StoreOp)})
    if has_functions(ops) or not read.isdisjoint(stored):
        return False
    return any(size.constant is None or size.constant >= LARGE for size in read)


def _adds(op: loop.ForOp) -> bool:
    return any(isinstance(o, loop.AccumulateOp) for o in op.walk())


def _sizes(buffers: set[SSAValue]) -> set[ex.Expr]:
    """The bytes of what is in memory."""
    held = [v for v in buffers if not isinstance(v.owner, loop.LocalOp)]
    return {ex.product(shape_of(v.type)) * element_in(v).bytes for v in held}

"""Rotate a loop over long rows: the last sweep of a row goes with the first one of the next row.

Each sweep waits for what the one before finds.  The first sweep of a row waits for nothing, and
goes on while the last one of the row before divides and writes::

    for i = 0 to n { m = max of row i;  s = sums with m;  for j { y[i, j] = e[j] / s } }
      -->
    for b = 0 to n step 32
      m = max of row b
      for i = b to min(b + 32, n)
        s = sums with m
        for j { y[i, j] = e[j] / s;  m = max(m, x[min(i + 1, n - 1), j]) }

The last row is read again, to no effect: a loop of its own for it made the others slower.  Threads
share the blocks.  Where what is between is one sweep of long functions, it goes with these two as
well, for the row between theirs: see ``three_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in
from opc.dialects.strip import NARROW

from .loop_parts import has_functions
from .prefetching import size_of
from .rotation import Rotation, Round, can_be_rotated, common, round_of, touched, written
from .three_rows import Middle, ThreeRows

ROWS = 64
"""Rows of a block, at most: the first sweep of its first row goes alone."""
FEWEST = 4
"""Rows of a block for which it is worth it."""
BLOCKS = 16
"""Blocks that are wanted at least, for threads to share, where each has more rows than that."""
LONG = 16
"""The same where the sweeps of three rows go together, of which two go alone for its first row, and
what they keep is in memory; half as many blocks are wanted, if they have more."""
UNKNOWN = 256
"""Of rows of unknown number, a block has ``FEWEST`` more for every so many of them."""
SHARED = 2048
"""Values of a row from which on threads may share rows one by one, if there are few."""
SHORTEST = 256
"""Values of a row for which it is worth it."""
SHORTEST_UNEVEN = 384
"""The same where one of the sweeps ends in full vectors and the other one does not."""
LONGEST = 3 << 12
"""Bytes of a row for which it is worth it without long functions: three of them must fit into the
first-level cache."""
CACHE = 8 << 20
"""Bytes that the caches hold."""
AGAIN = 16 << 20
"""Bytes from which on three rows do not go together where the last sweep reads what the first one
did: that is of three rows at once."""


def _is_worth_it(op: loop.ForOp, parts: Round) -> bool:
    """Whether rotation makes a loop faster, as far as measured."""
    first, last = parts.first, parts.last
    points = (common(first, last) or ex.const(0)).constant
    even = first.bounds[1] == last.bounds[1] or first.bounds[2] > 1
    if points is not None and points < (SHORTEST if even else SHORTEST_UNEVEN):
        return False
    loads = (o for o in first.walk() if isinstance(o, loop.LoadOp))
    if has_functions([first]) or any(element_in(o.source) in NARROW for o in loads):
        return False
    taken = (o for o in first.walk() if isinstance(o, loop.AccumulateOp))
    in_lanes = any(o.reduction.data != "max_number" for o in taken)
    outer = _outer(op)
    size = _bytes(op)
    if size is None or size > CACHE:
        # Reading and writing at once keeps memory from either, unless there is time to ask.
        return has_functions(parts.between) and not in_lanes
    width = max(element_in(v).bytes for v in outer)
    if not has_functions(parts.between) and (points or 0) * width > LONGEST:
        return False
    return in_lanes or any(isinstance(o, loop.ForOp) for o in parts.between)


def _outer(op: loop.ForOp) -> list[SSAValue]:
    """The buffers of a loop that are not its own."""
    used = {v for o in op.walk() for v in o.operands if isinstance(v.type, MemRefType)}
    return [v for v in used if not isinstance(v.owner, loop.LocalOp)]


def _bytes(op: loop.ForOp) -> int | None:
    """How many bytes a loop reads and writes, if that is known."""
    sizes = list(map(size_of, _outer(op)))
    return None if None in sizes else sum(filter(None, sizes))


def _middle(op: loop.ForOp, parts: Round) -> Middle | None:
    """What is between the first and the last sweep, if it is worth it to go with both."""
    size, again = _bytes(op), touched([parts.first]) & touched([parts.last])
    return None if again and (size is None or size >= AGAIN) else Middle.of(op, parts)


def _rows(op: loop.ForOp, parts: Round, middle: Middle | None) -> ex.Expr | None:
    """How many rows make up a block; None if there are too few."""
    lower, upper, _ = op.bounds
    count = (upper - lower).constant
    if count is None:
        return _unknown_rows(upper, parts, middle) if lower == 0 else None
    if middle is not None and count >= 4 * LONG:
        return ex.const(1 << min(ROWS, max(LONG, count // (LONG // 2))).bit_length() - 1)
    if count < FEWEST * FEWEST:
        return None
    rows = min(ROWS, max(FEWEST, count // BLOCKS))
    return ex.const(1 << rows.bit_length() - 1)


def _unknown_rows(count: ex.Expr, parts: Round, middle: Middle | None) -> ex.Expr:
    """The same where their number is not known: a few that are long are for threads to share."""
    if middle is None:
        return FEWEST * (ex.floordiv(count, ex.const(UNKNOWN)) + 1)
    values = parts.last.bounds[1]
    few = LONG - (LONG - 1) * ex.atleast(values, SHARED) if not values.dims() else ex.const(1)
    return few + ex.floordiv(count, ex.const(BLOCKS))


@dataclass(frozen=True)
class RotateLoopsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "rotate-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                for inner in list(function.walk()):
                    if isinstance(inner, loop.ForOp):
                        rotate(inner)


def rotate(op: loop.ForOp) -> None:
    """Rotate a loop, if it is worth it."""
    if op.kind.data != "parallel" or op.bounds[2] != 1:
        return
    parts = round_of(op)
    if parts is None or not can_be_rotated(op, parts) or not _is_worth_it(op, parts):
        return
    middle = _middle(op, parts)
    rows = _rows(op, parts, middle)
    if middle is not None and rows is not None and (rows.constant or LONG) >= _least(middle):
        ThreeRows(op, parts, rows, middle).write()
    elif rows is not None:
        Rotation(op, parts, rows).write()


def _least(middle: Middle) -> int:
    """How many rows a block must have for the sweeps of three to go together."""
    kept = written([middle.sweep])
    return FEWEST if all(isinstance(v.owner, loop.LocalOp) for v in kept) else LONG

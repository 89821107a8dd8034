"""Plan nests without sweeps whose rows are too short for vectors: coalesce several rows.

Rows of some 1000 points in all go as one loop.
"""

from __future__ import annotations

import math

from xdsl.irdl import IRDLOperation

from opc.dialects import body
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.memory_ops import NARROW
from opc.dialects.schedule import Axis, CoalesceOp, IfOp, RunOp
from opc.support.target import (
    ACROSS,
    COALESCED,
    COALESCED_LAID_OUT,
    FILLING,
    LINE,
    LONG,
    MANY_POINTS,
    SHORT,
    SHORT_OF_FUNCTIONS,
    TABLES,
    VECTOR,
)

from .coalesced_rows import Rows
from .nest import NestFacts, has_functions
from .nest_trees import in_threads
from .plan_non_temporal import NonTemporal, points

SLOW = ("max", "min", "order", "rank", "div", "sqrt")
"""Functions of floats that check for NaN and zeros, or take as long for one value as for four."""


def plan_coalesced(facts: NestFacts, rows: Rows, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """The loops; of rows of unknown extent two versions, for short and for longer ones."""
    axes, at_once = facts.axes, _rows_at_once(rows)
    # C compilers vectorize loops of known length.
    is_laid_out = rows.width.constant is None and any(map(rows.is_table, facts.loads))
    lanes = VECTOR if is_laid_out else 1
    ops: list[IRDLOperation] = [CoalesceOp.of(axes[rows.first - 1 :], [RunOp.of("out")], lanes)]
    loops: list[tuple[Axis, int | ex.Expr]] = [(axis, 1) for axis in axes[: rows.first - 1]]
    if at_once != rows.count:
        loops.append((axes[rows.first - 1], at_once))
    ops = in_threads(loops, ops)
    is_short = 1 - ex.atleast(rows.width, rows.most + 1)
    if is_short == 1:
        return ops
    return [
        IfOp.of(is_short, ops, points(facts, non_temporal), ("short rows as one", "longer rows"))
    ]


def find_rows(facts: NestFacts) -> Rows | None:
    """The rows of a nest, if coalescing them pays."""
    outer = facts.outer
    if len(outer.extents) < 2:
        return None
    if outer.extents[-1].constant is None:
        most = SHORT_OF_FUNCTIONS if has_functions(facts.ops) else VECTOR
        rows = Rows(facts, outer, len(outer.extents) - 1, most)
        return rows if rows.are_sound else None
    rows = _known(facts, outer)
    return rows if rows is not None and rows.are_sound and _gains(rows) else None


def _known(facts: NestFacts, outer: Collapsed) -> Rows | None:
    """The rows of known extents: along several axes, of up to COALESCED values."""
    first, width = len(outer.extents) - 1, outer.extents[-1].constant or 0
    while first > 1:
        n = outer.extents[first - 1].constant
        if n is None or n * width > COALESCED:
            break
        first, width = first - 1, n * width
    is_short = 1 < (outer.extents[-1].constant or 0) <= LONG
    return Rows(facts, outer, first, width) if is_short else None


def _rows_at_once(rows: Rows) -> ex.Expr:
    """Rows of a block: their points fill vectors, unless there are too many."""
    n = rows.width.constant
    if n is None:
        return ex.floordiv(COALESCED, rows.width)
    widest = max(scalar_type(r).bytes for op in rows.facts.ops for r in op.results)
    vector = LINE // max(widest, 4)
    vector //= math.gcd(vector, n)
    vector = 1 if vector * n > MANY_POINTS else vector
    is_fixed = all(rows.repeats(op) for op in rows.facts.loads if rows.is_table(op))
    wanted = COALESCED if is_fixed else COALESCED_LAID_OUT
    size = -(-wanted // (vector * n)) * vector
    total = rows.count.constant
    is_all = total is not None and (total <= size or total * n <= COALESCED)
    return rows.count if is_all else ex.const(size)


def _gains(rows: Rows) -> bool:
    """Whether the innermost loop is too short for its body, and coalescing pays."""
    n = rows.outer.extents[-1].constant or 0
    applied = [op for op in rows.facts.ops if isinstance(op, body.ApplyOp)]
    is_narrow = n < VECTOR or n % FILLING != 0
    has_several = sum(op.is_expensive for op in applied) > 1 and n < SHORT_OF_FUNCTIONS
    if not (is_narrow or has_several) or not applied or _is_across(rows, applied):
        return False
    tables = [op for op in rows.facts.loads if rows.is_table(op)]
    if len(tables) > TABLES and not any(op.is_expensive for op in applied):
        return False
    is_deep = rows.first < len(rows.outer.extents) - 1 and all(map(rows.repeats, tables))
    return bool(tables) and (is_deep or ACROSS < n <= max(map(_widest, applied)))


def _widest(op: body.ApplyOp) -> int:
    """The longest row for which a function costs far more by value than in vectors; 0 if none."""
    name, type = op.function.data, scalar_type(op.args[0])
    if op.is_expensive:
        return LONG
    if name in SLOW and type.is_float:
        return SHORT
    return VECTOR - 1 if name == "cast" and type in NARROW else 0


def _is_across(rows: Rows, applied: list[body.ApplyOp]) -> bool:
    """Whether the loop around the innermost one is contiguous in memory, and the latter is not.

    C compilers vectorize the outer one then, unless functions are too expensive or values too wide.
    """
    last, n = len(rows.outer.extents) - 1, rows.outer.extents[-1].constant or VECTOR
    functions = [op for op in applied if op.is_expensive]
    is_wide = any(scalar_type(op.result).bytes > 4 for op in functions)
    if (rows.outer.extents[last - 1].constant or VECTOR) < VECTOR:
        return False
    if is_wide or len(functions) > 1 or (functions and n > ACROSS):
        return False
    loads = [rows.facts.steps(op) for op in rows.facts.loads]
    along, across = ({steps[k] for steps in loads} for k in (last, last - 1))
    return 1 in across and 1 not in along

"""Nests that reduce nothing, whose rows are too short for vectors: several rows are coalesced.

As many rows as make some 1000 points go as one loop over all of their points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.irdl import IRDLOperation

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import Axis, CoalesceOp, IfOp, RunOp
from opc.dialects.staging import NARROW
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

from .cost import has_functions
from .nest import Access, NestFacts
from .nest_trees import in_threads
from .non_temporal import NonTemporal, points

SLOW = ("max", "min", "order", "rank", "div", "sqrt")
"""Functions of floats that look for NaN and zeros, or take as long for one value as for four."""


@dataclass(frozen=True)
class Rows:
    """The axes of a nest that are a row, from ``first`` on; the one before them counts the rows.

    ``most`` is the most values of a row.
    """

    facts: NestFacts
    outer: Collapsed
    first: int
    most: int

    @property
    def width(self) -> ex.Expr:
        """Values of a row."""
        return ex.product(self.outer.extents[self.first :])

    @property
    def count(self) -> ex.Expr:
        """How many rows follow one another."""
        return self.outer.extents[self.first - 1]

    def steps(self, op: Access) -> list[ex.Expr | None]:
        """By how much an access moves on from row to row, and with each axis of a row."""
        return self.facts.steps(op, self.outer)[self.first - 1 :]

    def is_flat(self, op: Access) -> bool:
        """Whether an access goes along as the points of the flat loop follow one another."""
        step, extents = ex.const(1), self.outer.extents[self.first - 1 :]
        for found, extent in zip(reversed(self.steps(op)), reversed(extents), strict=True):
            if found != step:
                return False
            step = step * extent
        return True

    def is_table(self, op: kernel.LoadOp) -> bool:
        """Whether what a load reads must be laid out: it neither goes along nor stays."""
        return not self.is_flat(op) and any(step != 0 for step in self.steps(op))

    def repeats(self, op: kernel.LoadOp) -> bool:
        """Whether a load reads the same in every row."""
        return self.steps(op)[0] == 0

    def is_simple(self, op: Access) -> bool:
        """Whether an access goes along, reads one value of each row, or the same row again."""
        steps = self.steps(op)
        if None in steps:
            return False
        if self.is_flat(op):
            return True
        if not isinstance(op, kernel.LoadOp):
            return False
        # Behind a row that repeats itself are zeros, which small floats have no constant for.
        return steps[1] == 0 or (steps == [0, 1] and scalar_type(op.result).small != "float")

    def can_be_laid_out(self, op: Access) -> bool:
        """Whether an access goes along, or reads what is not written meanwhile."""
        if isinstance(op, kernel.StoreOp) or op.default is not None:
            return isinstance(op, kernel.StoreOp) and self.is_flat(op)
        is_written = op.source in self.facts.nest.targets
        return self.is_flat(op) or (not is_written and None not in self.steps(op))

    @property
    def are_sound(self) -> bool:
        """Whether all accesses can be in a flat loop over such rows."""
        if any(isinstance(op, body.IndexOp) for op in self.facts.ops):
            return False
        if self.width.constant is None:
            return self.are_simple
        return all(map(self.can_be_laid_out, self.facts.accesses))

    @property
    def are_simple(self) -> bool:
        """Whether all accesses are simple, in rows of one axis."""
        is_one_axis = self.first == len(self.outer.extents) - 1
        return is_one_axis and all(map(self.is_simple, self.facts.accesses))


def plan_coalesced(facts: NestFacts, rows: Rows, non_temporal: NonTemporal) -> list[IRDLOperation]:
    """The loops; two versions for rows of unknown extent: those that are short, and others."""
    axes, at_once = facts.axes, _rows_at_once(rows)
    # Of a known number C compilers make vectors.
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
    """The rows of a nest, if they had better be coalesced."""
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
    """The row that known extents make: of several axes up to COALESCED values."""
    first, width = len(outer.extents) - 1, outer.extents[-1].constant or 0
    while first > 1:
        n = outer.extents[first - 1].constant
        if n is None or n * width > COALESCED:
            break
        first, width = first - 1, n * width
    is_short = 1 < (outer.extents[-1].constant or 0) <= LONG
    return Rows(facts, outer, first, width) if is_short else None


def _rows_at_once(rows: Rows) -> ex.Expr:
    """Rows of a block: all points together fill vectors, unless they are too many."""
    n = rows.width.constant
    if n is None:
        return ex.floordiv(COALESCED, rows.width)
    widest = max(scalar_type(r).bytes for op in rows.facts.ops for r in op.results)
    vector = LINE // max(widest, 4)
    vector //= math.gcd(vector, n)
    vector = 1 if vector * n > MANY_POINTS else vector
    fixed = all(rows.repeats(op) for op in rows.facts.loads if rows.is_table(op))
    wanted = COALESCED if fixed else COALESCED_LAID_OUT
    size = -(-wanted // (vector * n)) * vector
    total = rows.count.constant
    is_all = total is not None and (total <= size or total * n <= COALESCED)
    return rows.count if is_all else ex.const(size)


def _gains(rows: Rows) -> bool:
    """Whether the innermost loop is too short for what it computes, and going flat pays."""
    n = rows.outer.extents[-1].constant or 0
    applied = [op for op in rows.facts.ops if isinstance(op, body.ApplyOp)]
    is_narrow = n < VECTOR or n % FILLING != 0
    several = sum(op.is_expensive for op in applied) > 1 and n < SHORT_OF_FUNCTIONS
    if not (is_narrow or several) or not applied or _is_across(rows, applied):
        return False
    tables = [op for op in rows.facts.loads if rows.is_table(op)]
    if len(tables) > TABLES and not any(op.is_expensive for op in applied):
        return False
    deep = rows.first < len(rows.outer.extents) - 1 and all(map(rows.repeats, tables))
    return bool(tables) and (deep or ACROSS < n <= max(map(_widest, applied)))


def _widest(op: body.ApplyOp) -> int:
    """Up to how many values it costs far more one by one than in vectors; 0 if never."""
    name, type = op.function.data, scalar_type(op.args[0])
    if op.is_expensive:
        return LONG
    if name in SLOW and type.is_float:
        return SHORT
    return VECTOR - 1 if name == "cast" and type in NARROW else 0


def _is_across(rows: Rows, applied: list[body.ApplyOp]) -> bool:
    """Whether the innermost loop goes across memory, and the one around it along: of that one C
    compilers make vectors, unless functions are too long for it, or values too wide.
    """
    last, n = len(rows.outer.extents) - 1, rows.outer.extents[-1].constant or VECTOR
    functions = [op for op in applied if op.is_expensive]
    wide = any(scalar_type(op.result).bytes > 4 for op in functions)
    if (rows.outer.extents[last - 1].constant or VECTOR) < VECTOR:
        return False
    if wide or len(functions) > 1 or (functions and n > ACROSS):
        return False
    found = [rows.facts.steps(op) for op in rows.facts.loads]
    along, across = ({steps[k] for steps in found} for k in (last, last - 1))
    return 1 in across and 1 not in along

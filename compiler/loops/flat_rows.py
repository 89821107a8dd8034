"""Nests that reduce nothing, whose rows are too short for vectors: several rows are coalesced.

As many rows as make some 1000 points go as one loop over all of their points.  What each row has
one of, or each place in a row, is first laid out in an array, for every point; what all blocks of
rows have in common, before all of them::

    for r < 48: for k < 7: u[r*7 + k] = z[k]
    for b = 0 to M step 48
      for r < 48: for q = 0 to 7 step 16: for k < 16: t[r*7 + q + k] = y[b + r]
      for p < 48*7: out[b*7 + p] = exp(x[b*7 + p] * t[p] - u[p])

One value of a row is laid out a vector at a time; what goes beyond a row, the next row overwrites.
A row is the innermost dimension, or several that together are short.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.strip import NARROW
from opc.target import BLOCK, LINE, LONG, SHORT, STRIP, VECTOR

from .places import NestValues, Place

POINTS = 2 * BLOCK
"""Points that go together, about."""
FEW_POINTS = BLOCK // 2
"""The same where every block lays something out."""
LARGE = 4 * POINTS
"""Points that are never needed to fill vectors."""
SHORT_OF_FUNCTIONS = BLOCK // 2
"""Values of a row of unknown extent up to which that pays for functions, which suffer where they
are computed one by one.  For simple operations it pays up to a vector."""
WIDE = STRIP
"""Values of a known row from which on what is left over does not matter to a short function that
takes far longer one by one than in vectors.  To a long one it does up to ``LONG``."""
ACROSS = 3
"""Values up to which one function is left to vectors along the rows, where memory runs so."""
BRANCHES = ("max", "min", "order", "rank")
"""Functions of floats that look for NaN and for zeros."""
SLOW = ("div", "sqrt")
"""Functions of floats that take many cycles, for four values as for one."""

Access = kernel.LoadOp | kernel.StoreOp
Key: TypeAlias = tuple[SSAValue, ex.Expr, tuple[ex.Expr | None, ...], bool]
ZERO = ex.const(0)


@dataclass(frozen=True)
class Rows:
    """The dimensions of a nest that are a row, from ``first`` on, and how many values it has.

    ``most`` is the most values of a row.
    """

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


def find_rows(values: NestValues, outer: Collapsed) -> Rows | None:
    """The rows of a nest, if they had better be coalesced."""
    if len(outer.extents) < 2 or values.sweeps or ZERO in outer.extents:
        return None
    ops = list(values.nest.body.block.ops)
    if any(isinstance(op, body.IndexOp) for op in ops):
        return None
    if outer.extents[-1].constant is None:
        long = any(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
        rows = Rows(outer, len(outer.extents) - 1, SHORT_OF_FUNCTIONS if long else VECTOR)
        accesses = [op for op in ops if isinstance(op, Access)]
        return rows if all(_is_simple(op, values, rows) for op in accesses) else None
    rows = _known(outer)
    accesses = [op for op in ops if isinstance(op, Access)]
    if rows is None or not all(_can_be_laid_out(op, values, rows) for op in accesses):
        return None
    return rows if _gains(values, rows) else None


def _known(outer: Collapsed) -> Rows | None:
    """The row that known extents make: of several dimensions up to POINTS values."""
    first, width = len(outer.extents) - 1, outer.extents[-1].constant or 0
    while first > 1:
        n = outer.extents[first - 1].constant
        if n is None or n * width > POINTS:
            break
        first, width = first - 1, n * width
    return Rows(outer, first, width) if 1 < (outer.extents[-1].constant or 0) <= LONG else None


def _gains(values: NestValues, rows: Rows) -> bool:
    """Whether the innermost loop is too short for what it computes, and going flat pays."""
    n, ops = rows.outer.extents[-1].constant or 0, list(values.nest.body.block.ops)
    applied = [op for op in ops if isinstance(op, body.ApplyOp)]
    is_narrow = n < VECTOR or n % (VECTOR // 2) != 0
    several = sum(op.is_long for op in applied) > 1 and n < LONG // 2
    if not (is_narrow or several) or not applied or _is_across(values, rows, applied):
        return False
    tables = [op for op in ops if isinstance(op, kernel.LoadOp) and _is_table(op, values, rows)]
    if all(_repeats(op, values, rows) for op in tables):
        deep = rows.first < len(rows.outer.extents) - 1
        return bool(tables) and (deep or any(n <= _widest(op, n) for op in applied))
    return any(_suffers(op, n) for op in applied)


def _widest(op: body.ApplyOp, n: int) -> int:
    """Up to how many values it costs far more one by one than in vectors; 0 if never."""
    name, type = op.function.data, scalar_type(op.args[0])
    if op.is_long:
        return LONG
    if name in SLOW and n < VECTOR:
        return 0
    if name in (*BRANCHES, *SLOW) and type.is_float:
        return WIDE
    return VECTOR - 1 if name == "cast" and type in NARROW else 0


def _suffers(op: body.ApplyOp, n: int) -> bool:
    """Whether a function is worth a way through arrays."""
    if op.function.data in SLOW and scalar_type(op.args[0]).is_float:
        # C compilers do four or eight at a time well, and what is left of many does not matter.
        return 4 < n < SHORT and not (n % 2 == 0 and VECTOR // 2 < n < VECTOR)
    return n <= _widest(op, n)


def _is_across(values: NestValues, rows: Rows, applied: list[body.ApplyOp]) -> bool:
    """Whether the innermost loop goes across memory, and the one around it along: of that one C
    compilers make vectors, unless functions are too long for it, or values too wide.
    """
    last, n = len(rows.outer.extents) - 1, rows.outer.extents[-1].constant or VECTOR
    functions = [op for op in applied if op.is_long]
    wide = any(scalar_type(op.result).bytes > 4 for op in functions)
    if (rows.outer.extents[last - 1].constant or VECTOR) < VECTOR:
        return False
    if wide or len(functions) > 1 or (functions and n > ACROSS):
        return False
    loads = [op for op in values.nest.body.block.ops if isinstance(op, kernel.LoadOp)]
    offsets = [values.offsets[op].substitute(rows.outer.places, {}) for op in loads]
    along, across = ({e.coefficient(k) for e in offsets} for k in (last, last - 1))
    return 1 in across and 1 not in along


def _steps(op: Access, values: NestValues, rows: Rows) -> list[ex.Expr | None]:
    """By how much an access moves on from row to row, and with each dimension of a row."""
    offset = values.offsets[op].substitute(rows.outer.places, {})
    return [offset.coefficient(k) for k in range(rows.first - 1, len(rows.outer.extents))]


def _is_flat(op: Access, values: NestValues, rows: Rows) -> bool:
    step = ex.const(1)
    for found, extent in zip(
        reversed(_steps(op, values, rows)),
        reversed(rows.outer.extents[rows.first - 1 :]),
        strict=True,
    ):
        if found != step:
            return False
        step = step * extent
    return True


def _is_table(op: kernel.LoadOp, values: NestValues, rows: Rows) -> bool:
    """Whether what a load reads must be laid out: it goes neither along nor stays where it is."""
    steps = _steps(op, values, rows)
    return not _is_flat(op, values, rows) and any(s != 0 for s in steps)


def _repeats(op: kernel.LoadOp, values: NestValues, rows: Rows) -> bool:
    """Whether a load reads the same in every row."""
    return _steps(op, values, rows)[0] == 0


def _is_simple(op: Access, values: NestValues, rows: Rows) -> bool:
    """Whether an access goes along, reads one value of each row, or the same row again."""
    steps = _steps(op, values, rows)
    if None in steps:
        return False
    if _is_flat(op, values, rows):
        return True
    if not isinstance(op, kernel.LoadOp):
        return False
    # Behind a row that repeats itself are zeros, which small floats have no constant for.
    return steps[1] == 0 or (steps == [0, 1] and scalar_type(op.result).small != "float")


def _is_widened(op: kernel.LoadOp) -> bool:
    """Whether what a load reads is f16 or bf16, and nothing but f32 is made of it."""
    users = [use.operation for use in op.result.uses]
    return scalar_type(op.result) in NARROW and all(
        isinstance(user, body.ApplyOp)
        and user.function.data == "cast"
        and scalar_type(user.result) is el.F32
        for user in users
    )


def _can_be_laid_out(op: Access, values: NestValues, rows: Rows) -> bool:
    """Whether an access goes along, or reads what is not written meanwhile."""
    if isinstance(op, kernel.StoreOp) or op.default is not None:
        return isinstance(op, kernel.StoreOp) and _is_flat(op, values, rows)
    is_written = op.source in values.nest.targets
    return _is_flat(op, values, rows) or (not is_written and None not in _steps(op, values, rows))


class FlatLowering:
    """Lowers one nest."""

    def __init__(self, values: NestValues, rows: Rows, place: Place) -> None:
        self.values, self.rows, self.place = values, rows, place
        self.ops = list(values.nest.body.block.ops)
        self.wide: set[Block | Operation | None] = {
            op for op in self._laid_out() if _repeats(op, values, rows) and _is_widened(op)
        }
        """Loads that are converted to f32: once, since they read the same in every row."""
        self.tables: dict[Key, SSAValue] = {}

    def run(self) -> None:
        """Write the loops."""
        here, rows = self.place, self.rows
        for k, extent in enumerate(rows.outer.extents[: rows.first - 1]):
            here = here.loop(ZERO, extent, "serial" if k else "parallel")
        at_once = self._rows_at_once()
        if at_once.constant is not None and at_once != rows.count:
            for op in self._laid_out():
                if _repeats(op, self.values, rows):
                    self._lay_out(op, here, ZERO, at_once)
        block, first, count = self._blocks(here, at_once)
        for op in self._laid_out():
            self._lay_out(op, block, first, count)
        inside = block.loop(ZERO, count * rows.width, "vector")
        for op in self.ops:
            if isinstance(op, Access):
                self.values.tiles[op] = self._place_of(op, first, inside.variable())
        for op in self.ops:
            load = op.args[0].owner if isinstance(op, body.ApplyOp) else None
            if isinstance(load, kernel.LoadOp) and load in self.wide:
                self.values.values[op.results[0]] = self.values.values[load.result]
            else:
                self.values.scalar(op, inside)

    def _rows_at_once(self) -> ex.Expr:
        """Rows of a block: all points together fill vectors, unless they are too many."""
        rows = self.rows
        n = rows.width.constant
        if n is None:
            return ex.floordiv(POINTS, rows.width)
        widest = max(scalar_type(r).bytes for op in self.ops for r in op.results)
        vector = LINE // max(widest, 4)
        vector //= math.gcd(vector, n)
        vector = 1 if vector * n > LARGE else vector
        fixed = all(_repeats(op, self.values, rows) for op in self._laid_out())
        wanted = POINTS if fixed else FEW_POINTS
        size = ex.const(-(-wanted // (vector * n)) * vector)
        total = rows.count.constant
        is_all = total is not None and (total <= (size.constant or 0) or total * n <= POINTS)
        return rows.count if is_all else size

    def _blocks(self, here: Place, at_once: ex.Expr) -> tuple[Place, ex.Expr, ex.Expr]:
        """A loop over blocks of rows, the first row of one and how many there are."""
        total, kind = self.rows.count, "serial" if here.variables else "parallel"
        if at_once == total:
            return here, ZERO, total
        if at_once.constant is not None:
            block = here.loop(ZERO, total, kind, at_once.constant)
            is_whole = total.constant is not None and total.constant % at_once.constant == 0
            first = block.variable()
            return block, first, at_once if is_whole else ex.minimum(at_once, total - first)
        block = here.loop(ZERO, ex.floordiv(total + at_once - 1, at_once), kind)
        first = block.variable() * at_once
        return block, first, ex.minimum(at_once, total - first)

    def _laid_out(self) -> list[kernel.LoadOp]:
        loads = (op for op in self.ops if isinstance(op, kernel.LoadOp))
        return [op for op in loads if _is_table(op, self.values, self.rows)]

    def _key(self, op: kernel.LoadOp) -> Key:
        """Of loads that read the same."""
        steps = tuple(_steps(op, self.values, self.rows))
        return op.source, self._offset(op, ZERO), steps, op in self.wide

    def _place_of(self, op: Access, first: ex.Expr, point: ex.Expr) -> tuple[SSAValue, ex.Expr]:
        """What an access uses instead, and where in that a point is."""
        if isinstance(op, kernel.StoreOp):
            return self.values.nest.targets[op.number], self._offset(op, first) + point
        if (table := self.tables.get(self._key(op))) is not None:
            return table, point
        is_flat = _is_flat(op, self.values, self.rows)
        return op.source, self._offset(op, first) + (point if is_flat else 0)

    def _offset(self, op: Access, row: ex.Expr) -> ex.Expr:
        """Where a row starts."""
        rows = self.rows
        at = {ex.Atom("dim", (k,)): ZERO for k in range(rows.first, len(rows.outer.extents))}
        at[ex.Atom("dim", (rows.first - 1,))] = row
        return self.values.offsets[op].substitute(rows.outer.places, {}).substitute(at, {})

    def _lay_out(self, op: kernel.LoadOp, here: Place, first: ex.Expr, count: ex.Expr) -> None:
        """Write what a load reads to an array, for every point of some rows."""
        if (key := self._key(op)) in self.tables:
            return
        type = el.F32 if op in self.wide else scalar_type(op.result)
        rows, (_, *steps) = self.rows, _steps(op, self.values, self.rows)
        known = count.constant or self._rows_at_once().constant
        size = POINTS if known is None else known * (rows.width.constant or 0)
        table = self.tables[key] = here.add(loop.LocalOp.of(type, size + VECTOR))
        is_unknown, is_one = rows.width.constant is None, all(step == 0 for step in steps)
        copied = self._copied(op, here, first) if is_unknown and not is_one else None
        row = here.loop(ZERO, count, "serial")
        start, offset = row.variable() * rows.width, self._offset(op, first + row.variable())
        if not is_one and copied is None:
            inside, point, at = row, ZERO, offset
            for step, extent in zip(steps, rows.outer.extents[rows.first :], strict=True):
                assert step is not None
                last = extent is rows.outer.extents[-1]
                inside = inside.loop(ZERO, extent, "vector" if last else "serial")
                point = point * extent + inside.variable()
                at = at + inside.variable() * step
            inside.write(inside.cast(inside.read(op.source, at), type), table, start + point)
            return
        value = row.cast(row.read(op.source, offset), type) if copied is None else None
        vector = row.loop(ZERO, rows.width, "serial", VECTOR)
        lane = vector.loop(ZERO, ex.const(VECTOR), "serial")
        at = vector.variable() + lane.variable()
        if copied is not None:
            value = lane.cast(lane.read(copied, at), type)
        assert value is not None
        lane.write(value, table, start + at)

    def _copied(self, op: kernel.LoadOp, here: Place, first: ex.Expr) -> SSAValue:
        """The values of a row that repeats itself, and zeros after them up to a full vector."""
        type, size = scalar_type(op.result), -(-self.rows.most // VECTOR) * VECTOR
        array = here.add(loop.LocalOp.of(type, size))
        lane = here.loop(ZERO, ex.const(size), "vector")
        lane.write(lane.constant(0, type), array, lane.variable())
        lane = here.loop(ZERO, self.rows.width, "vector")
        at = self._offset(op, first) + lane.variable()
        lane.write(lane.read(op.source, at), array, lane.variable())
        return array

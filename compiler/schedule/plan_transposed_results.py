"""Nests that read along one axis and write along others, and whose results are turned around.

Where several operands would be turned around, or where rows of results are short, values are
computed along the rows that are read, into a tile; only the results are turned around.  If the last
axis has few elements, those before it that are next to it in memory belong to its rows as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xdsl.irdl import IRDLOperation

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import CoalesceOp, ForOp, RunOp, TransposeOp
from opc.target import L1, SHORT, STRIP, VECTOR

from .nest import NestFacts, has_functions
from .plan_transposes import LEAST, block_loops, is_wide, nested

AREA = L1 // 2
"""Bytes of a tile; bytes themselves count for two."""
ROWS = STRIP
"""Rows of a tile, if there are as many and they are no shorter."""
PAYS = {5: 3, 7: 2, 8: 1, 16: 3, SHORT: 2}
"""How many operands along such rows it takes, below each number of elements in a row.

Functions count for two, of five elements or more.
"""
FEW = {1: 0, 2: SHORT, 3: SHORT, 4: 0}
"""Below how many elements it is worth it to turn so few rows around, if functions are computed."""

Steps: TypeAlias = list[ex.Expr | None]
"""How far an access goes with each axis of a nest."""


@dataclass
class Turning:
    """The axis along which values are computed, and those that lie together in the results."""

    along: int
    first: int
    """The first of the axes that lie together: up to the last one."""
    flat: bool
    """Whether rows are whole, and follow one another."""
    sizes: dict[int, int]
    """Elements of ``along`` and ``first`` in a tile."""


def plan_transposed_results(facts: NestFacts, turning: Turning) -> list[IRDLOperation]:
    """The loops: blocks, and the points of a block along what is read."""
    axes, along, first = facts.axes, turning.along, turning.first
    own = [*range(first, len(axes)), along]
    ops: list[IRDLOperation] = [RunOp.of("out")]
    if turning.flat:
        ops = [CoalesceOp.of([axes[k] for k in own], ops)]
    else:
        for k in reversed(own):
            ops = [ForOp.of(axes[k], 1, "vector" if k == along else "serial", ops)]
    behind = range(first + 1, len(axes))
    order = block_loops(facts, turning.sizes, behind)
    return nested(facts, order, [TransposeOp.of("stores", (), ops)])


def find_turning(facts: NestFacts) -> Turning | None:
    """How to turn the results of a nest without sweeps, if that is best."""
    outer, ops = facts.outer, facts.ops
    last = len(outer.extents) - 1
    if facts.sweeps or 0 in outer.extents:
        return None
    loads = [facts.steps(op) for op in ops if isinstance(op, kernel.LoadOp)]
    stores = [facts.steps(op) for op in ops if isinstance(op, kernel.StoreOp)]
    along = next((k for k in range(last) if _runs_along(loads, k)), None)
    if along is None:
        return None
    first, inner = _group(outer, along)
    if not follow(outer, stores, ex.const(1), first):
        return None
    turned = [s for s in loads if s[along] == 1]
    rest = [s for s in loads if s[along] == 0]
    size = max(scalar_type(op.value).bytes for op in ops if isinstance(op, kernel.StoreOp))
    width, rows = _sizes(AREA // max(2, size), outer.extents[along], outer.extents[first], inner)
    flat = outer.extents[along] == width and is_flat(facts, outer, along, first)
    gathers = any(s[last] not in (0, 1) for s in rest)
    if not _pays(facts, along, len(turned), gathers, flat):
        return None
    return Turning(along, first, flat, {along: width, first: rows})


def _runs_along(loads: list[Steps], k: int) -> bool:
    return all(s[k] in (0, 1) for s in loads) and any(s[k] == 1 for s in loads)


def is_flat(facts: NestFacts, outer: Collapsed, along: int, first: int) -> bool:
    """Whether all that is read follows one another along whole rows of the axis, or is the same."""
    loads = [facts.steps(op, outer) for op in facts.loads]
    width = outer.extents[along]
    return (
        not any(isinstance(op, body.IndexOp) for op in facts.ops)
        and all(s[along] in (0, 1) for s in loads)
        and follow(outer, [s for s in loads if s[along] == 1], width, first)
        and all(s[k] == 0 for s in loads if s[along] == 0 for k in range(first, len(s)))
    )


def _pays(facts: NestFacts, along: int, turned: int, gathers: bool, flat: bool) -> bool:
    """Whether it is faster than to turn operands around, or to read them as they lie (measured)."""
    extents = facts.outer.extents
    functions, n = has_functions(facts.ops), extents[along].constant
    if not is_wide(extents[-1]):
        rows = ex.product(extents[along + 1 :]).constant
        if rows is not None and rows < LEAST:
            if rows in FEW:
                return flat and functions and n is not None and n < FEW[rows]
            if not any(isinstance(op, body.ApplyOp) for op in facts.ops):
                return False
        return flat or n is None or n >= SHORT
    if n is not None and n < SHORT:
        least = next(least for limit, least in PAYS.items() if n < limit)
        return flat and turned + 2 * (functions and n > 4) >= least
    if turned < 2 and not gathers:
        return False
    return flat or not functions or (n is not None and n % VECTOR == 0)


def follow(outer: Collapsed, accesses: list[Steps], step: ex.Expr, first: int) -> bool:
    """Whether all accesses go in equal steps through the axes from the first one on."""
    for k in range(len(outer.extents) - 1, first - 1, -1):
        if any(s[k] != step for s in accesses):
            return False
        step = step * outer.extents[k]
    return True


def _group(outer: Collapsed, along: int) -> tuple[int, int]:
    first, inner = len(outer.extents) - 1, 1
    while first > along + 1:
        n = outer.extents[first].constant
        if n is None or n * inner >= ROWS:
            break
        first, inner = first - 1, inner * n
    return first, inner


def _sizes(area: int, along: ex.Expr, first: ex.Expr, inner: int) -> tuple[int, int]:
    """Columns of a tile, and how far it goes along the first axis of its rows."""
    few = ROWS if first.constant is None else min(ROWS, first.constant * inner)
    width = _part(along, area // few)
    return width, _part(first, max(1, area // width // inner))


def _part(extent: ex.Expr, most: int) -> int:
    """The extent in as few equal parts as possible, of full vectors if there are several."""
    n = extent.constant
    if n is None or n <= most:
        return most if n is None else n
    unit = min(VECTOR, most)
    parts = -(-n // (most // unit * unit))
    return -(-n // (parts * unit)) * unit

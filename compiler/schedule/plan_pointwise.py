"""Nests that reduce nothing, point after point, past the caches where ``plan_stores`` says so."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp, IfOp, RunOp, StreamOp
from opc.target import BURST, LINE

from .nest import NestFacts, stores_past


def points(facts: NestFacts) -> list[IRDLOperation]:
    """Loops over the points; where only a run knows whether results go past the caches, two."""
    stores = stores_past(facts.ops)
    when = stores[0].past_caches if stores else ex.const(0)
    if when == 0:
        return _plain(facts)
    if when == 1:
        return _past_caches(facts)
    return [IfOp.of(1 - when, _plain(facts), _past_caches(facts))]


def _plain(facts: NestFacts) -> list[IRDLOperation]:
    ops: list[IRDLOperation] = [RunOp.of("out")]
    for k, axis in reversed(list(enumerate(facts.axes))):
        last = k == len(facts.axes) - 1
        ops = [ForOp.of(axis, 1, "vector" if last else "serial" if k else "parallel", ops)]
    return ops


def _past_caches(facts: NestFacts) -> list[IRDLOperation]:
    *around, last = facts.axes
    length, stores = facts.outer.extents[-1], stores_past(facts.ops)
    if not all(map(facts.has_whole_lines, stores)):
        return _plain(facts)
    widest = max(scalar_type(op.value).bytes for op in stores)
    ops: list[IRDLOperation] = [ForOp.of(last, 1, "vector", [RunOp.of("out")])]
    ops = [ForOp.of(last, burst_of(length, widest), "parallel", [StreamOp.of(ops)])]
    for k, axis in reversed(list(enumerate(around))):
        ops = [ForOp.of(axis, 1, "serial" if k else "parallel", ops)]
    return ops


def burst_of(length: ex.Expr, bytes: int) -> int:
    """Points of a block: of blocks that are no shorter, all as long as each other if possible."""
    n, line, least = length.constant, LINE // bytes, BURST // LINE
    if n is None or n % line:
        return BURST // bytes
    lines = n // line
    return line * next((k for k in range(least, 2 * least) if lines % k == 0), min(least, lines))

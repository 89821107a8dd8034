"""Nests that reduce nothing, point after point, past the caches where that pays."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.schedule import ForOp, IfOp, RunOp, StreamOp
from opc.target import BURST, LINE

from .nest import NestFacts
from .nest_trees import in_threads, nested
from .streams import Streams


def points(facts: NestFacts, streams: Streams) -> list[IRDLOperation]:
    """Loops over the points; where only a run knows whether results go past the caches, two."""
    if not streams:
        return _plain(facts)
    past = _past_caches(facts, streams)
    return past if streams.when == 1 else [IfOp.of(1 - streams.when, _plain(facts), past)]


def _plain(facts: NestFacts) -> list[IRDLOperation]:
    axes, out = facts.axes, [RunOp.of("out")]
    inner = nested([(axis, 1, "vector") for axis in axes[-1:]], out)
    return in_threads([(axis, 1) for axis in axes[:-1]], inner)


def _past_caches(facts: NestFacts, streams: Streams) -> list[IRDLOperation]:
    (*around, last), length = facts.axes, facts.outer.extents[-1]
    size = burst_of(length, max(scalar_type(op.value).bytes for op in facts.stores))
    ops: list[IRDLOperation] = [ForOp.of(last, 1, "vector", [RunOp.of("out")])]
    ops = [ForOp.of(last, size, "parallel", [StreamOp.of(streams.stores, ops)])]
    return in_threads([(axis, 1) for axis in around], ops)


def burst_of(length: ex.Expr, bytes: int) -> int:
    """Points of a block: of blocks that are no shorter, all as long as each other if possible."""
    n, line, least = length.constant, LINE // bytes, BURST // LINE
    if n is None or n % line:
        return BURST // bytes
    lines = n // line
    return line * next((k for k in range(least, 2 * least) if lines % k == 0), min(least, lines))

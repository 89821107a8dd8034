"""Interval analysis of the integers in a scalar body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from . import body
from .element import ElementType, element_of

Interval: TypeAlias = "tuple[int, int]"
"""The least and the greatest value."""


def is_within(interval: Interval | None, type: ElementType) -> bool:
    """Whether an integer type holds all values of a known interval."""
    return interval is not None and type.lowest <= interval[0] and interval[1] <= type.highest


def intervals(ops: Iterable[Operation]) -> dict[SSAValue, Interval]:
    """The interval of each integer that the operations compute; that of its type at worst."""
    known: dict[SSAValue, Interval] = {}
    for op in ops:
        for result in op.results:
            type = element_of(result.type)
            if type is None or not type.is_integer:
                continue
            interval = _of(op, known)
            if interval is None or not is_within(interval, type):
                # It may wrap, or an operand is unknown.
                interval = int(type.lowest), int(type.highest)
            known[result] = interval
    return known


def _of(op: Operation, known: dict[SSAValue, Interval]) -> Interval | None:
    if isinstance(op, body.ConstantOp):
        return int(op.number), int(op.number)
    if not isinstance(op, body.ApplyOp) or any(a not in known for a in op.args):
        return None
    low, high = zip(*(known[a] for a in op.args), strict=True)
    match op.function.data:
        case "cast":
            return low[0], high[0]
        case "add":
            return low[0] + low[1], high[0] + high[1]
        case "sub":
            return low[0] - high[1], high[0] - low[1]
        case _:
            return None

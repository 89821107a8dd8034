"""Which source nodes an operation came from, carried by locations.

Every node of the source gets ``loc("3:sub"(file:line:col))``: its ordinal in the function and its
kind.  Passes hand locations on, fusion collects them, and the emitter writes them as comments.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import (
    ArrayAttr,
    FusedLoc,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation


def number_nodes(function: FuncOp) -> None:
    """Give every operation of a function its ordinal and kind, around the location it has."""
    nodes = (op for op in function.body.block.ops if not isinstance(op, ReturnOp))
    for ordinal, op in enumerate(nodes):
        kind = op.name.partition(".")[2]
        op.location = NameLoc(StringAttr(f"{ordinal}:{kind}"), op.location)


def nodes(location: Attribute) -> list[tuple[int, str]]:
    """(ordinal, kind) of each source node in a location, in order of ordinals."""
    return sorted(set(_nodes(location)))


def _nodes(location: Attribute) -> Iterable[tuple[int, str]]:
    if isinstance(location, NameLoc):
        ordinal, _, kind = location.desc.data.partition(":")
        if ordinal.isdigit():
            yield int(ordinal), kind
    elif isinstance(location, FusedLoc) and isinstance(location.locations, ArrayAttr):
        for part in location.locations:
            yield from _nodes(part)


def fused(locations: Iterable[LocationAttr]) -> LocationAttr:
    """One location for what came from several."""
    parts: dict[LocationAttr, None] = {}
    for location in locations:
        if isinstance(location, FusedLoc) and isinstance(location.locations, ArrayAttr):
            parts.update(dict.fromkeys(location.locations))  # pyright: ignore
        elif not isinstance(location, UnknownLoc):
            parts[location] = None
    if len(parts) <= 1:
        return next(iter(parts), UnknownLoc())
    return FusedLoc(ArrayAttr(list(parts)), NoneAttr())

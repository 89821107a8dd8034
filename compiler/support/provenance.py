"""Which source nodes an operation came from, carried by locations.

Every node of the source gets ``loc("3:sub"(file:line:col))``: its ordinal in the function and its
kind.  Passes hand locations on, fusion collects them, and the emitter writes them as comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

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

from opc.dialects.onnx import NodeOp
from opc.dialects.openvino import LayerOp

_NODE = re.compile(r"([0-9]{1,9}):([A-Za-z_][A-Za-z0-9_]*)\Z")
"""What number_nodes writes.  Nothing else goes into comments of the emitted C."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
"""The end of the name of an operator, behind that of its domain."""


def numbered(function: FuncOp) -> list[Operation]:
    """The operations of a function that have a number, in order.

    In a model these are its nodes, so the numbers are those of the model.
    """
    nodes = [op for op in function.body.block.ops if not isinstance(op, ReturnOp)]
    return [op for op in nodes if isinstance(op, NodeOp | LayerOp)] or nodes


def kind_of(op: Operation) -> str:
    """The operator of a node as one word, without the name of its dialect or domain."""
    name = op.operator.data if isinstance(op, NodeOp | LayerOp) else op.name
    word = _WORD.search(name)
    return word[0] if word is not None else "node"


def number_nodes(function: FuncOp, first: int = 0) -> None:
    """Give every node of a function its ordinal and kind, around the location it has."""
    for ordinal, op in enumerate(numbered(function), first):
        op.location = NameLoc(StringAttr(f"{ordinal}:{kind_of(op)}"), op.location)


_last: tuple[Attribute | None, list[tuple[int, str]]] = None, []
"""What :func:`nodes` was asked last, and its answer."""


def nodes(location: Attribute) -> list[tuple[int, str]]:
    """(ordinal, kind) of each source node in a location, in order of ordinals."""
    global _last
    known, pairs = _last
    if known is not location:
        # The loops of one nest share a location, which may hold thousands of nodes.
        pairs = sorted(set(_nodes(location)))
        _last = location, pairs
    return pairs


def _nodes(location: Attribute) -> Iterable[tuple[int, str]]:
    if isinstance(location, NameLoc):
        node = _NODE.match(location.desc.data)
        if node is not None:
            yield int(node[1]), node[2]
    for part in _parts(location):
        yield from _nodes(part)


def _parts(location: Attribute) -> tuple[LocationAttr, ...]:
    """The locations that a fused one holds."""
    held: Attribute = location.locations if isinstance(location, FusedLoc) else location
    return cast("ArrayAttr[LocationAttr]", held).data if isinstance(held, ArrayAttr) else ()


def fused(locations: Iterable[LocationAttr]) -> LocationAttr:
    """One location for what came from several."""
    parts: dict[LocationAttr, None] = {}
    for location in locations:
        if held := _parts(location):
            parts.update(dict.fromkeys(held))
        elif not isinstance(location, UnknownLoc):
            parts[location] = None
    if len(parts) <= 1:
        return next(iter(parts), UnknownLoc())
    return FusedLoc(ArrayAttr(list(parts)), NoneAttr())

"""Where an operation came from, as text for messages."""

from __future__ import annotations

import re
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
)
from xdsl.ir import Attribute, Operation

_NODE = re.compile(r"([0-9]{1,9}):([A-Za-z_][A-Za-z0-9_]*)\Z")
"""The ordinal and kind of a node, which is all that says where in a binary model it is."""


def has_line(location: Attribute) -> bool:
    """Whether a location, the first one of a fused location, has a line."""
    if isinstance(location, FileLineColLoc):
        return bool(location.line.data)
    if isinstance(location, FusedLoc):
        parts = cast("ArrayAttr[Attribute]", location.locations)
        return any(has_line(part) for part in parts)
    return isinstance(location, NameLoc) and has_line(location.location)


def location_of(op: Operation) -> str:
    """``file:line:col`` of an operation, of what encloses it if it has none itself, or empty."""
    place: Operation | None = op
    while place is not None:
        text = location_text(place.location)
        if text:
            return text
        place = place.parent_op()
    return ""


def node_of(op: Operation) -> str:
    """``node 3 (Range)``, the node of a model that an operation was made of; empty if none was."""
    location = op.location
    if isinstance(location, FusedLoc):
        parts = cast("ArrayAttr[Attribute]", location.locations)
        location = next((part for part in parts if isinstance(part, NameLoc)), location)
    node = _NODE.match(location.desc.data) if isinstance(location, NameLoc) else None
    return f"node {node[1]} ({node[2]})" if node else ""


def of_node(op: Operation) -> str:
    """What a message about a call begins with: ``node 3 (Range): ``, or nothing."""
    node = node_of(op)
    return f"{node}: " if node else ""


def location_text(location: Attribute) -> str:
    """``file:line:col``, the first one of a fused location; empty if there is none.

    What has no lines, as a binary model, is at line 0 and gives ``file`` alone.
    """
    if isinstance(location, FileLineColLoc):
        if not location.line.data:
            return location.filename.data
        return f"{location.filename.data}:{location.line.data}:{location.column.data}"
    if isinstance(location, FusedLoc):
        texts = map(location_text, cast("ArrayAttr[Attribute]", location.locations))
        return next((text for text in texts if text), "")
    if isinstance(location, NameLoc):
        inner, node = location_text(location.location), _NODE.match(location.desc.data)
        named = node is not None and inner and not has_line(location)
        return f"{inner}: node {node[1]} ({node[2]})" if named and node else inner
    if isinstance(location, CallSiteLoc):
        return location_text(location.callee)
    return ""

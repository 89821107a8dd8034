"""Where an operation came from, as text for messages."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
)
from xdsl.ir import Attribute, Operation


def location_of(op: Operation) -> str:
    """``file:line:col`` of an operation, of what encloses it if it has none itself, or empty."""
    place: Operation | None = op
    while place is not None:
        text = location_text(place.location)
        if text:
            return text
        place = place.parent_op()
    return ""


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
        return location_text(location.location)
    if isinstance(location, CallSiteLoc):
        return location_text(location.callee)
    return ""

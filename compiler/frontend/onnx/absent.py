"""Omitted inputs of calls to local functions."""

from __future__ import annotations

from typing import Any


def without(nodes: Any, absent: set[str]) -> Any:
    """The nodes of a function, with an empty name for each omitted input."""
    if not absent:
        return nodes
    copies: list[Any] = []
    for node in nodes:
        copy = type(node)()
        copy.CopyFrom(node)
        for k, name in enumerate(copy.input):
            if name in absent:
                copy.input[k] = ""
        copies.append(copy)
    return copies

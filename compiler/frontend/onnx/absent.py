"""Inputs of local functions that a call leaves out."""

from __future__ import annotations

from typing import Any


def without(nodes: Any, absent: set[str]) -> Any:
    """The nodes of a function with inputs that the call leaves out made empty."""
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

"""Results of nodes legalized by tracing NumPy code; see ``models/traced.py``."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el

from .node import Node


def value(node: Node, x: Any, type: el.ElementType | None = None) -> SSAValue:
    """An array as a result of a node, by default in the element type of input 0."""
    return node.cast(x.value, type or node.element())

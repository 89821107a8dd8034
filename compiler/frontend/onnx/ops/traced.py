"""Results of nodes whose meaning is written in NumPy; see ``models/traced.py``."""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import element as el

from .node import Node


def value(node: Node, x: Any, type: el.ElementType | None = None) -> SSAValue:
    """An array as a result of a node, in the element type of the first input by default."""
    return node.cast(x.value, type or node.element())

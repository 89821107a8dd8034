"""Which nodes of a graph opc refuses, each taken alone."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from opc.errors import InputError, UnsupportedError
from opc.frontend.torch.node import overload
from opc.frontend.torch.reader import from_graph

from .partition import is_number


def refusals(graph_module: Any, weights: Mapping[str, Any]) -> dict[str, str]:
    """The names of nodes that cannot be read, and why.

    A node needs what the graph says of its arguments, not their nodes.
    """
    reasons: dict[str, str] = {}
    for node in graph_module.graph.nodes:
        if node.op != "call_function" or node.target is operator.getitem or is_number(node):
            continue
        try:
            from_graph(_alone(node), weights)
        except (UnsupportedError, InputError) as error:
            reasons[node.name] = f"{overload(node.target)}: {error.message}"
    return reasons


def _alone(node: Any) -> Any:
    """A graph of this node and the items of its result."""
    fx: Any = import_module("torch.fx")
    graph = fx.Graph()
    copies: dict[Any, Any] = {}
    for argument in node.all_input_nodes:
        is_graph = argument.op == "get_attr" and "val" not in argument.meta
        name = argument.target if is_graph else argument.name
        copies[argument] = graph.get_attr(name) if is_graph else graph.placeholder(name)
        copies[argument].meta = argument.meta
    results = [copy := graph.node_copy(node, copies.__getitem__)]
    if isinstance(node.meta.get("val"), list | tuple):
        items = [user for user in node.users if user.target is operator.getitem]
        results = [graph.node_copy(item, {node: copy}.__getitem__) for item in items]
    graph.output(tuple(results))
    return fx.GraphModule(node.graph.owning_module, graph)

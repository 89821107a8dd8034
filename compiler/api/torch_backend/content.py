"""The content of a graph of PyTorch as a text, by which the cache finds what was made of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from opc.frontend.torch.tensors import array_of


def content_of(graph_module: Any, weights: Mapping[str, Any]) -> str:
    """Every node with its operator, arguments and types of results, and digests of the weights.

    Equal texts stand for graphs that compute the same.
    """
    lines = ["torch"]
    for node in graph_module.graph.nodes:
        described = str(node.args) if node.op == "output" else node.format_node()
        lines.append(f"{described} : {_described(node.meta.get('val'))}")
        if node.op == "get_attr":
            value = getattr(graph_module, node.target)
            is_graph = hasattr(value, "graph")
            lines.append(content_of(value, {}) if is_graph else _digest(value))
    lines += [f"{name} = {_digest(tensor)}" for name, tensor in weights.items()]
    return "\n".join(lines)


def _described(value: Any) -> str:
    """``float32[s0, 3]`` for a tensor, the values of a sequence, a number as it is."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_described, cast("Sequence[Any]", value)))
    if hasattr(value, "dtype"):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    return str(value)


def _digest(tensor: Any) -> str:
    array, type = array_of(tensor)
    digest = hashlib.sha256(array.reshape(-1).view("u1").data)
    return f"{type} {array.shape} {digest.hexdigest()}"

"""Finds all unsupported operators of an ONNX model before reading it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from opc.frontend.models.kinds import Kinds
from opc.frontend.verify import shown

from .attributes import is_unknown, kind_of
from .ops import SCHEMAS, qualified


def check_operators(
    model: Any, called: Callable[[Any], Any], place: str, dead: AbstractSet[int]
) -> None:
    """UnsupportedError that lists all operators without a schema and unknown kinds of attributes.

    Includes nodes of subgraphs and of called local functions; ``called`` maps a node to the
    function it calls.  Excludes nodes of the graph with indices in ``dead``.
    """
    kinds, seen = Kinds(), set[int]()
    # No recursion: the depth of calls is checked later.
    waiting = [(model.graph.node, _versions(model.opset_import), "")]
    while waiting:
        nodes, versions, prefix = waiting.pop()
        inner: list[tuple[Any, dict[str, int], str]] = []
        for k, node in enumerate(nodes):
            if not prefix and k in dead:
                continue
            ordinal = f"{prefix}{k}"
            function = called(node)
            if function is None:
                _scan(kinds, node, versions, ordinal, place)
            elif id(function) not in seen:
                seen.add(id(function))
                inner.append((function.node, _versions(function.opset_import), f"{ordinal}."))
            for attribute in node.attribute:
                for graph in (attribute.g, *attribute.graphs):
                    if graph.node:
                        name = f"{ordinal}.{shown(attribute.name)}."
                        inner.append((graph.node, versions, name))
        waiting.extend(reversed(inner))
    kinds.check()


def canonical(domain: str) -> str:
    """The canonical name of a domain: ONNX's own has two."""
    return "" if domain == "ai.onnx" else domain


def _versions(imports: Any) -> dict[str, int]:
    return {canonical(item.domain): int(item.version) for item in imports} or {"": 1}


def _scan(kinds: Kinds, node: Any, versions: Mapping[str, int], ordinal: str, place: str) -> None:
    domain = canonical(node.domain)
    operator = qualified(domain, node.op_type)
    version = versions.get(domain)
    is_known = operator in SCHEMAS
    operator = shown(operator)
    # The reader reports a missing opset, and operators older than their first version.
    if not domain and version is None:
        return
    kind = operator if version is None else f"{operator} (opset {version})"
    name = f' "{shown(node.name)}"' if node.name else ""
    where = f"node {ordinal}{name}"
    if not is_known:
        kinds.add(kind, where, place, "operators", operator)
        return
    for attribute in node.attribute:
        if is_unknown(attribute):
            text = f"{shown(attribute.name)} of kind {kind_of(attribute)}"
            kinds.add(f"{kind} with attribute {text}", where, place, "attributes", text)
            return

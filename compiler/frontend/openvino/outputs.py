"""Reduce an IR model to some of its outputs before it is read."""

from __future__ import annotations

from collections.abc import Sequence

from opc.errors import UnsupportedError
from opc.frontend.requested_outputs import check_names, unique

from .net import element_named, split_names, written_shape
from .xml import Element

INPUTS = {"Parameter": ("element_type", "shape"), "ReadValue": ("variable_type", "variable_shape")}
"""The layers that are inputs, and their attributes of type and shape.

Those of a supported type are kept even if no output needs them.
"""


def keep_outputs(root: Element, layers_element: Element, names: Sequence[str]) -> dict[int, str]:
    """Remove the layers, and edges to them, that the named outputs do not need.

    ``layers_element`` is the ``<layers>`` of ``root``.  Returns the names of outputs by the ids of
    their layers.  Raises UsageError for a name that is no output, or that occurs twice.
    """
    layers = {layer.number("id"): layer for layer in layers_element.all("layer")}
    edges = root.only("edges")
    sources: dict[int, list[tuple[int, str]]] = {}
    for edge in edges.all("edge") if edges is not None else ():
        source = edge.number("from-layer"), edge.attribute("from-port")
        sources.setdefault(edge.number("to-layer"), []).append(source)
    named = _named(layers, sources)
    check_names(names, list(named.values()))
    live: set[int] = set()
    waiting = [id for id, name in named.items() if name in names]
    waiting += [id for id, layer in layers.items() if _is_supported_input(layer)]
    while waiting:
        id = waiting.pop()
        if id not in live:
            live.add(id)
            waiting += [source for source, _ in sources.get(id, ())]
    layers_element.children = [layer for id, layer in layers.items() if id in live]
    if edges is not None:
        edges.children = [e for e in edges.all("edge") if e.number("to-layer") in live]
    return {id: name for id, name in named.items() if id in live}


def _is_supported_input(layer: Element) -> bool:
    keys, data = INPUTS.get(layer.attribute("type")), layer.only("data")
    if keys is None or data is None:
        return keys is not None
    element, shape = (data.attributes.get(key) for key in keys)
    try:
        if element is not None:
            element_named(element, layer.place)
        if shape is not None:
            written_shape(shape, layer.place)
    except UnsupportedError:
        return False
    return True


def _named(layers: dict[int, Element], sources: dict[int, list[tuple[int, str]]]) -> dict[int, str]:
    """Layer id --> name of the output: results first, then states."""
    results, states = dict[int, str](), dict[int, str]()
    for id, layer in layers.items():
        if layer.attribute("type") == "Result":
            for source, port in sources.get(id, ())[:1]:
                known = _port_names(layers[source], port) if source in layers else []
                name = layer.attribute("name")
                results[id] = name if name in known or not known else known[0]
        elif layer.attribute("type") == "Assign":
            data = layer.only("data")
            states[id] = data.attributes.get("variable_id", "") if data is not None else ""
    names = {**results, **states}
    return dict(zip(names, unique(list(names.values())), strict=True))


def _port_names(layer: Element, id: str) -> list[str]:
    """The names that a model gives an output."""
    output = layer.only("output")
    for port in output.all("port") if output is not None else ():
        if port.attribute("id") == id:
            return split_names(port.attributes.get("names", ""))
    return []

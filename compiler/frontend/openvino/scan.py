"""What is read of an IR model, before any layer is read.

Layers that opc cannot compile are reported together, and those are removed that no requested output
needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opc.dialects.openvino import TYPE, opset_number
from opc.errors import UnsupportedError
from opc.frontend.models.kinds import Kinds
from opc.frontend.requested_outputs import check_names, unique
from opc.frontend.verify import shorten

from .net import ELEMENTS, element_named, split_names, written_shape
from .ops import SCHEMAS, find
from .xml import Element

READ = ("Parameter", "Const", "Result", "ReadValue", "Assign")
"""The types of layers that the reader itself knows."""


def check_layers(layers_element: Element) -> None:
    """Raise UnsupportedError for layers without a schema or of unknown element types.

    ``layers_element`` is the element ``<layers>``.  Layers in bodies count too.
    """
    kinds = Kinds()
    for layer in _layers(layers_element):
        _scan(kinds, layer)
    kinds.check()


def needed(kinds: Kinds, type: str, opset: str, layer: str, place: str) -> None:
    """Count a layer without a schema; it needs the operator, or a newer version of it."""
    versions = SCHEMAS.get(type.lower(), {})
    if versions:
        kinds.add(f"{type} {opset}", layer, place, "", f"{type} of opset{min(versions)} or newer")
    else:
        kinds.add(f"{type} {opset}", layer, place, "operators", type)


def _layers(layers_element: Element) -> Iterator[Element]:
    """All layers in order; a layer precedes those of its bodies."""
    for layer in layers_element.all("layer"):
        yield layer
        for body in layer.children:
            for inner in body.all("layers"):
                yield from _layers(inner)


def _scan(kinds: Kinds, layer: Element) -> None:
    attributes = layer.attributes
    type, version = attributes.get("type", ""), attributes.get("version")
    # The reader reports missing and malformed attributes.
    if not TYPE.match(type) or version is None:
        return
    id, label = attributes.get("id", "?"), attributes.get("name", "")
    name = f'layer {shorten(id[:20])} "{shorten(label[:80])}"'
    opset = opset_number(version)
    if type not in READ and (opset is None or find(type, opset) is None):
        needed(kinds, shorten(type[:80]), shorten(version[:40]), name, layer.place)
        return
    for element in _elements(layer):
        if element.strip().lower() not in ELEMENTS:
            text = repr(shorten(element[:40]))
            kind = f"{shorten(type[:80])} with element type {text}"
            kinds.add(kind, name, layer.place, "element types", text)
            return


def _elements(layer: Element) -> Iterator[str]:
    """The names of element types that a layer and its ports have."""
    for child in layer.children:
        if child.tag == "data" and "element_type" in child.attributes:
            yield child.attributes["element_type"]
        if child.tag in ("input", "output"):
            yield from (
                p.attributes["precision"]
                for p in child.all("port")
                if p.attributes.get("precision")
            )


INPUTS = {"Parameter": ("element_type", "shape"), "ReadValue": ("variable_type", "variable_shape")}
"""The layers that are inputs, and their attributes of type and shape.

Those of a supported type are kept even if no output needs them.
"""


def keep_outputs(
    root: Element, layers_element: Element, names: Sequence[str] | None
) -> dict[int, str]:
    """Remove the layers, and edges to them, that the named outputs do not need; None names all.

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
    if names is None:
        return named
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
                results[id] = name_of(layer.attribute("name"), known)
        elif layer.attribute("type") == "Assign":
            data = layer.only("data")
            states[id] = data.attributes.get("variable_id", "") if data is not None else ""
    names = {**results, **states}
    return dict(zip(names, unique(list(names.values())), strict=True))


def name_of(layer: str, tensor: Sequence[str]) -> str:
    """The name of a tensor, else of its layer.

    Of several names that of the layer comes first: the author of the model wrote it.
    """
    return layer if layer in tensor or not tensor else tensor[0]


def _port_names(layer: Element, id: str) -> list[str]:
    """The names that a model gives an output."""
    output = layer.only("output")
    for port in output.all("port") if output is not None else ():
        if port.attribute("id") == id:
            return split_names(port.attributes.get("names", ""))
    return []

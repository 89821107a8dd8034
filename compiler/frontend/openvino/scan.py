"""Report all layers of an IR model that opc cannot compile, before any of them is read."""

from __future__ import annotations

from collections.abc import Iterator

from opc.dialects.openvino import TYPE, opset_number
from opc.frontend.models.kinds import Kinds
from opc.frontend.verify import shorten

from .net import ELEMENTS
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

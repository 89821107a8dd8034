"""All layers of an IR model that opc cannot compile, before any of them is read."""

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


def check_layers(listed: Element) -> None:
    """UnsupportedError that lists every kind of layer without a row or of unknown element types.

    ``listed`` is the element ``<layers>``.  Layers in the bodies of others count too.
    """
    kinds = Kinds()
    for layer in _layers(listed):
        _scan(kinds, layer)
    kinds.check()


def needed(kinds: Kinds, type: str, opset: str, layer: str, place: str) -> None:
    """Add a layer without a row, and what is needed: its operator, or a version that has one."""
    versions = SCHEMAS.get(type.lower(), {})
    if versions:
        kinds.add(f"{type} {opset}", layer, place, "", f"{type} of opset{min(versions)} or newer")
    else:
        kinds.add(f"{type} {opset}", layer, place, "operators", type)


def _layers(listed: Element) -> Iterator[Element]:
    """The layers in order, those of a body behind the layer that has it; depth is limited."""
    for layer in listed.all("layer"):
        yield layer
        for body in layer.children:
            for inner in body.all("layers"):
                yield from _layers(inner)


def _scan(kinds: Kinds, layer: Element) -> None:
    given = layer.attributes
    type, version = given.get("type", ""), given.get("version")
    # What is no word or missing is an error of the model, told when reading.
    if not TYPE.match(type) or version is None:
        return
    name = f'layer {shorten(given.get("id", "?")[:20])} "{shorten(given.get("name", "")[:80])}"'
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

"""The layers, ports, edges and bodies in the XML of an IR model, checked.

Nothing here knows an operator.  Layers are sorted topologically.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.openvino import TYPE, opset_number
from opc.dialects.openvino_ports import Argument, Output, Parts, Ports
from opc.dialects.shape import MAX_RANK, MAX_SIZE
from opc.errors import InputError, UnsupportedError
from opc.frontend.verify import shorten

from .xml import Element, number

VERSIONS = (10, 11)
ELEMENTS: dict[str, str] = {
    "boolean": "i1",
    "bool": "i1",
    "bf16": "bf16",
    **{f"f{bits}": f"f{bits}" for bits in (16, 32, 64)},
    **{f"fp{bits}": f"f{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"ui{bits}" for bits in (8, 16, 32, 64)},
    **{"i4": "i4", "u4": "ui4", "f4e2m1": "f4E2M1FN"},
    **{"f8e4m3": "f8E4M3FN", "f8e5m2": "f8E5M2", "f8e8m0": "f8E8M0FNU"},
}
"""Names in attributes (f32) and ports (FP32) --> element types of opc."""
_RANGE = re.compile(r"(-?[0-9]{0,18})\.\.(-?[0-9]{0,18})\Z")
_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}\Z")


@dataclass
class Port:
    """An input or output of a layer; an extent of None is not known when compiling."""

    id: int
    element: ElementType | None
    shape: tuple[int | None, ...]
    names: list[str]
    place: str


BODIES = {
    "body": "port_map",
    "then_body": "then_port_map",
    "else_body": "else_port_map",
}
"""The elements in which the bodies of a layer are, and those that bind them to it."""


@dataclass
class Layer:
    """A layer; ``sources`` are the layer and output port that each input comes from.

    ``bodies`` are the layers of each body by the name of its element, and ``element`` is where it
    says how they are bound, if it has some.
    """

    id: int
    name: str
    type: str
    opset: int
    data: dict[str, str]
    inputs: list[Port]
    outputs: dict[int, Port]
    place: str
    sources: list[tuple[Layer, int]] = field(default_factory=list[tuple["Layer", int]])
    bodies: dict[str, list[Layer]] = field(default_factory=dict[str, list["Layer"]])
    element: Element | None = None

    @property
    def label(self) -> str:
        """``layer 3 "name" (Add)``."""
        return f'layer {self.id} "{shorten(self.name[:80])}" ({self.type})'

    def error(self, message: str) -> InputError:
        """What is wrong with the layer."""
        return InputError(f"{self.label}: {message}", self.place)


def element_named(name: str, place: str) -> ElementType:
    """The element type by OpenVINO's name: ``f32``, ``u8``, ``boolean``, ``FP32``, ``BOOL``."""
    element = BY_NAME.get(ELEMENTS.get(name.strip().lower(), ""))
    if element is None:
        raise UnsupportedError(f"element type {shorten(name[:40])!r} is not supported", place)
    return element


def listed_layers(root: Element) -> Element:
    """The element with the layers of a model.

    Raises InputError for what is no model, UnsupportedError for versions of the format that opc
    does not know.
    """
    if root.tag != "net":
        raise InputError(f"<{shorten(root.tag[:40])}> is not a model; expected <net>", root.place)
    version = root.number("version")
    if version not in VERSIONS:
        raise UnsupportedError(f"IR version {version}; opc reads 10 and 11", root.place)
    layers = root.only("layers")
    if layers is None:
        raise InputError("<net> has no <layers>", root.place)
    return layers


def connected_layers(around: Element, layers_element: Element) -> list[Layer]:
    """The layers of ``<layers>``, connected by the edges of ``around``, in topological order.

    Raises InputError for what is no model, UnsupportedError for element types that opc does not
    know.
    """
    layers: dict[int, Layer] = {}
    for element in layers_element.all("layer"):
        layer = _layer(element)
        if layer.id in layers:
            raise InputError(
                f"layer id {layer.id} is used twice; first at {layers[layer.id].place}", layer.place
            )
        layers[layer.id] = layer
    edges = around.only("edges")
    _connect(layers, edges.all("edge") if edges is not None else ())
    return _sorted(list(layers.values()))


def _layer(element: Element) -> Layer:
    type, name = element.attribute("type"), element.attribute("name")
    if not TYPE.match(type):
        raise InputError(f"layer type {shorten(type[:40])!r} is not an identifier", element.place)
    version = element.attribute("version")
    opset = opset_number(version)
    if opset is None:
        raise UnsupportedError(
            f"layer type {type} of {shorten(version[:40])!r}; opc knows opset1 and on",
            element.place,
        )
    data = element.only("data")
    attributes = data.attributes if data is not None else {}
    for key in attributes:
        if not _ATTRIBUTE.match(key) or key.startswith("openvino."):
            raise InputError(f"attribute {shorten(key[:40])!r} is not an identifier", element.place)
    words = {key.replace("-", "_"): text for key, text in attributes.items()}
    if len(words) != len(attributes):
        raise InputError("an attribute is given twice, with - and with _", element.place)
    inputs = _ports(element.only("input"))
    outputs = _ports(element.only("output"))
    layer = Layer(
        element.number("id"),
        name,
        type,
        opset,
        words,
        inputs,
        {port.id: port for port in outputs},
        element.place,
    )
    for tag in BODIES:
        body = element.only(tag)
        if body is not None:
            inner = body.only("layers")
            if inner is None:
                raise InputError(f"<{tag}> has no <layers>", body.place)
            layer.bodies[tag] = connected_layers(body, inner)
            layer.element = element
    return layer


def _ports(element: Element | None) -> list[Port]:
    if element is None:
        return []
    ports: dict[int, Port] = {}
    for child in element.all("port"):
        id = child.number("id")
        if id in ports:
            raise InputError(f"port id {id} is used twice in one <{element.tag}>", child.place)
        precision = child.attributes.get("precision")
        dims = [number(d.text, "<dim>", d.place, -1) for d in child.all("dim")]
        ports[id] = Port(
            id,
            element_named(precision, child.place) if precision else None,
            checked_shape([None if d < 0 else d for d in dims], child.place),
            split_names(child.attributes.get("names", "")),
            child.place,
        )
    return list(ports.values())


def split_names(text: str) -> list[str]:
    """Comma-separated names; a backslash escapes a comma."""
    parts = re.split(r"(?<!\\),", text)
    return [p.replace("\\,", ",") for p in parts if p]


def checked_shape(shape: list[int | None], place: str) -> tuple[int | None, ...]:
    """A shape within the limits of opc.  InputError otherwise."""
    if len(shape) > MAX_RANK:
        raise InputError(f"rank {len(shape)} exceeds {MAX_RANK}", place)
    if any(extent is not None and extent > MAX_SIZE for extent in shape):
        raise InputError("an extent exceeds 2^48", place)
    return tuple(shape)


def written_shape(text: str, place: str) -> tuple[int | None, ...]:
    """The shape in an attribute: ``1,?,2..8``, where ranges and ``-1`` are unknown extents too.

    Raises UnsupportedError for a shape of unknown rank.
    """
    if text.strip() == "...":
        raise UnsupportedError("the rank is unknown, and opc needs it", place)
    shape: list[int | None] = []
    for part in text.split(",") if text.strip() else ():
        extent = part.strip()
        if extent == "?" or _RANGE.match(extent):
            shape.append(None)
        else:
            value = number(extent, "shape", place, -1)
            shape.append(None if value < 0 else value)
    return checked_shape(shape, place)


def _connect(layers: dict[int, Layer], edges: Iterable[Element]) -> None:
    """Set the source of every input.  InputError for edges and inputs without an end."""
    sources: dict[tuple[int, int], tuple[Layer, int]] = {}
    inputs = {layer.id: {port.id for port in layer.inputs} for layer in layers.values()}
    for edge in edges:
        ends = [edge.number(n) for n in ("from-layer", "from-port", "to-layer", "to-port")]
        start, out, end, into = ends
        for id in (start, end):
            if id not in layers:
                raise InputError(f"an edge names layer {id}, which does not exist", edge.place)
        if out not in layers[start].outputs:
            raise InputError(f"{layers[start].label} has no output port {out}", edge.place)
        if into not in inputs[end]:
            raise InputError(f"{layers[end].label} has no input port {into}", edge.place)
        if (end, into) in sources:
            raise InputError(f"{layers[end].label}: two edges lead to port {into}", edge.place)
        sources[end, into] = (layers[start], out)
    for layer in layers.values():
        for port in layer.inputs:
            source = sources.get((layer.id, port.id))
            if source is None:
                raise InputError(f"{layer.label}: no edge leads to port {port.id}", port.place)
            layer.sources.append(source)


def _sorted(layers: list[Layer]) -> list[Layer]:
    """The layers in topological order, else in file order.  InputError for a cycle."""
    users: dict[int, list[int]] = {layer.id: [] for layer in layers}
    for k, layer in enumerate(layers):
        for source, _ in layer.sources:
            users[source.id].append(k)
    waiting = [len(layer.sources) for layer in layers]
    ready = [k for k, count in enumerate(waiting) if not count]
    result: list[Layer] = []
    while ready:
        layer = layers[heapq.heappop(ready)]
        result.append(layer)
        for k in users[layer.id]:
            waiting[k] -= 1
            if not waiting[k]:
                heapq.heappush(ready, k)
    if len(result) < len(layers):
        layer = _on_cycle(layers, {layer.id for layer in result})
        raise InputError(f"{layer.label} depends on its own result", layer.place)
    return result


def _on_cycle(layers: list[Layer], done: set[int]) -> Layer:
    """A layer of a cycle: sources of an unsorted layer lead into one."""
    layer = next(layer for layer in layers if layer.id not in done)
    seen = set[int]()
    while layer.id not in seen:
        seen.add(layer.id)
        layer = next(source for source, _ in layer.sources if source.id not in done)
    return layer


T = TypeVar("T")
_CURRENT, _GOING = "current_iteration", "execution_condition"
_NONE = -1
"""The external port of an entry that binds no port of the layer."""


def bound_ports(
    layer: Layer, element: Element, map_tag: str, parameters: Sequence[int], results: Sequence[int]
) -> Ports:
    """How a body is bound; ``parameters`` and ``results`` are the ids of its layers, in order.

    Raises InputError for a port or layer that is missing or bound twice.
    """
    back = _back(layer, element, parameters, results)
    bound = element.only(map_tag)
    if bound is None:
        raise layer.error(f"it has no <{map_tag}>")
    inputs = [p.id for p in layer.inputs]
    arguments: dict[int, Argument] = {}
    outputs: dict[int, Output] = {}
    condition: int | None = None
    for entry in bound.all("input"):
        place = _place(entry, parameters, "Parameter")
        external, purpose = _external(entry), entry.attributes.get("purpose")
        if place in arguments:
            raise InputError("a Parameter of a body is bound twice", entry.place)
        if external == _NONE and purpose == _CURRENT:
            arguments[place] = Argument(None)
        else:
            source = _index(inputs, external, f"the layer has no input port {external}", entry)
            arguments[place] = Argument(source, back.get(place), _parts(entry))
    for entry in bound.all("output"):
        place = _place(entry, results, "Result")
        external, purpose = _external(entry), entry.attributes.get("purpose")
        if external == _NONE and purpose == _GOING:
            condition = place
        else:
            message = f"the layer has no output port {external}"
            output = _index(list(layer.outputs), external, message, entry)
            outputs[output] = Output(place, _parts(entry))
    for what, entries, wanted in (
        ("Parameter of a body", arguments, len(parameters)),
        ("output of the layer", outputs, len(layer.outputs)),
    ):
        missing = [k for k in range(wanted) if k not in entries]
        if missing:
            raise layer.error(f"<{map_tag}>: {what} number {missing[0]} is not bound")
    return Ports(_listed(arguments), _listed(outputs), condition)


def _listed(by_number: dict[int, T]) -> tuple[T, ...]:
    return tuple(by_number[k] for k in sorted(by_number))


def _back(
    layer: Layer, element: Element, parameters: Sequence[int], results: Sequence[int]
) -> dict[int, int]:
    """Parameter number --> number of the Result that it takes from the second iteration on."""
    edges = element.only("back_edges")
    back: dict[int, int] = {}
    for edge in edges.all("edge") if edges is not None else ():
        end, start = edge.number("to-layer"), edge.number("from-layer")
        if end not in parameters or start not in results:
            raise layer.error("a back edge leads from no Result, or to no Parameter")
        back[parameters.index(end)] = results.index(start)
    return back


def _external(entry: Element) -> int:
    return number(entry.attribute("external_port_id"), "external_port_id", entry.place, _NONE)


def _place(entry: Element, ids: Sequence[int], what: str) -> int:
    id = entry.number("internal_layer_id")
    return _index(ids, id, f"layer {id} of the body is not a {what}", entry)


def _index(ids: Sequence[int], id: int, message: str, entry: Element) -> int:
    """The index of an id.  InputError with a message if it is none of them."""
    if id not in ids:
        raise InputError(message, entry.place)
    return list(ids).index(id)


def _parts(entry: Element) -> Parts | None:
    if "axis" not in entry.attributes:
        return None
    least = -(10**17)

    def value(name: str, default: int) -> int:
        text = entry.attributes.get(name)
        return default if text is None else number(text, name, entry.place, least)

    start, end = value("start", 0), value("end", -1)
    return Parts(value("axis", 0), start, end, value("stride", 1), value("part_size", 1))

"""The layers, ports, edges and bodies in the XML of an IR model, checked.

Nothing here knows an operator.  Layers are sorted topologically.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

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
    precision: str
    shape: tuple[int | None, ...]
    names: list[str]
    place: str

    @property
    def element(self) -> ElementType | None:
        """The element type, None if it is not stated.  UnsupportedError for an unknown one."""
        return element_named(self.precision, self.place) if self.precision else None


BODIES = {
    "body": "port_map",
    "then_body": "then_port_map",
    "else_body": "else_port_map",
}
"""The elements in which the bodies of a layer are, and those that bind them to it."""


@dataclass
class Layer:
    """A layer; ``sources`` are the layer and output port that each input comes from.

    The opset is 0 if ``version`` is that of an extension.
    ``bodies`` are the layers of each body by the name of its element, and ``element`` is where it
    says how they are bound, if it has some.
    """

    id: int
    name: str
    type: str
    version: str
    data: dict[str, str]
    inputs: list[Port]
    outputs: dict[int, Port]
    place: str
    sources: list[tuple[Layer, int]] = field(default_factory=list[tuple["Layer", int]])
    loose: list[Port] = field(default_factory=list[Port])
    """The inputs that no edge leads to."""
    bodies: dict[str, list[Layer]] = field(default_factory=dict[str, list["Layer"]])
    element: Element | None = None

    @property
    def opset(self) -> int:
        """The opset of the version."""
        return opset_number(self.version) or 0

    @property
    def named(self) -> str:
        """``layer 3 "name"``."""
        return f'layer {self.id} "{shorten(self.name[:80])}"'

    @property
    def label(self) -> str:
        """``layer 3 "name" (Add)``."""
        return f"{self.named} ({self.type})"

    def error(self, message: str) -> InputError:
        """What is wrong with the layer."""
        return InputError(f"{self.label}: {message}", self.place)


def element_named(name: str, place: str) -> ElementType:
    """The element type by OpenVINO's name: ``f32``, ``u8``, ``boolean``, ``FP32``, ``BOOL``."""
    element = BY_NAME.get(ELEMENTS.get(name.strip().lower(), ""))
    if element is None:
        raise UnsupportedError(f"element type {shorten(name[:40])!r} is not supported", place)
    return element


def layers_of(root: Element) -> list[Layer]:
    """The layers of a model in topological order.

    Raises InputError for what is no model, UnsupportedError for versions of the format that opc
    does not know.
    """
    if root.tag != "net":
        raise InputError(f"<{shorten(root.tag[:40])}> is not a model; expected <net>", root.place)
    version = root.number("version")
    if version not in VERSIONS:
        raise UnsupportedError(f"IR version {version}; opc reads 10 and 11", root.place)
    return _connected(root)


def _connected(around: Element) -> list[Layer]:
    """The layers of a model or body, connected by its edges, in topological order."""
    parent = around.only("layers")
    if parent is None:
        raise InputError(f"<{around.tag}> has no <layers>", around.place)
    layers: dict[int, Layer] = {}
    for element in parent.all("layer"):
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
        element.attribute("version"),
        words,
        inputs,
        {port.id: port for port in outputs},
        element.place,
    )
    for tag in BODIES:
        body = element.only(tag)
        if body is not None:
            layer.bodies[tag] = _connected(body)
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
        dims = [number(d.text, "<dim>", d.place, -1) for d in child.all("dim")]
        ports[id] = Port(
            id,
            child.attributes.get("precision", ""),
            checked_shape([None if d < 0 else d for d in dims], child.place),
            _names(child.attributes.get("names", "")),
            child.place,
        )
    return list(ports.values())


def _names(text: str) -> list[str]:
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
    """Set the source of every input that has one.  InputError for an edge without an end."""
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
                layer.loose.append(port)
            else:
                layer.sources.append(source)


def _sorted(layers: list[Layer]) -> list[Layer]:
    """The layers in topological order, else in file order.  InputError for a cycle."""
    done: dict[int, Layer] = {}
    begun = set[int]()
    waiting = layers[::-1]
    while waiting:
        layer = waiting[-1]
        missing = [source for source, _ in layer.sources if source.id not in done]
        if layer.id in done or not missing:
            done.setdefault(waiting.pop().id, layer)
            continue
        # A layer that is begun has its sources above it, which are done when its turn comes again.
        if layer.id in begun:
            raise InputError(f"{layer.label} depends on its own result", layer.place)
        begun.add(layer.id)
        waiting += reversed(missing)
    return list(done.values())


_CURRENT, _GOING = "current_iteration", "execution_condition"
_NONE = -1
"""The external port of an entry that binds no port of the layer."""


def bound_ports(
    layer: Layer, element: Element, map_tag: str, parameters: Sequence[int], results: Sequence[int]
) -> Ports:
    """How a body is bound; ``parameters`` and ``results`` are the ids of its layers, in order.

    Raises InputError for a port or layer that is missing or bound twice.
    """
    bound = element.only(map_tag)
    if bound is None:
        raise layer.error(f"it has no <{map_tag}>")
    back = _back(layer, element, parameters, results)
    inputs, outer = [p.id for p in layer.inputs], list(layer.outputs)
    arguments: dict[int, Argument] = {}
    outputs: dict[int, Output] = {}
    condition: int | None = None
    for entry in bound.all("input"):
        place = _place(entry, parameters, "Parameter")
        if place in arguments:
            raise InputError("a Parameter of a body is bound twice", entry.place)
        source = _external(entry, inputs, "input", _CURRENT)
        arguments[place] = (
            Argument(None) if source is None else Argument(source, back.get(place), _parts(entry))
        )
    for entry in bound.all("output"):
        place = _place(entry, results, "Result")
        output = _external(entry, outer, "output", _GOING)
        if output is None:
            condition = place
        else:
            outputs[output] = Output(place, _parts(entry))
    for what, entries, wanted in (
        ("Parameter of a body", arguments, len(parameters)),
        ("output of the layer", outputs, len(outer)),
    ):
        missing = [k for k in range(wanted) if k not in entries]
        if missing:
            raise layer.error(f"<{map_tag}>: {what} number {missing[0]} is not bound")
    lists = [arguments[k] for k in sorted(arguments)], [outputs[k] for k in sorted(outputs)]
    return Ports(tuple(lists[0]), tuple(lists[1]), condition)


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


def _external(entry: Element, ids: list[int], what: str, purpose: str) -> int | None:
    """The index of the port that an entry binds; None if it is bound to a purpose instead."""
    text = entry.attribute("external_port_id")
    id = number(text, "external_port_id", entry.place, _NONE)
    if id == _NONE and entry.attributes.get("purpose") == purpose:
        return None
    if id not in ids:
        raise InputError(f"the layer has no {what} port {id}", entry.place)
    return ids.index(id)


def _place(entry: Element, ids: Sequence[int], what: str) -> int:
    """The number of the layer of a body that an entry binds."""
    id = entry.number("internal_layer_id")
    if id not in ids:
        raise InputError(f"layer {id} of the body is not a {what}", entry.place)
    return ids.index(id)


_SLICE = {"axis": 0, "start": 0, "end": -1, "stride": 1, "part_size": 1}
"""The attributes of a slice, and their defaults."""


def _parts(entry: Element) -> Parts | None:
    if "axis" not in entry.attributes:
        return None
    texts = [entry.attributes.get(name, str(default)) for name, default in _SLICE.items()]
    least = -(10**17)
    return Parts(*(number(t, n, entry.place, least) for n, t in zip(_SLICE, texts, strict=True)))

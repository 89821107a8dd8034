"""What decides which layers of a model are read: requested outputs, and what opc can compile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opc.errors import InputError, UnsupportedError
from opc.frontend.models.kinds import Kinds
from opc.frontend.requested_outputs import check_names, unique
from opc.frontend.verify import shorten

from .net import ELEMENTS, Layer, element_named, written_shape
from .ops import SCHEMAS, find

STATES, STATE = ("ReadValue", "Assign"), "variable_id"
"""The layers that read and set a state, and the attribute that names it."""
READ = ("Parameter", "Const", "Result", *STATES)
"""The types of layers that the reader itself knows."""


def check_layers(layers: Sequence[Layer]) -> None:
    """Raise UnsupportedError for layers without a schema or of unknown element types.

    Layers in bodies count too.  InputError for an input that no edge leads to.
    """
    kinds = Kinds()
    for layer in _all(layers):
        if layer.type not in READ and find(layer.type, layer.opset) is None:
            needed(kinds, layer.type, shorten(layer.version[:40]), layer.named, layer.place)
            continue
        ports = (*layer.inputs, *layer.outputs.values())
        stated = [layer.data.get("element_type", ""), *(port.precision for port in ports)]
        unknown = [name for name in stated if name and name.strip().lower() not in ELEMENTS]
        if unknown:
            text = repr(shorten(unknown[0][:40]))
            kind = f"{layer.type} with element type {text}"
            kinds.add(kind, layer.named, layer.place, "element types", text)
    kinds.check()
    for layer in _all(layers):
        for port in layer.loose:
            raise InputError(f"{layer.label}: no edge leads to port {port.id}", port.place)


def needed(kinds: Kinds, type: str, opset: str, layer: str, place: str) -> None:
    """Count a layer without a schema; it needs the operator, or a newer version of it."""
    versions = SCHEMAS.get(type.lower(), {})
    if versions:
        kinds.add(f"{type} {opset}", layer, place, "", f"{type} of opset{min(versions)} or newer")
    else:
        kinds.add(f"{type} {opset}", layer, place, "operators", type)


def _all(layers: Sequence[Layer]) -> Iterator[Layer]:
    """All layers in the order of the file; a layer precedes those of its bodies."""
    for layer in unsorted(layers):
        yield layer
        for body in layer.bodies.values():
            yield from _all(body)


def unsorted(layers: Sequence[Layer], *types: str) -> list[Layer]:
    """The layers of some types, or all, as the file lists them: the order of inputs and outputs."""

    def line(layer: Layer) -> tuple[int, int]:
        _, row, column = layer.place.rsplit(":", 2)
        return int(row), int(column)

    return sorted((layer for layer in layers if not types or layer.type in types), key=line)


INPUTS = {"Parameter": ("element_type", "shape"), "ReadValue": ("variable_type", "variable_shape")}
"""The layers that are inputs, and their attributes of type and shape.

Those of a supported type are kept even if no output needs them.
"""


def requested(
    layers: list[Layer], names: Sequence[str] | None
) -> tuple[list[Layer], dict[int, str]]:
    """The layers that the named outputs need, and these names by the ids of their layers.

    None names all outputs.  Raises UsageError for a name that is no output, or occurs twice.
    """
    outputs = {layer.id: _output_name(layer) for layer in unsorted(layers, "Result")}
    states = unsorted(layers, "Assign")
    outputs |= {layer.id: layer.data.get(STATE, "") for layer in states}
    named = dict(zip(outputs, unique(list(outputs.values())), strict=True))
    if names is None:
        return layers, named
    check_names(names, list(named.values()))
    live: set[int] = set()
    waiting = [x for x in layers if named.get(x.id) in names or _is_supported_input(x)]
    while waiting:
        layer = waiting.pop()
        if layer.id not in live:
            live.add(layer.id)
            waiting += [source for source, _ in layer.sources]
    kept = {id: name for id, name in named.items() if id in live}
    return [layer for layer in layers if layer.id in live], kept


def _is_supported_input(layer: Layer) -> bool:
    element, shape = (layer.data.get(key) for key in INPUTS.get(layer.type, ("", "")))
    try:
        if element is not None:
            element_named(element, layer.place)
        if shape is not None:
            written_shape(shape, layer.place)
    except UnsupportedError:
        return False
    return layer.type in INPUTS


def _output_name(layer: Layer) -> str:
    """The name of an output."""
    names = [source.outputs[port].names for source, port in layer.sources[:1]]
    return name_of(layer.name, names[0] if names else [])


def name_of(layer: str, tensor: Sequence[str]) -> str:
    """The name of a tensor, else of its layer.

    Of several names that of the layer comes first: the author of the model wrote it.
    """
    return layer if layer in tensor or not tensor else tensor[0]

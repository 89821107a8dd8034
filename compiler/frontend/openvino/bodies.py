"""The bodies of a layer in the XML of an IR model, and how it binds them to inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from opc.dialects.openvino_ports import Argument, Output, Parts, Ports
from opc.errors import InputError

from .xml import Element, number

if TYPE_CHECKING:
    from .net import Layer

T = TypeVar("T")
_CURRENT, _GOING = "current_iteration", "execution_condition"
_NONE = -1
"""The external port of an entry that binds no port of the layer."""


def ports(
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
            source = _found(inputs, external, entry, "input")
            arguments[place] = Argument(source, back.get(place), _parts(entry))
    for entry in bound.all("output"):
        place = _place(entry, results, "Result")
        external, purpose = _external(entry), entry.attributes.get("purpose")
        if external == _NONE and purpose == _GOING:
            condition = place
        else:
            number_of_output = _found(list(layer.outputs), external, entry, "output")
            outputs[number_of_output] = Output(place, _parts(entry))
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
    if id not in ids:
        raise InputError(f"layer {id} of the body is not a {what}", entry.place)
    return list(ids).index(id)


def _found(ids: Sequence[int], id: int, entry: Element, what: str) -> int:
    if id not in ids:
        raise InputError(f"the layer has no {what} port {id}", entry.place)
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

"""Where the values of a function are: local arrays, the workspace, constants and weights."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from opc.dialects import loop
from opc.dialects.blob import elements
from opc.dialects.buffer import element_in
from opc.dialects.element import ElementType
from opc.dialects.opc.movement import Array

from . import lanes as vectors
from . import registers
from .control import Bodies
from .ctext import Indices, Text, number, stored
from .local_arrays import held_in_lanes, is_lanes, role, starts_with_store
from .places import Place, Places

WEIGHT_BYTES = 4096
"""A larger constant is not written into the C text but passed by pointer."""


@dataclass
class Shared:
    """What the functions of one file have in common."""

    helpers: set[str] = field(default_factory=set[str])
    lanes: dict[str, str] = field(default_factory=dict[str, str])
    constants: list[str] = field(default_factory=list[str])
    weights: list[Array] = field(default_factory=list[Array])
    weight_bytes: int = 0
    functions: list[str] = field(default_factory=list[str])
    """The bodies of control flow, each behind those that it calls."""
    bodies: dict[str, object] = field(default_factory=dict[str, object])
    """What writes each of them, by name."""
    written: int = 0
    """How many of them have a name in C."""


class Storage:
    """The names that a function has, and the lines that declare them."""

    def __init__(
        self, shared: Shared, indices: Indices, name: str, places: Places, bodies: Bodies
    ) -> None:
        self.shared = shared
        self.indices = indices
        self.name = name
        self.places = places
        self.bodies = bodies
        self.parts: list[str] = []
        self.scope: dict[str, str] = {}
        """The names that C sees here, each as a parameter would declare it."""
        self.lines: list[str] = []
        self.depth = 1
        self.names: dict[SSAValue, Text] = {}
        self.reads: set[SSAValue] = set()
        self.constant_buffers: set[SSAValue] = set()
        self.undeclared: dict[SSAValue, str] = {}
        self._counts: dict[str, int] = {}
        self.placed: dict[str, tuple[str, Place]] = {}
        """The arrays in the workspace that the C function has, with their types and places."""
        self.function: loop.ForOp | None = None
        self.origin = ""

    def fresh(self, prefix: str) -> str:
        """A new identifier."""
        k = self._counts.get(prefix, 0)
        self._counts[prefix] = k + 1
        return f"{prefix}{k}"

    def declare(self, name: str, type: str, pointer: bool = False) -> None:
        """Say what a name means until the end of the block."""
        self.scope[name] = f"{type} *OPC_RESTRICT {name}" if pointer else f"{type} {name}"

    def line(self, text: str) -> None:
        """Add one line at the current depth."""
        self.lines.append("  " * self.depth + text)

    def arguments(self, found: dict[str, tuple[str, Place]], parts: str = "") -> list[str]:
        """The addresses of arrays in the workspace; ``parts``: where those of a thread begin."""
        given: list[str] = []
        for type, place in found.values():
            start, offset = "(char *)workspace", place.offset
            if place.is_of_thread and parts:
                start = parts
            elif place.is_of_thread:
                offset += self.places.shared_bytes
            at = f"{start} + {offset}" if offset else start
            given.append(f"({type} *)(void *){at if at.isidentifier() else f'({at})'}")
        return given

    def parts_of_threads(self) -> str:
        """Where those of the workspace begin; empty in the outermost function, which has it all."""
        if self.function is None:
            return ""
        self.placed["parts"] = "char", Place(0, True)
        return "parts"

    def local(self, op: loop.LocalOp) -> None:
        """Declare a variable or an array where it lives."""
        twin = self.places.twins.get(op.result)
        if twin is not None:
            self.names[op.result] = self.names[twin]
            return
        assert isinstance(op.result.type, MemRefType)
        shape = op.result.type.get_shape()
        name, type = self.fresh(role(op)), stored(element_in(op.result))
        self.names[op.result] = Text(name)
        lanes, count = held_in_lanes(op.result), shape[0] if shape else 0
        if lanes:
            element = element_in(op.result)
            self.lane_type(element, lanes)
            type = vectors.lanes_type(element, lanes)
            count = 0 if is_lanes(op.result) else count // lanes
        place = self.places.places.get(op.result)
        if place is not None:
            self._in_workspace(name, type, place)
            return
        if (vector_lanes := registers.lanes_of(op.result)) > 1:
            element = element_in(op.result)
            type, count = registers.vector_type(element, vector_lanes), count // vector_lanes
            self.shared.lanes.setdefault(type, registers.type_definition(element, vector_lanes))
        self.declare(name, type, pointer=bool(count) or (bool(shape) and not lanes))
        if not shape and starts_with_store(op):
            self.undeclared[op.result] = f"{type} "
        else:
            self.line(f"{type} {name}" + (f"[{count}];" if count else ";"))

    def _in_workspace(self, name: str, type: str, place: Place) -> None:
        """An array of the workspace: a parameter of the function, unless that is the whole."""
        if self.function is None:
            self.line(f"{type} *const {name} = {self.arguments({name: (type, place)})[0]};")
        else:
            self.placed[name] = type, place
        self.declare(name, type, pointer=True)

    def slice(self, op: loop.SliceOp) -> None:
        """Name a buffer of the workspace, behind the arrays there."""
        name, type = self.fresh("buffer"), stored(element_in(op.result))
        offset = op.offset.data[0] + self.places.total_bytes
        at = self.indices.text(offset, []).within(14)
        self.line(f"{type} *const {name} = ({type} *)(void *)((char *)workspace + {at});")
        self.declare(name, type, pointer=True)
        self.names[op.result] = Text(name)

    def constant(self, op: loop.ConstantOp) -> None:
        """Write a constant into the text, or name a part of the weights."""
        type = element_in(op.result)
        array = elements(op.value)
        assert array is not None
        array = array.reshape(-1)
        self.constant_buffers.add(op.result)
        if array.nbytes > WEIGHT_BYTES:
            self._weight(op, array, type)
            return
        name = f"constant{len(self.shared.constants)}"
        listed = array.view(np.uint8) if type.is_small else array
        values = [number(v, type).text for v in listed.tolist()] or ["0"]
        if type.kind == "bool":
            values = [str(int(v == "true")) for v in values]
        rows = [", ".join(values[k : k + 8]) for k in range(0, len(values), 8)]
        text = rows[0] if len(rows) == 1 else "\n  " + ",\n  ".join(rows) + "\n"
        self.shared.constants.append(
            f"static const {stored(type)} {name}[{len(values)}] = {{{text}}};\n"
        )
        self.names[op.result] = Text(name)

    def _weight(self, op: loop.ConstantOp, array: Array, type: ElementType) -> None:
        offset = self.shared.weight_bytes
        raw = array.view(np.uint8)
        padding = -raw.size % 64
        self.shared.weights += [raw, np.zeros(padding, np.uint8)]
        self.shared.weight_bytes += raw.size + padding
        name, c = self.fresh("weight"), stored(type)
        self.line(
            f"const {c} *const {name} = "
            f"(const {c} *)(const void *)((const char *)weights + {offset});"
        )
        self.declare(name, f"const {c}", pointer=True)
        self.names[op.result] = Text(name)

    def lane_type(self, type: ElementType, lanes: int) -> None:
        """Define the type that holds so many lanes."""
        self.shared.lanes.setdefault("OPC_VECTOR", vectors.VECTOR)
        name = vectors.lanes_type(type, lanes)
        self.shared.lanes.setdefault(name, vectors.lanes_definition(type, lanes))

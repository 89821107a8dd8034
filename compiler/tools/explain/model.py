"""The nodes of a graph as a reader knows them: operator, name, type, and what each uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ModuleOp, NameLoc, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from opc.dialects.element import element_of
from opc.dialects.opc.control import ControlOp
from opc.dialects.shape import Tensor, shape_of
from opc.support.provenance import kind_of, nodes, number_nodes, numbered


@dataclass(frozen=True)
class Node:
    """A numbered node; its number is unique among all functions of a module."""

    number: int
    kind: str
    name: str
    type: str
    bodies: tuple[str, ...] = ()
    """The functions that are in it: bodies of control flow."""


@dataclass(frozen=True)
class Part:
    """A function: its inputs and outputs by name, its nodes, and who uses whom.

    Edges are between positions: those of the inputs, then of the nodes, then of the outputs.
    """

    name: str
    inputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]


def number_apart(module: ModuleOp) -> None:
    """Give the nodes of bodies numbers behind those of the function, so that each is one node."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    first = len(numbered(functions[0]))
    for function in functions[1:]:
        number_nodes(function, first)
        first += len(numbered(function))


def parts_of(source: ModuleOp, graph: ModuleOp, names: tuple[list[str], list[str]]) -> list[Part]:
    """The functions of a module as it was read; types are those of ``graph``, where it has more.

    ``names`` are those of the inputs and outputs of the first one.
    """
    types = _types(graph)
    parts: list[Part] = []
    for function in source.body.block.ops:
        assert isinstance(function, FuncOp)
        end = function.body.block.last_op
        assert isinstance(end, ReturnOp)
        inputs = [v.name_hint or f"arg{k}" for k, v in enumerate(function.args)]
        outputs = [v.name_hint or f"out{k}" for k, v in enumerate(end.operands)]
        if not parts:
            inputs, outputs = names
        every = numbered(function)
        part_nodes = tuple(_node(op, types) for op in every)
        edges = tuple(_edges(function, every, end))
        name = function.sym_name.data
        parts.append(Part(name, tuple(inputs), part_nodes, tuple(outputs), edges))
    return parts


def _types(graph: ModuleOp) -> dict[int, str]:
    """The result type of each node: that of the last operation that comes from it alone.

    Operations of the function have precedence over those in bodies.
    """
    types: dict[int, str] = {}
    for function in graph.body.block.ops:
        own: dict[int, str] = {}
        for op in function.regions[0].block.ops:
            origin = nodes(op.location)
            if len(origin) == 1 and op.results:
                own[origin[0][0]] = type_text(op.results[-1].type)
        types = own | types
    return types


def type_text(type: Attribute) -> str:
    """A tensor type as people write it: ``f32[1,64,N]``; empty for others."""
    if not isinstance(type, TensorType):
        return ""
    tensor = cast("Tensor", type)
    element = element_of(tensor.element_type)
    extents = ",".join(map(str, shape_of(tensor)))
    return "" if element is None else f"{element}[{extents}]"


def _node(op: Operation, types: dict[int, str]) -> Node:
    location = op.location
    ((number, _),) = nodes(location)
    inner = location.location if isinstance(location, NameLoc) else None
    name = inner.desc.data if isinstance(inner, NameLoc) else ""
    if not name:
        name = next((r.name_hint for r in op.results if r.name_hint), "")
    bodies = op.callees if isinstance(op, ControlOp) else ()
    return Node(number, kind_of(op), name, types.get(number, ""), tuple(bodies))


def inside(parts: Sequence[Part]) -> dict[int, list[int]]:
    """For each node with bodies, the nodes in these, and in theirs."""
    of = {part.name: part.nodes for part in parts}

    def below(node: Node) -> Iterator[int]:
        for name in node.bodies:
            for inner in of[name]:
                yield inner.number
                yield from below(inner)

    every = (node for part in parts for node in part.nodes if node.bodies)
    return {node.number: sorted(set(below(node))) for node in every}


def _edges(function: FuncOp, every: list[Operation], end: ReturnOp) -> Iterator[tuple[int, int]]:
    args = list(function.args)
    position: dict[SSAValue, int] = {value: k for k, value in enumerate(args)}
    for k, op in enumerate(every):
        position |= dict.fromkeys(op.results, len(args) + k)
    for k, op in enumerate(every):
        for value in op.operands:
            if value in position:
                yield position[value], len(args) + k
    for k, value in enumerate(end.operands):
        if value in position:
            yield position[value], len(args) + len(every) + k

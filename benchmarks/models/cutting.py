"""Models cut where a rounding decides: which scores are largest, how long a sound is.

Such values are compared as any others are; what follows from them is compared with what the peers
make of the values that opc computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx

from benchmarks.models.inputs import Array
from benchmarks.models.peers import Run, loaded
from benchmarks.networks.agreement import since, until


@dataclass(frozen=True)
class Parts:
    """Files with the whole model, the part up to the values that decide, and the one behind them.

    The results of ``whole`` are those of the model, then the ``values``; ``back`` takes those as
    inputs, too.
    """

    whole: Path
    front: Path
    back: Path
    values: tuple[str, ...] = ()

    def prepared(self, prepare: Callable[[Path], Run]) -> Run:
        """The results of ``whole``, each part by a run of its own where there are several."""
        if not self.values:
            return prepare(self.whole)
        front, back = prepare(self.front), prepare(self.back)
        names = set(map(_input, self.values))

        def run(arrays: dict[str, Array]) -> list[Any]:
            plain = {name: array for name, array in arrays.items() if name not in names}
            return [*back(arrays), *front(plain)]

        return run

    def inputs(self, arrays: dict[str, Array], results: list[Any]) -> dict[str, Array]:
        """What the parts take: the inputs, and the values that decide out of these results."""
        decided = results[len(results) - len(self.values) :]
        return arrays | dict(zip(map(_input, self.values), decided, strict=True))


def cut(path: Path, operators: frozenset[str], folder: Path) -> Parts:
    """The parts of a model in files of a folder, cut before the first input of these operators."""
    if not operators:
        return Parts(path, path, path)
    model, whole = loaded(path), folder / "whole.onnx"
    nodes = [node for node in model.graph.node if node.op_type in operators]
    values = tuple(dict.fromkeys(node.input[0] for node in nodes))
    front = _without_idle_nodes(until(model, values, folder / "front.onnx"))
    back = since(model, values, folder / "back.onnx")
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in values)
    whole.write_bytes(model.SerializeToString())
    return Parts(whole, front, back, values)


def _without_idle_nodes(path: Path) -> Path:
    """The file without nodes that no result needs: onnxruntime runs them, too."""
    model = loaded(path)
    needed = {value.name for value in model.graph.output}
    nodes: list[onnx.NodeProto] = []
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            nodes.append(node)
            needed.update(_read(node))
    del model.graph.node[:]
    model.graph.node.extend(reversed(nodes))
    path.write_bytes(model.SerializeToString())
    return path


def _read(node: onnx.NodeProto) -> Iterator[str]:
    """What a node reads, its bodies included, which see the values around them."""
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from _read(inner)


def _input(value: str) -> str:
    return f"given {value}"

"""Models cut where a rounding decides: which scores are largest, how long a sound is, which sign.

Such values are compared as any others are; what follows from them is compared with what the peers
make of the values that opc computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx

from benchmarks.models.inputs import Array
from benchmarks.models.peers import Run, loaded
from benchmarks.networks.agreement import since

INTEGERS = frozenset({onnx.TensorProto.INT32, onnx.TensorProto.INT64})


@dataclass(frozen=True)
class Parts:
    """Files with the whole model, and with the parts into which the ``values`` that decide cut it.

    The results of both are those of the model, then the values; the parts take the values as
    inputs, too, and what reads one reads the input.
    """

    whole: Path
    apart: Path
    values: tuple[str, ...] = ()

    def prepared(self, prepare: Callable[[Path], Run]) -> Run:
        """The results of the parts, each from the values that it is given."""
        return prepare(self.apart)

    @property
    def given(self) -> tuple[str, ...]:
        """The inputs that the parts have for the values."""
        return tuple(map(_input, self.values))

    def inputs(self, arrays: dict[str, Array], results: list[Any]) -> dict[str, Array]:
        """What the parts take: the inputs, and the values that decide out of these results."""
        decided = results[len(results) - len(self.values) :]
        return arrays | dict(zip(self.given, decided, strict=True))

    def slices(self, count: int) -> list[tuple[str, slice]]:
        """Of so many results those of the model, whose name is empty, and each of the values."""
        first = count - len(self.values)
        places = ((name, first + k) for k, name in enumerate(self.values))
        return [("", slice(first)), *((name, slice(k, k + 1)) for name, k in places)]


def cut(path: Path, operators: frozenset[str], folder: Path) -> Parts:
    """The parts of a model in files of a folder, cut before the first input of these operators.

    Integers are exact: what they decide, no rounding does.
    """
    if not operators:
        return Parts(path, path)
    model, whole = loaded(path), folder / "whole.onnx"
    kinds = _kinds(model)
    computed = {name for node in model.graph.node for name in node.output if node.input}
    read = [node.input[0] for node in model.graph.node if node.op_type in operators]
    decide = [name for name in read if name in computed and kinds.get(name) not in INTEGERS]
    values = tuple(dict.fromkeys(decide))
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in values)
    whole.write_bytes(model.SerializeToString())
    return Parts(whole, since(model, values, folder / "parts.onnx", kinds), values)


def _kinds(model: onnx.ModelProto) -> dict[str, int]:
    """The types of elements, as far as they are known."""
    inferred = onnx.shape_inference.infer_shapes(model).graph
    return {info.name: info.type.tensor_type.elem_type for info in inferred.value_info}


def _input(value: str) -> str:
    return f"given {value}"

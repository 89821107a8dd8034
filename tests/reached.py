"""Which operators of opc the nodes of models become: ``python -m tests.reached`` writes it down.

Samples are legalized: the cases of one node of ONNX's own suite; for OpenVINO what its own reader
makes of these, and layers that it makes of none.  The file is ``compiler/tools/reached.txt``, which
``opc ops`` reads: for each operator a sample that becomes it.  This takes a minute of processor
time.  A line for each format is printed: the operators that no sample of the format becomes.

That samples are missing shows: what the modules of a frontend name is what samples become.
"""

from __future__ import annotations

import ast
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import opc.numpy
from opc.api.driver import load, source_of
from opc.dialects.opc import OPERATORS
from opc.dialects.registry import context
from opc.errors import OpcError
from opc.passes import pipeline
from opc.tools.reached import FORMATS, NONE

Reached: TypeAlias = Mapping[str, Mapping[str, str]]

COMPILER = Path(__file__).parents[1] / "compiler"
FILE = COMPILER / "tools" / "reached.txt"
REFUSED: Mapping[str, frozenset[str]] = {
    "onnx": frozenset({"opc.log1p"}),
    "openvino": frozenset({"opc.identity", "opc.leaky_relu", "opc.thresholded_relu"}),
}
"""What the modules of both formats name and one does not have: OpenVINO's recurrent layers have
three activations, and no layer becomes an identity; no operator of ONNX inverts erf."""
CLASSES = {op.__name__: op.name for op in OPERATORS}
NAMES = frozenset(CLASSES.values())


def operators_of(model: Any) -> frozenset[str]:
    """The operators that a model becomes; none if opc refuses it."""
    try:
        module = source_of(load(model), None)
        pipeline.run(module, context(), ("legalize-onnx", "legalize-openvino"))
    except OpcError:
        return frozenset()
    return NAMES & {op.name for op in module.walk()}


@cache
def nodes() -> dict[str, Any]:
    """The cases of one node of ONNX's own suite: a model by its name."""
    from onnx.backend.test.case import node

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None)
    return {case.name: case.model for case in cases if len(case.model.graph.node) == 1}


@cache
def layers() -> dict[str, Any]:
    """Models of OpenVINO of a layer that its reader of ONNX does not write, by that layer."""
    import openvino as ov
    from openvino import opset1, opset15
    from openvino.utils.node_factory import NodeFactory

    def model(layer: Callable[..., Any], *inputs: tuple[list[int], type[np.generic]]) -> Any:
        parameters = [opset1.parameter(shape, type) for shape, type in inputs]
        return ov.Model([layer(*parameters).output(0)], parameters)

    integers, floats, slope = ([2], np.int32), ([2, 3, 4], np.float32), ([1], np.float32)
    inverse = NodeFactory("opset17").create
    return {
        "BitwiseLeftShift": model(opset15.bitwise_left_shift, integers, integers),
        "BitwiseRightShift": model(opset15.bitwise_right_shift, integers, integers),
        "CTCGreedyDecoder": model(opset1.ctc_greedy_decoder, floats, ([2, 3], np.float32)),
        "ErfInv": model(lambda x: inverse("ErfInv", [x.output(0)], {}), floats),
        "Selu": model(opset1.selu, floats, slope, slope),
    }


def samples(form: str) -> list[str]:
    """The names of all samples of a format."""
    return [*nodes(), *(layers() if form == "openvino" else ())]


def becomes(form: str, names: Iterable[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each of these samples that the format has, with the operators that it becomes."""
    if form == "onnx":
        yield from ((name, operators_of(nodes()[name])) for name in names if name in nodes())
        return
    import openvino as ov

    core = ov.Core()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        for name in names:
            try:
                found = layers().get(name) or core.read_model(nodes()[name].SerializeToString())
            except (KeyError, RuntimeError):
                continue  # OpenVINO has no layer for it.
            ov.serialize(found, path)
            yield name, operators_of(path)


def record(form: str) -> dict[str, str]:
    """For each operator the sample that becomes it, and the fewest others."""
    by_size = sorted(becomes(form, samples(form)), key=lambda sample: (len(sample[1]), sample[0]))
    chosen: dict[str, str] = {}
    for name, operators in by_size:
        for operator in operators:
            chosen.setdefault(operator, name)
    return dict(sorted(chosen.items()))


def stale(form: str, chosen: Mapping[str, str]) -> list[str]:
    """The operators that their samples do not become."""
    found = dict(becomes(form, sorted(set(chosen.values()))))
    return [operator for operator, name in chosen.items() if operator not in found.get(name, ())]


def named(form: str) -> set[str]:
    """The operators that modules of a frontend name: as classes, or as functions of opc.numpy."""
    names = set[str]()
    for folder in (form, "models"):
        for path in (COMPILER / "frontend" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Name):
                    names.add(CLASSES.get(node.id, ""))
                elif isinstance(node, ast.Attribute):
                    names.add(CLASSES.get(node.attr, ""))
                    if isinstance(node.value, ast.Name) and node.value.id == "onp":
                        names |= _traced(node.attr)
    return names & NAMES


def _traced(function: str) -> set[str]:
    """The operators that a function of opc.numpy is made for."""
    cells = getattr(getattr(opc.numpy, function, None), "__closure__", None) or ()
    contents = [getattr(cell.cell_contents, "__name__", cell.cell_contents) for cell in cells]
    return {CLASSES.get(str(name), f"opc.{name}") for name in contents}


def without_sample(form: str, chosen: Mapping[str, str]) -> list[str]:
    """The operators that modules of a frontend name and no sample becomes."""
    return sorted((named(form) - chosen.keys()) ^ REFUSED[form])


def text(reached: Reached) -> str:
    """The file: a row for each operator, with a sample of each format."""
    operators = sorted(set().union(*reached.values()))
    rows = [[op, *(reached[form].get(op, NONE) for form in FORMATS)] for op in operators]
    return "".join(" ".join(row) + "\n" for row in rows)


def main() -> int:
    """Write the file; 1 and nothing written if a sample is missing."""
    reached = {form: record(form) for form in FORMATS}
    missing = {form: without_sample(form, chosen) for form, chosen in reached.items()}
    if any(missing.values()):
        print("tests/reached.py has no sample of:", missing, file=sys.stderr)
        return 1
    FILE.write_text(text(reached), encoding="utf-8")
    for form, chosen in reached.items():
        print(f"{form} becomes all but", *sorted(NAMES - chosen.keys()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

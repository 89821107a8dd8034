"""Networks from ONNX and from OpenVINO IR, their extents known or not: which run, and agree.

``python -m benchmarks.networks.agreement`` takes all of them at full size, ``--small`` the forms
that tests run, ``python -m benchmarks.networks.agreement bert gpt2`` some.  Each cell of the table
has the largest difference to onnxruntime without its optimizations, in parts of the largest value
of a result, or what opc says that it cannot compile.  The exit code is 1 if there is such a cell,
or a difference above 1e-5, for results that are quantized above one step of them.

Where boxes are suppressed, the order of scores decides which of them stay, and scores may be closer
to each other than sums are exact: two of the largest detector's boxes have scores that onnxruntime
finds equal.  So scores and boxes are compared as any values are; what stays is compared with what
onnxruntime keeps of the boxes and scores that opc computed.

IR is what ``openvino.convert_model`` makes of the ONNX model, in f32.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from benchmarks.networks import NETWORKS, SIZES
from benchmarks.networks.net import Array

TOLERANCE = 1e-5
"""How far a result may be from that of onnxruntime, in parts of the largest value."""
SOURCES = ("onnx", "openvino")
FORMS = {"static": False, "symbolic": True}
"""Whether batch and lengths are symbols."""


def converted(path: Path) -> Path:
    """The IR that OpenVINO makes of an ONNX file, beside it."""
    import openvino

    model: Any = openvino.convert_model(path)
    target = path.with_suffix(".xml")
    openvino.save_model(model, target, compress_to_fp16=False)
    return target


def expected(path: Path, arrays: dict[str, Array]) -> list[Array]:
    """What the graph gives in onnxruntime as it is written."""
    import onnxruntime

    options: Any = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    providers = ["CPUExecutionProvider"]
    session: Any = onnxruntime.InferenceSession(str(path), options, providers=providers)
    return session.run(None, arrays)


def step(model: onnx.ModelProto) -> float:
    """The step of results that are quantized, 0 of others: the scale of what made the first one."""
    makers = {name: node for node in model.graph.node for name in node.output}
    weights = {w.name: w for w in model.graph.initializer}
    node = makers[model.graph.output[0].name]
    while node.op_type == "Identity":
        node = makers[node.input[0]]
    if node.op_type != "DequantizeLinear":
        return 0
    return float(numpy_helper.to_array(weights[node.input[1]]).max())


def difference(
    found: Sequence[Array], wanted: Sequence[Array], quantum: float
) -> tuple[float, bool]:
    """The largest difference in parts of the largest value, and whether it is small enough."""
    if [(a.shape, a.dtype) for a in found] != [(a.shape, a.dtype) for a in wanted]:
        return np.inf, False
    worst, is_right = 0.0, True
    for a, b in zip(found, wanted, strict=True):
        largest = max(float(np.abs(b).max()), float(np.finfo(np.float32).tiny))
        apart = float(np.abs(a - b).max())
        worst = max(worst, apart / largest)
        is_right = is_right and apart <= TOLERANCE * largest + quantum
    return worst, is_right and np.isfinite(worst)


DECIDING = frozenset({"NonMaxSuppression"})
"""Operators whose results are others where values differ by a rounding."""

Run = Callable[[Path], Sequence[Array]]
"""What opc computes of a model in a file, for the inputs at hand."""


def deciding(model: onnx.ModelProto) -> list[str]:
    """The values that nodes of the network compute and that decide."""
    computed = {name for node in model.graph.node for name in node.output}
    nodes = [node for node in model.graph.node if node.op_type in DECIDING]
    return list(dict.fromkeys(n for node in nodes for n in node.input if n in computed))


def until(model: onnx.ModelProto, values: Sequence[str], path: Path) -> Path:
    """A file with the network up to some values, which are its results."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    del made.graph.output[:]
    made.graph.output.extend(onnx.ValueInfoProto(name=name) for name in values)
    onnx.save(made, path)
    return path


def since(
    model: onnx.ModelProto,
    values: Sequence[str],
    path: Path,
    kinds: Mapping[str, int] | None = None,
) -> Path:
    """A file with the network from some values on, inputs whose names have ``given`` in front.

    ``kinds`` are types of elements; f32 where there is none.
    """
    made, known = onnx.ModelProto(), kinds or {}
    made.CopyFrom(model)
    for node in made.graph.node:
        node.input[:] = [f"given {n}" if n in values else n for n in node.input]
    infos = [
        onnx.helper.make_tensor_value_info(f"given {n}", known.get(n, onnx.TensorProto.FLOAT), None)
        for n in values
    ]
    made.graph.input.extend(infos)
    onnx.save(made, path)
    return path


class Reference:
    """What the results of a network are compared with."""

    def __init__(self, path: Path, arrays: dict[str, Array]) -> None:
        model = onnx.load(path)
        self.arrays, self.step, values = arrays, step(model), deciding(model)
        self.values, self.front, self.back = values, path, path
        if values:
            self.front = until(model, values, path.with_name("front.onnx"))
            self.back = since(model, values, path.with_name("back.onnx"))
        del model
        self.wanted = expected(self.front, arrays)

    def difference(self, found: Sequence[Array], run: Run) -> tuple[float, bool]:
        """The largest difference in parts of the largest value, and whether it is small enough.

        ``run`` is asked for the values that decide.
        """
        if not self.values:
            return difference(found, self.wanted, self.step)
        decided = run(self.front)
        given = {f"given {n}": x for n, x in zip(self.values, decided, strict=True)}
        parts = (
            difference(decided, self.wanted, self.step),
            difference(found, expected(self.back, {**self.arrays, **given}), self.step),
        )
        return max(worst for worst, _ in parts), all(is_right for _, is_right in parts)


def compiled(path: Path, arrays: dict[str, Array], source: str) -> list[Array]:
    """What opc computes of an ONNX file, or of the IR that is made of it."""
    import opc

    function: Any = opc.compile(path if source == "onnx" else converted(path))
    found = function(*(arrays[spec.name] for spec in function.inputs))
    return [found] if len(function.outputs) == 1 else list(found)


def cell(path: Path, source: str, reference: Reference) -> tuple[str, bool]:
    """The text of a cell, and whether opc is right."""
    import opc

    run = partial(compiled, arrays=reference.arrays, source=source)
    try:
        found = run(path)
    except opc.OpcError as error:
        return f"refused: {str(error).strip().splitlines()[-1][-160:]}", False
    worst, is_right = reference.difference(found, run)
    return f"{worst:.0e}" + ("" if is_right else " WRONG"), is_right


def row(name: str, sources: Sequence[str], small: bool, folder: Path) -> tuple[list[str], bool]:
    """The cells of a network, and whether opc is right in all of them."""
    cells: dict[tuple[str, str], str] = {}
    right = True
    for form, symbolic in FORMS.items():
        net = NETWORKS[name].net(small=small, symbolic=symbolic)
        arrays, path = net.arrays(SIZES), folder / f"{form}.onnx"
        onnx.save(net.model(), path)
        del net
        reference = Reference(path, arrays)
        for source in sources:
            gc.collect()
            cells[source, form], fits = cell(path, source, reference)
            right = right and fits
    return [cells[source, form] for source in sources for form in FORMS], right


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.networks.agreement",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NETWORKS))
    parser.add_argument("--small", action="store_true", help="the small forms that tests run")
    parser.add_argument("--sources", default=",".join(SOURCES), help="a list with commas")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in NETWORKS]
    if unknown:
        parser.error(f"no network {unknown[0]}; there are {', '.join(NETWORKS)}")
    sources = options.sources.split(",")
    if any(s not in SOURCES for s in sources):
        parser.error(f"sources are {', '.join(SOURCES)}")
    heads = ["network", *(f"{source}, {form}" for source in sources for form in FORMS)]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}", flush=True)
    all_right = True
    for name in options.names or NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            cells, right = row(name, sources, options.small, Path(folder))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
        all_right = all_right and right
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())

"""Convolutions of images whose height and width only a call knows."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import opc
from tests.unit.common.contraction_graphs import targets

pytestmark = pytest.mark.sample(8)

CASES = {
    "24 filters": (5, 24, 3, {"pads": [1, 1, 1, 1]}),
    "by 2": (3, 8, 3, {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    "more padding than filter": (2, 12, 3, {"pads": [3, 4, 3, 5], "strides": [2, 3]}),
    "one value for each": (20, 24, 1, {}),
    "dilated": (3, 24, 3, {"pads": [2, 2, 2, 2], "dilations": [2, 2]}),
    "several blocks of a chain": (96, 24, 3, {"pads": [1, 1, 1, 1]}),
    "each channel alone": (6, 6, 3, {"pads": [1, 1, 1, 1], "group": 6}),
    "each channel alone, by 2": (6, 6, 3, {"pads": [1, 1, 1, 1], "group": 6, "strides": [2, 2]}),
    "each channel alone, by 2, 5x5": (
        4, 4, 5, {"pads": [2, 2, 2, 2], "group": 4, "strides": [2, 2]},
    ),
}  # fmt: skip
"""Channels, filters, their size, and attributes."""
IMAGES = [(3, 5), (4, 16), (9, 33), (20, 65)]


def model(path: Path, name: str, kind: str = "float32", function: str = "Relu") -> Path:
    """A convolution with constant filters, a bias and a function."""
    channels, filters, size, attributes = CASES[name]
    rng, groups = np.random.default_rng(0), int(str(attributes.get("group", 1)))
    w = rng.standard_normal((filters, channels // groups, size, size)).astype(kind)
    weights = [numpy_helper.from_array(w, "w")]
    weights.append(numpy_helper.from_array(rng.standard_normal(filters).astype(kind), "b"))
    type = TensorProto.DOUBLE if kind == "float64" else TensorProto.FLOAT
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["x", "w", "b"], ["t"], **attributes),
            helper.make_node(function, ["t"], ["y"]),
        ],
        "graph",
        [helper.make_tensor_value_info("x", type, ["n", channels, "h", "w"])],
        [helper.make_tensor_value_info("y", type, None)],
        weights,
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(proto, path / "model.onnx")
    return path / "model.onnx"


@pytest.mark.parametrize(("kind", "function"), [("float32", "Sigmoid"), ("float64", "Relu")])
@pytest.mark.parametrize("name", CASES)
def test_known_and_unknown_extents_have_the_same_bits(
    tmp_path: Path, name: str, kind: str, function: str
) -> None:
    path, channels = model(tmp_path, name, kind, function), CASES[name][0]
    unknown = {machine: opc.compile(path, target=machine) for machine in targets()}
    for k, (h, w) in enumerate(IMAGES):
        x = np.random.default_rng(k).standard_normal((1 + k % 2, channels, h, w)).astype(kind)
        dims = {"n": len(x), "h": h, "w": w}
        expected = opc.compile(path, dims=dims)(x).tobytes()
        for machine, compiled in unknown.items():
            assert compiled(x).tobytes() == expected, (machine, x.shape)


def test_vectors_of_few_filters_go_along_the_image(tmp_path: Path) -> None:
    """24 filters fill one vector of 16 and a half."""
    tree = opc.lower(model(tmp_path, "24 filters"), target="avx512").ir("schedule")
    assert "schedule.pack left by 12" in tree and "schedule.pad right" in tree, tree


def test_all_columns_of_a_filter_are_written_out(tmp_path: Path) -> None:
    """Full tiles see no column of a filter behind the image, also if every other pixel has one."""
    source = opc.lower(model(tmp_path, "each channel alone, by 2"), target="avx512").c_source
    columns = re.findall(
        r"< (.+); \+\+i\d+\) \{\n +const int64_t k\d+ = i\d+ % 2;\n +float", source
    )
    assert columns and set(columns) == {"3"}, columns


def test_functions_of_whole_tiles_are_stored_at_once(tmp_path: Path) -> None:
    """Tiles of unknown rows had them in an array, which a call of memcpy for each row copied."""
    path = model(tmp_path, "one value for each", function="Sigmoid")
    source = opc.lower(path, target="avx512").c_source
    stored = re.findall(r"(t\d+) = opc_sigmoid_f32\(.*\n +(out|row)\d\[.*\] = \1;", source)
    assert [array for _, array in stored] == ["out", "row"], source

"""Labels that are strings, ZipMap, and some of the outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx.helper as oh
import pytest
from onnx import numpy_helper

import opc
from opc.errors import UnsupportedError, UsageError

NAMES = ["ant", "bee", "cow"]
X = np.float32([[1, 2], [-3, 0], [0, 5], [2, -9]])


def model() -> Any:
    """A linear classifier of strings, its dictionaries, and an output that opc does not know."""
    nodes = [
        oh.make_node(
            "LinearClassifier", ["x"], ["label", "scores"], domain="ai.onnx.ml",
            classlabels_strings=NAMES, coefficients=[1.0, 0.5, -1.0, 2.0, 0.25, -1.0],
            intercepts=[0.0, 0.5, 1.0], post_transform="SOFTMAX",
        ),
        oh.make_node(
            "ZipMap", ["scores"], ["maps"], domain="ai.onnx.ml", classlabels_strings=NAMES
        ),
        oh.make_node("Frobnicate", ["scores"], ["other"]),
    ]  # fmt: skip
    outputs = [
        oh.make_tensor_value_info("label", 8, ["N"]),
        oh.make_empty_tensor_value_info("maps"),
    ]
    outputs.append(oh.make_tensor_value_info("other", 1, ["N", 3]))
    inputs = [oh.make_tensor_value_info("x", 1, ["N", 2])]
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", 1)]
    return oh.make_model(
        oh.make_graph(nodes, "g", inputs, outputs), opset_imports=imports, ir_version=8
    )


def test_labels_and_dictionaries(tmp_path: Any) -> None:
    f = opc.compile(model(), outputs=["label", "maps"])
    for g in (f, opc.load(f.save(tmp_path))):
        label, maps = g(X)
        scores = X @ np.float32([[1, -1, 0.25], [0.5, 2, -1]]) + np.float32([0, 0.5, 1])
        assert label.dtype == object
        assert label.tolist() == [NAMES[k] for k in scores.argmax(axis=1)]
        assert [list(row) for row in maps] == [NAMES] * 4
        wanted = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        found = [list(row.values()) for row in maps]
        np.testing.assert_allclose(found, wanted, 1e-5)
        places, matrix = g.arrays(X)
        assert places.dtype == np.int64 and places.tolist() == scores.argmax(axis=1).tolist()
        np.testing.assert_array_equal(matrix, np.float32(found))
    assert "0 = ant, 1 = bee, 2 = cow" in " ".join(f.header.split())


def test_outputs_that_are_wrong() -> None:
    for names, message in (
        (["labels"], "did you mean: 'label'"),
        (["label", "label"], "given twice"),
        ([], "a list of names"),
        ("label", "a list of names"),
    ):
        with pytest.raises(UsageError, match=message):
            opc.lower(model(), outputs=names)


@pytest.mark.parametrize("joined", [False, True])
def test_an_operator_that_takes_no_strings_names_the_outputs_that_need_it(joined: bool) -> None:
    """What skl2onnx makes of ``decision_path`` of a forest: texts that are joined."""
    proto = model()
    del proto.graph.node[-1], proto.graph.output[-1]
    concat = oh.make_node("Concat", ["label", "label"], ["path"], axis=0)
    again = oh.make_node("Identity", ["path"], ["again"])
    proto.graph.node.extend([concat, again])
    if joined:
        del proto.graph.output[:]
    proto.graph.output.append(oh.make_tensor_value_info("again", 8, None))
    with pytest.raises(
        UnsupportedError, match=r"is a tensor of strings.*output 'again' needs it"
    ) as error:
        opc.lower(proto)
    assert ("; outputs=['label'" in str(error.value)) != joined


@pytest.mark.parametrize(
    ("numbers", "labels"),
    [
        ([0, 1], ("n", "p")),
        ([1, 0, 1], ("p", "n")),
        ([[7], [1]], ("other", "p")),
        (5, ("other",)),
        ([], ()),
        (None, ("n", "p", "other")),
    ],
)
def test_names_of_numbers(numbers: Any, labels: tuple[str, ...]) -> None:
    """Numbers that are known have no other names than theirs: ``class_labels`` of skl2onnx.

    Of several equal keys the first counts.
    """
    encoder = oh.make_node(
        "LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_int64s=[0, 1, 0],
        values_strings=["n", "p", "late"], default_string="other",
    )  # fmt: skip
    constants = [] if numbers is None else [numpy_helper.from_array(np.array(numbers, "i8"), "x")]
    inputs = [oh.make_tensor_value_info("x", 7, ["N"])] if numbers is None else []
    outputs = [oh.make_tensor_value_info("y", 8, None)]
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", 2)]
    graph = oh.make_graph([encoder], "g", inputs, outputs, constants)
    f = opc.compile(oh.make_model(graph, opset_imports=imports, ir_version=8))
    assert f.outputs[0].labels == labels
    x = np.array([0, 9, 1] if numbers is None else numbers, np.int64)
    found = f(x) if numbers is None else f()
    expected = [{0: "n", 1: "p"}.get(k, "other") for k in x.reshape(-1).tolist()]
    assert found.shape == x.shape and found.reshape(-1).tolist() == expected


def encoders(*each: dict[str, Any], since: int = 4) -> Any:
    """LabelEncoders one behind the other, of which the first takes numbers."""
    nodes = [
        oh.make_node("LabelEncoder", [f"v{k}"], [f"v{k + 1}"], domain="ai.onnx.ml", **attributes)
        for k, attributes in enumerate(each)
    ]
    inputs = [oh.make_tensor_value_info("v0", 1 if "keys_floats" in each[0] else 7, ["N"])]
    outputs = [oh.make_empty_tensor_value_info(f"v{len(each)}")]
    imports = [oh.make_opsetid("", 17), oh.make_opsetid("ai.onnx.ml", since)]
    graph = oh.make_graph(nodes, "g", inputs, outputs)
    return oh.make_model(graph, opset_imports=imports, ir_version=8)


NUMBERS: dict[str, list[Any]] = {
    "int16": [-32768, 7, 32767],
    "int32": [-(2**31), 16777217, 2**31 - 1],
    "int64": [-(2**63), 2**53 + 1, 2**63 - 1],
    "float32": [1.1, -0.0, np.inf],
    "float64": [1.1, 2.0**53 + 2, 1e300],
}
NAMED = {"keys_int64s": [0, 1, 2], "values_strings": NAMES, "default_string": "other"}


@pytest.mark.parametrize("default", [None, "attribute", "tensor"])
@pytest.mark.parametrize("type", NUMBERS)
def test_numbers_of_names(type: str, default: str | None) -> None:
    """Each type of values, which has bits that f32 has not; and the default of each kind."""
    values = np.array(NUMBERS[type], type)
    attributes: dict[str, Any] = {"keys_strings": NAMES}
    attributes["values_tensor"] = numpy_helper.from_array(values, "values")
    kind = "float" if values.dtype.kind == "f" else "int64"
    other: Any = -1 if kind == "int64" else -0.0
    if default == "attribute":
        other = attributes[f"default_{kind}"] = 5 if kind == "int64" else 5.0
    elif default == "tensor":
        other = values[1]
        attributes["default_tensor"] = numpy_helper.from_array(values[1:2], "default")
    found = opc.compile(encoders(NAMED, attributes))(np.int64([2, 0, 9, 1]))
    expected = np.array([values[2], values[0], other, values[1]], type)
    assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("since", [2, 4])
@pytest.mark.parametrize("kind", ["int64", "float"])
def test_numbers_of_names_by_lists(kind: str, since: int) -> None:
    number = int if kind == "int64" else float
    attributes = {"keys_strings": NAMES, f"values_{kind}s": [*map(number, (3, -4, 5))]}
    attributes[f"default_{kind}"] = number(9)
    found = opc.compile(encoders(NAMED, attributes, since=since))(np.int64([1, 9, 0]))
    assert found.dtype == ("int64" if kind == "int64" else "float32")
    assert found.tolist() == [-4, 9, 3]


def test_names_of_numbers_that_are_none() -> None:
    """NaN is a key as any other."""
    attributes = {"keys_floats": [np.nan, 1.5], "values_strings": ["none", "some"]}
    found = opc.compile(encoders(attributes))(np.float32([1.5, np.nan, 2]))
    assert found.tolist() == ["some", "none", "_Unused"]

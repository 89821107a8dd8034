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

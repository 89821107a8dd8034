"""ONNX models that OpenVINO's converter turns into IR give what the ONNX files give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc

pytest.importorskip("openvino", reason="OpenVINO, the converter, is not installed")
pytest.importorskip("onnx", reason="onnx, which builds the models, is not installed")

import onnx
import openvino as ov
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.sample(8)

FLOAT = TensorProto.FLOAT


def node(operator: str, inputs: str, output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), [output], **attributes)


def axes(*values: int) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(values, np.int64), "axes")


GRAPHS: dict[str, tuple[list[onnx.NodeProto], list[onnx.TensorProto]]] = {
    "layer norm": (
        [
            node("ReduceMean", "x axes", "mean", keepdims=1),
            node("Sub", "x mean", "d"),
            node("Mul", "d d", "s"),
            node("ReduceMean", "s axes", "v", keepdims=1),
            node("Add", "v eps", "e"),
            node("Sqrt", "e", "r"),
            node("Div", "d r", "y"),
        ],
        [axes(-1), numpy_helper.from_array(np.float32(1e-5), "eps")],
    ),
    "softmax": ([node("Softmax", "x", "y", axis=-1)], []),
    "log softmax": ([node("LogSoftmax", "x", "y", axis=1)], []),
    "gelu by hand": (
        [
            node("Div", "x root", "a"),
            node("Erf", "a", "b"),
            node("Add", "b one", "c"),
            node("Mul", "x c", "d"),
            node("Mul", "d half", "y"),
        ],
        [
            numpy_helper.from_array(np.float32(v), n)
            for n, v in (("root", np.sqrt(2)), ("one", 1), ("half", 0.5))
        ],
    ),
    "reductions": (
        [
            node("ReduceSum", "x axes", "a", keepdims=0),
            node("ReduceMax", "x axes", "b", keepdims=0),
            node("ReduceL2", "x axes", "c", keepdims=0),
            node("Sum", "a b c", "y"),
        ],
        [axes(0, -1)],
    ),
    "all axes": ([node("ReduceProd", "x", "y", keepdims=0)], []),
    "activations": (
        [
            node("Elu", "x", "a", alpha=1.5),
            node("HardSigmoid", "a", "b", alpha=0.3, beta=0.4),
            node("Selu", "b", "c"),
            node("Mish", "c", "d"),
            node("HardSwish", "d", "e"),
            node("Softsign", "e", "f"),
            node("Clip", "f low high", "y"),
        ],
        [numpy_helper.from_array(np.float32(v), n) for n, v in (("low", -0.5), ("high", 0.75))],
    ),
    "shapes": (
        [
            node("Transpose", "x", "a", perm=[1, 0, 2]),
            node("Reshape", "a shape", "b"),
            node("Unsqueeze", "b axes", "c"),
            node("Squeeze", "c axes", "d"),
            node("Neg", "d", "y"),
        ],
        [axes(1), numpy_helper.from_array(np.array([0, -1], np.int64), "shape")],
    ),
    "choice": (
        [
            node("Greater", "x zero", "a"),
            node("Not", "a", "b"),
            node("Or", "a b", "c"),
            node("Abs", "x", "d"),
            node("And", "a c", "e"),
            node("Where", "e d x", "f"),
            node("Pow", "f two", "y"),
        ],
        [numpy_helper.from_array(np.float32(v), n) for n, v in (("zero", 0), ("two", 2))],
    ),
}


@pytest.mark.parametrize("shape", ((2, 3, 4), ("N", 3, 4)), ids=("static", "symbolic"))
@pytest.mark.parametrize("name", GRAPHS)
def test_same_results(name: str, shape: tuple[int | str, ...], tmp_path: Path) -> None:
    nodes, initializers = GRAPHS[name]
    rank = {"reductions": 1, "all axes": 0, "shapes": 2}.get(name, 3)
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", FLOAT, shape)],
        [helper.make_tensor_value_info("y", FLOAT, [None] * rank)],
        initializers,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(made, tmp_path / "model.onnx")
    converted = ov.convert_model(tmp_path / "model.onnx")
    ov.save_model(converted, tmp_path / "model.xml", compress_to_fp16=False)
    x = np.random.default_rng(1).standard_normal((2, 3, 4)).astype(np.float32)
    from_ir = opc.compile(tmp_path / "model.xml")
    from_onnx = opc.compile(tmp_path / "model.onnx")
    assert [s.name for s in from_ir.inputs] == [s.name for s in from_onnx.inputs] == ["x"]
    assert [s.name for s in from_ir.outputs] == [s.name for s in from_onnx.outputs] == ["y"]
    # The converter fuses and reorders, so that roundings differ.
    np.testing.assert_allclose(from_ir(x), from_onnx(x), rtol=2e-6, atol=1e-6)


def test_weights_in_f16(tmp_path: Path) -> None:
    """By default OpenVINO's writer stores constants in f16, and converts them back."""
    weights = np.random.default_rng(2).standard_normal((64, 64)).astype(np.float32)
    graph = helper.make_graph(
        [node("Mul", "x w", "a"), node("Relu", "a", "y")],
        "graph",
        [helper.make_tensor_value_info("x", FLOAT, (64, 64))],
        [helper.make_tensor_value_info("y", FLOAT, (64, 64))],
        [numpy_helper.from_array(weights, "w")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.save(made, tmp_path / "model.onnx")
    ov.save_model(ov.convert_model(tmp_path / "model.onnx"), tmp_path / "model.xml")
    x = np.random.default_rng(3).standard_normal((64, 64)).astype(np.float32)
    wanted = np.maximum(x * weights.astype(np.float16).astype(np.float32), 0)
    np.testing.assert_array_equal(opc.compile(tmp_path / "model.xml")(x), wanted)


def test_every_graph_is_tried() -> None:
    assert len(GRAPHS) == 9

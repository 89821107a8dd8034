"""Some of the outputs of a graph, of each kind of graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import opc
import opc.numpy as onp
from opc.__main__ import main
from opc.dialects.named import RESULT_KEYS, RESULT_LABELS
from opc.errors import UnsupportedError, UsageError
from tests.unit.common.onnx_models import info, node
from tests.unit.common.onnx_models import model as onnx_model
from tests.unit.common.openvino_files import edge, net, parameter, port, result, write
from tests.unit.frontend.onnx.test_labels import X, model

TEXT = """
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>) {
  %a = opc.exp %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %b = opc.reduce_max %x {axes = [-1], keepdims = true} : tensor<2x3xf32> -> tensor<2x1xf32>
  %c = opc.neg %x : tensor<2x3xf32> -> tensor<2x3xf32>
  func.return %a, %b, %c : tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x3xf32>
}
"""
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)


def function(
    x: Annotated[np.ndarray, "f32[2, 3]"],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return onp.exp(x), x.max(axis=1, keepdims=True), -x


def layer(id: int, type: str, name: str, opset: str = "opset1") -> str:
    """An operator of two rows of three, with one output that has its name."""
    out = f'<output><port id="1" precision="FP32" names="{name}"><dim>2</dim><dim>3</dim></port>'
    return (
        f'<layer id="{id}" name="l{id}" type="{type}" version="{opset}">'
        f"<input>{port(0, (2, 3))}</input>{out}</output></layer>"
    )


def ir(folder: Path, names: tuple[str, str, str] = ("a", "b", "c")) -> Path:
    """Three outputs: of layers that opc does not know, one of no known opset, and a negation."""
    layers = [
        parameter(0, "x", "2,3", (2, 3)),
        layer(1, "StringTensorUnpack", names[0], "extension"),
        layer(2, "Frobnicate", names[1]),
        layer(3, "Negative", names[2]),
        *(result(k, (2, 3)) for k in (4, 5, 6)),
    ]
    edges = [edge(0, 0, k, 0) for k in (1, 2, 3)] + [edge(k, 1, k + 3, 0) for k in (1, 2, 3)]
    return write(folder, net(layers, edges))


@pytest.mark.parametrize("stage", ["source", "graph", "normal"])
def test_text(stage: str) -> None:
    text = opc.lower(TEXT).ir(stage)
    for names in (["b"], ["c", "a"], ["a", "b", "c"]):
        lowered = opc.lower(text, outputs=names)
        assert [spec.name for spec in lowered.interface.outputs] == names
        assert ("expf" in lowered.c_source or "exp_f32" in lowered.c_source) == ("a" in names)


def test_traced_functions() -> None:
    b, c = opc.function(function, outputs=["out2", "out1"])(ARRAY)
    np.testing.assert_array_equal(b, -ARRAY)
    np.testing.assert_array_equal(c, ARRAY.max(axis=1, keepdims=True))


def test_layers_that_nobody_wants_need_not_be_known(tmp_path: Path) -> None:
    path = ir(tmp_path)
    np.testing.assert_array_equal(opc.compile(path, outputs=["c"])(ARRAY), -ARRAY)
    for name, message in (("a", "StringTensorUnpack"), ("b", "Frobnicate")):
        with pytest.raises(UnsupportedError, match=message):
            opc.lower(path, outputs=[name, "c"])
    with pytest.raises(UsageError, match="there are: 'a', 'b', 'c'"):
        opc.lower(path, outputs=["zz"])


def test_names_are_those_of_all_outputs(tmp_path: Path) -> None:
    """A second output of one name keeps the number that it has beside the first."""
    path = ir(tmp_path, ("a", "c", "c"))
    lowered = opc.lower(path, outputs=["c_1"])
    assert [spec.name for spec in lowered.interface.outputs] == ["c_1"]
    with pytest.raises(UnsupportedError, match="Frobnicate"):
        opc.lower(path, outputs=["c"])


def _unsupported_inputs() -> dict[str, Any]:
    """Inputs that opc cannot take, each with a node that reads it."""
    tensor, text = helper.make_tensor_value_info, TensorProto.STRING
    sequence = helper.make_tensor_sequence_value_info
    return {
        "string": (tensor("s", text, ["k"]), helper.make_node("StringNormalizer", ["s"], ["t"])),
        "sequence": (
            sequence("s", TensorProto.FLOAT, ["k"]),
            helper.make_node("SequenceLength", ["s"], ["t"]),
        ),
        "rank": (tensor("s", TensorProto.FLOAT, None), helper.make_node("Exp", ["s"], ["t"])),
        "none": (tensor("s", text, ["k"]), helper.make_node("Exp", ["x"], ["t"])),
    }


@pytest.mark.parametrize("kind", _unsupported_inputs())
@pytest.mark.parametrize("is_first", [False, True])
def test_inputs_of_onnx_that_only_unwanted_outputs_need(kind: str, is_first: bool) -> None:
    """One of an unsupported type goes, a supported one stays though nothing reads it."""
    unsupported, reader = _unsupported_inputs()[kind]
    stays = [info("x", shape=("n",)), info("unread", shape=(2,))]
    inputs = [unsupported, *stays] if is_first else [*stays, unsupported]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("t", "y", "z")]
    nodes = [reader, node("Relu", "x"), node("Neg", "unread", "z")]
    proto = onnx_model(nodes, inputs, outputs=outputs)
    lowered = opc.lower(proto, outputs=["y"])
    assert [spec.name for spec in lowered.interface.inputs] == ["x", "unread"]
    with pytest.raises(UnsupportedError, match=r"input 's'|StringNormalizer"):
        opc.lower(proto)
    if kind != "none":
        with pytest.raises(UnsupportedError, match=r"input 's'|StringNormalizer"):
            opc.lower(proto, outputs=["y", "t"])


def test_an_input_of_onnx_that_a_graph_in_a_node_reads_is_needed() -> None:
    body = helper.make_graph(
        [helper.make_node("SequenceLength", ["s"], ["t"])], "b", [], [info("t", "i64", ())]
    )
    choice = helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)
    sequence = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, ["k"])
    outputs = [onnx.ValueInfoProto(name=n) for n in ("y", "z")]
    proto = onnx_model(
        [choice, node("Not", "c", "z")], [info("c", "i1", ()), sequence], outputs=outputs
    )
    assert [s.name for s in opc.lower(proto, outputs=["z"]).interface.inputs] == ["c"]
    with pytest.raises(UnsupportedError, match="input 's'"):
        opc.lower(proto, outputs=["y"])


@pytest.mark.parametrize(
    ("attributes", "message"),
    [('shape="2" element_type="string"', "string"), ('shape="..." element_type="f32"', "rank")],
)
def test_parameters_that_only_unwanted_outputs_need(
    attributes: str, message: str, tmp_path: Path
) -> None:
    text = ir(tmp_path).read_text()
    extra = (
        f'<layer id="7" name="s" type="Parameter" version="opset1"><data {attributes}/>'
        '<output><port id="0"/></output></layer>'
        '<layer id="8" name="dead" type="Result" version="opset1"><input><port id="0"/></input>'
        "</layer></layers>"
    )
    text = text.replace("</layers>", extra).replace("</edges>", f"{edge(7, 0, 8, 0)}</edges>")
    path = tmp_path / "more.xml"
    path.write_text(text)
    assert [s.name for s in opc.lower(path, outputs=["c"]).interface.inputs] == ["x"]
    with pytest.raises(UnsupportedError, match=message):
        opc.lower(path, outputs=["c", "dead"])


@pytest.mark.parametrize("names", [["maps"], ["maps", "label"], ["label"]])
def test_tables_go_with_their_outputs(names: list[str]) -> None:
    """A printed graph has the tables of all of its outputs."""
    text = opc.lower(model(), outputs=["label", "maps"]).ir("graph")
    assert RESULT_LABELS in text and RESULT_KEYS in text
    specs = opc.lower(text, outputs=names).interface.outputs
    table = ("ant", "bee", "cow")
    wanted: dict[str, Any] = {"label": (table, None), "maps": (None, table)}
    assert [(s.labels, s.keys) for s in specs] == [wanted[name] for name in names]


def test_what_older_versions_would_read_without_tables(tmp_path: Path) -> None:
    """Format 1 had no tables, and its readers would give places where there are names."""
    from opc.runtime import artifact

    f = opc.compile(model(), outputs=["label"])
    path = f.save(tmp_path)
    assert artifact.FORMAT > 1
    np.testing.assert_array_equal(opc.load(path)(X), f(X))


def test_written_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``opc convert --outputs`` of every format; what only others need may be unsupported."""
    text, labels = tmp_path / "three.mlir", tmp_path / "labels.onnx"
    text.write_text(TEXT)
    onnx.save(model(), labels)
    target = tmp_path / "some.mlir"
    for graph, names in ((text, ["c", "b"]), (ir(tmp_path), ["c"]), (labels, ["maps", "label"])):
        command = ["convert", str(graph), "-o", str(target)]
        assert main([*command, "--outputs", ",".join(names)]) == 0
        found = opc.lower(str(target), cache=None).interface
        assert found.outputs == opc.lower(str(graph), outputs=names, cache=None).interface.outputs
        assert [spec.name for spec in found.outputs] == names
        target.unlink()
        for wrong, message in (("zz", "no output 'zz'"), (f"{names[0]},{names[0]}", "twice")):
            capsys.readouterr()
            assert main([*command, "--outputs", wrong]) == 2
            assert message in capsys.readouterr().err and not target.exists()
    command = ["convert", str(text), "-o", str(target)]
    text.write_text(TEXT + TEXT.replace("@main", "@other"))
    assert main([*command, "--outputs", "c"]) == 2
    assert "outputs: found 2 functions" in capsys.readouterr().err
    text.write_text(opc.lower(TEXT, cache=None).ir("kernels"))
    assert main([*command, "--outputs", "out2"]) == 2
    assert "at the stage kernels" in capsys.readouterr().err

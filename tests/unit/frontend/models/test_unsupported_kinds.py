"""One error lists every kind of node of a model that is not supported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper

import opc
from opc.errors import UnsupportedError
from opc.frontend.models.kinds import Kinds
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.openvino_files import edge, net, parameter, port, result, write

X = info("x", shape=(1, 1, 4, 4))


def message(graph: Any) -> str:
    with pytest.raises(UnsupportedError) as raised:
        opc.compile(graph)
    assert raised.value.exit_code == 4
    return raised.value.message


def test_onnx_operators() -> None:
    """Nodes that need the result of another, and inputs of unknown types, hide nothing."""
    text = info("text", shape=(1,))
    text.type.tensor_type.elem_type = onnx.TensorProto.STRING
    nodes = [
        node("Relu", "x", "r"),
        helper.make_node("ImageDecoder", ["r", "r"], ["c"], name="conv1"),
        node("ImageDecoder", "c c", "d"),
        node("Foo", "d text", "e", domain="evil"),
        node("Constant", "", "s", values=[onnx.numpy_helper.from_array(np.zeros(1, "f"))]),
        node("Add", "e s", "y"),
    ]
    assert message(model(nodes, [X, text], 17)) == (
        '3 kinds of nodes are not supported: ImageDecoder (opset 17) x 2, first node 1 "conv1"; '
        "evil::Foo x 1, first node 3; Constant (opset 17) with attribute values of kind "
        "tensors x 1, first node 4; what is needed: operators ImageDecoder, evil::Foo; "
        "attributes values of kind tensors"
    )


def test_onnx_subgraphs_and_local_functions() -> None:
    """A function that is called twice counts once, one that is not called does not count."""
    branch = helper.make_graph(
        [node("Relu", "x", "a"), node("ImageDecoder", "a a", "b")], "g", [], []
    )
    opsets = [helper.make_opsetid("", 11)]
    used = helper.make_function(
        "own", "F", ["a"], ["b"], [node("StringNormalizer", "a a", "b")], opsets
    )
    unused = helper.make_function("own", "G", ["a"], ["b"], [node("Loop", "a", "b")], opsets)
    nodes = [
        node("F", "x", "f", domain="own"),
        node("F", "f", "g", domain="own"),
        node("If", "g", "y", then_branch=branch),
    ]
    graph = model(nodes, [X], 17, functions=[used, unused])
    graph.opset_import.add(domain="own", version=1)
    assert message(graph) == (
        "2 kinds of nodes are not supported: StringNormalizer (opset 11) x 1, first node 0.0; "
        "ImageDecoder (opset 17) x 1, first node 2.then_branch.1; what is needed: "
        "operators StringNormalizer, ImageDecoder"
    )


def test_onnx_nodes_that_legalizing_refuses() -> None:
    """A single node keeps its own error."""
    nodes = [
        node("Reshape", "x n", "a"),
        node("Exp", "a", "b"),
        node("Reshape", "x n", "c"),
        node("Relu", "x", "d"),
        node("Expand", "d n", "e"),
        node("Add", "b e", "y"),
    ]
    inputs = [X, info("n", "i64", ("k",))]
    found = message(model(nodes, inputs, 17))
    assert found.startswith("2 kinds of nodes are not supported: Reshape-14 (input 1 decides the")
    assert ") x 2, first node 0; Expand-13 (input 1 decides" in found
    assert found.endswith(") x 1, first node 4")
    alone = message(model([node("Reshape", "x n", "y")], inputs, 17))
    assert alone.startswith("node 0 (Reshape-14): input 1 decides the rank of the result")


def layer(id: int, type: str, opset: int, into: str, body: str = "") -> str:
    return (
        f'<layer id="{id}" name="l{id}" type="{type}" version="opset{opset}">'
        f"<input>{into}</input><output>{port(9, (2,))}</output>{body}</layer>"
    )


def test_openvino_layers(tmp_path: Path) -> None:
    inner = net([layer(0, "StringTensorPack", 1, port(0, (2,)))], [])
    inner = inner[inner.index("<layers>") : inner.index("</layers>")] + "</layers>"
    layers = [
        parameter(0, "x", "2", (2,)),
        layer(1, "BinaryConvolution", 11, port(0, (2,))),
        layer(2, "BinaryConvolution", 11, port(0, (2,)), f"<body>{inner}</body>"),
        layer(3, "BitwiseAnd", 1, port(0, (2,))),
        layer(4, "Abs", 1, port(0, (2,), "NF4")),
        result(5, (2,)),
    ]
    edges = [edge(0, 0, 1, 0), *(edge(k, 9, k + 1, 0) for k in range(1, 5))]
    assert message(write(tmp_path, net(layers, edges), None)) == (
        '4 kinds of nodes are not supported: BinaryConvolution opset11 x 2, first layer 1 "l1"; '
        'StringTensorPack opset1 x 1, first layer 0 "l0"; '
        'BitwiseAnd opset1 x 1, first layer 3 "l3"; '
        "Abs with element type 'NF4' x 1, first layer 4 \"l4\"; what is needed: operators "
        "BinaryConvolution, StringTensorPack; "
        "BitwiseAnd of opset13 or newer; element types 'NF4'"
    )


def test_openvino_layers_that_legalizing_refuses() -> None:
    """The layer that needs the result of another one is not blamed."""
    text = """
    func.func @f(%x: tensor<2x3xf32>, %n: tensor<2xi64>) -> tensor<2x3xf32> {
      %a = openvino.layer "Transpose" opset1 (%x, %n) : (tensor<2x3xf32>, tensor<2xi64>)
        -> (tensor<?x?xf32>)
      %b = openvino.layer "Transpose" opset1 (%a, %n) : (tensor<?x?xf32>, tensor<2xi64>)
        -> (tensor<?x?xf32>)
      %c = openvino.layer "Transpose" opset1 (%x, %n) {openvino.name = "t"}
        : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<?x?xf32>)
      return %x : tensor<2x3xf32>
    }"""
    assert message(text) == (
        "1 kind of nodes is not supported: Transpose opset1 (input order is not known "
        "when compiling) x 2, first layer"
    )


def test_long_lists_are_cut() -> None:
    kinds = Kinds()
    for k in range(25):
        kinds.add(f"Op{k}", f"node {k}", "m.onnx", "operators", f"Op{k}")
    with pytest.raises(UnsupportedError) as raised:
        kinds.check()
    found = raised.value.message
    assert found.startswith("25 kinds of nodes are not supported: Op0 x 1, first node 0; ")
    assert "first node 19; and 5 more; what is needed: operators Op0" in found
    assert found.endswith("Op19, and 5 more") and raised.value.location == "m.onnx"

"""ONNX files: symbols, functions, shapes, and what is wrong with a model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

import opc  # noqa: E402
from opc.api.driver import load  # noqa: E402
from opc.errors import ArgumentError, InputError, OpcError, UnsupportedError, UsageError  # noqa: E402
from tests.unit.common.onnx_models import function, graph_text, info, model, node, run, saved  # noqa: E402

OPSET = 25


def test_symbols_and_names() -> None:
    proto = model(
        node("Add", "x y.1", "sum:0"),
        [
            info("x", shape=("batch size", "d0", None)),
            info("y.1", shape=("batch size", 1, "mod")),
        ],
    )
    text = str(load(proto))
    assert "#opc.dims<batch_size, n_d0, ?>" in text and "#opc.dims<batch_size, 1, n_mod>" in text
    compiled = function(proto)
    assert [s.name for s in compiled.inputs] == ["x", "y.1"]
    assert [s.name for s in compiled.outputs] == ["sum:0"]
    x, y = np.ones((2, 3, 4), np.float32), np.ones((2, 1, 4), np.float32)
    np.testing.assert_array_equal(compiled(x, y), x + y)
    with pytest.raises(ArgumentError):
        compiled(x, np.ones((3, 1, 4), np.float32))


def test_symbols_that_become_alike() -> None:
    text = str(load(model(node("Relu", "x"), [info("x", shape=("a.b", "a_b", "a-b"))])))
    assert "#opc.dims<a_b, a_b_2, a_b_3>" in text


def test_hostile_names_give_the_same_c() -> None:
    def proto(names: list[str]) -> Any:
        a, b, c, label = names
        return helper.make_model(
            helper.make_graph(
                [helper.make_node("Sub", [a, b], [c], name=label)],
                label,
                [info(a, shape=("N", 3)), info(b, shape=(3,))],
                [onnx.ValueInfoProto(name=c)],
            ),
            opset_imports=[helper.make_opsetid("", 14)],
            ir_version=8,
        )

    plain = opc.lower(load(proto(["a", "b", "c", ""])))
    for evil in ("*/ int x;", '"; system(1); //', "\n#include <x>", "\\", "%s%n", "ü" * 300):
        hostile = opc.lower(load(proto([evil + "1", evil + "2", evil + "3", evil])))
        assert _without_comments(hostile.c_source) == _without_comments(plain.c_source)
        assert evil not in hostile.c_source


def _without_comments(text: str) -> str:
    import re

    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def test_inputs_that_are_initializers_are_constants() -> None:
    weight = numpy_helper.from_array(np.float32([1, 2, 3]), "w")
    for version in (3, 4, 10):
        proto = model(
            node("Add", "x w"),
            [info("x", shape=(3,)), info("w", shape=(3,))],
            initializers=[weight],
            ir_version=version,
        )
        assert run(proto, np.zeros(3, np.float32)).tolist() == [1, 2, 3]


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text("""
        <ir_version: 8, opset_import: ["" : 13]>
        agraph (float[N, 4] x, int64[1] axes) => (float[K] y)
        { y = ReduceSum <keepdims = 0> (x, axes) }
    """)
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    found = opc.compile(path, target="baseline")(x, np.array([0]))
    np.testing.assert_array_equal(found, x.sum(0))


def test_local_functions() -> None:
    inner = helper.make_function(
        "local",
        "Scale",
        ["x", "by"],
        ["y"],
        [helper.make_node("Mul", ["x", "by"], ["y"])],
        [helper.make_opsetid("", 6)],
    )
    outer = helper.make_function(
        "local",
        "Twice",
        ["x", "unused"],
        ["y"],
        [
            helper.make_node("Constant", [], ["c"]),
            helper.make_node("Scale", ["x", "c"], ["t"], domain="local"),
            helper.make_node("LeakyRelu", ["t"], ["y"]),
        ],
        [helper.make_opsetid("", 13), helper.make_opsetid("local", 1)],
        ["factor"],
    )
    outer.node[0].attribute.add(
        name="value_float", ref_attr_name="factor", type=onnx.AttributeProto.FLOAT
    )
    outer.node[2].attribute.add(
        name="alpha", ref_attr_name="absent", type=onnx.AttributeProto.FLOAT
    )
    call = helper.make_node("Twice", ["x"], ["y"], domain="local", factor=3.0)
    proto = model(call, [info("x", shape=())], 22, functions=[inner, outer])
    proto.opset_import.add(domain="local", version=1)
    assert run(proto, np.float32(2)) == 6
    assert run(proto, np.float32(-2)) == np.float32(-6) * np.float32(0.01)
    # Before opset 7 a scalar is not broadcast by itself.
    proto.graph.input[0].CopyFrom(info("x", shape=(3,)))
    with pytest.raises(InputError, match=r"node 0\.1\.0 \(Mul-6\): shapes differ"):
        graph_text(proto)


def test_recursive_functions() -> None:
    again = helper.make_function(
        "local",
        "Again",
        ["x"],
        ["y"],
        [helper.make_node("Again", ["x"], ["y"], domain="local")],
        [helper.make_opsetid("local", 1)],
    )
    proto = model(
        helper.make_node("Again", ["x"], ["y"], domain="local"),
        [info("x", shape=())],
        functions=[again],
    )
    proto.opset_import.add(domain="local", version=1)
    with pytest.raises(InputError, match="calls itself"):
        load(proto)


def test_unsupported_operators_are_listed_at_once() -> None:
    nodes = [
        node("ImageDecoder", "x w", "a"),
        node("Relu", "a", "b"),
        node("ImageDecoder", "b w", "c"),
        helper.make_node("Fancy", ["c"], ["d"], domain="com.example"),
        node("StringSplit", "d"),
    ]
    proto = model(nodes, [info("x", shape=(1, 1, 4, 4)), info("w", shape=(1, 1, 1, 1))])
    proto.opset_import.add(domain="com.example", version=1)
    with pytest.raises(
        UnsupportedError, match=r"operators ImageDecoder, com\.example::Fancy, StringSplit"
    ):
        load(proto)


def change(**fields: Any) -> Any:
    """A change of the first node of the model."""

    def apply(proto: Any) -> None:
        for name, value in fields.items():
            field = getattr(proto.graph.node[0], name)
            del field[:]
            field.extend(value)

    return apply


BROKEN: dict[str, tuple[Any, str]] = {
    "undefined name": (change(input=["x", "nothing"]), "'nothing' is defined nowhere"),
    "cycle": (change(input=["x", "y"]), "computed by a later node, or by itself"),
    "name twice": (change(output=["x"]), "'x' is defined twice"),
    "too few inputs": (change(input=["x"]), "found 1 inputs, expected 2"),
    "too many inputs": (change(input=["x", "x", "x"]), "found 3 inputs, expected 2"),
    "absent input": (change(input=["", "x"]), "input A is missing"),
    "no output": (change(output=[]), "is computed by no node"),
    "unknown attribute": (
        lambda p: p.graph.node[0].attribute.extend([helper.make_attribute("axis", 1)]),
        "attribute 'axis' is not in this version",
    ),
    "attribute twice": (
        lambda p: p.graph.node[0].attribute.extend([helper.make_attribute("axis", 1)] * 2),
        "is given twice",
    ),
    "no graph outputs": (lambda p: p.graph.ClearField("output"), "has no outputs"),
    "no opset": (
        lambda p: p.opset_import[0].CopyFrom(helper.make_opsetid("x", 1)),
        "the opset of ONNX is not imported",
    ),
    "opset 0": (lambda p: setattr(p.opset_import[0], "version", 0), "opset 0"),
    "opset later": (lambda p: setattr(p.opset_import[0], "version", 99), "newer than"),
    "no element type": (
        lambda p: p.graph.input[0].type.tensor_type.ClearField("elem_type"),
        "element type 0",
    ),
    "strange element type": (
        lambda p: setattr(p.graph.input[0].type.tensor_type, "elem_type", 77),
        "77",
    ),
    "wrong declared type": (
        lambda p: p.graph.output[0].CopyFrom(info("y", "f64")),
        "the model says f64",
    ),
    "negative extent": (
        lambda p: setattr(p.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", -3),
        "extent -3",
    ),
    "initializer too short": (
        lambda p: p.graph.initializer.extend([TensorProto(name="w", data_type=1, dims=[4])]),
        "0 elements",
    ),
    "initializer twice": (
        lambda p: p.graph.initializer.extend([helper.make_tensor("w", 1, [1], [1.0])] * 2),
        "given twice",
    ),
    "mixed element types": (
        lambda p: p.graph.input[1].CopyFrom(info("z", "i32", (3,))),
        "differ in element type",
    ),
    "shapes that do not broadcast": (
        lambda p: p.graph.input[1].CopyFrom(info("z", shape=(4,))),
        "cannot be broadcast",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_models(case: str) -> None:
    proto = model(node("Add", "x z", name="sum"), [info("x", shape=(3,)), info("z", shape=(3,))])
    spoil, message = BROKEN[case]
    spoil(proto)
    with pytest.raises(OpcError, match=message.replace("(", r"\(")) as raised:
        opc.lower(load(proto))
    if "input" in case or "attribute" in case or "types" in case:
        assert 'node 0 "sum" (Add' in str(raised.value)


def test_declared_shapes_that_are_wrong() -> None:
    """What follows from the inputs holds, as in onnxruntime."""
    inputs = [info("x", shape=(3,)), info("z", shape=(3,))]
    nodes = [node("Add", "x z", "t"), node("Neg", "t")]
    proto = model(nodes, inputs, 22, [info("y", shape=(3, 3))])
    proto.graph.value_info.extend([info("t", shape=(5,))])
    f = function(proto)
    assert f.outputs[0].shape == (3,)
    assert np.array_equal(f(np.float32([1, 2, 3]), np.float32([1, 1, 1])), [-2, -3, -4])


def test_rank_that_is_unknown() -> None:
    with pytest.raises(UnsupportedError, match="rank must be known"):
        load(model(node("Relu", "x"), [info("x")]))


def test_operator_newer_than_the_opset() -> None:
    with pytest.raises(InputError, match="exists since version 20"):
        load(model(node("Gelu", "x"), [info("x", shape=(3,))], 17))


def test_files_that_are_no_models(tmp_path: Path) -> None:
    good = model(node("Relu", "x"), [info("x", shape=(3,))]).SerializeToString()
    contents = [good[:k] for k in range(0, len(good), 3)]
    contents += [b"", b"\xff" * 50, bytes(100), b"PK\x03\x04", good + b"\xff\xff"]
    contents += [
        good[:k] + bytes([good[k] ^ bit]) + good[k + 1 :]
        for k in range(len(good))
        for bit in (1, 16, 128)
    ]
    for content in contents:
        path = tmp_path / "m.onnx"
        path.write_bytes(content)
        try:
            opc.lower(load(path))
        except OpcError:
            continue
    for name in ("none.onnx", "none.onnxtxt", "."):
        with pytest.raises(InputError):
            load(tmp_path / name if name != "." else str(tmp_path) + "/x.onnx/")
    (tmp_path / "bad.onnxtxt").write_text("x\n y")
    with pytest.raises(InputError, match="not the text of an ONNX model: Expected") as raised:
        load(tmp_path / "bad.onnxtxt")
    assert raised.value.location == f"{tmp_path}/bad.onnxtxt:2:2"


def test_first_node_that_is_not_supported_is_named() -> None:
    graph = model(
        [node("Relu", "x", "r"), node("ImageDecoder", "r r", "y")],
        [info("x", shape=(1, 1, 4, 4))],
        17,
    )
    with pytest.raises(UnsupportedError, match=r"ImageDecoder \(opset 17\) x 1, first node 1;"):
        load(graph)


def test_shapes_that_are_computed() -> None:
    """What exporters make of x.view(x.shape[0], -1) and its kin needs no run-time shape."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Constant", "", "zero", value_int=0),
        node("Constant", "", "minus", value_ints=[-1]),
        node("Constant", "", "first", value_ints=[0]),
        node("Gather", "shape zero", "n", axis=0),
        node("Unsqueeze", "n first", "n1"),
        node("Concat", "n1 minus", "target", axis=0),
        node("Reshape", "x target", "flat"),
        node("Shape", "flat", "again"),
        node("Constant", "", "one", value_int=1),
        node("ConstantOfShape", "again", "zeros"),
        node("Add", "flat zeros"),
    ]
    proto = model(nodes, [info("x", shape=("N", 3, "M"))], 17)
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype(np.float32)
    np.testing.assert_array_equal(run(proto, x), x.reshape(2, -1))
    assert "read_extents" not in graph_text(proto)


def test_shapes_as_results() -> None:
    nodes = [
        node("Shape", "x", "shape"),
        node("Size", "x", "size"),
        node("Mul", "shape size", "product"),
    ]
    outputs = [onnx.ValueInfoProto(name=n) for n in ("shape", "size", "product")]
    proto = model(nodes, [info("x", shape=("N", 3, "M"))], 17, outputs)
    shape, size, product = run(proto, np.zeros((2, 3, 4), np.float32))
    assert shape.tolist() == [2, 3, 4] and size == 24 and product.tolist() == [48, 72, 96]


def test_shapes_from_inputs() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for operator, wanted, expected in (
        ("Reshape", [3, -1], x.reshape(3, 2)),
        ("Expand", [4, 1, 1], np.broadcast_to(x, (4, 2, 3))),
    ):
        proto = model(
            [node(operator, "x s", "t"), node("Neg", "t")],
            [info("x", shape=("N", "M")), info("s", "i64", (len(wanted),))],
            13,
        )
        np.testing.assert_array_equal(run(proto, x, np.array(wanted)), -expected)
    proto = model(
        [node("ConstantOfShape", "s", "t"), node("Exp", "t")], [info("s", "i64", (2,))], 13
    )
    np.testing.assert_array_equal(run(proto, np.array([2, 3])), np.ones((2, 3), np.float32))


def test_without_the_package(tmp_path: Path) -> None:
    path = saved(model(node("Relu", "x"), [info("x", shape=(3,))]), tmp_path)
    code = (
        "import sys; sys.modules['onnx'] = None\n"
        "from opc.api.driver import load\n"
        "from opc.errors import UsageError\n"
        f"try: load({str(path)!r})\n"
        "except UsageError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install onnx" in done.stdout
    assert issubclass(UsageError, OpcError)

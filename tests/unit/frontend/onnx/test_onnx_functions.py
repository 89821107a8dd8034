"""Operators that the specification of ONNX defines by others, beside its reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import InputError  # noqa: E402
from opc.frontend.onnx.ops import SCHEMAS, find  # noqa: E402
from tests.unit.common.onnx_models import function, graph_text, info, model, node  # noqa: E402


def compare(proto: Any, *arrays: np.ndarray, of: Any = None) -> None:
    found = (of or function(proto))(*arrays)
    names = [i.name for i in proto.graph.input]
    wanted = ReferenceEvaluator(proto).run(None, dict(zip(names, arrays, strict=True)))
    results = found if isinstance(found, tuple) else (found,)
    for a, b in zip(results, wanted, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def draw(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype("f")


@pytest.mark.parametrize("attributes", [{}, {"alpha": 0.5}])
def test_attributes_of_a_function(attributes: dict[str, Any]) -> None:
    """One that is given, and the default of the schema."""
    infos = [info(n, shape=("N", 4)) for n in "ab"]
    compare(model(node("SwiGLU", "a b", **attributes), infos, 28), draw(3, 4), draw(3, 4) + 1)


@pytest.mark.parametrize("bias", [False, True])
def test_optional_inputs_and_results(bias: bool) -> None:
    infos = [info("x", shape=("N", 3, "L")), info("w", shape=(3, 1, 4))]
    arrays = [draw(2, 3, 6), draw(3, 1, 4)]
    if bias:
        infos.append(info("b", shape=(3,)))
        arrays.append(draw(3))
    inputs = "x w b" if bias else "x w"
    made = node("CausalConvWithState", inputs, "y state", activation="silu")
    proto = model(made, infos, 27)
    f = function(proto)
    compare(proto, *arrays, of=f)
    compare(proto, draw(1, 3, 2), *arrays[1:], of=f)


def test_a_body_with_a_loop() -> None:
    heads = {"q_num_heads": 4, "kv_num_heads": 2}
    shapes = {"q": (2, 3, 16), "k": (2, 3, 8), "v": (2, 3, 10), "g": (2, 3, 2), "b": (2, 3, 1)}
    infos = [info(n, shape=s) for n, s in shapes.items()]
    made = node("LinearAttention", "q k v _ g b", "y state", **heads)
    proto = model(made, infos, 27)
    compare(proto, *(draw(*s) * np.float32(0.3) for s in shapes.values()))


def test_a_function_between_other_nodes() -> None:
    nodes = [
        node("Add", "x x", "a"),
        node("SwiGLU", "a x", "s"),
        node("Neg", "s", "y"),
    ]
    compare(model(nodes, [info("x", shape=(2, 3))], 28), draw(2, 3))


def test_versions_that_an_opset_has() -> None:
    assert find("Attention", 26) is SCHEMAS["Attention"][25]
    assert find("SwiGLU", 28) is SCHEMAS["SwiGLU"][28]
    assert find("SwiGLU", 27) is None
    assert find("NoSuchOperator", 28) is None
    with pytest.raises(InputError, match="exists since version 28, but the model imports opset 27"):
        graph_text(model(node("SwiGLU", "a a"), [info("a", shape=(4,))], 27))


def test_what_is_wrong_with_a_call() -> None:
    with pytest.raises(InputError, match="found 1 inputs, expected 2"):
        function(model(node("SwiGLU", "a"), [info("a", shape=(4,))], 28))
    with pytest.raises(InputError, match="input A has element type i64"):
        function(model(node("SwiGLU", "a a"), [info("a", "i64", (4,))], 28))
    with pytest.raises(InputError, match="attribute 'beta' is not in this version"):
        function(model(node("SwiGLU", "a a", beta=1.0), [info("a", shape=(4,))], 28))


@pytest.mark.parametrize("operator", ["And", "Or", "Xor"])
def test_logic_on_shapes(operator: str) -> None:
    """An extent that depends on a condition about other extents."""
    fn = {"And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor}[operator]
    for shape in ((2, 3), (2, 2), (3, 3), (3, 2)):
        constants = [
            onnx.numpy_helper.from_array(np.array([v], np.int64), f"c{v}") for v in (0, 2, 3, 6)
        ]
        nodes = [
            node("Shape", "x", "s0", start=0, end=1),
            node("Shape", "x", "s1", start=1, end=2),
            node("Equal", "s0 c2", "p"),
            node("Equal", "s1 c3", "q"),
            node(operator, "p q", "r"),
            node("Where", "r s0 s1", "n"),
            node("Concat", "n m", "shape", axis=0),
            node("Reshape", "x shape", "y"),
        ]
        constants.append(onnx.numpy_helper.from_array(np.array([-1], np.int64), "m"))
        text = graph_text(model(nodes, [info("x", shape=shape)], 18, initializers=constants))
        first = shape[0] if fn(shape[0] == 2, shape[1] == 3) else shape[1]
        rows = f"{first}x{shape[0] * shape[1] // first}"
        assert f": tensor<{rows}xf32>" in text.splitlines()[-3]


def test_the_greater_of_two_extents() -> None:
    """Max and Min of extents that only a run knows are extents."""
    nodes = [
        node("Shape", "a", "p"),
        node("Shape", "b", "q"),
        node("Max", "p q", "most"),
        node("Min", "p q", "least"),
        node("Concat", "least most", "shape", axis=0),
        node("Expand", "c shape", "y"),
    ]
    infos = [info("a", shape=("N",)), info("b", shape=("M",)), info("c", shape=(1,))]
    f = function(model(nodes, infos, 18))
    for n, m in ((2, 5), (5, 2), (3, 3)):
        y = f(np.zeros(n, "f"), np.zeros(m, "f"), np.float32([7]))
        assert y.shape == (min(n, m), max(n, m)) and (y == 7).all()

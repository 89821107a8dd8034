"""Messages of calls: numbers for extents, elements of inputs, and what else is computed.

Each requirement is put behind extents of each origin, so that what a message says of one is
not what the test's case happens to have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
import opc  # noqa: E402
from opc.errors import ArgumentError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_control_flow import constant, graph  # noqa: E402

pytestmark = pytest.mark.level("-O0")


class Origin(NamedTuple):
    """Nodes that make a value [a, b], their inputs with what a call gives, and constants.

    ``shown`` is what messages show of a and b, and ``explained`` what they say of that.
    """

    nodes: Sequence[Any]
    inputs: Sequence[tuple[Any, Any]]
    constants: Sequence[Any]
    shown: tuple[str, str]
    explained: tuple[str, str]


def numbers(*values: int) -> Any:
    return np.array(values, np.int64)


X = np.ones((1, 4), np.float32)
ONE, ZERO = constant("one", np.int64(1)), constant("zero", np.int64(0))
AXES = constant("axes", numbers(1))
ROW = node("Cast", "l", "f", to=1), node("Unsqueeze", "f axes", "v")
ORIGINS = {
    "an input": Origin(
        [node("Relu", "x", "v")],
        [(info("x", shape=("N", "K")), np.ones((5, 4), np.float32))],
        [],
        ("5", "4"),
        ("N = 5, from input 'x' axis 0", "K = 4, from input 'x' axis 1"),
    ),
    "a name that is no symbol": Origin(
        [node("Relu", "x", "v")],
        [(info("x", shape=("batch*2", "é")), np.ones((5, 4), np.float32))],
        [],
        ("5", "4"),
        ("'batch*2' = 5, from input 'x' axis 0", "é = 4, from input 'x' axis 1"),
    ),
    "elements": Origin(
        [node("Expand", "x s", "v")],
        [(info("x", shape=(1, 1)), X[:, :1]), (info("s", "i64", (2,)), numbers(5, 4))],
        [],
        ("5", "4"),
        ("input 's'[0] = 5", "input 's'[1] = 4"),
    ),
    "elements behind others": Origin(
        [node("Expand", "x s", "w"), node("Squeeze", "w first", "v")],
        [(info("x", shape=(1, "K")), X), (info("s", "i64", (3,)), numbers(1, 5, 1))],
        [constant("first", numbers(0))],
        ("5", "4"),
        ("input 's'[1] = 5", "K = 4, from input 'x' axis 1"),
    ),
    "a number": Origin(
        [node("Range", "zero n one", "l"), *ROW],
        [(info("n", "i64", ()), np.int64(5))],
        [ZERO, ONE, AXES],
        ("k0", "1"),
        ("k0 is an extent of node 0 (Range)", ""),
    ),
    "a shape that is inferred": Origin(
        [node("Reshape", "x s", "v")],
        [
            (info("x", shape=(20,)), np.ones(20, np.float32)),
            (info("s", "i64", (2,)), numbers(-1, 4)),
        ],
        [],
        ("k0", "k1"),
        ("k0 is an extent of node 0 (Reshape)", "k1 is an extent of node 0 (Reshape)"),
    ),
    "computed values": Origin(
        [node("Add", "n n", "m"), node("Range", "zero m one", "l"), *ROW],
        [(info("n", "i64", ()), np.int64(3))],
        [ZERO, ONE, AXES],
        ("k0", "1"),
        ("k0 is an extent of node 1 (Range)", ""),
    ),
    "found on the way": Origin(
        [node("NonZero", "x", "z"), node("Transpose", "z", "t"), node("Cast", "t", "v", to=1)],
        [(info("x", shape=("A", "B")), np.ones((5, 2), np.float32))],
        [],
        ("k0", "2"),
        ("k0 is an extent of node 0 (NonZero)", ""),
    ),
}
FOLLOWING = {
    "Add": (node("Add", "v o", "r"), 0, ("p", 1)),
    "Concat": (node("Concat", "v o", "r", axis=1), 0, ("p", 3)),
    "MatMul": (node("MatMul", "o v", "r"), 0, (3, "p")),
    "Gemm": (node("Gemm", "v o", "r"), 1, ("p", 2)),
}
"""A node, which extent of ``v`` must be that of its other operand, and the shape of that."""
PLACES = ("alone", "branch", "branch in a branch", "both branches")


def cases() -> Iterator[tuple[str, str, str]]:
    for place in PLACES:
        for origin in ORIGINS:
            for name, (_, axis, _) in FOLLOWING.items():
                # An extent of 1 broadcasts, or is seen to be wrong when compiling.
                if ORIGINS[origin].shown[axis] != "1":
                    yield place, origin, name


def built(place: str, origin: Origin, following: Any, shape: Any) -> tuple[Any, list[Any]]:
    """A model that has the following node there, and what chooses it."""
    made = {"then_branch": graph([following], (), [info("r", shape=None)])}
    made["else_branch"] = graph([node("Identity", "v", "r")], (), [info("r", shape=None)])
    chosen: list[Any] = []
    if place == "alone":
        nodes = [following]
    else:
        if place == "both branches":
            made["else_branch"] = made["then_branch"]
        if place == "branch in a branch":
            inner = graph([node("If", "d", "r", **made)], (), [info("r", shape=None)])
            made = made | {"then_branch": inner}
            chosen.append(info("d", "i1", ()))
        nodes = [node("If", "c", "r", **made)]
        chosen.append(info("c", "i1", ()))
    inputs = [*(i for i, _ in origin.inputs), info("o", shape=shape), *chosen]
    outputs = [onnx.ValueInfoProto(name="r")]
    proto = model([*origin.nodes, *nodes], inputs, 16, outputs, origin.constants)
    return proto, chosen


@pytest.mark.sample(24)
@pytest.mark.parametrize(("place", "name", "operator"), list(cases()))
def test_of_extents(place: str, name: str, operator: str) -> None:
    origin, (following, axis, shape) = ORIGINS[name], FOLLOWING[operator]
    shown, explained = origin.shown[axis], origin.explained[axis]
    proto, chosen = built(place, origin, following, shape)
    f = function(proto)
    other = np.ones([7 if e == "p" else e for e in shape], np.float32)
    arrays = [*(a for _, a in origin.inputs), other, *(np.array(True) for _ in chosen)]
    with pytest.raises(ArgumentError) as raised:
        f(*arrays)
    text = str(raised.value)
    if name == "found on the way" and shown.isdigit() and place == "alone":
        # An operator outside of branches fixes the extent of the input.
        assert text == f"input 'o' axis {shape.index('p')}: found 7, expected {shown}"
        return
    assert f"{shown} and 7" in text or f"7 and {shown}" in text, text
    assert explained in text and "p = 7, from input 'o' axis" in text
    assert "{" not in text and "\n" not in text


def test_saved_functions_say_the_same(tmp_path: Path) -> None:
    for name in ("a name that is no symbol", "elements", "found on the way"):
        origin, (following, _, shape) = ORIGINS[name], FOLLOWING["Concat"]
        proto, _ = built("alone", origin, following, shape)
        f = function(proto)
        f.save(tmp_path, name="f", overwrite=True)
        arrays = [*(a for _, a in origin.inputs), np.ones((7, 3), np.float32)]
        said: list[str] = []
        for g in (f, opc.load(tmp_path / "f.json")):
            with pytest.raises(ArgumentError) as raised:
                g(*arrays)
            said.append(str(raised.value))
        with pytest.raises(ArgumentError) as raised:
            f.bind(*arrays)()
        assert {*said, str(raised.value)} == {said[0]}
        assert origin.explained[0] in said[0]


@pytest.mark.parametrize("type", ["i64", "i32"])
@pytest.mark.parametrize("given", [(-5,), (2, -3), (1, 2, 3, 4, 5, 6, 7, -8)])
def test_values_that_are_no_extents(type: str, given: tuple[int, ...]) -> None:
    nodes = [node("Cast", "s", "t", to=7), node("ConstantOfShape", "t", "r")]
    nodes = nodes if type == "i32" else [node("ConstantOfShape", "s", "r")]
    proto = model(nodes, [info("s", type, (len(given),))], outputs=[info("r", shape=None)])
    with pytest.raises(ArgumentError) as raised:
        function(proto)(np.array(given, np.int64 if type == "i64" else np.int32))
    listed = ", ".join(map(str, given))
    assert f"values of an input are no extents: {listed} (input 's'[0]" in str(raised.value)


@pytest.mark.parametrize("names", [("batch*2", "N-1"), ("é", "ü"), ("batch size", "n[0]")])
def test_names_of_the_model(names: tuple[str, str]) -> None:
    first, second = names
    inputs = [info("x", shape=(first, second)), info("y", shape=(second, first))]
    f = function(model(node("MatMul", "x y", "z"), inputs))
    shown = [n if n.isidentifier() else repr(n) for n in names]
    x = np.ones((2, 3), np.float32)
    with pytest.raises(ArgumentError) as raised:
        f(x, np.ones((3, 4), np.float32))
    assert f"found 4, expected 2 ({shown[0]}, from input 'x' axis 0)" in str(raised.value)
    with pytest.raises(ArgumentError) as raised:
        f(x, x[0])
    assert f"(shape [{shown[1]},{shown[0]}])" in str(raised.value)


def test_a_body_that_is_called_with_several_extents() -> None:
    """It has one message for all calls, and says what it calls them."""
    text = """
        func.func @main(%c: tensor<i1>, %x: tensor<?xf32, #opc.dims<N>>,
                        %y: tensor<?xf32, #opc.dims<M>>)
            -> (tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<M>>) {
          %r = opc.if %c then @some(%x) else @same(%x)
              : (tensor<i1>, tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<N>>)
              -> (tensor<?xf32, #opc.dims<N>>)
          %s = opc.if %c then @some(%y) else @same(%y)
              : (tensor<i1>, tensor<?xf32, #opc.dims<M>>, tensor<?xf32, #opc.dims<M>>)
              -> (tensor<?xf32, #opc.dims<M>>)
          return %r, %s : tensor<?xf32, #opc.dims<N>>, tensor<?xf32, #opc.dims<M>>
        }
        func.func private @some(%x: tensor<?xf32, #opc.dims<K>>) -> tensor<?xf32, #opc.dims<K>> {
          opc.require divides<K, 2> "pairs"
          return %x : tensor<?xf32, #opc.dims<K>>
        }
        func.func private @same(%x: tensor<?xf32, #opc.dims<K>>) -> tensor<?xf32, #opc.dims<K>> {
          return %x : tensor<?xf32, #opc.dims<K>>
        }"""
    f = opc.compile(text, target="baseline")
    with pytest.raises(ArgumentError, match=r"pairs: K and 2$"):
        f(np.array(True), np.ones(2, np.float32), np.ones(3, np.float32))

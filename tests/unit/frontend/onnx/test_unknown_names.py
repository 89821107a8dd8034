"""Names of extents in ONNX models that say nothing: each axis is of its own extent."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import opc
from opc.api.driver import lower
from opc.errors import ArgumentError, InputError
from opc.tools.extents import by_symbol
from tests.unit.common.onnx_models import info, model, node

NOTHING = (
    "?",
    "",
    " ",
    "None",
    "none",
    "null",
    "nan",
    "unk",
    "unknown",
    "undefined",
    "-1",
    "*",
    "??",
)
"""What exporters write for an extent that they do not know."""
NUMBERED = ("unk__1", "unk__613")
"""The same, with a number by which it can be fixed."""
NAMED = ("N", "DynamicDimension.0", "n?", "batch size", "7", "d0", "é", "unk__a", "unk__")


def shape_of(proto: Any, position: int = 0) -> tuple[int | str, ...]:
    return lower(proto, cache=None).interface.inputs[position].shape


@pytest.mark.parametrize("name", NOTHING + NUMBERED)
def test_axes_of_no_name_differ(name: str) -> None:
    x, y = info("x", shape=[1, name, 3, name]), info("y", shape=[name, 1])
    proto = model([node("Relu", "x", "a"), node("Relu", "y", "b")], [x, y])
    symbols = [e for k in (0, 1) for e in shape_of(proto, k) if isinstance(e, str)]
    assert len(set(symbols)) == len(symbols) == 3


@pytest.mark.parametrize("name", NAMED)
def test_a_name_is_one_extent(name: str) -> None:
    proto = model(node("Relu", "x"), [info("x", shape=[1, name, 3, name])])
    shape = shape_of(proto)
    assert isinstance(shape[1], str) and shape[1] == shape[3]


@pytest.mark.parametrize("name", NUMBERED)
@pytest.mark.parametrize("shape", [("a", "a"), ("a", 3), (3, "a"), ("a", "N"), ("a", "a", "a")])
def test_a_numbered_name_fixes_each_axis_of_it(name: str, shape: Any) -> None:
    own = [name if e == "a" else e for e in shape]
    inputs = [info("x", shape=[4, *own]), info("y", shape=own)]
    proto = model([node("Relu", "x", "a"), node("Relu", "y", "b")], inputs)
    fixed = [5 if e == "a" else e for e in shape]
    for position, front in enumerate(([4], [])):
        found = lower(proto, cache=None, dims={name: 5}).interface.inputs[position]
        assert found.shape == (*front, *fixed)
    graph = lower(proto, cache=None)
    symbols = [e for spec in graph.interface.inputs for e in spec.shape if e not in (3, 4, "N")]
    assert len(set(symbols)) == len(symbols) == 2 * shape.count("a")
    source: Any = graph.read().body.block.first_op
    chosen = by_symbol([(name, 7)], source, graph.interface.inputs)
    assert chosen == dict.fromkeys(symbols, 7)
    at = lower(proto, cache=None, dims={"y": {shape.index("a"): 5}}).interface
    left = [e for spec in at.inputs for e in spec.shape if e not in (3, 4, "N")]
    assert left.count(5) == 1 and len(set(left)) == len(symbols)


def test_messages_of_a_numbered_name_that_several_axes_have() -> None:
    inputs = [info("x", shape=["unk__1", "unk__1"]), info("w", shape=["unk__2", 4])]
    f = opc.compile(model(node("MatMul", "x w"), inputs), target="baseline")
    x, w = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(f(x, w), x @ w)
    text = r"3 and 5 \(unk__1 = 3, from input 'x' axis 1; unk__2 = 5, from input 'w' axis 0\)"
    with pytest.raises(ArgumentError, match=text):
        f(x, np.ones((5, 4), np.float32))
    for shape, shown in ((["unk__1"], "unk__1"), (["unk__1", "unk__1", 3], "input 'x' axis 1")):
        wrong = model(node("DepthToSpace", "x", blocksize=2), [info("x", shape=shape)])
        with pytest.raises(InputError, match=f"{shown}.*expected rank 4"):
            lower(wrong, cache=None)


def test_a_number_below_zero_is_no_name() -> None:
    shape = shape_of(model(node("Relu", "x"), [info("x", shape=[-1, 3, -1])]))
    assert shape[0] != shape[2]


def body(name: str) -> Any:
    """A loop body whose types all have a name twice, for what is no square."""
    nodes = [
        helper.make_node("Identity", ["c"], ["more"]),
        helper.make_node("Add", ["v", "v"], ["w"]),
        helper.make_node("Relu", ["w"], ["s"]),
    ]
    state = [info("i", "i64", []), info("c", "i1", []), info("v", shape=[name, name])]
    ends = [info("more", "i1", []), info("w", shape=[name, name]), info("s", shape=[name, name])]
    return helper.make_graph(nodes, "body", state, ends)


def called(names: Sequence[str]) -> Any:
    """A model with one chain for each name, which stands twice wherever a type can be written."""
    nodes, inputs, outputs, values = [], [], [], []
    for k, name in enumerate(names):
        nodes += [
            node("Relu", f"x{k}", f"r{k}"),
            node("Loop", f"three yes r{k}", f"l{k} t{k}", body=body(name)),
            node("Transpose", f"l{k}", f"y{k}"),
        ]
        inputs.append(info(f"x{k}", shape=[name, name]))
        values += [info(f"r{k}", shape=[name, name]), info(f"l{k}", shape=[name, name])]
        outputs += [info(f"y{k}", shape=[name, name]), info(f"t{k}", shape=[name, name, name])]
    constants = [
        numpy_helper.from_array(np.array(3), "three"),
        numpy_helper.from_array(np.array(True), "yes"),
    ]
    proto = model(nodes, inputs, outputs=outputs, initializers=constants)
    proto.graph.value_info.extend(values)
    return proto


def test_types_anywhere_are_of_any_extents() -> None:
    names = ("?", "", "None", "unk__7", "-1")
    f = opc.compile(called(names), target="baseline")
    arrays = [np.full((k + 2, 7 - k), k - 1.0, np.float32) for k in range(len(names))]
    results = iter(f(*arrays))
    for x in arrays:
        positive = np.maximum(x, 0)
        np.testing.assert_array_equal(next(results), 8 * positive.T)
        np.testing.assert_array_equal(next(results), np.stack([positive * 2**k for k in (1, 2, 3)]))


@pytest.mark.parametrize(("position", "rank"), [(p, r) for r in (1, 3, 5) for p in range(r)])
def test_messages_name_the_place(position: int, rank: int) -> None:
    shape: list[Any] = [4] * rank
    shape[position] = "?"
    proto = model(node("DepthToSpace", "x", blocksize=2), [info("x", shape=shape)])
    with pytest.raises(InputError) as raised:
        lower(proto, cache=None)
    assert f"input 'x' axis {position}" in str(raised.value), raised.value
    assert "\n" not in str(raised.value)


def test_messages_of_a_name_that_is_no_symbol() -> None:
    proto = model(node("Det", "x"), [info("x", shape=["DynamicDimension.0"])])
    with pytest.raises(InputError, match=r"f32\[DynamicDimension\.0\]"):
        lower(proto, cache=None)


def test_runs_of_unnamed_extents_say_the_place() -> None:
    proto = model(node("MatMul", "x w"), [info("x", shape=["?", "?"]), info("w", shape=["?", 4])])
    f = opc.compile(proto, target="baseline")
    x, w = np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(f(x, w), x @ w)
    with pytest.raises(ArgumentError, match=r"3 and 5.*'x' axis 1.*'w' axis 0"):
        f(x, np.ones((5, 4), np.float32))


def test_the_format_admits_these_names() -> None:
    for name in itertools.chain(NOTHING, NUMBERED, NAMED):
        x, y = info("x", shape=[name]), info("y", shape=[name])
        onnx.checker.check_model(model(node("Relu", "x"), [x], outputs=[y]))

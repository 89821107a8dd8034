"""What is said where nothing decides the rank of a result: the operator, the ranks, what to do."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import graph_of, info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_control_flow import constant, graph  # noqa: E402

SHAPES = ((), ("n",), (2, "m"), ("n", 3, "m"))
OPSETS = (11, 16, 21, 25)


def message(nodes: Any, shapes: Any, opset: int = 16, outputs: Any = "r", **options: Any) -> str:
    inputs = [info("c", "i1", ()), *(info(f"x{k}", shape=s) for k, s in enumerate(shapes))]
    values = [info(name, shape=None) for name in outputs.split()]
    with pytest.raises(UnsupportedError) as raised:
        graph_of(model(nodes, inputs, opset, values, **options))
    text = str(raised.value)
    assert "tensor<" not in text and "\n" not in text
    return text


def either(first: str, second: str, out: str = "r", condition: str = "c") -> Any:
    def branch(name: str) -> Any:
        return graph([node("Identity", name, "t")], (), [info("t", shape=None)])

    arms = {"then_branch": branch(first), "else_branch": branch(second)}
    return node("If", condition, out, **arms)


def shape_text(shape: Any) -> str:
    return f"f32[{', '.join(map(str, shape))}]"


@pytest.mark.parametrize("opset", OPSETS)
@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("pair", list(combinations(SHAPES, 2)))
def test_ranks_of_branches(pair: Any, is_turned: bool, opset: int) -> None:
    first, second = pair[::-1] if is_turned else pair
    text = message([either("x0", "x1")], (first, second), opset)
    assert re.search(r"node 0 \(If-\d+\): nothing decides the rank of a result", text)
    given = f"{len(first)} in then_branch ({shape_text(first)})"
    given += f" or {len(second)} in else_branch ({shape_text(second)})"
    assert given in text and "dims=, --dim" in text
    assert text.endswith("declare it of output 'r'")


@pytest.mark.parametrize("following", [["Neg"], ["Exp", "Relu"], ["Identity", "Abs", "Tanh"]])
@pytest.mark.parametrize("outputs", ["r", "r s", "s r"])
def test_the_operator_that_gives_the_output(following: list[str], outputs: str) -> None:
    names = [*"uvw"[: len(following)], "r"]
    nodes = [either("x0", "x1", names[0])]
    nodes += [
        node(operator, names[k], names[k + 1] if k + 1 < len(following) else "r")
        for k, operator in enumerate(following)
    ]
    nodes.append(node("Sqrt", "x1", "s"))
    text = message(nodes, SHAPES[1:3], outputs=outputs)
    assert re.search(rf"declare it of output 'r' of {following[-1]}-\d+", text)
    assert ("leave it out (outputs=)" in text) == (outputs != "r")


def test_each_of_several_results_has_its_ranks() -> None:
    """The one that is kept back is said, not the first that differs."""

    def branch(*names: str) -> Any:
        ends = [info(f"t{k}", shape=None) for k in range(2)]
        nodes = [node("Identity", name, f"t{k}") for k, name in enumerate(names)]
        return graph(nodes, (), ends)

    arms = {"then_branch": branch("x0", "x1"), "else_branch": branch("x1", "x2")}
    nodes = [node("If", "c", "p q", **arms), node("Reshape", "p row", "s")]
    row = [constant("row", [-1])]
    shapes = ((), ("n",), (2, "m"))
    text = message(nodes, shapes, outputs="s q", initializers=row)
    assert "1 in then_branch (f32[n]) or 2 in else_branch (f32[2, m])" in text
    assert "output 'q'" in text


def test_a_choice_in_a_branch() -> None:
    inner = graph([either("x0", "x1", "i", "d")], (), [info("i", shape=None)])
    other = graph([node("Identity", "x0", "j")], (), [info("j", shape=None)])
    outer = node("If", "c", "r", then_branch=inner, else_branch=other)
    nodes = [node("Not", "c", "d"), outer]
    text = message(nodes, SHAPES[:2])
    assert "(If-16): nothing decides the rank of a result" in text
    assert "0 in then_branch (f32[]) or 1 in else_branch (f32[n])" in text and "output 'r'" in text


@pytest.mark.parametrize("opset", [1, 11, 13, 21])
@pytest.mark.parametrize("shape", [("n",), ("n", 1, 4), ("n", "m")])
def test_a_squeeze(shape: Any, opset: int) -> None:
    listed = re.escape(f"[{', '.join(map(str, shape))}]")
    for outputs, last in (("r", "'r'"), ("s r", "it out (outputs=)")):
        nodes = [node("Squeeze", "x0", "r"), node("Abs", "x0", "s")]
        text = message(nodes, [shape], opset, outputs)
        assert re.search(rf"\(Squeeze-\d+\): .*depends on the extents {listed}", text)
        assert "dims=, --dim" in text and "output 'r'" in text and text.endswith(last)

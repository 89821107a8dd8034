"""``opc explain``: what is on the page, for every kind of graph, and how large it gets."""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.__main__ import main
from opc.api.driver import source_of
from opc.frontend.mlir.reader import parse_module
from opc.passes.pipeline import STAGES
from opc.tools.explain import panes
from opc.tools.explain.drawing import MOST, svg
from opc.tools.explain.layout import BEND, GAP, layout
from opc.tools.explain.model import Node, Part, inside, number_apart
from opc.tools.explain.panes import Block, c_pane, ir_pane
from tests.unit.common import ROOT

EXAMPLES = ROOT / "examples"
Capture = pytest.CaptureFixture[str]
has_onnx = pytest.mark.skipif(importlib.util.find_spec("onnx") is None, reason="needs onnx")


class Reader(HTMLParser):
    """What a page holds, without a browser: tags, and the text of each pane by its groups."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []
        self.panes: dict[str, list[tuple[int | None, str]]] = {}
        self.links: list[str] = []
        self._pane, self._group, self._in_pre, self._is_data = "", None, False, False
        self.data: dict[str, Any] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.links += [v or "" for k, v in attrs if k in ("src", "href", "action", "xlink:href")]
        if tag == "div" and "data-pane" in found:
            self._pane = found["data-pane"] or ""
            self.panes[self._pane] = []
        if tag == "pre":
            group = found.get("data-g")
            self.panes[self._pane].append((None if group is None else int(group), ""))
            self._in_pre = True
        self._is_data = tag == "script" and found.get("type") == "application/json"

    def handle_endtag(self, tag: str) -> None:
        self._in_pre = self._in_pre and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.data = json.loads(data)
            self._is_data = False
        elif self._in_pre:
            group, text = self.panes[self._pane][-1]
            self.panes[self._pane][-1] = group, text + data
        else:
            self.text.append(data)

    def of(self, pane: str, node: int) -> str:
        """The text of a pane that came from a node."""
        groups = self.data["groups"]
        return "".join(t for g, t in self.panes[pane] if g is not None and node in groups[g])


def explained(graph: Path | str, tmp_path: Path, *options: str) -> tuple[str, Reader]:
    output = tmp_path / "page.html"
    assert main(["explain", str(graph), "-o", str(output), *options]) == 0
    text = output.read_text(encoding="utf-8")
    return text, Reader(text)


def kinds() -> list[Any]:
    every = sorted(p for p in EXAMPLES.iterdir() if p.is_file() and p.suffix != ".bin")
    return [pytest.param(p, id=p.name, marks=[has_onnx] * (p.suffix == ".onnxtxt")) for p in every]


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", kinds())
def test_every_kind_of_graph(path: Path, tmp_path: Path) -> None:
    text, page = explained(path, tmp_path)
    assert list(page.panes) == [*STAGES, "C"]
    assert not page.links and "http" not in re.sub(r"http-equiv", "", text)
    numbers = {int(n) for n in page.data["nodes"]}
    assert numbers and {n for group in page.data["groups"] for n in group} <= numbers
    drawn = {int(n) for n in re.findall(r'class="node" data-n="(\d+)"', text)}
    assert drawn == numbers
    for number, (kind, _, type) in page.data["nodes"].items():
        assert kind in page.of("source", int(number))
        if kind.lower() != "constant":
            assert re.fullmatch(r"\w+\[[\w, +*()-]*\]", type), type
            assert page.of("kernels", int(number)) and page.of("C", int(number))
    assert "times were not measured" in "".join(page.text)
    assert len(page.data["loops"]) == len(re.findall("<tr data-loop=", text)) > 0
    assert len(text) < 150_000


def test_the_default_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", str(EXAMPLES / "rnn.mlir"), "--extent", "T=3"]) == 0
    assert re.fullmatch(r"wrote rnn\.html \(\d+ bytes\)\n", capsys.readouterr().out)
    assert "T = 3, N = 8" in Path("rnn.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.mlir"], 3, "none.mlir: error: cannot be read"),
        ([str(EXAMPLES / "centre.mlir"), "--extent", "M=3"], 2, "there is no symbol 'M'"),
        ([str(EXAMPLES / "centre.mlir"), "--rounds", "0"], 2, "expected a number from 1"),
        ([str(EXAMPLES / "centre.mlir"), "--function", "f,g"], 2, "opc explain takes one function"),
        ([str(EXAMPLES / "centre.mlir"), "-o", "/dev/null/x.html"], 6, "/dev/null"),
    ],
)
def test_errors(
    arguments: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["explain", *arguments]) == code
    out, err = capsys.readouterr()
    assert message in err and "Traceback" not in err and out == ""
    assert not list(tmp_path.iterdir())


def network(layers: int) -> str:
    """Blocks of a product with weights, a bias and a residual: five nodes each."""
    lines: list[str] = []
    rng = np.random.default_rng(0)
    at = "%x"
    for k in range(layers):
        values = ", ".join(f"{v:.6f}" for v in rng.standard_normal(24))
        lines += [
            f"  %b{k} = opc.constant dense<[{values}]> : tensor<24xf32>",
            f"  %p{k} = opc.matmul {at}, %w",
            f"  %s{k} = opc.add %p{k}, %b{k}",
            f"  %r{k} = opc.tanh %s{k}",
            f"  %y{k} = opc.add %r{k}, {at}",
        ]
        at = f"%y{k}"
    signature = "%x: tensor<4x24xf32>, %w: tensor<24x24xf32>"
    body = "\n".join(lines)
    return (
        f"func.func @main({signature}) -> tensor<4x24xf32> {{\n{body}\n"
        f"  return {at} : tensor<4x24xf32>\n}}\n"
    )


@pytest.mark.long
def test_a_network_of_several_hundred_nodes(tmp_path: Path) -> None:
    """The page has a bounded size, all nodes, and no weights."""
    layers = 90
    source = network(layers)
    (tmp_path / "network.mlir").write_text(source)
    text, page = explained(tmp_path / "network.mlir", tmp_path)
    assert len(page.data["nodes"]) == 5 * layers
    assert len(text) < 3_000_000
    for pane in page.panes.values():
        assert sum(len(part) for _, part in pane) <= panes.PANE + 10_000
    weights = re.findall(r"-?\d\.\d{6}", source)
    assert len(weights) == 24 * layers
    # As text of seven digits at least, which is how both IR and C have them.
    shown = set(re.findall(r"\d\.\d{5,}", "".join(t for p in page.panes.values() for _, t in p)))
    assert not any(w.lstrip("-")[:7] in {s[:7] for s in shown} for w in weights)
    last = 5 * layers - 1
    for stage in ("source", "graph", "kernels", "schedule", "loops", "C"):
        assert page.of(stage, last), f"{stage} has nothing of the last node"


@has_onnx
def test_weights_of_a_model_are_not_in_it(tmp_path: Path) -> None:
    import onnx
    from onnx import helper, numpy_helper

    weights = np.random.default_rng(0).standard_normal((1, 16, 16)).astype(np.float32)
    small, many = weights[0, 0], np.tile(weights, (40, 1, 1))
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["p"]),
            helper.make_node("Add", ["p", "b"], ["y"]),
        ],
        "graph",
        [helper.make_tensor_value_info("x", 1, [40, 3, 16])],
        [helper.make_tensor_value_info("y", 1, [40, 3, 16])],
        [numpy_helper.from_array(many, "w"), numpy_helper.from_array(small, "b")],
    )
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]), path)
    text, page = explained(path, tmp_path)
    for value in small:
        assert f"{abs(value):.5g}" not in text and repr(float(abs(value)))[:7] not in text
    assert "16 values" in "".join(t for _, t in page.panes["source"])


def test_nodes_of_bodies_have_numbers_of_their_own() -> None:
    text = (EXAMPLES / "rnn.mlir").read_text(encoding="utf-8")
    module = source_of(parse_module(text), None)
    number_apart(module)
    pane = ir_pane("source", module)
    assert [b.nodes for b in pane.blocks if b.nodes and not b.is_used] == [
        (0,), (1,), (2,), (3,), (4,),
    ]  # fmt: skip
    scan = Part("main", (), (Node(0, "scan", "", "", ("step",)),), (), ())
    inner = Part("step", (), (Node(1, "if", "", "", ("arm",)), Node(2, "add", "", "")), (), ())
    arm = Part("arm", (), (Node(3, "neg", "", ""),), (), ())
    assert inside([scan, inner, arm]) == {0: [1, 2, 3], 1: [3]}


def test_long_blocks_show_their_ends() -> None:
    lines = [f"line {k}".ljust(50, ".") for k in range(20_000)]
    pane = c_pane("\n".join(lines), [(range(5000, 15_000), (3,))])
    texts = [line.rstrip(".") for block in pane.blocks for line in block.lines]
    assert texts[0] == "line 0" and texts[-1] == "line 19999"
    assert "line 5000" in texts and "line 14999" in texts and "line 9000" not in texts
    assert sum(map(len, texts)) <= panes.PANE
    noted = sum(int(n) for t in texts for n in re.findall(r"\.\.\. (\d+) lines more ", t))
    assert noted + len([t for t in texts if t.startswith("line")]) == 20_000
    for block in pane.blocks:
        assert block.lines[0].rstrip(".") == f"line {block.first - 1}", (
            "numbers are those of the file"
        )


def test_what_is_beyond_all_bounds_is_counted() -> None:
    blocks = [Block((f"{k}" * 200,), (k,), first=k + 1) for k in range(5000)]
    found = panes._shortened(blocks)
    assert sum(len(line) for b in found for line in b.lines) <= panes.PANE + 100
    rest = 5000 - (len(found) - 1)
    assert found[-1].lines == (f"... {rest} lines more",)
    assert panes._shortened([Block(("x" * 10_000,))])[0].lines[0] == "x" * 236 + " ..."


def test_constants_in_c_keep_their_lines() -> None:
    text = "static const float constant0[12] = {\n  1.5f,\n  2.5f\n};\nint x;\n"
    text += "static const float constant1[2] = {3.5f, 4.5f};"
    lines = [line for block in c_pane(text, []).blocks for line in block.lines]
    assert len(lines) == 6 and "1.5f" not in "".join(lines) and "12 values" in lines[0]
    assert lines[4] == "int x;" and "3.5f, 4.5f" in lines[5]


@pytest.mark.parametrize("seed", range(20))
def test_layout(seed: int) -> None:
    """Nodes of a layer do not overlap, and edges go down, from layer to layer."""
    rng = random.Random(seed)
    count = rng.randint(1, 60)
    widths = [rng.uniform(30, 160) for _ in range(count)]
    edges = [
        (rng.randrange(max(0, b - 12), b), b)
        for b in range(1, count)
        for _ in range(rng.randint(0, 3))
    ]
    found = layout(widths, edges, 26.0)
    rows: dict[float, list[int]] = {}
    for v, (_, y) in enumerate(found.nodes):
        rows.setdefault(y, []).append(v)
    for row in rows.values():
        row.sort(key=lambda v: found.nodes[v][0])
        for a, b in itertools.pairwise(row):
            free = found.nodes[b][0] - found.nodes[a][0] - (widths[a] + widths[b]) / 2
            assert free >= GAP - 1e-6
    assert set(found.edges) == set(edges)
    for (a, b), points in found.edges.items():
        assert points[0] == found.nodes[a] and points[-1] == found.nodes[b]
        heights = [y for _, y in points]
        assert heights == sorted(set(heights))
    for v, (x, y) in enumerate(found.nodes):
        assert x - widths[v] / 2 >= -1e-6 and x + widths[v] / 2 <= found.width + 1e-6
        assert 0 < y < found.height
    assert BEND < GAP


def test_a_chain_is_straight() -> None:
    """Also one with a branch around it: only the branch bends."""
    found = layout([60.0] * 6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], 26.0)
    assert len({x for x, _ in found.nodes}) == 1
    assert layout([], [], 26.0).nodes == []


def test_very_many_nodes_are_not_all_drawn() -> None:
    made = tuple(Node(k, "Add", "", "") for k in range(MOST + 7))
    edges = tuple(itertools.pairwise(range(MOST + 7)))
    text = svg([Part("main", (), made, (), edges), Part("body", (), made[:1], (), ())], {})
    assert text.count('class="node"') == MOST and "7 nodes more" in text and "body" not in text
    assert len(text) < 400 * MOST


def test_only_text_of_the_graph_is_escaped() -> None:
    hostile = Node(0, "<Op>", '"><script>', "f32[1]")
    text = svg([Part("<p>", ("<in>",), (hostile,), ("<out>",), ((0, 1), (1, 2)))], {0: 0.5})
    assert "<script" not in text and "<in>" not in text and "&lt;in&gt;" in text
    assert 'class="share"' in text

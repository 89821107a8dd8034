"""The page of ``opc explain`` in a real browser: clicks light up what came from a node."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from opc.__main__ import main
from tests.unit.common import ROOT
from tests.unit.common.browser import CHROMIUM, Page, browser

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.long,
]
has_onnx = pytest.mark.skipif(importlib.util.find_spec("onnx") is None, reason="needs onnx")

GRAPH = """\
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x32xf32>) -> (tensor<64x32xf32>, tensor<64x1xf32>) {
  %e = opc.exp %x
  %s = opc.neg %e
  %p = opc.matmul %s, %w
  %r = opc.relu %p
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %q = opc.sqrt %m
  return %r, %q : tensor<64x32xf32>, tensor<64x1xf32>
}
"""  # noqa: E501
EXP, NEG, MATMUL, RELU, MAX, SQRT = range(6)
SCAN = ROOT / "examples/rnn.mlir"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pages")
    (found / "graph.mlir").write_text(GRAPH)
    pages = (("graph.mlir", "graph", ["--time", "--rounds", "2"]), (str(SCAN), "rnn", []))
    for graph, name, options in pages:
        path = graph if graph.startswith("/") else str(found / graph)
        assert main(["explain", path, "-o", str(found / f"{name}.html"), *options]) == 0
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def lit(page: Page, pane: str) -> str:
    return "".join(page.texts(f"[data-pane='{pane}'] pre.on"))


def nodes(page: Page, kind: str = "on") -> list[int]:
    return page.value(
        f"Array.from(document.querySelectorAll('g.node.{kind}'), e => Number(e.dataset.n))"
    )


def test_a_click_on_a_node(page: Page, folder: Path) -> None:
    page.open(folder / "graph.html")
    assert nodes(page) == [] and page.texts("pre.on") == []
    page.click(f"g.node[data-n='{RELU}']")
    assert nodes(page) == [RELU]
    assert lit(page, "source").strip().startswith("%r = opc.relu %p : ")
    assert lit(page, "source").count("\n") == 1
    kernels = lit(page, "kernels")
    assert "(dot)" in kernels and "at_least" in kernels and "max_number" not in kernels
    assert "schedule" in lit(page, "schedule")
    c = lit(page, "C")
    assert "matmul #2, relu #3" in c and "opc_fma_" in c and "sqrt" not in c
    assert MATMUL in nodes(page, "near") and MAX not in nodes(page, "near")
    rows = page.texts("tr.on")
    assert rows and all("relu #3" in row for row in rows)
    assert "relu #3" in page.value("document.getElementById('about').textContent")
    assert page.value("location.hash") == f"#node={RELU}"

    page.click(f"g.node[data-n='{SQRT}']")
    assert nodes(page) == [SQRT] and "opc_sqrt" in lit(page, "C") and "matmul" not in lit(page, "C")
    assert "reduce_max #4" in page.value("document.getElementById('about').textContent")


def test_a_click_on_lines_and_on_a_loop(page: Page, folder: Path) -> None:
    page.open(folder / "graph.html", f"#node={SQRT}")
    page.click("[data-pane='C'] pre.on")
    assert nodes(page) == [MAX, SQRT]
    page.click("nav [data-stage='loops']")
    shown = "Array.from(document.querySelectorAll('.pane.shown'), e => e.dataset.pane)"
    assert page.value(shown) == ["loops", "C"]
    page.open(folder / "graph.html", f"#node={EXP}&stage=kernels")
    row = page.value("document.querySelector('tr.on').dataset.loop")
    page.click("tr.on td")
    assert page.value("location.hash") == f"#loop={row}"
    assert len(page.texts("tr.on")) == 1 and EXP in nodes(page)


def test_fragments_select(page: Page, folder: Path) -> None:
    page.open(folder / "graph.html", f"#node={EXP},{MAX}&stage=normal")
    assert nodes(page) == [EXP, MAX]
    assert "apply exp(" in lit(page, "normal") and "opc.reduce_max" in lit(page, "normal")
    assert page.value("document.querySelector('.pane.shown').dataset.pane") == "normal"
    for nonsense in ("#node=99", "#node=x", "#loop=99", "#stage=none", "#<img src=x>", "#%"):
        page.open(folder / "graph.html", nonsense)
        assert nodes(page) == [] and page.texts("pre.on") == []
    page.open(folder / "graph.html", "#node=0")
    for type in ("keyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=type, key="Escape")
    assert nodes(page) == []


def test_what_is_lit_can_be_seen(page: Page, folder: Path) -> None:
    """Panes scroll to it."""
    page.open(folder / "graph.html", f"#node={SQRT}&stage=loops")
    seen = page.value(
        "Array.from(document.querySelectorAll('.pane.shown'), pane => {"
        "const a = pane.getBoundingClientRect();"
        "return Array.from(pane.querySelectorAll('pre.on'), e => e.getBoundingClientRect())"
        ".some(b => b.bottom > a.top && b.top < a.bottom); })"
    )
    assert seen == [True, True]


def test_panes_fill_the_window(page: Page, folder: Path) -> None:
    """At 1400 by 900 nothing overlaps, and the page itself does not scroll."""
    page.send("Emulation.setDeviceMetricsOverride", width=1400, height=900,
              deviceScaleFactor=1, mobile=False)  # fmt: skip
    page.open(folder / "graph.html", "#node=0")
    boxes = page.value(
        "Array.from(document.querySelectorAll('header, section'), e => e.getBoundingClientRect())"
        ".map(b => [b.left, b.top, b.right, b.bottom])"
    )
    for (a, b), (c, d) in itertools.combinations([((x, y), (u, v)) for x, y, u, v in boxes], 2):
        assert b[0] <= c[0] or d[0] <= a[0] or b[1] <= c[1] or d[1] <= a[1]
    assert all(0 <= x < u <= 1400 and 0 <= y < v <= 900 and u - x > 250 for x, y, u, v in boxes)
    assert sum((u - x) * (v - y) for x, y, u, v in boxes) > 0.93 * 1400 * 900
    scroll = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.value(scroll) == [1400, 900]


def test_a_loop_of_the_graph_and_its_body(page: Page, folder: Path) -> None:
    page.open(folder / "rnn.html", "#node=0")
    assert nodes(page) == [0] and nodes(page, "near") == [1, 2, 3, 4]
    assert "opc.scan" in lit(page, "source") and "opc.matmul" in lit(page, "source")
    assert "rnn_body0" in lit(page, "C") and "opc_tanh_f32" in lit(page, "C")
    page.click("g.node[data-n='4']")
    assert nodes(page) == [4] and "opc_tanh_f32" in lit(page, "C")
    assert "scan #0" not in lit(page, "C")


def test_times_are_shown_or_said_to_be_missing(page: Page, folder: Path) -> None:
    page.open(folder / "graph.html")
    assert page.texts("th")[:3] == ["loop", "µs", "%"] and "roofline" in page.texts("th")
    assert "a call on 1 thread" in page.texts("#loops h2")[0]
    page.open(folder / "rnn.html")
    assert "µs" not in page.texts("th") and "roofline" not in page.texts("th")
    assert "times were not measured" in page.texts("#loops h2")[0]
    assert "T = 8, N = 8" in page.texts("#loops h2")[0]


HOSTILE = [
    "</script><script>window.hurt = 1</script>",
    '<img src=x onerror="window.hurt=1">',
    "--><svg onload=window.hurt=1>",
    '"><style>body{display:none}</style>',
    "*/ window.hurt = 1; /*",
    "&lt;b&gt;",
]


@has_onnx
def test_names_stay_text(page: Page, folder: Path) -> None:
    """In names of nodes, values, inputs, outputs, and in that of the file."""
    import onnx
    from onnx import helper

    names = [*HOSTILE[1:], HOSTILE[0]]
    values = [f"{name}{k}" for k, name in enumerate(names)]
    nodes_of = [
        helper.make_node("Exp" if k % 2 else "Relu", [values[k - 1] if k else "<b>x</b>"], [v])
        for k, v in enumerate(values)
    ]
    for node, name in zip(nodes_of, HOSTILE, strict=True):
        node.name = name
    ends = ("<b>x</b>", values[-1])
    x, y = (helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [4, 5]) for n in ends)
    graph = helper.make_graph(nodes_of, HOSTILE[0], [x], [y])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    path = folder / "<img src=x onerror=window.hurt=1>.onnx"
    onnx.save(made, path)
    output = folder / "hostile.html"
    assert main(["explain", str(path), "-o", str(output)]) == 0
    page.failures.clear()
    for k, name in enumerate(HOSTILE):
        page.open(output, f"#node={k}&stage=source")
        assert name in page.texts("#about p")[0], "the name is shown as it is"
        assert nodes(page) == [k]
    assert page.texts("h1") == [path.name]
    assert page.value("window.hurt") is None
    count = "[...document.querySelectorAll('img, script, style, b')].map(e => e.localName)"
    found = page.value(count)
    assert "img" not in found and found.count("script") == 2 and found.count("style") == 1
    assert page.value("document.querySelectorAll('svg').length") == 1
    assert not page.failures, "nothing was refused, since nothing was tried"


def test_even_markup_would_not_run(page: Page, folder: Path) -> None:
    """The policy of the page is a second lock: it refuses scripts, handlers and the network."""
    text = (folder / "graph.html").read_text(encoding="utf-8")
    hurt = "<script>window.hurt=1</script><img src='http://127.0.0.1:9/x' onerror='window.hurt=1'>"
    planted = folder / "planted.html"
    planted.write_text(text.replace("<main>", f"{hurt}<main>"), encoding="utf-8")
    page.failures.clear()
    page.open(planted, "#node=0")
    assert page.value("window.hurt") is None and nodes(page) == [0]
    assert sum("Content Security Policy" in failure for failure in page.failures) >= 2

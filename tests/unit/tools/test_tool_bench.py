"""``opc bench``: what it prints, how it ends, and how measuring takes turns."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from opc.__main__ import main
from opc.tools import bench, peers, turns

# The peak of the machine is measured, which without optimization takes half a minute.
pytestmark = pytest.mark.level("-O3")
Capture = pytest.CaptureFixture[str]

GRAPH = """\
!matrix = tensor<?x64xf32, #opc.dims<N, 64>>
!vector = tensor<?xf32, #opc.dims<N>>
func.func @main(%x: !matrix) -> (!vector, !matrix) {
  %s = opc.reduce_sum %x {axes = [-1]}
  %e = opc.exp %x
  return %s, %e : !vector, !matrix
}
"""
MODEL = """\
<ir_version: 8, opset_import: ["" : 18]>
g (float[N, 64] x) => (float[N, 64] y) { z = Exp(x) y = Add(z, x) }
"""

has_onnx = pytest.mark.skipif(importlib.util.find_spec("onnx") is None, reason="needs onnx")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("graph.mlir").write_text(GRAPH)
    Path("model.onnxtxt").write_text(MODEL)


def printed(capsys: Capture, *args: str) -> dict[str, str]:
    """The lines of a successful run by their first word."""
    assert main(["bench", *args, "--rounds", "2"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return {line.split()[0]: line for line in out.splitlines()}


def test_threads_of_the_process_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of threads for the peers is that of the command only."""
    for before in ("3", None):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        if before is not None:
            monkeypatch.setenv("OMP_NUM_THREADS", before)
        assert main(["bench", "graph.mlir", "--rounds", "2", "--against", ""]) == 0
        assert os.environ.get("OMP_NUM_THREADS") == before


def test_without_peers(capsys: Capture) -> None:
    found = printed(capsys, "graph.mlir", "--extent", "N=32", "--against", "")
    assert found["graph.mlir:"] == "graph.mlir: 1 thread, 16512 bytes of inputs and outputs"
    assert re.fullmatch(r"opc +\d+\.\d\d us", found["opc"])
    assert re.fullmatch(r"copy +\d+\.\d\d us  \d+\.\d\d times opc", found["copy"])


def test_threads(capsys: Capture) -> None:
    found = printed(capsys, "graph.mlir", "--threads", "2", "--against", "")
    assert found["graph.mlir:"].startswith("graph.mlir: 2 threads, ")


@has_onnx
@pytest.mark.parametrize("name", peers.PEERS)
def test_peer(name: str, capsys: Capture) -> None:
    pytest.importorskip(name)
    found = printed(capsys, "model.onnxtxt", "--extent", "N=16", "--against", name)
    assert re.fullmatch(rf"{name} +\d+\.\d\d us  \d+\.\d\d times opc", found[name])
    assert "does not read .mlir" in printed(capsys, "graph.mlir", "--against", name)[name]


@has_onnx
def test_peer_that_computes_something_else(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(peers.PEERS, "numpy", lambda *_: lambda: None)
    assert "; results differ by " in printed(capsys, "model.onnxtxt", "--against", "numpy")["numpy"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["graph.mlir", "--against", "q"], 2, "--against: no 'q'; there are onnxruntime, openvino"),
        (["graph.mlir", "--extent", "N"], 2, "found 'N', expected NAME=EXTENT"),
        (["graph.mlir", "--extent", "M=3"], 2, "there is no symbol 'M'; there are: N"),
        (["graph.mlir", "--rounds", "0"], 2, "expected a number from 1 to 999999"),
        (["none.mlir"], 3, "none.mlir: error: cannot be read"),
    ],
)
def test_errors(arguments: list[str], code: int, message: str, capsys: Capture) -> None:
    assert main(["bench", *arguments]) == code
    out, err = capsys.readouterr()
    assert message in err and "Traceback" not in err and out == ""


def test_peer_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(peers.PEERS, "no_such_library", peers.onnxruntime_call)
    assert main(["bench", "graph.mlir", "--against", "no_such_library"]) == 2
    assert "no_such_library is not installed" in capsys.readouterr().err


def test_rounds_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SAMPLE", 0.0)
    order: list[str] = []
    calls = {name: lambda name=name: order.append(name) for name in "abc"}
    samples = turns.alternate(calls, 4)
    assert {name: len(values) for name, values in samples.items()} == dict.fromkeys("abc", 4)
    # Calls for calibration come first; then each is called twice, once for the caches.
    assert "".join(order[-24::2]) == "abccbabcaacb"


def test_disturbed_rounds_are_made_again() -> None:
    answers = iter([True, False, True, False, True])
    samples = turns.alternate({"a": lambda: None}, 2, is_quiet=lambda: next(answers))
    assert len(samples["a"]) == 2 and next(answers, None) is None
    samples = turns.alternate({"a": lambda: None}, 2, is_quiet=lambda: False)
    assert len(samples["a"]) == 4, "all rounds count where none was quiet"


def test_distance() -> None:
    expected = np.array([1.0, np.nan, np.inf], np.float32)
    assert bench._distance(expected.copy(), expected) == 0.0
    assert bench._distance(np.array([1.0, 0.0, np.inf], np.float32), expected) == np.inf
    assert bench._distance(np.array([2.0], np.float32), np.array([1.0], np.float32)) == 0.5


def test_loops_and_the_nodes_that_they_came_from(capsys: Capture) -> None:
    out = ["--json", "out/bench.json", "--trace", "out/trace.json"]
    found = printed(capsys, "graph.mlir", "--extent", "N=32", "--against", "", "--nodes", *out)
    content = json.loads(Path("out/bench.json").read_text())
    loops = content["loops"]
    assert found[f"{len(loops)}"].startswith(f"{len(loops)} loops, ")
    assert {node["operator"] for loop in loops for node in loop["nodes"]} == {"reduce_sum", "exp"}
    assert content["extents"] == {"N": 32} and content["bytes"] == 16512
    assert set(content["seconds"]) == {"opc", "copy"} and content["machine"]["peak"] > 0
    assert [loop["loop"] for loop in loops] == list(range(len(loops)))
    for loop in loops:
        assert loop["seconds"] > 0 and loop["runs"] == 1 and loop["roofline_share"] > 0
    assert sum(loop["bytes_written"] for loop in loops) == 32 * 4 + 32 * 64 * 4
    # Lines are those of the file that opc compile writes.
    assert main(["compile", "graph.mlir", "--emit", "c,h"]) == 0
    text = Path("graph.c").read_text().split("\n")
    for loop in loops:
        at = text[loop["line"] - 1]
        assert all(f"{n['operator']} #{n['node']}" in at for n in loop["nodes"]) or "for (" in at
    events = json.loads(Path("out/trace.json").read_text())["traceEvents"]
    assert [e["args"]["loop"] for e in events if e["ph"] == "X"] == list(range(len(loops)))


def test_json_without_loops(capsys: Capture) -> None:
    found = printed(capsys, "graph.mlir", "--against", "", "--json", "bench.json")
    assert found["wrote"].startswith("wrote bench.json (")
    content = json.loads(Path("bench.json").read_text())
    assert "loops" not in content and len(content["samples"]["opc"]) == 2


def test_loops_of_several_threads(capsys: Capture) -> None:
    found = printed(capsys, "graph.mlir", "--threads", "2", "--against", "", "--nodes")
    assert "us" in found and "graph.mlir:" in found

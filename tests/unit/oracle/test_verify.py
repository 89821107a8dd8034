"""``opc verify``: right graphs agree, and of wrong ones it says what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opc.errors import ArgumentError
from opc.oracle.child import CrashError, in_child
from opc.tools.cli import main
from tests.unit.common import ROOT
from tests.unit.common.planted import PLANTS, planted

GRAPH = """func.func @main(%x: tensor<?x40xf32>) -> (tensor<?x40xf32>, tensor<?xf32>) {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %e = opc.exp %x
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %a = opc.sub %x, %m
  %y = opc.mul %a, %s
  %z = opc.reduce_sum %y {axes = [1]}
  func.return %y, %z : tensor<?x40xf32>, tensor<?xf32>
}
"""


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "graph.mlir"
    path.write_text(GRAPH, encoding="utf-8")
    return str(path)


def verify(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    code = main(["verify", *args])
    return code, capsys.readouterr().out


def test_a_right_graph(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = verify(capsys, graph, "--bisect-passes")
    assert code == 0, shown
    assert "y: largest error " in shown
    assert "25 runs, 25 agree, 0 differ\n" in shown
    assert "there is no pass to be found" in shown


def test_extents_and_arrays_that_are_given(
    graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = verify(capsys, graph, "--extent", "s0=2", "--seed", "3")
    assert (code, "5 runs, 5 agree" in shown) == (0, True)
    np.save(tmp_path / "x.npy", np.ones((3, 40), np.float32))
    code, shown = verify(capsys, graph, "--input", f"x={tmp_path}/x.npy")
    assert (code, "1 runs, 1 agree" in shown) == (0, True)


@pytest.mark.parametrize(
    ("name", "library"), [("centre.onnxtxt", "onnxruntime"), ("reduce_sum.xml", "openvino")]
)
def test_beside_another_library(
    name: str, library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(library)
    code, shown = verify(capsys, str(ROOT / "examples" / name), "--seconds", "1")
    assert code == 0, shown
    assert f"{library}: " in shown and "cannot" not in shown


WRONG = {
    "swap in graph": (
        "y differs at [0, 0] first: found ",
        "the first operator that differs: sub #3 (",
        "with the value of every operator as a result",
        "another result: decompose: result 0 differs",
    ),
    "swap in kernels": (
        "y differs at [0, 0] first: found ",
        "the first operator that differs: mul #4 (",
        "found by compiling the first 6 operators alone",
        "another result: fuse-kernels: result 0 differs",
    ),
    "read too far": ("another result: lower-to-loops: FaultError: ",),
    "drop store": ("another result: lower-to-loops: FaultError: result ",),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PLANTS)
def test_a_wrong_pass(name: str, graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    with planted(name):
        code, shown = verify(capsys, graph, "--bisect-passes", "--extent", "s0=3")
    assert code == 1, shown
    for text in WRONG[name]:
        assert text in shown


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("no such file.mlir",), 3, "cannot be read"),
        (("GRAPH", "--extent", "Q=3"), 2, "--extent: there is no symbol 'Q'; there are: s0"),
        (("GRAPH", "--extent", "3"), 2, "expected NAME=EXTENT"),
        (("GRAPH", "--seconds", "0"), 2, "expected a number from 1"),
        (("GRAPH", "--input", "q=x.npy"), 2, "there is no input 'q'"),
        (("GRAPH", "--function", "g"), 2, "there is no function 'g'"),
    ],
)
def test_errors(
    args: tuple[str, ...],
    code: int,
    message: str,
    graph: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [graph if a == "GRAPH" else a for a in args]
    assert main(["verify", *given]) == code
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err and not shown.out


def test_children() -> None:
    assert in_child(lambda: 3, 10) == 3
    with pytest.raises(CrashError, match="was killed by SIGSEGV"):
        in_child(lambda: crash(), 10)
    with pytest.raises(CrashError, match="did not end within"):
        in_child(wait, 0.2)
    with pytest.raises(ArgumentError, match="no"):
        in_child(refuse, 10)


def crash() -> None:
    import ctypes
    import faulthandler

    faulthandler.disable()
    ctypes.string_at(0)


def wait() -> None:
    import time

    time.sleep(20)


def refuse() -> None:
    raise ArgumentError("no")


def test_results_in_another_order_of_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """NumPy transposes without moving anything; other libraries write row after row."""
    pytest.importorskip("onnxruntime")
    path = tmp_path / "transpose.onnxtxt"
    path.write_text(
        """<ir_version: 8, opset_import: ["": 17]>
agraph (float[2, 3] x) => (float[3, 2] y) {
  y = Transpose(x)
}
""",
        encoding="utf-8",
    )
    code, shown = verify(capsys, str(path))
    assert code == 0, shown
    assert "onnxruntime: 1 runs, 1 agree" in shown


def test_parts_of_other_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where parts of a concatenation have errors, they are compared only where shapes fit."""
    path = tmp_path / "parts.mlir"
    path.write_text(
        """func.func @main(%x: tensor<1x3x4xf32>) -> tensor<1x8x4xf32> {
  %a = opc.exp %x
  %s = opc.slice %a {starts = [0, 0, 0], stops = [1, 2, 4], steps = [1, 1, 1]}
  %b = opc.concat %x, %a, %s {axis = 1}
  func.return %b : tensor<1x8x4xf32>
}
""",
        encoding="utf-8",
    )
    code, shown = verify(capsys, str(path))
    assert (code, "5 runs, 5 agree, 0 differ" in shown) == (0, True)

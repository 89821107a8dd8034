"""``opc reduce`` on graphs with control flow: what is around it goes, and it goes where it can."""

from __future__ import annotations

from pathlib import Path

import pytest

from opc.api.driver import load
from opc.tools.cli import main
from tests.unit.common.planted import planted
from tests.unit.oracle.test_reduce import reduce

FLOW = """func.func @main(%c: tensor<i1>, %x: tensor<?x4xf32, #opc.dims<T, 4>>, %h: tensor<4xf32>, %w: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>, tensor<4xf32>) {
  %a = opc.exp %x
  %b = opc.OUTSIDE %a, %w
  %s, %ys = opc.scan @step <T> carry (%h) over (%b) with (%w)
      : (tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>, tensor<4xf32>)
      -> (tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>)
  %i = opc.if %c then @one (%s) else @other (%s, %w)
      : (tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)
  %t = opc.tanh %ys
  return %s, %t, %i : tensor<4xf32>, tensor<?x4xf32, #opc.dims<T, 4>>, tensor<4xf32>
}
func.func private @step(%s: tensor<4xf32>, %x: tensor<4xf32>, %w: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %p = opc.mul %x, %w
  %t = opc.INSIDE %s, %p
  return %t, %p : tensor<4xf32>, tensor<4xf32>
}
func.func private @one(%s: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.neg %s
  return %r : tensor<4xf32>
}
func.func private @other(%s: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %r = opc.max %s, %w
  return %r : tensor<4xf32>
}
"""  # noqa: E501 - a type is on one line


def _reduced(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    with planted("swap in graph"):
        code, shown = reduce(text, folder, capsys, "--extent", "T=3")
        assert code == 0, shown
        files = [str(folder / f"small{suffix}") for suffix in (".mlir", ".npz")]
        assert main(["verify", files[0], "--input", files[1]]) == 1
    capsys.readouterr()
    assert main(["verify", files[0], "--input", files[1]]) == 0
    return shown, Path(files[0]).read_text(encoding="utf-8")


def test_control_flow_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FLOW.replace("OUTSIDE", "sub").replace("INSIDE", "add")
    shown, small = _reduced(text, tmp_path, capsys)
    assert "to   1 operators, 1 results, 2 inputs of 2 elements" in shown
    assert "opc.scan" not in small and "private" not in small


@pytest.mark.long
def test_a_loop_that_is_wrong_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FLOW.replace("OUTSIDE", "add").replace("INSIDE", "sub")
    shown, small = _reduced(text, tmp_path, capsys)
    assert "to   0 operators, 1 results, 3 inputs" in shown
    assert "opc.scan" in small and "opc.if" not in small and "@other" not in small
    # Its length became a number.
    assert "T" not in small
    load(small)


def test_a_loop_that_is_wrong_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = tmp_path / "graph.mlir"
    graph.write_text(FLOW.replace("OUTSIDE", "add").replace("INSIDE", "sub"), encoding="utf-8")
    with planted("swap in graph"):
        assert main(["verify", str(graph), "--extent", "T=3"]) == 1
    assert "the first operator that differs: scan #2" in capsys.readouterr().out


ENDLESS = """func.func @main(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  %y = opc.scan @half <0> carry (%x) trip (%n) : (tensor<f32>, tensor<i64>) -> (tensor<f32>)
  return %y : tensor<f32>
}
func.func private @half(%x: tensor<f32>) -> tensor<f32> {
  %half = opc.constant dense<0.5> : tensor<f32>
  %y = opc.mul %x, %half
  return %y : tensor<f32>
}
"""


def test_loops_without_end_are_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Random numbers of iterations may be any: what nobody could wait for is left out."""
    graph = tmp_path / "graph.mlir"
    graph.write_text(ENDLESS, encoding="utf-8")
    assert main(["verify", str(graph), "--seed", "3"]) == 0
    assert "have inputs that the graph or its interpreter refuses" in capsys.readouterr().out

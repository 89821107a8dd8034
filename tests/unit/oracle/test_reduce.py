"""``opc reduce``: graphs that fail become small, and still fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opc.api.driver import Options
from opc.interpret.precision import Array
from opc.oracle import failure
from opc.oracle.edit import Candidate, Change, changed
from opc.oracle.shrink import Shrinking, shrink
from opc.oracle.subject import Subject
from opc.tools.cli import main
from tests.unit.common.graphs import parse
from tests.unit.common.planted import planted
from tests.unit.oracle.test_verify import GRAPH

LARGE = """func.func @main(%x: tensor<6x?x33xf32>, %w: tensor<33x5xf32>) -> (tensor<6x?xf32>, tensor<5x?xf32>, tensor<6x?xi64>) {
  %a = opc.exp %x
  %b = opc.transpose %a {permutation = [0, 2, 1]}
  %c = opc.reduce_mean %b {axes = [1], keepdims = true}
  %d = opc.sub %b, %c
  %e = opc.transpose %d {permutation = [0, 2, 1]}
  %f = opc.matmul %e, %w
  %g = opc.tanh %f
  %h = opc.reduce_max %g {axes = [-1]}
  %i = opc.reduce_sum %g {axes = [0], keepdims = false}
  %j = opc.transpose %i {permutation = [1, 0]}
  %k = opc.argmax %x {axis = 2}
  %one = opc.constant dense<1.0> : tensor<5x1xf32>
  %l = opc.add %j, %one
  func.return %h, %l, %k : tensor<6x?xf32>, tensor<5x?xf32>, tensor<6x?xi64>
}
"""  # noqa: E501 - the graph has one operation on each line


def reduce(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str], *args: str
) -> tuple[int, str]:
    folder.mkdir(exist_ok=True)
    graph = folder / "graph.mlir"
    graph.write_text(text, encoding="utf-8")
    code = main(["reduce", str(graph), "--out", str(folder / "small.mlir"), *args])
    return code, capsys.readouterr().out


SMALLEST = {
    "swap in graph": "1 operators, 1 results, 2 inputs of 2 elements",
    "swap in kernels": "2 operators, 2 results, 2 inputs of 2 elements",
    "read too far": "0 operators, 1 results, 1 inputs of ",
    "drop store": "0 operators, 1 results, 1 inputs of 1 elements",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_graph(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with planted(name):
        code, shown = reduce(GRAPH, tmp_path, capsys)
        assert code == 0, shown
        assert f"to   {SMALLEST[name]}" in shown
        files = [str(tmp_path / f"small{suffix}") for suffix in (".mlir", ".npz")]
        assert main(["verify", files[0], "--input", files[1]]) == 1
    capsys.readouterr()
    assert main(["verify", files[0], "--input", files[1]]) == 0


@pytest.mark.long
def test_many_operators(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with planted("swap in graph"):
        code, shown = reduce(LARGE, tmp_path, capsys)
    assert (code, "to   1 operators, 1 results, 2 inputs" in shown) == (0, True), shown


@pytest.mark.long
def test_it_is_the_same_every_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[bytes] = []
    for folder in ("one", "two"):
        with planted("swap in graph"):
            code, shown = reduce(GRAPH, tmp_path / folder, capsys)
        assert code == 0, shown
        names = ("small.mlir", "small.npz")
        texts.append(b"".join((tmp_path / folder / name).read_bytes() for name in names))
    assert texts[0] == texts[1]


def test_a_command_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = reduce(LARGE, tmp_path, capsys, "--test", "grep -q opc.matmul")
    assert code == 0
    assert "it fails the test" in shown
    assert "to   1 operators, 1 results, 2 inputs of 2 elements" in shown
    text = (tmp_path / "small.mlir").read_text(encoding="utf-8")
    assert "opc.matmul %x1, %x0 : tensor<1x1xf32>, tensor<1x1xf32>" in text


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        pytest.param(
            *((), 2, "the graph does not fail on any of 25 inputs"), marks=pytest.mark.long
        ),
        (("--test", "false"), 2, "--test: false does not end with 0 on any of 25 inputs"),
        (("--test", "/no/such/command"), 1, "--test: cannot be run: "),
        (("--out", "graph.txt"), 2, "--out: graph.txt does not end in .mlir"),
        (("--extent", "Q=1"), 2, "there is no symbol 'Q'"),
    ],
)
def test_errors(
    args: tuple[str, ...],
    code: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    graph = tmp_path / "graph.mlir"
    graph.write_text(GRAPH, encoding="utf-8")
    assert main(["reduce", str(graph), "--out", str(tmp_path / "small.mlir"), *args]) == code
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err and not shown.out
    assert not (tmp_path / "small.mlir").exists()


def crash(*inputs: Array, out: object = None) -> None:
    import ctypes
    import faulthandler

    faulthandler.disable()
    ctypes.string_at(0)


def sevens(*inputs: Array, out: list[Array]) -> list[Array]:
    out[0].fill(7)
    return out


def test_how_graphs_fail() -> None:
    subject = Subject.of(parse(GRAPH), None, Options())
    inputs = [np.ones((2, 40), np.float32)]
    assert failure.by_compiling(subject, inputs) is None
    assert failure.by_interpreting(subject, inputs) is None
    interface = subject.compiled.interface
    for call, kind in ((crash, "crashes"), (sevens, failure.DIFFERS)):
        vars(call)["interface"] = interface
        vars(subject)["compiled"] = call
        assert failure.by_compiling(subject, inputs) == kind


def whole() -> Candidate:
    rng = np.random.default_rng(0)
    shapes = ((6, 3, 33), (33, 5))
    return Candidate(parse(LARGE), [rng.normal(size=s).astype(np.float32) for s in shapes])


def test_changed_graphs_compute_the_same() -> None:
    """Values that become arguments, and results that go, change no other result."""
    start = whole()
    values = start.values()
    expected = [values[v] for v in start.results]
    for op in start.operators:
        found = changed(start, Change(arguments={op.result: values[op.result]}, results=[1, 2]))
        again = found.values()
        for v, wanted in zip(found.results, expected[1:], strict=True):
            np.testing.assert_array_equal(again[v], wanted)
    fixed = changed(start, Change(is_static=True))
    assert "?" not in str(fixed.module)


def test_everything_shrinks_where_everything_fails() -> None:
    best = shrink(whole(), lambda _: True, 60)
    assert (len(best.operators), len(best.results)) == (0, 1)
    assert best.size == (2, 1, 0)


WINDOWED = {
    "opc.windows %x {sizes = [2], strides = [1], dilations = [1]}": (
        [(7, 5, 6), (7, 5, 5, 2)],
        (6,),
    ),
    "opc.conv %x, %w": ([(6, 4, 5), (3, 4, 2), (6, 3, 4)], (1, 1, 5)),
    "opc.conv %x, %w {groups = 2}": ([(6, 4, 5), (4, 2, 2), (6, 4, 4)], (1, 4, 5)),
    "opc.conv_transpose %x, %w": ([(6, 4, 5), (4, 3, 2), (6, 3, 6)], (1, 1, 5)),
}
"""Shapes of the operands and the result, and what x shrinks to: windows stay as they are."""


@pytest.mark.parametrize("operator", WINDOWED)
def test_batches_and_channels_of_windows_shrink(operator: str) -> None:
    shapes, wanted = WINDOWED[operator]
    types = [f"tensor<{'x'.join(map(str, shape))}xf32>" for shape in shapes]
    arguments = ", ".join(f"%{n}: {t}" for n, t in zip("xw", types[:-1], strict=False))
    text = f"func.func @main({arguments}) -> {types[-1]} {{\n%r = {operator}\n"
    text += f"func.return %r : {types[-1]}\n}}"
    arrays = [np.ones(shape, np.float32) for shape in shapes[:-1]]

    def has_windows(candidate: Candidate) -> bool:
        return any(op.name == operator.split()[0] for op in candidate.function.walk())

    small = shrink(Candidate(parse(text), arrays), has_windows, 20)
    assert small.inputs[0].shape == wanted


def test_time_is_up() -> None:
    work = Shrinking(whole(), lambda _: True, 0.0)
    assert not work.attempt(Change(results=[0]))
    assert shrink(whole(), lambda _: True, 0).size == whole().size

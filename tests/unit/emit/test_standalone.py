"""The program of ``opc compile --emit main``: it computes what Python computes."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.tools.cli import main
from tests.unit.common import ROOT

MINGW = "x86_64-w64-mingw32-gcc"
EXAMPLES = ROOT / "examples"

SYMBOLIC = """
func.func @graph(%x: tensor<?x1100xf32, #opc.dims<N, 1100>>)
    -> (tensor<?x1100xf32, #opc.dims<N, 1100>>, tensor<?xf16, #opc.dims<N>>) {
  %w = opc.constant dense<[NUMBERS]> : tensor<1100xf32>
  %0 = opc.mul %x, %w
  %1 = opc.reduce_max %0 {axes = [1], keepdims = false}
  %2 = opc.cast %1 : tensor<?xf32, #opc.dims<N>> -> tensor<?xf16, #opc.dims<N>>
  func.return %0, %2 : tensor<?x1100xf32, #opc.dims<N, 1100>>, tensor<?xf16, #opc.dims<N>>
}"""

CHECKED = """
func.func @graph(%x: tensor<?xf32, #opc.dims<N>>, %y: tensor<?xf32, #opc.dims<M>>)
    -> tensor<?xf32, #opc.dims<N>> {
  opc.require equal<N, M> "the same"
  %0 = opc.neg %x
  func.return %0 : tensor<?xf32, #opc.dims<N>>
}"""


class Standalone:
    """A graph as a program in a folder."""

    def __init__(self, folder: Path, graph: Path, cc: str = "gcc", target: str = "native") -> None:
        self.folder, name = folder, graph.stem
        words = ["--target", target, "--emit", "c,h,main", "-o", str(folder)]
        assert main(["compile", str(graph), *words]) == 0
        flags = "-std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -ffp-contract=off"
        files = [f"{name}.c", f"{name}.main.c", "-lm", "-o", "program"]
        subprocess.check_call([*cc.split(), *flags.split(), *files], cwd=folder)

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "program", *map(str, words)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def results(
        self, dims: Sequence[int], inputs: Sequence[Any], wanted: Sequence[Any], *more: str
    ) -> list[bytes]:
        """The bytes of each result; the files of inputs are called in0, in1, ..."""
        for k, x in enumerate(inputs):
            (self.folder / f"in{k}").write_bytes(x.tobytes())
        ins, outs = (
            [f"{w}{k}" for k in range(len(v))] for w, v in (("in", inputs), ("out", wanted))
        )
        done = self.run(*dims, *ins, *more, *outs)
        assert done.returncode == 0, done.stderr
        return [(self.folder / name).read_bytes() for name in outs]


@pytest.mark.skipif(shutil.which(MINGW) is None, reason=f"{MINGW} is not installed")
@pytest.mark.parametrize("weights", [1100, 3])
def test_it_links_for_windows(weights: int, tmp_path: Path) -> None:
    """With weights in a file, and in the text."""
    path = tmp_path / "graph.mlir"
    numbers = ", ".join(str(0.5 + k) for k in range(weights))
    path.write_text(SYMBOLIC.replace("NUMBERS", numbers).replace("1100", str(weights)))
    Standalone(tmp_path, path, MINGW)
    built = next(tmp_path.glob("program*"))
    assert built.read_bytes().startswith(b"MZ")


DEPTHWISE = """
func.func @graph(%x: tensor<1x16x16x16xi8>) -> tensor<1x16x16x16xi32> {
  %w = opc.constant dense<3> : tensor<16x1x3x3xi8>
  %i = opc.cast %x : tensor<1x16x16x16xi8> -> tensor<1x16x16x16xi32>
  %k = opc.cast %w : tensor<16x1x3x3xi8> -> tensor<16x1x3x3xi32>
  %y = opc.conv %i, %k {groups = 16, pads = [1, 1, 1, 1]}
  func.return %y : tensor<1x16x16x16xi32>
}"""


@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
def test_no_pointer_leaves_its_array(tmp_path: Path) -> None:
    """Not on the way to an element, either: clang checks sums of arrays and numbers."""
    path = tmp_path / "graph.mlir"
    path.write_text(DEPTHWISE, encoding="utf-8")
    x = np.random.default_rng(4).integers(-128, 128, (1, 16, 16, 16)).astype(np.int8)
    wanted = opc.compile(path)(x)
    checked = "clang -fsanitize=undefined -fno-sanitize-recover=all"
    program = Standalone(tmp_path, path, checked, target="baseline")
    assert program.results([], [x], [wanted]) == [wanted.tobytes()]


def test_an_example(tmp_path: Path) -> None:
    path = EXAMPLES / "log_sum_exp.mlir"
    f = opc.compile(path)
    rng = np.random.default_rng(1)
    inputs = [rng.standard_normal(s.shape).astype(s.dtype) for s in f.inputs]
    found = f(*inputs)
    wanted = list(found) if isinstance(found, tuple) else [found]
    results = Standalone(tmp_path, path).results([], inputs, wanted)
    assert results == [a.tobytes() for a in wanted]


def test_extents_weights_and_several_results(tmp_path: Path) -> None:
    path = tmp_path / "graph.mlir"
    numbers = ", ".join(str(0.5 + k) for k in range(1100))
    path.write_text(SYMBOLIC.replace("NUMBERS", numbers))
    f = opc.compile(path)
    assert f.interface.has_weights
    built = Standalone(tmp_path, path)
    for n in (3, 0, 1):
        x = np.linspace(-1, 1, n * 1100, dtype=np.float32).reshape(n, 1100)
        wanted = f(x)
        found = built.results([n], [x], wanted, "graph.bin")
        assert found == [a.tobytes() for a in wanted]
    for words, code, message in (
        ([], 2, "n0 in0 weights out0 out1"),
        (["x", "in0", "graph.bin", "a", "b"], 2, "x: expected an extent"),
        ([2, "in0", "graph.bin", "a", "b"], 1, "in0: expected a file of 8800 bytes"),
        ([1, "in0", "graph.bin", "none/a", "b"], 1, "none/a: cannot be written"),
        ([1 << 62, "in0", "graph.bin", "a", "b"], 2, "an array is too large"),
    ):
        done = built.run(*words)
        assert done.returncode == code and message in done.stderr
    assert not (tmp_path / "a").exists()


def test_a_check_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "graph.mlir"
    path.write_text(CHECKED)
    built = Standalone(tmp_path, path)
    (tmp_path / "in0").write_bytes(bytes(8))
    (tmp_path / "in1").write_bytes(bytes(12))
    done = built.run(2, 3, "in0", "in1", "out0")
    assert done.returncode == 3 and "check 1 of graph.h failed" in done.stderr


@pytest.mark.parametrize(("compiler", "runner"), [("gcc", None), ("s390x-linux-gnu-gcc", "s390x")])
def test_weights_in_c(compiler: str, runner: str | None, tmp_path: Path) -> None:
    """The program has no argument for them, and they have no byte order."""
    command = [] if runner is None else [f"qemu-{runner}"]
    for word in (compiler, *command):
        if shutil.which(word) is None:
            pytest.skip(f"{word} is not installed")
    path = tmp_path / "graph.mlir"
    numbers = ", ".join(str(0.5 + k) for k in range(1100))
    path.write_text(SYMBOLIC.replace("NUMBERS", numbers))
    kinds = ["--target", "baseline", "--emit", "c,h,main,weights-c"]
    assert main(["compile", str(path), *kinds, "-o", str(tmp_path)]) == 0
    assert not (tmp_path / "graph.bin").exists()
    files = ["graph.c", "graph.main.c", "graph.weights.c", "-lm", "-o", "program"]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-static"]
    flags.append("-fexcess-precision=fast")
    subprocess.check_call([compiler, *flags, *files], cwd=tmp_path)
    x = np.linspace(-1, 1, 2200, dtype=np.float32).reshape(2, 1100)
    order = "<" if runner is None else ">"
    (tmp_path / "in0").write_bytes(x.astype(f"{order}f4").tobytes())
    subprocess.check_call([*command, "./program", "2", "in0", "out0", "out1"], cwd=tmp_path)
    for k, wanted in enumerate(opc.compile(path)(x)):
        swapped = wanted.astype(wanted.dtype.newbyteorder(order))
        assert (tmp_path / f"out{k}").read_bytes() == swapped.tobytes()

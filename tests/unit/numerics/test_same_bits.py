"""The same bits for every compiler, optimisation, instruction set and number of threads.

Graphs large enough that threads share them, in every shape of loops that there is.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.api.driver import load, lower
from opc.runtime.callable import CompiledFunction

pytestmark = pytest.mark.sample(64)

SOFTMAX = """
  %m = opc.reduce_max %x {{axes = [{axis}], keepdims = true}}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {{axes = [{axis}], keepdims = true}}
  %r = opc.div %e, %s"""
MOMENTS = """
  %m = opc.reduce_mean %x {{axes = [{axis}], keepdims = true}}
  %d = opc.sub %x, %m
  %q = opc.mul %d, %d
  %v = opc.reduce_mean %q {{axes = [{axis}], keepdims = true}}
  %s = opc.sqrt %v
  %r = opc.div %d, %s"""
GRAPHS = {
    "elementwise": ("1000003xf32", "1000003xf32", "%s = opc.sigmoid %x\n %r = opc.mul %x, %s"),
    "sum of all": ("1000003xf32", "f32", "%r = opc.reduce_sum %x"),
    "sum of all f64": ("700x1001xf64", "f64", "%r = opc.reduce_sum %x"),
    "sum of rows": ("999x1025xf32", "999xf32", "%r = opc.reduce_sum %x {axes = [1]}"),
    "sum of columns": ("3001x500xf32", "500xf32", "%r = opc.reduce_sum %x {axes = [0]}"),
    "sum of many columns": ("300x5000xf32", "5000xf32", "%r = opc.reduce_sum %x {axes = [0]}"),
    "sum around": ("500x3x700xf32", "3xf32", "%r = opc.reduce_sum %x {axes = [0, 2]}"),
    "product": ("600000xf32", "f32", "%r = opc.reduce_prod %x"),
    "greatest": ("1000x1000xf32", "f32", "%r = opc.reduce_max %x"),
    "position": ("2000x600xf32", "2000xi64", "%r = opc.argmin %x {axis = 1}"),
    "position in columns": ("3000x500xf32", "500xi64", "%r = opc.argmax %x {axis = 0}"),
    "softmax rows": ("1000x1000xf32", "1000x1000xf32", SOFTMAX.format(axis=1)),
    "softmax columns": ("2000x500xf32", "2000x500xf32", SOFTMAX.format(axis=0)),
    "softmax f16": ("1000x300xf16", "1000x300xf16", SOFTMAX.format(axis=1)),
    "softmax of few columns": ("90000x7xf32", "90000x7xf32", SOFTMAX.format(axis=0)),
    "moments of few columns": ("90000x3xf32", "90000x3xf32", MOMENTS.format(axis=0)),
    "groups of columns": (
        "900x300x3xf32", "300x3xf32",
        "%m = opc.reduce_mean %x {axes = [2], keepdims = true}\n %d = opc.sub %x, %m\n"
        " %r = opc.reduce_sum %d {axes = [0]}",
    ),
    "greatest product f16": (
        "1000x999xf16", "999xf16", "%p = opc.mul %x, %x\n %r = opc.reduce_max %p {axes = [0]}",
    ),
    "moments": ("1500x768xf32", "1500x768xf32", MOMENTS.format(axis=1)),
    "moments bf16": ("1500x700xbf16", "1500x700xbf16", MOMENTS.format(axis=0)),
    "transpose": (
        "900x1100xf32", "1100x900xf32",
        "%t = opc.transpose %x {permutation = [1, 0]}\n %r = opc.tanh %t",
    ),
    "past caches": ("3200x2048xf32", "3200x2048xf32", "%r = opc.mul %x, %x"),
    "copied columns, odd rows": (
        "22000x301xf32", "22000x301xf32",
        "%s = opc.reduce_sum %x {axes = [0], keepdims = true}\n %r = opc.sub %x, %s",
    ),
    "transpose past caches": (
        "2048x2112xf32", "2112x2048xf32",
        "%t = opc.transpose %x {permutation = [1, 0]}\n %r = opc.mul %t, %t",
    ),
    # Chains over two short loops, which gcc 12 exchanges unless it is told not to.
    "few taps, two channels": (
        "1x2x11xf64", "1x1x7xf64",
        "%w = opc.slice %x {starts = [0, 0, 0], stops = [1, 2, 5], steps = [1, 1, 1]}"
        " : tensor<1x2x11xf64> -> tensor<1x2x5xf64>\n"
        " %r = opc.conv %x, %w {strides = [1], dilations = [2], pads = [2, 2]}"
        " : tensor<1x2x11xf64>, tensor<1x2x5xf64> -> tensor<1x1x7xf64>",
    ),
}  # fmt: skip

UNKNOWN = {
    "softmax rows": (SOFTMAX.format(axis=1), [(60_000, 12), (30_000, 100), (2000, 1000)]),
    "moments": (MOMENTS.format(axis=1), [(60_000, 24), (30_000, 127), (3000, 700)]),
    "softmax columns": (SOFTMAX.format(axis=0), [(20_000, 12), (2000, 500)]),
    "moments of columns": (MOMENTS.format(axis=0), [(30_000, 7), (3000, 1100)]),
}
"""Graphs over two unknown extents, and shapes that each take another way."""

X86 = platform.machine() in ("x86_64", "AMD64")
FLAGS = ["-std=c99", "-fPIC", "-shared", "-fno-math-errno", "-fno-trapping-math"]
BUILDS = {
    "gcc -O1": ["gcc", "-O1"],
    "gcc -O3 baseline": ["gcc", "-O3"],
    "gcc -O3 native": ["gcc", "-O3", "-march=native"],
    "clang -O1": ["clang", "-O1"],
    "clang -O3 native": ["clang", "-O3", "-march=native"],
    "gcc -O3 threads": ["gcc", "-O3", "-march=native", "-pthread"],
}
LEVELS = {"v3": "avx2", "v4": "avx512f"}
"""Levels of x86-64, with an instruction set that the machine must have to run them."""


def builds() -> dict[str, list[str]]:
    found = {name: argv for name, argv in BUILDS.items() if shutil.which(argv[0])}
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split() if X86 else []
    for level, needed in LEVELS.items():
        if needed in flags:
            found[f"gcc {level}"] = ["gcc", "-O3", f"-march=x86-64-{level}"]
    return found


def input_of(spec: str) -> np.ndarray[Any, Any]:
    *extents, name = spec.split("x")
    x = np.random.default_rng(0).standard_normal([int(e) for e in extents])
    if name == "bf16":
        from ml_dtypes import bfloat16

        return x.astype(bfloat16)
    return x.astype({"f": f"f{int(name[1:]) // 8}"}[name[0]])


def runs(
    text: str, inputs: Sequence[np.ndarray[Any, Any]], folder: Path
) -> Iterator[tuple[str, list[bytes]]]:
    """The results of every build, and of the threaded one with 1 to 4 threads."""
    low = lower(load(text))
    source = folder / "graph.c"
    source.write_text(low.c_source, encoding="utf-8")

    def build(item: tuple[str, list[str]]) -> tuple[str, Path]:
        name, argv = item
        library = folder / f"{name.replace(' ', '')}.so"
        subprocess.run([*argv, *FLAGS, str(source), "-lm", "-o", str(library)], check=True)
        return name, library

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        libraries = list(pool.map(build, builds().items()))
    for name, library in libraries:
        for threads in (1, 2, 3, 4) if name.endswith("threads") else (1,):
            function = CompiledFunction(low.interface, library, low.weights, threads)
            yield f"{name} {threads}", [np.asarray(function(x)).tobytes() for x in inputs]


@pytest.fixture(autouse=True)
def _four_threads(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """There are as many threads as are asked for, also with fewer processors."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", GRAPHS)
def test_same_bits(name: str, tmp_path: Path) -> None:
    source, result, body = GRAPHS[name]
    text = f"""
func.func @main(%x: tensor<{source}>) -> tensor<{result}> {{
  {body}
  func.return %r : tensor<{result}>
}}"""
    x = input_of(source)
    function = opc.compile(text)
    assert ("opc_non_temporal(" in function.c_source) == name.endswith("past caches")
    expected = [np.asarray(function(x)).tobytes()]
    differing = [build for build, found in runs(text, [x], tmp_path) if found != expected]
    assert not differing


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", UNKNOWN)
def test_same_bits_of_unknown_extents(name: str, tmp_path: Path) -> None:
    body, shapes = UNKNOWN[name]
    type = "tensor<?x?xf32, #opc.dims<N, M>>"
    text = f"func.func @main(%x: {type}) -> {type} {{\n{body}\nfunc.return %r : {type}\n}}"
    inputs = [input_of(f"{rows}x{columns}xf32") for rows, columns in shapes]
    function = opc.compile(text)
    expected = [np.asarray(function(x)).tobytes() for x in inputs]
    for build, found in runs(text, inputs, tmp_path):
        differing = [s for s, a, b in zip(shapes, found, expected, strict=True) if a != b]
        assert not differing, build

"""What compilers warn of once they optimise: reads and writes outside of arrays, and aliases."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opc.api.driver import Options, load, lower
from opc.runtime.toolchain import Compiler, find_compiler, target_flags
from tests.unit.common.emission_corpus import GRAPHS

pytestmark = [pytest.mark.sample(8), pytest.mark.level("-O3")]

SOFTMAX = """
  %m = opc.reduce_max %s {axes = [-1], keepdims = true}
  %c = opc.sub %s, %m
  %e = opc.exp %c
  %t = opc.reduce_sum %e {axes = [-1], keepdims = true}
  %p = opc.div %e, %t"""
WARNED = {
    # The last lanes of a row lie behind it: a mask leaves them out.
    "softmax": f"""
func.func @main(%s: tensor<8x100xf32>) -> tensor<8x100xf32> {{{SOFTMAX}
  return %p : tensor<8x100xf32>
}}""",
    # Blocks are turned around that are narrower than a square of the widest vectors.
    "convolution": """
func.func @main(%a: tensor<1x8x14x19xf32>, %b: tensor<24x8x3x3xf32>) -> tensor<1x24x14x19xf32> {
  %r = opc.conv %a, %b {pads = [1, 1, 1, 1]}
  return %r : tensor<1x24x14x19xf32>
}""",
    # The same with two columns.
    "two filters": """
func.func @main(%a: tensor<1x9x9x69xf32>, %b: tensor<2x9x3x3xf32>) -> tensor<1x2x9x69xf32> {
  %r = opc.conv %a, %b {pads = [1, 1, 1, 1]}
  return %r : tensor<1x2x9x69xf32>
}""",
    # A function has arrays in the workspace, and so have those that it calls.
    "attention": f"""
func.func @main(%q: tensor<64x3x33xf32>, %k: tensor<700x3x33xf32>, %v: tensor<700x3x40xf32>,
                %mask: tensor<1x700xi1>) -> tensor<64x3x40xf32> {{
  %0 = opc.transpose %q {{permutation = [1, 0, 2]}}
  %1 = opc.transpose %k {{permutation = [1, 2, 0]}}
  %2 = opc.matmul %0, %1
  %n = opc.constant dense<0xFF800000> : tensor<f32>
  %s = opc.where %mask, %2, %n{SOFTMAX}
  %3 = opc.transpose %v {{permutation = [1, 0, 2]}}
  %4 = opc.matmul %p, %3
  %r = opc.transpose %4 {{permutation = [1, 0, 2]}}
  return %r : tensor<64x3x40xf32>
}}""",
}
"""Graphs whose C had such warnings."""
OTHERS = {
    "gelu behind a product": """
func.func @main(%a: tensor<128x768xf32>, %b: tensor<768x3072xf32>, %c: tensor<3072xf32>)
    -> tensor<128x3072xf32> {
  %0 = opc.matmul %a, %b
  %1 = opc.add %0, %c
  %r = opc.gelu %1
  return %r : tensor<128x3072xf32>
}""",
    "product of halves": """
func.func @main(%a: tensor<8x64xf16>, %b: tensor<64x33xf16>) -> tensor<8x33xf16> {
  %r = opc.matmul %a, %b
  return %r : tensor<8x33xf16>
}""",
    "three columns": """
func.func @main(%a: tensor<100x3xf32>) -> tensor<3x100xf32> {
  %0 = opc.transpose %a {permutation = [1, 0]}
  %r = opc.neg %0
  return %r : tensor<3x100xf32>
}""",
    "sum of doubles": """
func.func @main(%a: tensor<8x33xf64>) -> tensor<8xf64> {
  %0 = opc.exp %a
  %r = opc.reduce_sum %0 {axes = [1], keepdims = false}
  return %r : tensor<8xf64>
}""",
    **{
        name: GRAPHS[name]
        for name in (
            *("softmax f16, symbolic", "layer normalization", "matmul, symbolic"),
            *("matmul of bytes", "column sums"),
        )
    },
}


X86_TARGETS = ("native", "baseline", "avx2", "avx512")


def builds(compiler: Compiler) -> list[tuple[str, str]]:
    """The targets that a compiler has, with levels of optimisation."""
    is_x86 = compiler.machine == "x86_64"
    names = X86_TARGETS if is_x86 else ("native", "baseline")
    return [(name, level) for name in names for level in ("-O2", "-O3")]


@pytest.mark.parametrize("name", [*WARNED, *OTHERS])
def test_no_warnings_when_optimised(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Every build of a graph that once had warnings; of another one one build in the short form."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    gcc = find_compiler("gcc")
    every = builds(gcc)
    if name in OTHERS and not request.config.getoption("--full"):
        every = [every[list(OTHERS).index(name) % len(every)]]
    module = load((WARNED | OTHERS)[name])

    def warned(build: tuple[str, str]) -> str:
        machine, level = build
        path = tmp_path / f"{machine}{level}.c"
        path.write_text(texts[machine], encoding="utf-8")
        flags = ["-std=c99", level, *target_flags(gcc, machine), "-Wall", "-Wextra", "-Werror"]
        command = ["gcc", *flags, "-c", str(path), "-o", f"{path}.o"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    texts = {
        machine: lower(module, Options(target=machine)).c_source
        for machine in dict.fromkeys(machine for machine, _ in every)
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(every, pool.map(warned, every), strict=True))
    assert not any(found.values()), found


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("function", ["and", "or", "xor"])
def test_conditions(compiler: str, function: str, tmp_path: Path) -> None:
    """clang asks for parentheses around & and | in front of a question mark."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    text = f"""
func.func @main(%p: tensor<8xi1>, %q: tensor<8xi1>, %x: tensor<8xi64>, %y: tensor<8xi64>)
    -> tensor<8xi64> {{
  %c = opc.{function} %p, %q
  %r = opc.where %c, %x, %y
  return %r : tensor<8xi64>
}}"""
    path = tmp_path / "main.c"
    path.write_text(lower(text).c_source)
    command = [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

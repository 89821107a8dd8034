"""Weights as arrays in C: the bytes are those of the file, where they lie in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from opc.emit.weights import weights_declared, weights_written
from opc.support.interface import Interface
from opc.tools.cli import main
from tests.portable.graphs import emitted

ARRAYS = {
    "float": np.array([0.1, -0.0, 1e-45, 3.4e38, np.inf, -np.inf, np.nan, 16777217], np.float32),
    "double": np.array([0.1, 5e-324, -np.inf, np.nan, 2.0**53 + 1]),
    "int8_t": np.array([-128, 127, 0], np.int8),
    "uint16_t": np.array([65535, 0], np.uint16),
    "int32_t": np.array([-(2**31), 2**31 - 1], np.int32),
    "uint32_t": np.array([2**32 - 1], np.uint32),
    "int64_t": np.array([-(2**63), 2**63 - 1, -5], np.int64),
    "uint64_t": np.array([2**64 - 1], np.uint64),
}
PRINT = """
#include <stdio.h>
#include "f.h"
int main(void) {
  return fwrite(f_weights(), 1, F_WEIGHT_BYTES, stdout) != F_WEIGHT_BYTES;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang", "tcc"])
def test_bytes_are_those_of_the_block(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    parts = [a.tobytes() + bytes(-a.nbytes % 64) for a in ARRAYS.values()]
    block = np.frombuffer(b"".join(parts), np.uint8)
    kinds = tuple((type, a.size) for type, a in ARRAYS.items())
    interface = Interface("f", "f", (), (), (), 0, True, (), constants=kinds)
    header = f"{weights_declared('f')}\n#define F_WEIGHT_BYTES {block.nbytes}\n"
    (tmp_path / "f.h").write_text(header, encoding="utf-8")
    text = weights_written(interface, block)
    (tmp_path / "f.weights.c").write_text(text, encoding="utf-8")
    (tmp_path / "main.c").write_text(PRINT, encoding="utf-8")
    flags = ["-std=c99"] if compiler == "tcc" else ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    command = [compiler, *flags, "f.weights.c", "main.c", "-o", "program"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([tmp_path / "program"], capture_output=True, check=True)
    written = np.frombuffer(done.stdout, np.uint8)
    at = 0
    for part in parts:
        assert written[at : at + len(part)].tobytes() == part
        at += len(part)
    assert at == written.size


def test_a_text_has_its_weights_in_c_or_in_a_file() -> None:
    graph = emitted()["network"]
    assert "NETWORK_WEIGHTS_IN_C" not in graph.header
    assert "#define NETWORK_WEIGHTS_IN_C 1" in graph.header_with_weights
    assert sum(count for _, count in graph.interface.constants) == 16 * 8 * 9 + 400 * 12


GRAPH = """
func.func @main(%x: tensor<2x300xf32>) -> tensor<2x8xf32> {
  %w = opc.constant dense<WEIGHTS> : tensor<300x8xf32>
  %y = opc.matmul %x, %w
  func.return %y : tensor<2x8xf32>
}
""".replace("WEIGHTS", str([[k % 2] * 8 for k in range(300)]))
PROGRAM = """
#include <stdio.h>
#include "net.h"
static float x[NET_IN0_EXTENT0][NET_IN0_EXTENT1], y[NET_OUT0_ELEMENTS];
static _Alignas(64) char workspace[NET_WORKSPACE_BYTES + 64];
int main(void) {
  for (int k = 0; k < NET_IN0_EXTENT1; ++k) x[1][k] = 1;
  if (NET_INPUTS != 1 || NET_OUTPUTS != 1 || NET_IN0_RANK != 2) return 2;
  const int code = net_run(&x[0][0], net_weights(), y, workspace);
  printf("%g %g", y[0], y[NET_OUT0_ELEMENTS - 1]);
  return code;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(program C)
include(net.cmake)
add_executable(program main.c)
set_target_properties(program PROPERTIES C_STANDARD 11)
target_link_libraries(program PRIVATE net)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "net.mlir").write_text(GRAPH, encoding="utf-8")
    (tmp_path / "main.c").write_text(PROGRAM, encoding="utf-8")
    kinds = ["--target", "baseline", "--emit", "c,h,weights-c,a,cmake"]
    assert main(["compile", str(tmp_path / "net.mlir"), *kinds, "-o", str(tmp_path)]) == 0
    assert not (tmp_path / "net.bin").exists()
    return tmp_path


def test_a_static_library_has_the_weights(folder: Path) -> None:
    command = ["gcc", "-std=c11", "main.c", "net.a", "-lm", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run([folder / "program"], capture_output=True, text=True, check=True)
    assert done.stdout == "0 150"


@pytest.mark.parametrize("language", ["C", "CXX"])
def test_cmake_builds_a_program(language: str, folder: Path) -> None:
    """In a project that has no C before it includes the file, too."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    text = CMAKE.replace("(program C)", f"(program {language})")
    if language == "CXX":
        text = text.replace("main.c", "main.cpp")
        program = PROGRAM.replace("static _Alignas(64)", "alignas(64) static")
        (folder / "main.cpp").write_text(program, encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    for command in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([folder / "build/program"], capture_output=True, text=True, check=True)
    assert done.stdout == "0 150"


@pytest.mark.parametrize("compiler", [["gcc", "-std=c99"], ["g++", "-x", "c++", "-std=c++17"]])
def test_files_of_two_graphs_in_one_translation_unit(compiler: list[str], tmp_path: Path) -> None:
    (tmp_path / "net.mlir").write_text(GRAPH, encoding="utf-8")
    for prefix in ("one", "two"):
        kinds = ["--emit", "c,h,weights-c", "--prefix", prefix, "-o", str(tmp_path)]
        assert main(["compile", str(tmp_path / "net.mlir"), *kinds]) == 0
    files = ("one.c", "one.weights.c", "two.weights.c", "two.c")
    (tmp_path / "all.c").write_text("".join(f'#include "{name}"\n' for name in files))
    command = [*compiler, "-Wall", "-Wextra", "-Werror", "-c", "all.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_weights_that_are_all_in_the_text(tmp_path: Path) -> None:
    """A build that lists the file works; the library is called as that of mathematics is."""
    (tmp_path / "net.mlir").write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = opc.relu %x\n"
        "  func.return %y : tensor<4xf32>\n}",
        encoding="utf-8",
    )
    arguments = ["compile", str(tmp_path / "net.mlir"), "--emit", "c,h,weights-c,cmake,main"]
    assert main([*arguments, "--prefix", "m", "-o", str(tmp_path)]) == 0
    strict = ["gcc", "-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-c"]
    subprocess.run([*strict, "m.weights.c"], cwd=tmp_path, check=True)
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    text = CMAKE.replace("net", "m").replace("main.c", "m.main.c").replace("program", "caller")
    (tmp_path / "CMakeLists.txt").write_text(text, encoding="utf-8")
    for command in (["cmake", "-S", ".", "-B", "build"], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

"""An emitted file keeps its arithmetic without flags, and refuses flags that change it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import Options, load, lower
from tests.unit.common import ROOT

pytestmark = [pytest.mark.sample(4), pytest.mark.level("-O3")]

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
ARM = "/usr/aarch64-linux-gnu"
OPTIMISED = {
    "gcc native": ["gcc", "-O3", "-march=native"],
    "gcc baseline": ["gcc", "-O3"],
    "gcc with threads": ["gcc", "-O2", "-march=native", "-pthread"],
    "g++ native": ["g++", "-O3", "-march=native", "-x", "c++"],
    "clang native": ["clang", "-O3", "-march=native"],
    "gcc for Arm": ["aarch64-linux-gnu-gcc", "-O3"],
    "clang for Arm": ["clang", "-O3", "--target=aarch64-linux-gnu", "-isystem", f"{ARM}/include"],
}


@cache
def text(example: Path) -> str:
    return lower(load(example), Options(prefix=example.stem)).c_source


def source(example: Path, folder: Path) -> Path:
    path = folder / f"{example.stem}.c"
    path.write_text(text(example), encoding="utf-8")
    return path


def needs(build: Sequence[str]) -> None:
    if shutil.which(build[0]) is None or (ARM in " ".join(build) and not Path(ARM).is_dir()):
        pytest.skip(f"{build[0]} is not installed")


def assembly(command: Sequence[str], path: Path) -> str:
    command = [*command, "-S", "-w", "-o", "-", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Names of places are numbers, which a flag may move.
    return re.sub(r"\.L\w+", ".L", done.stdout)


LIKE_OTHERS = ("gcc baseline", "gcc with threads", "g++ native")
"""Builds with the rules of another one."""


@pytest.mark.parametrize(
    "build",
    [pytest.param(b, marks=pytest.mark.long if b in LIKE_OTHERS else ()) for b in OPTIMISED],
)
def test_no_flag_is_needed_against_contraction(build: str, tmp_path: Path) -> None:
    """The assembly is the same with it."""
    needs(OPTIMISED[build])
    for example in EXAMPLES:
        path = source(example, tmp_path)
        plain = assembly(OPTIMISED[build], path)
        assert assembly([*OPTIMISED[build], "-ffp-contract=off"], path) == plain, example.stem


def test_what_follows_keeps_its_flags(tmp_path: Path) -> None:
    """The guard ends with the file that needs it."""
    needs(["gcc"])
    after = "float after(float a, float b, float c);\n" * 2
    after += "float after(float a, float b, float c) { return a * b + c; }\n"
    path = tmp_path / "unit.c"
    path.write_text(text(EXAMPLES[0]) + after, encoding="utf-8")
    body = assembly(["gcc", "-O2", "-mfma"], path).partition("\nafter:")[2]
    assert "vfmadd" in body.partition("ret")[0]


REFUSED = {
    "fast math": (["gcc", "clang"], "-ffast-math", "-ffast-math or parts of it"),
    "finite only": (["gcc", "clang"], "-ffinite-math-only", "-ffast-math or parts of it"),
    "reciprocals": (["gcc"], "-freciprocal-math", "not that of IEEE 754"),
    "no negative zero": (["gcc"], "-fno-signed-zeros", "not that of IEEE 754"),
    "constants in f32": (["gcc"], "-fsingle-precision-constant", "not that of IEEE 754"),
    "x87": (["gcc"], "-mfpmath=387", "wider types"),
    "x86 without vectors": (["gcc", "clang"], "-mno-sse2", ""),
    "i686": (["gcc", "clang"], "-m32", "wider types"),
}


SILENT = (
    *("-funsafe-math-optimizations", "-freciprocal-math", "-fno-signed-zeros", "-fno-honor-nans"),
    *("-fno-honor-infinities", "-fassociative-math -fno-signed-zeros -fno-trapping-math"),
)
"""Parts of -ffast-math that no macro of clang tells of."""


@pytest.mark.parametrize("flags", SILENT)
@pytest.mark.parametrize("level", ["-O1", "-O3"])
def test_what_clang_is_silent_about_is_refused(level: str, flags: str, tmp_path: Path) -> None:
    """By what it takes for equal, and in no file without the flags."""
    needs(["clang"])
    path = source(EXAMPLES[0], tmp_path)
    command = ["clang", level, "-Wall", "-Wextra", "-Werror", "-c", str(path), "-o", "/dev/null"]
    done = subprocess.run([*command, "-fno-math-errno", "-fno-trapping-math"], check=False)
    assert done.returncode == 0
    command += flags.split()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0, f"{' '.join(command)} was taken"
    assert "must not be compiled with parts of -ffast-math" in done.stderr


@pytest.mark.parametrize("case", REFUSED)
def test_flags_that_change_results_are_refused(case: str, tmp_path: Path) -> None:
    compilers, flag, message = REFUSED[case]
    path = source(EXAMPLES[0], tmp_path)
    tried = 0
    for compiler in compilers:
        if shutil.which(compiler) is None:
            continue
        tried += 1
        command = [compiler, flag, "-fsyntax-only", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode != 0, f"{' '.join(command)} was taken"
        assert message in done.stderr
    if not tried:
        pytest.skip("no compiler")


@pytest.mark.parametrize("target", ["baseline", "avx2"])
@pytest.mark.parametrize("shape", [(8, 7, 8), (16, 4, 8), (64, 8)])
def test_what_is_copied_was_stored(shape: tuple[int, ...], target: str) -> None:
    """gcc 12 deleted the stores to an array that string instructions copy."""
    rows = "x".join(map(str, shape[:-1]))
    found = opc.compile(
        f"""func.func @main(%x: tensor<{rows}x8xi64>) -> tensor<{rows}xi64> {{
  %y = opc.reduce_prod %x {{axes = [-1], keepdims = false}}
  func.return %y : tensor<{rows}xi64>
}}""",
        target=target,
    )
    x = np.random.default_rng(0).integers(1, 5, shape)
    np.testing.assert_array_equal(found(x), x.prod(-1))

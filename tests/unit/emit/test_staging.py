"""f16 and bf16 in staging buffers: hardware and portable C agree, any length is right."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from opc.dialects.element import ElementType
from tests.unit.common import ROOT, samples
from tests.unit.common.graphs import oracle
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(32)

LENGTHS = (1, 4, 7, 8, 63, 64, 65, 140, 1000)
TYPES = pytest.mark.parametrize("type", [el.F16, el.BF16], ids=str)
FLAGS = ["-march=native", "-march=native -O3", ""]
if platform.machine() == "x86_64":
    FLAGS += ["-mf16c -O3"]


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_hardware_converts_as_c_does(compiler: str, flags: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [sys.executable, "-m", "tests.exhaustive.convert", "--stride", "251"]
    command += ["--compiler", compiler, f"--flags={flags}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def rows(type: ElementType, length: int | None) -> str:
    """Chains of operators, a broadcast row and scalar, casts, and the extremes of rows."""
    n, dims = (length, "") if length else ("?", ", #opc.dims<3, N>")
    x = f"tensor<3x{n}x{type}{dims}>"
    row = f"tensor<{n}x{type}{', #opc.dims<N>' if dims else ''}>"
    wide = f"tensor<3x{n}xf32{dims}>"
    return f"""
func.func @main(%x: {x}, %y: {x}, %row: {row}, %s: tensor<{type}>)
    -> ({x}, {x}, {wide}, {x}, tensor<3x{type}>, tensor<3x{type}>, tensor<3x1x{type}>) {{
  %a = opc.sub %x, %row
  %b = opc.mul %a, %y
  %c = opc.add %b, %s
  %w = opc.cast %c -> {wide}
  %v = opc.sqrt %w
  %d = opc.cast %v -> {x}
  %max = opc.reduce_max %x {{axes = [1]}}
  %min = opc.reduce_min %b {{axes = [1]}}
  %top = opc.reduce_max %y {{axes = [1], keepdims = true}}
  %e = opc.sub %y, %top
  return %a, %e, %v, %d, %max, %min, %top : {x}, {x}, {wide}, {x}, tensor<3x{type}>, tensor<3x{type}>, tensor<3x1x{type}>
}}"""  # noqa: E501


@cache
def compiled(text: str, fuse: bool, target: str) -> Any:
    return opc.compile(text, fuse=fuse, target=target, verify_each=True)


def inputs(type: ElementType, length: int) -> list[np.ndarray]:
    shapes = ((3, length), (3, length), (length,), ())
    found = [samples.values(type, shape, seed) for seed, shape in enumerate(shapes)]
    # Rows that the first NaN does not decide, and one of numbers whose results are subnormal.
    found[1][0] = samples.moderate(type, (length,), 5)
    found[0][1] = found[0][1] * np.asarray(2.0**-14, type.dtype)
    return found


def check(text: str, type: ElementType, length: int, fuse: bool, target: str = "native") -> None:
    given = inputs(type, length)
    found = compiled(text, fuse, target)(*given)
    with np.errstate(all="ignore"):
        expected = oracle(text, given)
    for k, (a, b) in enumerate(zip(found, expected, strict=True)):
        assert_same_bits(np.asarray(a), np.asarray(b), f"result {k}, length {length}")


@TYPES
@pytest.mark.parametrize("length", LENGTHS)
def test_static_lengths(type: ElementType, length: int) -> None:
    check(rows(type, length), type, length, fuse=True)


@TYPES
@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "apart"])
@pytest.mark.parametrize("target", ["native", "baseline"])
def test_symbolic_lengths(type: ElementType, fuse: bool, target: str) -> None:
    for length in LENGTHS:
        check(rows(type, None), type, length, fuse, target)


def sums(type: ElementType) -> str:
    x, column = f"tensor<?x?x{type}, #opc.dims<M, N>>", f"tensor<?x{type}, #opc.dims<N>>"
    row = f"tensor<?x{type}, #opc.dims<M>>"
    return f"""
func.func @main(%x: {x}) -> ({row}, {column}, {column}, {row}) {{
  %r = opc.reduce_sum %x {{axes = [1]}}
  %c = opc.reduce_sum %x {{axes = [0]}}
  %m = opc.reduce_max %x {{axes = [0]}}
  %a = opc.mul %x, %x
  %q = opc.reduce_sum %a {{axes = [1]}}
  return %r, %c, %m, %q : {row}, {column}, {column}, {row}
}}"""


@TYPES
def test_sums_have_the_same_bits_everywhere(type: ElementType) -> None:
    text = sums(type)
    for length in LENGTHS:
        x = samples.moderate(type, (3, length), 1)
        expected = oracle(text, [x])
        native, baseline = (compiled(text, True, t)(x) for t in ("native", "baseline"))
        for k, (a, b, e) in enumerate(zip(native, baseline, expected, strict=True)):
            assert_same_bits(np.asarray(a), np.asarray(b), f"result {k}, length {length}")
            near = np.abs(np.asarray(a, np.float64) - np.asarray(e, np.float64))
            # Far more than one rounding, far less than an element that is lost.
            assert np.all(near <= 2.0**-5 * length**0.5), f"result {k}, length {length}"


@pytest.mark.parametrize("extent", [17, 100, 2049])
@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_running_results_beside_a_sum(name: str, extent: int) -> None:
    """A loop that is cut where it rounds reads a running maximum where it writes it."""
    t = f"tensor<4x{extent}x{name}>"
    f = opc.compile(f"""
        func.func @main(%x: {t}) -> (tensor<4x{name}>, tensor<4x{name}>, tensor<4xi64>) {{
          %m = opc.constant dense<0.5> : tensor<{name}>
          %d = opc.sub %x, %m
          %q = opc.mul %d, %d
          %s = opc.reduce_sum %q {{axes = [1]}}
          %a = opc.reduce_max %q {{axes = [1]}}
          %i = opc.argmin %q {{axis = 1}}
          func.return %s, %a, %i : tensor<4x{name}>, tensor<4x{name}>, tensor<4xi64>
        }}""")
    x = np.random.default_rng(0).standard_normal((4, extent)).astype(f.inputs[0].dtype)
    q = (x - x.dtype.type(0.5)) ** 2
    _, greatest, least = f(x)
    np.testing.assert_array_equal(greatest, q.max(1))
    np.testing.assert_array_equal(least, q.argmin(1))


@pytest.mark.parametrize("type", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("extents", [(2, 5), (3, 1), (2, 17), (1, 40)])
def test_divided_indices_of_an_overlapping_strip(type: str, extents: tuple[int, int]) -> None:
    """The last block starts before the end: what is divided there is not negative."""
    three = f"tensor<?x4x?x{type}, #opc.dims<M, 4, N>>"
    two = f"tensor<?x?x{type}, #opc.dims<M, N*4>>"
    function = opc.compile(f"""
      func.func @main(%x: {three}) -> {two} {{
        %b = opc.reshape %x : {three} -> {two}
        %t = opc.transpose %x {{permutation = [0, 2, 1]}}
        %c = opc.reshape %t : tensor<?x?x4x{type}, #opc.dims<M, N, 4>> -> {two}
        %m = opc.add %b, %c
        %s = opc.neg %m
        %r = opc.add %s, %s
        func.return %r : {two}
      }}""")
    rows, n = extents
    x = (np.arange(rows * 4 * n) % 61).reshape(rows, 4, n).astype(el.BY_NAME[type].dtype)
    whole = x.astype(np.float32)
    total = whole.reshape(rows, -1) + whole.transpose(0, 2, 1).reshape(rows, -1)
    np.testing.assert_array_equal(function(x).astype(np.float32), -2 * total)

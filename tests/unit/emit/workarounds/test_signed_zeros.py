"""Signs of zeros that a comparison with zero chooses, with every compiler that there is."""

from __future__ import annotations

import itertools
import shutil
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element

pytestmark = pytest.mark.sample(16)

COMPARISONS = ("less", "less_equal", "greater", "greater_equal")
VALUES = np.array([0.0, -0.0, 1.5, -1.5, np.nan, np.inf, -np.inf, 2.0] * 5)


def graph(narrow: str, wide: str) -> str:
    """Choices between a widened value and zeros, whose conditions are results, too."""
    lines = [f"%w = opc.cast %x : tensor<40x{narrow}> -> tensor<40x{wide}>", "%s = opc.sqrt %w"]
    results = [("%w", wide), ("%s", wide)]
    for k, (a, b) in enumerate(itertools.product("pn", repeat=2)):
        for m, name in enumerate(COMPARISONS):
            lines += [
                f"%c{k}{m} = opc.{name} %w, %{a}",
                f"%n{k}{m} = opc.not %c{k}{m}",
                f"%t{k}{m} = opc.where %c{k}{m}, %{b}, %w",
                f"%e{k}{m} = opc.where %n{k}{m}, %w, %{b}",
            ]
            results += [(f"%c{k}{m}", "i1"), (f"%t{k}{m}", wide), (f"%e{k}{m}", wide)]
    values, types = zip(*results, strict=True)
    tensors = ", ".join(f"tensor<40x{t}>" for t in types)
    return f"""func.func @main(%x: tensor<40x{narrow}>) -> ({tensors}) {{
  %p = opc.constant dense<0.0> : tensor<{wide}>
  %n = opc.constant dense<-0.0> : tensor<{wide}>
  {chr(10).join(lines)}
  func.return {", ".join(values)} : {tensors}
}}"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("narrow", "wide"), [("f16", "f32"), ("f32", "f64"), ("f16", "f64")])
def test_a_choice_keeps_the_sign(narrow: str, wide: str, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    x = VALUES.astype({"f16": np.float16, "f32": np.float32}[narrow])
    w, root, *found = np.asarray(opc.compile(graph(narrow, wide), cc=compiler)(x), dtype=object)
    given: Any = x.astype(np.float32 if wide == "f32" else np.float64)
    with np.errstate(invalid="ignore"):
        wanted: list[Any] = [given, np.sqrt(given)]
        for a, b in itertools.product((0.0, -0.0), repeat=2):
            for compare in (np.less, np.less_equal, np.greater, np.greater_equal):
                condition = compare(given, a)
                chosen = np.where(condition, np.asarray(b, given.dtype), given)
                wanted += [condition, chosen, chosen]
    for k, (y, z) in enumerate(zip([w, root, *found], wanted, strict=True)):
        y, z = np.asarray(y, z.dtype), np.asarray(z)
        np.testing.assert_array_equal(y, z, err_msg=str(k))
        if z.dtype.kind == "f":
            number = ~np.isnan(z)
            np.testing.assert_array_equal(np.signbit(y)[number], np.signbit(z)[number], str(k))


@pytest.mark.parametrize("type", ["f32", "f64", "bf16"])
@pytest.mark.parametrize("length", [1, 2, 4, 5, 600])
@pytest.mark.parametrize(("rows", "columns"), [(1, 128), (8, 128), (8, 1), (1, 1), (5, 3)])
def test_products_that_are_too_small(rows: int, columns: int, length: int, type: str) -> None:
    """Negative products that underflow to -0 make a chain -0, and its block is added to +0."""
    a, b, c = (
        f"tensor<{m}x{n}x{type}>" for m, n in ((rows, length), (length, columns), (rows, columns))
    )
    f = opc.compile(
        f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
          %c = opc.matmul %a, %b
          func.return %c : {c}
        }}"""
    )
    dtype = element.BY_NAME[type].dtype
    tiny = np.asarray(1e-200 if type == "f64" else 1e-30).astype(dtype)
    found = f(np.full((rows, length), -tiny), np.full((length, columns), tiny))
    assert not found.astype(np.float64).any()
    assert not np.signbit(found.astype(np.float64)).any()

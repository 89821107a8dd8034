"""Rows of unknown extent, of any length."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.samples import between_guards, is_untouched
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(16)

Array = np.ndarray[Any, np.dtype[Any]]
DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
BODIES = {
    "rows": (
        "%e = opc.exp %q\n return %e : WHOLE",
        lambda q: np.exp(q),
    ),
    "two functions": (
        "%e = opc.exp %q\n %t = opc.tanh %e\n return %t : WHOLE",
        lambda q: np.tanh(np.exp(q)),
    ),
    "division": (
        "return %q : WHOLE",
        lambda q: q,
    ),
    "sum of columns": (
        "%e = opc.exp %q\n %r = opc.reduce_sum %e {axes = [0], keepdims = true}\n return %r : ROW",
        lambda q: np.exp(q).sum(0, keepdims=True),
    ),
    "sum of rows": (
        "%e = opc.exp %q\n %r = opc.reduce_sum %e {axes = [1], keepdims = true}\n return %r : ONE",
        lambda q: np.exp(q).sum(1, keepdims=True),
    ),
}


@cache
def compiled(name: str, type: str, **options: Any) -> Any:
    whole = f"tensor<?x?x{type}, #opc.dims<M, N>>"
    row = f"tensor<1x?x{type}, #opc.dims<1, N>>"
    one = f"tensor<?x1x{type}, #opc.dims<M, 1>>"
    body = BODIES[name][0].replace("WHOLE", whole).replace("ROW", row).replace("ONE", one)
    result = next(t for t in (whole, row, one) if body.endswith(t))
    return opc.compile(
        f"""
        func.func @main(%x: {whole}, %b: {row}) -> {result} {{
          %q = opc.div %x, %b
          {body}
        }}""",
        verify_each=True,
        **options,
    )


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("name", BODIES)
def test_every_extent(name: str, type: str) -> None:
    rng, tolerance = np.random.default_rng(7), 1e-6 if type == "f32" else 1e-14
    others = [
        compiled(name, type, threads=2),
        compiled(name, type, target="baseline"),
    ]
    for count in (*range(1, 35), 63, 64, 65, 127, 513, 530):
        x, _ = between_guards((37, count), DTYPES[type])
        b, _ = between_guards((1, count), DTYPES[type])
        x[...], b[...] = rng.normal(size=x.shape), rng.uniform(1, 2, b.shape)
        expected = BODIES[name][1](x.astype(np.float64) / b.astype(np.float64))
        out, memory = between_guards(expected.shape, DTYPES[type])
        compiled(name, type)(x, b, out=out)
        assert is_untouched(memory)
        np.testing.assert_allclose(out, expected, rtol=tolerance, atol=tolerance)
        for other in others:
            assert_same_bits(other(x, b), out, f"{name}, {count}")


@pytest.mark.parametrize("columns", [1, 2, 4, 6, 8, 12, 33])
def test_lanes_that_fill_no_vector(columns: int) -> None:
    """Few columns of unknown length, which lie along memory as the reduction before writes them.

    Their sums have lanes for few columns, and what they add up is computed.
    """
    f = opc.compile(
        f"""
        func.func @main(%x: tensor<?x3x{columns}x?xf16, #opc.dims<M, 3, {columns}, N>>)
            -> tensor<1x{columns}xf16> {{
          %a = opc.contract %x {{equation = "abcd->dc"}}
          %r = opc.reduce_mean %a {{axes = [0], keepdims = true}}
          return %r : tensor<1x{columns}xf16>
        }}""",
        verify_each=True,
    )
    rng = np.random.default_rng(columns)
    for count in (1, 7, 16, 63, 530):
        x = rng.integers(-4, 5, (2, 3, columns, count)).astype(np.float16)
        sums = x.astype(np.float64).sum((0, 1))
        assert_same_bits(f(x), sums.mean(1).astype(np.float32).astype(np.float16)[None], f"{count}")

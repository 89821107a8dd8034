"""Rows of unknown extent, of any length."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from samples import between_guards, is_untouched
from tolerance import assert_same_bits

import opc

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

"""Integer reductions over extents that leave a tail behind full vectors.

Each function is compiled by itself: gcc 12 has got such loops wrong at -O3, depending on what else
was in the function.
"""

from __future__ import annotations

import numpy as np
import pytest

import opc

pytestmark = pytest.mark.sample(16)

TYPES = {"i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "ui8": np.uint8}


@pytest.mark.parametrize("extent", [17, 18, 26, 33, 50, 67])
@pytest.mark.parametrize("name", TYPES)
def test_tail(name: str, extent: int) -> None:
    f = opc.compile(f"""
        func.func @main(%x: tensor<{extent}x{name}>) -> tensor<{name}> {{
          %r = opc.reduce_sum %x : tensor<{extent}x{name}> -> tensor<{name}>
          func.return %r : tensor<{name}>
        }}""")
    x = np.arange(1, extent + 1).astype(TYPES[name])
    assert f(x) == x.sum(dtype=TYPES[name])


@pytest.mark.parametrize("shape", [(18, 4), (17, 4), (33, 8), (19, 2)])
def test_columns(shape: tuple[int, int]) -> None:
    rows, columns = shape
    f = opc.compile(f"""
        func.func @main(%x: tensor<{rows}x{columns}xi64>) -> tensor<{columns}xi64> {{
          %r = opc.reduce_sum %x {{axes = [0]}}
          func.return %r : tensor<{columns}xi64>
        }}""")
    x = np.arange(rows * columns).reshape(shape)
    np.testing.assert_array_equal(f(x), x.sum(0))

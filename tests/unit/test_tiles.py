"""Blocks that are turned around: every value arrives, and nothing is written beside an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from opc.passes import tile_loops

GUARD = 128

SHAPES = [
    ((121, 128), (1, 0)),  # what is left over after full blocks is less than a cache line
    ((96, 1024), (1, 0)),
    ((1029, 300), (1, 0)),
    ((1000, 9), (1, 0)),
    ((9, 1000), (1, 0)),
    ((15, 300), (1, 0)),
    ((300, 17), (1, 0)),
    ((121, 1000), (1, 0)),
    ((3, 121, 128), (0, 2, 1)),
    ((2, 3, 200, 40), (1, 3, 0, 2)),
    ((2, 16, 5, 16, 64), (0, 2, 4, 1, 3)),
]


@pytest.mark.parametrize("loads", [1, 2])
@pytest.mark.parametrize("caches", [0, tile_loops.CACHES], ids=["far", "near"])
@pytest.mark.parametrize("dtype", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize(("shape", "order"), SHAPES, ids=str)
def test_blocks(
    shape: tuple[int, ...],
    order: tuple[int, ...],
    dtype: str,
    caches: int,
    loads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Blocks of what caches do not hold ask for the next ones, and have other sizes.
    monkeypatch.setattr(tile_loops, "CACHES", caches)
    turned = tuple(shape[k] for k in order)
    x, y = (f"tensor<{'x'.join(map(str, s))}x{dtype}>" for s in (shape, turned))
    function = opc.compile(
        f"""func.func @f(%x: {x}, %w: {x}, %y: {y}) -> {y} {{
          %s = opc.transpose %x {{permutation = {list(order)}}}
          %t = opc.transpose %w {{permutation = {list(order)}}}
          %u = opc.sub %s, %{"yt"[loads - 1]}
          return %u : {y}
        }}"""
    )
    kind: Any = function.outputs[0].dtype
    rng = np.random.default_rng(len(shape))
    first, second = (rng.integers(-20, 20, shape).astype(kind) for _ in range(2))
    third = rng.integers(-20, 20, turned).astype(kind)
    expected = first.transpose(order) - (third if loads == 1 else second.transpose(order))
    space = np.full(first.nbytes + 2 * GUARD, 0x5A, np.uint8)
    out = space[GUARD:-GUARD].view(kind).reshape(turned)
    function(first, second, third, out=out)
    assert np.array_equal(out, expected)
    assert (space[:GUARD] == 0x5A).all()
    assert (space[-GUARD:] == 0x5A).all()
    asks = "opc_prefetch" in function.c_source
    assert not asks if caches else asks or shape != (1029, 300)

"""Reductions over outer and short inner axes: what two reductions give, one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from tolerance import sum_bound

import opc
from opc.dialects import element as el

SHAPES = {
    (50, 40, 12): ((0, 2), (0,), (1,)),
    (9, 5, 6, 8, 7, 7): ((0, 2, 4, 5), (0, 2), (2, 3)),
}


def text(shape: tuple[int | str, ...], result: list[int | str], type: str, lines: str) -> str:
    source, target = ("x".join([*map(str, s), type]) for s in (shape, result))
    return f"func.func @main(%x: tensor<{source}>) -> tensor<{target}> {{\n{lines}\n" + (
        f"  func.return %r : tensor<{target}>\n}}"
    )


def kept(shape: tuple[int | str, ...], axes: tuple[int, ...]) -> list[int | str]:
    return [n for k, n in enumerate(shape) if k not in axes]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", ["sum", "max"])
@pytest.mark.parametrize("type", ["f32", "i32", "bf16"])
def test_one_is_two(shape: tuple[int, ...], kind: str, type: str) -> None:
    axes, outer, inner = SHAPES[shape]
    result = kept(shape, axes)
    one = f"  %r = opc.reduce_{kind} %x {{axes = {list(axes)}}}"
    first = f"  %a = opc.cast %x : tensor<{'x'.join(map(str, shape))}x{type}> -> " + (
        f"tensor<{'x'.join(map(str, shape))}x{'f32' if type == 'bf16' else type}>"
    )
    two = f"{first}\n  %b = opc.reduce_{kind} %a {{axes = {list(outer)}}}\n"
    two += f"  %c = opc.reduce_{kind} %b {{axes = {list(inner)}}}\n"
    short = "x".join(map(str, result))
    wide = "f32" if type == "bf16" else type
    two += f"  %r = opc.cast %c : tensor<{short}x{wide}> -> tensor<{short}x{type}>"
    function = opc.compile(text(shape, result, type, one))
    dtype = function.inputs[0].dtype
    rng = np.random.default_rng(0)
    x = (rng.normal(size=shape) * (9 if type == "i32" else 1)).astype(dtype)
    found = function(x)
    assert found.tobytes() == opc.compile(text(shape, result, type, two))(x).tobytes()
    if type == "i32" or kind == "max":
        assert np.array_equal(found, getattr(np, kind)(x.astype(np.float64), axis=axes))
    else:
        total = x.astype(np.float64).sum(axis=axes)
        bound = sum_bound(x, axes, False, el.BY_NAME[type])
        bound += np.abs(total) * 2.0**-8 if type == "bf16" else 0
        assert (np.abs(found.astype(np.float64) - total) <= bound).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_unknown_extents(threads: int) -> None:
    source = text(("?", 40, 12), [40], "f32", "  %r = opc.reduce_max %x {axes = [0, 2]}")
    function = opc.compile(source, threads=threads)
    for rows in (0, 1, 3, 70):
        x = np.random.default_rng(rows).normal(size=(rows, 40, 12)).astype(np.float32)
        if rows > 1:
            x[1, 3, 5] = np.nan
        expected = x.max(axis=(0, 2), initial=-np.inf)
        assert np.array_equal(function(x), expected, equal_nan=True)
    known = opc.compile(source.replace("?", "70"))
    assert known(x).tobytes() == function(x).tobytes()

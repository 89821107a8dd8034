"""Results that are written past the caches: the same bits as otherwise, and nothing beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import opc
from opc.passes import function_pass
from opc.runtime.native import new_array
from opc.support.targets import target

pytestmark = pytest.mark.sample(32)

GUARD = 256
SCHEMAS = """func.func @f(%x: tensor<{n}x{m}x{t}>, %b: tensor<{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
  %r = opc.sub %x, %b
  return %r : tensor<{n}x{m}x{t}>
}}"""
FLAT = """func.func @f(%x: tensor<{n}x{m}x{t}>, %b: tensor<{n}x{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
  %r = opc.mul %x, %b
  return %r : tensor<{n}x{m}x{t}>
}}"""
TURNED = """func.func @f(%x: tensor<{m}x{n}x{t}>, %b: tensor<{n}x{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
  %s = opc.transpose %x {{permutation = [1, 0]}}
  %r = opc.sub %s, %b
  return %r : tensor<{n}x{m}x{t}>
}}"""
TWO = """func.func @f(%x: tensor<{n}x{m}x{t}>, %b: tensor<{m}x{t}>)
    -> (tensor<{n}x{m}x{t}>, tensor<{n}x{m}x{t}>) {{
  %r = opc.sub %x, %b
  %s = opc.add %r, %r
  return %r, %s : tensor<{n}x{m}x{t}>, tensor<{n}x{m}x{t}>
}}"""
SOFTMAX = """func.func @f(%x: tensor<{n}x{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
  %s = opc.reduce_max %x {{axes = [1], keepdims = true}}
  %u = opc.sub %x, %s
  %e = opc.exp %u
  %t = opc.reduce_sum %e {{axes = [1], keepdims = true}}
  %r = opc.div %e, %t
  return %r : tensor<{n}x{m}x{t}>
}}"""


def _stream_from(read: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let results go past the caches where so many bytes are read."""
    machine = replace(target("native"), past=2 * read)
    monkeypatch.setattr(function_pass, "target_of", lambda _: machine)


def _guarded(shape: tuple[int, ...], dtype: np.dtype[Any], past: int) -> tuple[Any, Any]:
    """An array that starts so many bytes past a cache line, and all of its memory."""
    size = int(np.prod(shape)) * dtype.itemsize
    space = np.full(size + 2 * GUARD + 64, 0x5A, np.uint8)
    start = GUARD + -(space.ctypes.data + GUARD) % 64 + past
    return space[start : start + size].view(dtype).reshape(shape), space


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16", "i8"])
@pytest.mark.parametrize(
    ("text", "n", "m"),
    [
        (SCHEMAS, 70, 512),
        (SCHEMAS, 300, 448),
        (SCHEMAS, 1000, 64),
        (FLAT, 7, 9001),
        (FLAT, 2, 320),
        (TURNED, 192, 320),
        (TWO, 70, 512),
        (TWO, 90, 64),
    ],
)
def test_non_temporal(
    text: str, n: int, m: int, dtype: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = opc.compile(text.format(n=n, m=m, t=dtype), threads=threads)
    assert "opc_non_temporal" not in plain.c_source
    _stream_from(0, monkeypatch)
    function = opc.compile(text.format(n=n, m=m, t=dtype), threads=threads, cache=None)
    stores = sum("opc_non_temporal(out" in line for line in function.c_source.splitlines())
    assert stores == len(function.outputs)
    assert "opc_stream_end();" in function.c_source
    rng = np.random.default_rng(n)
    inputs = [
        rng.integers(-20, 20, spec.shape).astype(spec.dtype)  # pyright: ignore
        for spec in function.inputs
    ]
    found = plain(*inputs)
    expected = [a.tobytes() for a in (found if isinstance(found, tuple) else (found,))]
    _compare(function, inputs, expected)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["f32", "f64", "i32"])
@pytest.mark.parametrize("graph", [FLAT, SCHEMAS])
def test_streams_of_unknown_size(
    graph: str, dtype: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes decide when it runs: below the limit, just there, and above it; so do whole lines."""
    text = graph.format(n="?", m="?", t=dtype)
    if graph == FLAT:
        text = text.replace(f"x{dtype}>", f"x{dtype}, #opc.dims<N, M>>")
    plain = opc.compile(text, threads=threads)
    _stream_from(1 << 18, monkeypatch)
    function = opc.compile(text, threads=threads, cache=None)
    assert function.c_source.count("opc_non_temporal(out") == 1
    for m in (0, 1, 31, 32, 63, 64, 65, 343, 500, 688, 1021, 2048, 2051, 5000):
        rng = np.random.default_rng(m)
        inputs = [
            rng.integers(-20, 20, (64, m)[2 - len(spec.shape) :]).astype(spec.dtype)  # pyright: ignore
            for spec in function.inputs
        ]
        _compare(function, inputs, [plain(*inputs).tobytes()], (64, m))


def test_what_of_unknown_size_goes_through_the_caches() -> None:
    """Rows within lines, conversions, functions, several results, and what is read again."""
    kept = [
        SCHEMAS.format(n="?", m="50", t="f32"),
        SCHEMAS.format(n="?", m="?", t="f16"),
        TWO.format(n="?", m="?", t="f32"),
        SOFTMAX.format(n="?", m="?", t="f32"),
        FLAT.replace("mul", "pow").format(n="?", m="?", t="f32"),
    ]
    for text in kept:
        assert "opc_non_temporal" not in opc.compile(text).c_source


def _compare(
    function: Any, inputs: list[Any], expected: list[bytes], shape: tuple[int, ...] | None = None
) -> None:
    """Whether the results have these bits, and nothing around them is written.

    Where a result starts in a cache line decides how it is written, not what.
    """
    shape = shape or function.outputs[0].shape
    size = function.outputs[0].dtype.itemsize
    for past in (0, 16, size, 64 - size):
        pairs = [_guarded(shape, spec.dtype, past) for spec in function.outputs]
        arrays = tuple(a for a, _ in pairs)
        function(*inputs, out=arrays if len(arrays) > 1 else arrays[0])
        for (array, space), bits in zip(pairs, expected, strict=True):
            assert array.tobytes() == bits
            assert np.count_nonzero(space != 0x5A) <= array.nbytes
            assert (space[:GUARD] == 0x5A).all()
            assert (space[-GUARD + 64 :] == 0x5A).all()


def test_large_arrays_start_at_a_cache_line() -> None:
    for shape in ((1 << 19,), (3, 1000, 701)):
        array = new_array(shape, np.dtype(np.float32))
        assert array.shape == shape
        assert array.ctypes.data % 64 == 0
        assert array.flags.carray
    function = opc.compile(SCHEMAS.format(n=300, m=1024, t="f32"))
    x, b = np.ones((300, 1024), np.float32), np.ones(1024, np.float32)
    for _ in range(3):
        assert function(x, b).ctypes.data % 64 == 0
        assert function.bind(x, b)().ctypes.data % 64 == 0
    unknown = opc.compile(SCHEMAS.format(n="?", m="?", t="f32"))
    for n in (3, 300, 3, 300):
        result = unknown(x[:n], b)
        assert result.shape == (n, 1024)
        if n == 300:
            assert result.ctypes.data % 64 == 0

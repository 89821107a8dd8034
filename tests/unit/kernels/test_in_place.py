"""Results that are written over what their kernel reads: less memory, the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from opc.kernels import plan_buffers

pytestmark = pytest.mark.sample(48)

GRAPHS = {
    "the least of all": """
  func.func @main(%x: tensor<{n}x{m}x{t}>, %y: tensor<{n}x{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
    %a = opc.sigmoid %x
    %l = opc.reduce_min %a {{axes = [0, 1], keepdims = true}}
    %r = opc.sub %a, %l
    func.return %r : tensor<{n}x{m}x{t}>
  }}""",
    "rows of a sum": """
  func.func @main(%x: tensor<{n}x{m}x{t}>, %y: tensor<{n}x{m}x{t}>) -> tensor<{n}x{m}x{t}> {{
    %a = opc.add %x, %y
    %s = opc.reduce_sum %a {{axes = [1], keepdims = true}}
    %d = opc.sub %a, %s
    %e = opc.exp %d
    %q = opc.reduce_max %e {{axes = [0], keepdims = true}}
    %r = opc.div %e, %q
    func.return %r : tensor<{n}x{m}x{t}>
  }}""",
    "used once more": """
  func.func @main(%x: tensor<{n}x{m}x{t}>, %y: tensor<{n}x{m}x{t}>)
      -> (tensor<{n}x{m}x{t}>, tensor<{n}x{m}x{t}>) {{
    %a = opc.tanh %x
    %b = opc.mul %a, %y
    %s = opc.reduce_sum %b {{axes = [0], keepdims = true}}
    %c = opc.sub %b, %s
    %d = opc.add %a, %c
    func.return %d, %c : tensor<{n}x{m}x{t}>, tensor<{n}x{m}x{t}>
  }}""",
}
DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("shape", [(3, 5), (40, 333), (700, 1025)])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_bits_are_the_same(
    name: str, shape: tuple[int, int], type: str, fuse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(shape[1])
    x, y = (rng.standard_normal(shape).astype(DTYPES[type]) for _ in range(2))
    text = GRAPHS[name].format(n=shape[0], m=shape[1], t=type)
    f = opc.compile(text, fuse=fuse, threads=2)
    monkeypatch.setattr(plan_buffers, "written_over", lambda nests, parts, donated: {})
    g = opc.compile(text, fuse=fuse, cache=None)
    if not fuse:
        assert f.c_source != g.c_source
    for a, b in zip(results(f(x, y)), results(g(x, y)), strict=True):
        np.testing.assert_array_equal(a, b)


def results(value: np.ndarray | tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    return value if isinstance(value, tuple) else (value,)


def workspace(text: str) -> int:
    """Bytes of the workspace of a graph whose operators are compiled one by one."""
    header = opc.compile(text, fuse=False).header
    return int(header.split("_WORKSPACE_BYTES ")[1].split()[0])


def test_only_what_is_read_elsewhere_or_later_takes_memory() -> None:
    chain = """
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %a = opc.exp %x
    %b = opc.neg %a
    %r = opc.add %b, %LAST
    func.return %r : tensor<64x64xf32>
  }"""
    size = 64 * 64 * 4
    assert workspace(chain.replace("LAST", "x")) == 0
    assert workspace(chain.replace("LAST", "a")) == size
    # Beside it there is a tile, which a larger matrix has in the workspace, too.
    turned = """
  func.func @main(%x: tensor<64x32xf32>) -> tensor<32x64xf32> {
    %a = opc.exp %x
    %r = opc.transpose %a {permutation = [1, 0]}
    func.return %r : tensor<32x64xf32>
  }"""
    assert workspace(turned) == size // 2

"""Sums in registers are vectors in what gcc makes of them, whatever is around and is not known.

gcc 12 took loops around them for never executed once they were inlined where extents are symbols,
and functions whose indices have divisions are not to be vectorized: both multiplied value by value,
3 to 30 times as slow as the same layers with known extents.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opc.api.driver import Options, load, lower
from tests.unit.common.assembly import assembly

pytestmark = [pytest.mark.sample(3), pytest.mark.level("-O3")]

LAYER = """
    func.func @main(%x: tensor<?x{channels}x?x?xf32, #opc.dims<N, {channels}, H, W>>,
                    %w: tensor<{filters}x{channels}x3x3xf32>)
        -> tensor<?x{filters}x?x?xf32, #opc.dims<N, {filters}, {height}, {width}>> {{
      %0 = opc.conv %x, %w {{pads = [1, 1, 1, 1], strides = [{step}, {step}], groups = {groups}}}
      %1 = opc.relu %0
      func.return %1 : tensor<?x{filters}x?x?xf32, #opc.dims<N, {filters}, {height}, {width}>>
    }}"""
ATTENTION = """
    func.func @main(%q: tensor<?x12x?x64xf32, #opc.dims<B, 12, S, 64>>,
                    %k: tensor<?x12x64x?xf32, #opc.dims<B, 12, 64, T>>,
                    %v: tensor<?x12x?x64xf32, #opc.dims<B, 12, T, 64>>)
        -> tensor<?x12x?x64xf32, #opc.dims<B, 12, S, 64>> {
      %s = opc.matmul %q, %k
      %m = opc.reduce_max %s {axes = [3], keepdims = true}
      %d = opc.sub %s, %m
      %e = opc.exp %d
      %n = opc.reduce_sum %e {axes = [3], keepdims = true}
      %p = opc.div %e, %n
      %o = opc.matmul %p, %v
      func.return %o : tensor<?x12x?x64xf32, #opc.dims<B, 12, S, 64>>
    }"""
# Chains of more than 512 products are counted by one variable, of which kernel rows are a quotient.
HALF = {"height": "floordiv(H - 1, 2) + 1", "width": "floordiv(W - 1, 2) + 1", "step": 2}
SAME = {"height": "H", "width": "W", "step": 1}
GRAPHS = {
    "few channels": LAYER.format(channels=3, filters=16, groups=1, **HALF),
    "long chains": LAYER.format(channels=64, filters=64, groups=1, **SAME),
    "attention": ATTENTION,
}
BUILDS = {"avx2": "ymm", "avx512": "zmm"}


@pytest.mark.parametrize("target", BUILDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_multiply_adds_are_vectors(name: str, target: str, tmp_path: Path) -> None:
    made = lower(load(GRAPHS[name]), Options(target=target))
    text = assembly(made.c_source, target, tmp_path)
    found = re.findall(r"vfmadd\w+ss.*|vfmadd\w+ps.*", text)
    wide = [line for line in found if BUILDS[target] in line]
    assert wide
    if name == "attention":
        # Exponentials have some for rows that are shorter than a vector.
        assert 2 * len(wide) > len(found)
    else:
        assert wide == found


def test_each_has_a_function_of_its_own() -> None:
    c = lower(load(GRAPHS["few channels"]), Options(target="avx512")).c_source
    functions = re.findall(
        r"^(?:OPC\w+ )*static void \w+_loop\d+\(.*?^}", c, re.DOTALL | re.MULTILINE
    )
    with_sums = [f for f in functions if "opc_fma_f32v16(" in f]
    assert with_sums
    assert all(f.startswith("OPC_OWN_FRAME static void") for f in with_sums)


def test_quotients_of_extents_are_no_divisions_of_an_index() -> None:
    for name in ("attention", "long chains"):
        c = lower(load(GRAPHS[name]), Options(target="avx512")).c_source
        assert "OPC_AS_IT_STANDS" not in c, name


@pytest.mark.parametrize("channels", [16, 48])
def test_filters_of_one_channel_are_not_copied(channels: int) -> None:
    """However many rows there are, each has the same filter: it is read where it lies."""
    text = LAYER.format(channels=channels, filters=channels, groups=channels, **SAME)
    text = text.replace(f"<{channels}x{channels}x3x3xf32>", f"<{channels}x1x3x3xf32>")
    module = load(text)
    tree = lower(module, Options(target="avx512")).c_source
    # Once before the first result is done, and once behind.
    assert tree.count("fma_f32v16(&") == 2
    assert "buffer1" not in tree

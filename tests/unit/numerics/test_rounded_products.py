"""``products="rounded"`` is part of a function; emulated multiply-adds are exact."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import opc
from opc.api.driver import Options, lower
from opc.dialects import order
from opc.errors import UsageError
from opc.tools.cli import main

MATMUL = """
func.func @main(%x: tensor<9x600xf32>, %y: tensor<600x37xf32>) -> tensor<9x37xf32> {
  %p = opc.matmul %x, %y
  func.return %p : tensor<9x37xf32>
}
"""


def drawn(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def bits(x: np.ndarray) -> np.ndarray:
    return x.view(np.uint32)


def test_it_is_the_order_with_rounded_products() -> None:
    x, y = drawn(9, 600), drawn(600, 37, seed=2)
    expected = np.zeros((9, 37), np.float32)
    for start in (0, 512):
        block = np.zeros((9, 37), np.float32)
        for k in range(start, min(start + 512, 600)):
            block = x[:, k, None] * y[k] + block
        expected = expected + block
    for target in ("native", "baseline"):
        result = opc.compile(MATMUL, products="rounded", target=target)(x, y)
        assert (bits(result) == bits(expected)).all()
    chain = order.chain(x[:, None], y.T[None], is_rounded=True)
    assert (bits(chain) == bits(expected)).all()
    fused = opc.compile(MATMUL)(x, y)
    assert (bits(fused) != bits(expected)).any()
    assert (bits(fused) == bits(opc.compile(MATMUL, products="fused")(x, y))).all()


def test_a_function_says_so(tmp_path: Path) -> None:
    text = MATMUL.replace(") -> tensor<9x37xf32> {", """)
    -> tensor<9x37xf32> attributes {opc.products = "rounded"} {""")  # fmt: skip
    rounded, fused = lower(text), lower(MATMUL)
    assert rounded.interface.products == "rounded" and fused.interface.products == "fused"
    assert "#define MAIN_PRODUCTS_ROUNDED 1" in rounded.header
    assert 'products="rounded"' in " ".join(rounded.header.split())
    assert "PRODUCTS" not in fused.header
    assert "rounded_dot" in rounded.ir("kernels") and "rounded_dot" not in fused.ir("kernels")
    # What says otherwise is asked for.
    again = lower(text, Options(products="fused"))
    assert again.c_source == fused.c_source
    function = opc.compile(MATMUL, products="rounded")
    saved = opc.load(function.save(tmp_path))
    assert saved.products == function.products == "rounded"
    assert json.loads((tmp_path / "main.json").read_text("utf-8"))["products"] == "rounded"


def test_a_printed_stage_has_chosen() -> None:
    kernels = lower(MATMUL, products="rounded").ir("kernels")
    assert "opc_mul_add" in lower(kernels).c_source and "opc_fma" not in lower(kernels).c_source
    assert lower(kernels, products="rounded").interface.products == "rounded"
    with pytest.raises(UsageError, match="products: the module is at the stage"):
        lower(kernels, products="fused")


def test_other_words_are_refused() -> None:
    with pytest.raises(UsageError, match="products: found 'exact', expected 'fused' or 'rounded'"):
        Options(products="exact")


def test_integers_have_one_form() -> None:
    text = MATMUL.replace("f32", "i32")
    assert lower(text, products="rounded").c_source == lower(text).c_source


def test_verify_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.mlir").write_text(MATMUL, encoding="utf-8")
    assert main(["verify", str(tmp_path / "net.mlir"), "--products", "rounded"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("exponent", [0, -126])
def test_doubtful_sums_are_rounded_once(exponent: int) -> None:
    """A sum that f64 rounds to the middle between two numbers of f32, in some of four columns."""
    x, y = np.zeros((64, 40), np.float32), np.zeros((40, 64), np.float32)
    unit, odd = np.ldexp(1.0, exponent - 23), 2 * np.arange(64) + 1
    x[:, 17], y[17] = odd * unit if exponent else 1 + odd * unit, 1
    # (1 + e) (1 - e) is a little less than 1: half a unit but for 2^-46 of it.
    x[:, 18] = np.ldexp(1 + 2.0**-23, exponent // 2 - 12)
    y[18] = np.ldexp(1 - 2.0**-23, exponent // 2 - 12) * np.resize([1, -1, 0, 0, 1, 0], 64)
    text = MATMUL.replace("9x600", "64x40").replace("600x37", "40x64").replace("9x37", "64x64")
    expected = order.chain(x[:, None], y.T[None])
    function = opc.compile(text, target="baseline")
    assert "opc_fma_four(" in function.c_source
    assert (bits(function(x, y)) == bits(expected)).all()
    product = x[:, 18, None].astype(np.float64) * y[18]
    twice = (x[:, 17, None] + product).astype(np.float32)
    assert (bits(twice) != bits(expected)).any()

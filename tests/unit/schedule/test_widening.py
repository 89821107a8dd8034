"""Constants of 8 bits beside factors of 16 take a byte, and are widened where that costs less."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from opc.api.driver import lower
from tests.unit.common.assembly import assembly

pytestmark = pytest.mark.level("-O3")

TARGETS = ("baseline", "avx2", "avx512", "native")


def graph(kind: str, x: str, w: str, y: str, type: str = "i8", zero: int = 0) -> str:
    """A product of bytes, whose zero point is given, with constant bytes."""
    shape = [int(n) for n in w.split("x")]
    least = 0 if type == "ui8" else -127
    weights = np.random.default_rng(3).integers(least, least + 255, shape).tolist()
    left, right = "", ""
    for name, of in (("x", x), ("w", w)):
        own = type if name == "w" else "ui8"
        part = f"""
  %{name}i = opc.cast %{name} : tensor<{of}x{own}> -> tensor<{of}xi32>
  %{name}z = opc.cast %z{name} : tensor<{own}> -> tensor<i32>
  %{name}c = opc.sub %{name}i, %{name}z"""
        left, right = (part, right) if name == "x" else (left, part)
    pads = " {pads = [1, 1, 1, 1]}" if shape[-1] == 3 and kind == "conv" else ""
    return f"""
func.func @main(%x: tensor<{x}xui8>, %zx: tensor<ui8>) -> tensor<{y}xi32> {{
  %w = opc.constant dense<{weights}> : tensor<{w}x{type}>
  %zw = opc.constant dense<{zero}> : tensor<{type}>{left}{right}
  %y = opc.{kind} %xc, %wc{pads}
  func.return %y : tensor<{y}xi32>
}}"""


WINDOW = graph("conv", "1x32x28x28", "32x32x3x3", "1x32x28x28")
POINTWISE = graph("conv", "1x64x28x28", "128x64x1x1", "1x128x28x28")
GRAPHS = {
    "window": (WINDOW, 32 * 32 * 9),
    "pointwise": (POINTWISE, 64 * 128),
    "matrix": (graph("matmul", "40x96", "96x64", "40x64"), 96 * 64),
    "one row": (graph("matmul", "1x96", "96x64", "1x64"), 96 * 64),
    "unsigned": (graph("matmul", "40x96", "96x64", "40x64", "ui8", 121), 96 * 64),
    "centred": (graph("matmul", "40x96", "96x64", "40x64", "ui8", 128), 96 * 64),
    "one centred row": (graph("matmul", "1x96", "96x64", "1x64", "ui8", 128), 96 * 64),
}


@pytest.mark.parametrize("built", TARGETS)
@pytest.mark.parametrize("name", GRAPHS)
def test_weights_take_a_byte(name: str, built: str) -> None:
    """Beside sums of them, for zero points, where the target splits these."""
    text, count = GRAPHS[name]
    weights = lower(text, target=built, cache=None).weights
    assert weights is not None and count <= weights.nbytes <= count + 4 * 128


@pytest.mark.parametrize(
    "text, operand, built, packs",
    [
        (WINDOW, "right", "baseline", 2),
        (WINDOW, "right", "avx2", 2),
        (POINTWISE, "left", "baseline", 2),
        (POINTWISE, "left", "avx2", 2),
        (GRAPHS["matrix"][0], "right", "baseline", 2),
        (GRAPHS["matrix"][0], "right", "avx2", 2),
        (GRAPHS["one row"][0], "right", "baseline", 1),
        (GRAPHS["one row"][0], "right", "avx2", 1),
        # A panel of 768 x 24 bytes fits the first cache, and one in 16 bits does not.
        (graph("matmul", "128x768", "768x72", "128x72"), "right", "avx2", 1),
    ],
)
def test_widened_once_or_in_steps(text: str, operand: str, built: str, packs: int) -> None:
    """Before the tiles where several of them read a panel, or each row is widened by itself."""
    schedule = lower(text, target=built, cache=None).ir("schedule")
    assert len(re.findall(rf"schedule.pack {operand} by \d+ group 2", schedule)) == packs


@pytest.mark.parametrize("built", ["baseline", "avx2"])
@pytest.mark.parametrize("text", [WINDOW, POINTWISE], ids=["window", "pointwise"])
def test_steps_multiply_what_is_wide(text: str, built: str, tmp_path: Path) -> None:
    """The instructions of a step, or several: each product has an addition, and nothing widens."""
    lines = assembly(lower(text, target=built, cache=None).c_source, built, tmp_path)
    blocks = re.split(r"^(?:[.\w]+:|\tj\w+\s.*)$", lines, flags=re.MULTILINE)
    step = max(blocks, key=lambda block: block.count("pmaddwd"))
    assert step.count("pmaddwd") >= 8 and step.count("paddd") == step.count("pmaddwd")
    assert not re.search(r"pmovsx|pmovzx|punpck|psraw", step)


@pytest.mark.parametrize("built", ["baseline", "avx2"])
def test_zero_points_of_data_stay_in_16_bits(built: str) -> None:
    """Sixteen bits hold the differences: an image keeps its padding, and no sums are needed."""
    text = lower(WINDOW, target=built, cache=None).ir("kernels")
    assert "else 0" in text and "opc.concat" not in text and "(sum)" not in text

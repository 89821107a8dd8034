"""``python -m benchmarks.torch_backend``: a table of small modules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.measure import Measurement

torch = pytest.importorskip("torch")

from benchmarks import torch_backend  # noqa: E402
from benchmarks.torch_modules import EXAMPLES  # noqa: E402


def test_a_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- torch -->\nold\n<!-- /torch -->\nafter\n")
    arguments = ["mlp", "--small", "--threads", "1", "--rounds", "1", "--systems", "opc,eager"]
    threads = torch.get_num_threads()
    try:
        assert torch_backend.main([*arguments, "--markdown", str(page)]) == 0
    finally:
        torch.set_num_threads(threads)
        torch._dynamo.config.allow_rnn = False
    text = page.read_text()
    assert text.startswith("before\n<!-- torch -->\n") and text.endswith("<!-- /torch -->\nafter\n")
    assert re.search(r"^\| mlp 1x12~? \| 1 \| [\d.e-]+ \| [\d.e-]+ \([\d.]+\) \|$", text, re.M)
    assert re.search(r"^\| geometric mean \| 1 \|  \| [\d.]+ of 1 \|$", text, re.M)
    assert "old" not in text


def test_ratios() -> None:
    rows = [Measurement(name, "f32", "1", "module", 1, 0, 0) for name in ("a", "b")]
    for row, seconds in zip(rows, (0.001, 0.004), strict=True):
        row.times = {"opc": 0.002, "eager": seconds}
    table = torch_backend.markdown(rows, ["opc", "eager"])
    assert "| a 1 | 1 | 2 | 1 (0.50) |" in table and "| b 1 | 1 | 2 | 4 (2.00) |" in table
    assert "| geometric mean | 1 |  | 1.00 of 2 |" in table


@pytest.mark.parametrize("name", EXAMPLES)
def test_modules_are_the_same_every_time(name: str) -> None:
    """Weights and inputs come of seeds."""
    example = EXAMPLES[name]
    states = [example.build(small=True).state_dict() for _ in range(2)]
    assert states[0].keys() == states[1].keys()
    assert all(torch.equal(value, states[1][key]) for key, value in states[0].items())
    inputs = [example.example(small=True) for _ in range(2)]
    assert all(map(torch.equal, *inputs))

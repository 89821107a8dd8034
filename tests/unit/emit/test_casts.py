"""Casts of floats to integers for which there are no vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from opc.api.driver import lower
from tests.unit.common.assembly import assembly


@pytest.mark.parametrize(("type", "choice"), [("f32", "vblendvps"), ("f64", "vblendvpd")])
def test_small_numbers_take_no_jump(type: str, choice: str, tmp_path: Path) -> None:
    x, y = f"tensor<4096x{type}>", "tensor<4096xi64>"
    graph = f"""
func.func @main(%x: {x}) -> {y} {{
  %y = opc.cast %x : {x} -> {y}
  func.return %y : {y}
}}"""
    code = assembly(lower(graph, target="avx2", cache=None).c_source, "avx2", tmp_path, "gcc -O3")
    assert choice in code

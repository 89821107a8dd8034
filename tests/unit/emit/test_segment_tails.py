"""The tail of a segment: read under masks where a processor has masked loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from opc.api.driver import lower
from tests.unit.common.assembly import assembly


@pytest.mark.parametrize(("type", "load"), [("f32", "vmaskmovps"), ("f64", "vmaskmovpd")])
def test_avx2_reads_a_tail_by_masked_loads(type: str, load: str, tmp_path: Path) -> None:
    # A row of 49 values is no whole number of its 64 lanes.
    x, y = f"tensor<588x49x{type}>", f"tensor<588x{type}>"
    graph = f"""
func.func @main(%x: {x}) -> {y} {{
  %y = opc.reduce_sum %x {{axes = [1]}} : {x} -> {y}
  func.return %y : {y}
}}"""
    code = assembly(lower(graph, target="avx2", cache=None).c_source, "avx2", tmp_path, "gcc -O3")
    assert load in code
    assert "memcpy" not in code

"""A vector that a tile of few rows reads is loaded once, not again for each row."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opc.api.driver import Options, lower
from opc.emit.workarounds.kept_vectors import KEPT

LAYER = """
func.func @main(%x: tensor<1x8x98x98xf32>, %w: tensor<FILTERSx8x3x3xf32>)
    -> tensor<1xFILTERSx96x96xf32> {
  %r = opc.conv %x, %w
  func.return %r : tensor<1xFILTERSx96x96xf32>
}"""
TILE = """
#include <string.h>
typedef float vector __attribute__((vector_size(64)));
static inline void fma(vector *sum, float a, const float *b) {
  const vector zero = {0};
  vector v;
  memcpy(&v, b, sizeof v);
KEPT
  *sum = __builtin_ia32_vfmaddps512_mask(a - zero, v, *sum, -1, 4);
}
void tile(const float *a, const float *b, float *out, long count) {
  vector sums[24] = {{0}};
  for (long i = 0; i < count; ++i) {
#pragma GCC unroll 8
    for (int k = 0; k < 4; ++k) {
#pragma GCC unroll 8
      for (int l = 0; l < 6; ++l) {
        fma(&sums[k * 6 + l], a[i * 4 + k], b + i * 99 + l * 16);
      }
    }
  }
  memcpy(out, sums, sizeof sums);
}
"""


@pytest.mark.skipif(
    platform.machine() != "x86_64" or shutil.which("gcc") is None, reason="gcc for x86"
)
def test_an_empty_statement_keeps_a_vector(tmp_path: Path) -> None:
    """Six loads for four rows; without the statement gcc 12 has 24 operands in memory."""
    (tmp_path / "tile.c").write_text(TILE.replace("KEPT", KEPT), encoding="utf-8")
    command = ["gcc", "-std=c99", "-O3", "-w", "-mavx512f", "-mtune=znver3", "-S", "-o", "-"]
    run = subprocess.run([*command, "tile.c"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert len(re.findall(r"\bvfmadd\d+ps\b", run.stdout)) == 24
    assert not re.findall(r"\bvfmadd\d+ps\s+[-\w]*\(", run.stdout)


@pytest.mark.parametrize(("filters", "is_kept"), [(3, True), (64, False)])
def test_tiles_of_two_to_four_rows_keep_vectors(filters: int, is_kept: bool) -> None:
    text = LAYER.replace("FILTERS", str(filters))
    source = lower(text, Options(target="avx512", threads=1)).emitted.source
    assert ("opc_kept_fma_f32v16(&" in source) == is_kept
    assert ("opc_fma_f32v16(&" in source) != is_kept

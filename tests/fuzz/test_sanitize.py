"""The short form of the sanitizers, and that they see what is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opc.api.driver import load

from .graph import Graph
from .sanitize import EXAMPLES, TOOLS, Batch, batch, case, examples
from .test_fuzz import SEED

pytestmark = pytest.mark.sanitize

GRAPHS = 8

CHAIN = """
func.func @main(%x: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %0 = opc.matmul %x, %x
  %1 = opc.matmul %0, %x
  %2 = opc.neg %x
  func.return %1, %2 : tensor<7x7xf32>, tensor<7x7xf32>
}"""

PLANTED = (
    ("address", r"(buffer0\[[^]]*)\] = row", r"\1 + 1] = row", 2, "use-after-poison"),
    ("address", r"(i\d+) < 49;", r"\1 < 50;", 1, "heap-buffer-overflow"),
    ("address", r"= -(in0\[\w+\])", r"= (float)(int)(\1 * 1e30f)", 1, "is outside the range"),
    ("memory", r"(buffer0\[[^]]*)\] = row", r"\1 + 1] = row", 2, "use-of-uninitialized-value"),
    ("memory", r"(i\d+) < 49;", r"\1 < 48;", 1, "use-of-uninitialized-value"),
)
"""A tool, a pattern in the C of the chain, what that becomes, in how many places, and what is
reported then.  Whole tiles and partial ones store in two."""


def need(tool: str) -> None:
    if not TOOLS[tool].is_there:
        pytest.skip(f"{TOOLS[tool].argv[0]} has no such sanitizer here")


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_reported(tool: str) -> None:
    need(tool)
    small = [path for path in EXAMPLES if path.stem == "log_sum_exp"]
    for report in (examples(tool, small), batch(tool, SEED, range(GRAPHS))):
        assert not report.found, "\n\n".join(report.found)
        assert report.calls > report.refused


@pytest.mark.parametrize(("tool", "old", "new", "places", "what"), PLANTED)
def test_planted_faults_are_reported(
    tool: str, old: str, new: str, places: int, what: str, tmp_path: Path
) -> None:
    need(tool)
    inputs = [np.arange(1, 50, dtype=np.float32).reshape(7, 7)]
    sound = case("g0", Graph("a chain", load(CHAIN), inputs), "baseline")
    source, count = re.subn(old, new, sound.emitted.source)
    assert count == places
    wrong = replace(sound, emitted=replace(sound.emitted, source=source))
    (found,) = Batch(tmp_path, TOOLS[tool], [wrong], "baseline").run().found
    assert what in found

"""The C and the schedules of contractions that the documentation shows are what is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import opc
from opc.__main__ import main
from tests.unit.common import ROOT

PAGE = (ROOT / "docs/contractions.md").read_text(encoding="utf-8")
SECTIONS = [section for section in PAGE.split("\n## ") if "```c" in section]


def test_there_are_three() -> None:
    assert len(SECTIONS) == 3
    assert PAGE.count("```c\n") == 4


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.partition("\n")[0])
def test_shown_c_is_written(section: str) -> None:
    (graph,) = re.findall(r"```mlir\n(.*?)```", section, re.DOTALL)
    written = opc.lower(graph, target="avx512").c_source
    for shown in re.findall(r"```c\n(.*?)```", section, re.DOTALL):
        # Of the function as a whole, and of some of its loops.
        assert shown in written


def test_shown_band_is_formed(tmp_path: Path) -> None:
    (section,) = (s for s in PAGE.split("\n## ") if s.startswith("Attention"))
    (graph,) = re.findall(r"```mlir\n(.*?)```", section, re.DOTALL)
    (shown,) = re.findall(r"```\n(schedule.*?)```", section, re.DOTALL)
    (tmp_path / "graph.mlir").write_text(graph, encoding="utf-8")
    arguments = ["compile", str(tmp_path / "graph.mlir"), "--target", "avx512"]
    assert main([*arguments, "--emit", "schedule", "-o", str(tmp_path)]) == 0
    (written,) = tmp_path.glob("*.schedule.mlir")
    lines = [line.strip() for line in written.read_text(encoding="utf-8").split("\n")]
    at = [lines.index(line.strip()) for line in shown.strip().split("\n")]
    assert at == sorted(at)

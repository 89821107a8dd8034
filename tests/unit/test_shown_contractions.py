"""The C of matrix products and convolutions that the documentation shows is what is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import opc

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/contractions.md").read_text(encoding="utf-8")
SECTIONS = [section for section in PAGE.split("\n## ") if "```c" in section]


def test_there_are_two() -> None:
    assert len(SECTIONS) == 2
    assert PAGE.count("```c\n") == 3


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.partition("\n")[0])
def test_shown_c_is_written(section: str) -> None:
    example = re.search(r"\(\.\./(examples/\w+\.mlir)\)", section)
    assert example is not None
    written = opc.lower(ROOT / example[1], target="avx512").c_source
    for shown in re.findall(r"```c\n(.*?)```", section, re.DOTALL):
        # Of the function as a whole, and of some of its loops.
        assert shown in written

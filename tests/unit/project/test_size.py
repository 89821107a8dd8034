"""``python -m tests.size`` counts lines and bytes of C, beside those of a revision."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

import opc
from tests import size
from tests.unit.common import ROOT


def test_lines_are_those_of_the_files(tmp_path: Path) -> None:
    for name, count in {
        "compiler/a.py": 2,
        "compiler/emit/b/c.py": 3,
        "dialects/opc/d.py": 5,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n" * count)
    (tmp_path / "compiler/dialects").symlink_to(tmp_path / "dialects")
    (tmp_path / "compiler/emit/pool.c").write_text("int x;\n")
    assert size.lines_by_room(tmp_path) == {"compiler": 2, "compiler/emit": 3, "dialects": 5}


def test_lines_of_this_tree() -> None:
    lines = size.lines_by_room(ROOT)
    rooms = {p.name for p in (ROOT / "compiler").iterdir() if any(p.rglob("*.py"))}
    assert set(lines) >= {f"compiler/{r}" for r in rooms - {"dialects", "__pycache__"}}
    command = ["git", "ls-files", "dialects/*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        texts = [(ROOT / name).read_bytes() for name in listed.stdout.split()]
        assert lines["dialects"] >= sum(len(text.splitlines()) for text in texts) > 1000


def test_bytes_are_those_of_the_c() -> None:
    graphs = {"centre": size.GRAPHS["centre"]}
    lowered = opc.lower(graphs["centre"], target="avx2", cache=None)
    assert size.bytes_of_c(ROOT, graphs) == {"centre": len(lowered.c_source.encode())}


def test_graphs_are_ten() -> None:
    assert len(size.GRAPHS) == 10


def test_table() -> None:
    text = size.table("lines", Counter(a=1200, b=1), Counter(a=1000, c=7))
    assert [line.split() for line in text.splitlines()] == [
        ["lines", "now", "before", "change"],
        ["a", "1,200", "1,000", "+200"],
        ["b", "1", "0", "+1"],
        ["c", "0", "7", "-7"],
        ["all", "1,201", "1,007", "+194"],
    ]


def test_a_revision_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        size.main(["no-such-revision", "--lines"])
    assert ended.value.code == 2
    assert "no-such-revision" in capsys.readouterr().err or not (ROOT / ".git").exists()

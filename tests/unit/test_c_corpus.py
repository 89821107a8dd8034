"""Two revisions of the C of a corpus are compared up to names and comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.c_corpus import compare, verdict

TEXT = "/* sub #0 */\nfor (int64_t i0 = 0; i0 < n0; ++i0) {\n  out0[i0] = in0[i0] - 1.0f;\n}\n"


@pytest.mark.parametrize(
    "after, expected",
    [
        (TEXT, "same"),
        (TEXT.replace("i0", "row0").replace("sub #0", "sub"), "renamed"),
        (TEXT.replace("i0 = 0", "i1 = 0"), "differs"),
        (TEXT.replace("out0[", "in0["), "differs"),
        (TEXT.replace("1.0f", "2.0f"), "differs"),
        (TEXT.replace("-", "+"), "differs"),
        (TEXT + ";", "differs"),
    ],
)
def test_verdict(after: str, expected: str) -> None:
    assert verdict(TEXT, after) == expected


def test_folders(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        (folder / "a.c").write_text(TEXT)
    lines: list[str] = []
    assert compare(before, after, lines.append)
    (before / "b.c").write_text(TEXT)
    assert not compare(before, after, lines.append)
    assert lines == [
        "1 same, 0 renamed, 0 differs, 0 missing",
        "b.c: missing",
        "1 same, 0 renamed, 0 differs, 1 missing",
    ]
    assert not compare(tmp_path / "none", tmp_path / "none", lines.append)

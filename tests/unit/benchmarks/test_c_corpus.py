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


def test_macros_of_the_prefix() -> None:
    """They are sorted by name, so that a rename moves them."""
    macros = "#define opc_a f_opc_a\n#define opc_z f_opc_z\n{}#undef opc_a\n#undef opc_z\n"
    before = macros.format("opc_a(opc_z);\n")
    moved = "#define opc_b f_opc_b\n#define opc_c f_opc_c\n{}#undef opc_b\n#undef opc_c\n"
    assert verdict(before, moved.format("opc_c(opc_b);\n")) == "renamed"
    assert verdict(before, moved.format("opc_c(opc_c);\n")) == "differs"
    assert verdict(before, before.replace("#undef opc_z\n", "")) == "differs"

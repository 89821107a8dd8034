"""Tests lie in a folder of the same name as the package that they test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

OTHERS = frozenset({"common", "networks", "numerics", "project"})
"""Rooms of tests of no package; CONTRIBUTING.md says what each is for."""


def misplaced(root: Path) -> list[str]:
    """The files of tests outside of rooms."""
    tests = root / "tests/unit"
    paths = [p.relative_to(tests) for p in tests.rglob("*.py") if p.name != "__init__.py"]

    def has_room(path: Path) -> bool:
        room = path.parent
        files = (root / package / room / "__init__.py" for package in ("compiler", "."))
        return room != Path() and (str(room) in OTHERS or any(file.exists() for file in files))

    return sorted(path.as_posix() for path in paths if not has_room(path))


def test_every_test_has_a_room() -> None:
    assert misplaced(ROOT) == []


def test_common_has_no_tests() -> None:
    assert not [*(ROOT / "tests/unit/common").glob("test_*.py")]


def test_rooms_are_on_the_page() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert all(f"`{room}`" in text for room in OTHERS)


def test_files_without_a_room_are_found(tmp_path: Path) -> None:
    names = (
        "test_a.py",
        "nowhere/test_b.py",
        "emit/test_c.py",
        "dialects/test_d.py",
        "project/e.py",
    )
    sources = ("__init__.py", "compiler/emit/__init__.py", "dialects/__init__.py")
    for name in (*(f"tests/unit/{name}" for name in names), *sources):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert misplaced(tmp_path) == ["nowhere/test_b.py", "test_a.py"]

"""Words that the glossary replaced do not come back."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

FILES = sorted(p for room in ("compiler", "dialects") for p in (ROOT / room).rglob("*.py"))

GONE = {
    "band": "tile fusion",
    "bands": "tile fusions",
    "dear": "expensive",
    "late": "data-dependent",
    "skew": "rotation",
    "skewed": "rotating",
    "strip": "staging buffer",
    "strips": "staging buffers",
}
"""A part of an identifier, and the word of docs/glossary.md that stands in its place."""

OTHERS = {
    # Operators have these words in their specifications: bands of a matrix.
    ("compiler/frontend/", "band"),
    # A method of strings.
    ("", ".strip"),
    # English: what is computed later than other values.
    ("compiler/loops/contraction.py", "late"),
    ("compiler/loops/fission.py", "late"),
    ("compiler/loops/split_loops.py", "late"),
    ("compiler/schedule/contraction.py", "late"),
    ("compiler/emit/wrapping.py", "late"),
}
"""Where such a word has another meaning: the beginning of a path, and the word."""

KEYWORDS = (
    "schedule.band",
    "schedule.stream",
    "loop.stream",
    "opc.late_extent",
    "form-bands",
    "lower-bands",
    "convert-strips",
    "OPC_PAST",
)
"""Names in IR text, of passes and in emitted C that have others now."""

NAMELESS = {"found", "given", "made", "listed", "whole", "each"}
"""Names of variables that do not say what these hold."""


def identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of each identifier; attributes of strings begin with a dot."""
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME:
            is_method = before == "." and token.string == "strip"
            yield token.start[0], "." + token.string if is_method else token.string
        before = token.string


def parts(name: str) -> list[str]:
    """``check_BandTiles`` --> check, band, tiles."""
    return [name] if name[0] == "." else re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)


def allowed(path: str, word: str) -> bool:
    return any(path.startswith(start) and word == other for start, other in OTHERS)


def test_identifiers() -> None:
    wrong: list[str] = []
    for path in FILES:
        name = path.relative_to(ROOT).as_posix()
        for line, identifier in identifiers(path):
            for word in (part.lower() for part in parts(identifier)):
                if word in GONE and not allowed(name, word):
                    wrong.append(f"{name}:{line}: {identifier}: say {GONE[word]}")
    assert not wrong, "\n".join(wrong)


def test_parts_of_identifiers() -> None:
    assert parts("check_BandTiles") == ["check", "Band", "Tiles"]
    assert parts("LATE_extent2") == ["LATE", "extent"]


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_keywords(keyword: str) -> None:
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "tests/lit").rglob("*.mlir")]
    wrong = [
        str(p)
        for p in [*FILES, *pages]
        if re.search(rf"{re.escape(keyword)}(?![\w(-])", p.read_text())
    ]
    assert not wrong


def assigned(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of each variable and parameter of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def test_variables() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name} does not say what it holds"
        for path in FILES
        for line, name in assigned(path)
        if name in NAMELESS
    ]
    assert not wrong, "\n".join(wrong)


def test_the_glossary_has_each_word_once_and_in_order() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| ([^|]+) \|", text.partition("|---|")[2], re.MULTILINE)
    assert len(words) > 100
    assert words == sorted(set(words), key=lambda word: word.lower().replace("_", " "))

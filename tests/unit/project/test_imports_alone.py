"""Every module can be the first one of the package that a program imports.

Only in a circle of imports does it matter which of its modules comes first, and there is none.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import opc
import opc.dialects


def _files() -> dict[str, Path]:
    """The file of each module."""
    found: dict[str, Path] = {}
    for package in (opc, opc.dialects):
        root = Path(package.__path__[0]).resolve()
        for path in root.rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join([package.__name__, *(p for p in parts if p != "__init__")])] = path
    return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when a module is loaded: not those of functions, nor those of types."""
    for statement in body:
        match statement:
            case ast.Import() | ast.ImportFrom():
                yield statement
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from _statements(statement.orelse)
            case ast.If():
                yield from _statements([*statement.body, *statement.orelse])
            case ast.Try():
                yield from _statements([*statement.body, *statement.orelse])
            case ast.ClassDef():
                yield from _statements(statement.body)
            case _:
                pass


def _around(name: str) -> set[str]:
    """A module and the packages that it is in, which are loaded before it."""
    parts = name.split(".")
    return {".".join(parts[: k + 1]) for k in range(len(parts))}


def _imported(
    name: str, is_package: bool, statements: Iterable[ast.AST], known: Container[str]
) -> set[str]:
    """The modules that these statements of a module import."""
    imported: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Import):
            imported.update(alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            base = statement.module or ""
            if statement.level:
                up = name.split(".")[: len(name.split(".")) - statement.level + is_package]
                base = ".".join([*up, *([base] if base else [])])
            for alias in statement.names:
                part = f"{base}.{alias.name}"
                imported.add(part if part in known else base)
    return imported


def _loaded(name: str, is_package: bool, text: str, known: set[str]) -> set[str]:
    """What a module must have loaded before its own text has run."""
    imported = _imported(name, is_package, _statements(ast.parse(text).body), known)
    return set().union(*map(_around, imported)) & known - _around(name)


def _in_circles(texts: dict[str, tuple[bool, str]], rooms: tuple[str, ...]) -> list[str]:
    """The modules below these packages that import themselves, by way of others.

    Imports of functions and those for types count, too.
    """
    graph = {n: _imported(n, p, ast.walk(ast.parse(text)), texts) for n, (p, text) in texts.items()}

    def reached(name: str) -> set[str]:
        seen, left = set[str](), [name]
        while left:
            new = graph.get(left.pop(), set()) - seen
            seen |= new
            left += new
        return seen

    return [n for n in texts if f"{n}.".startswith(rooms) and n in reached(n)]


def _order(texts: dict[str, tuple[bool, str]]) -> list[str]:
    """An order in which modules can be loaded; CycleError if there is none."""
    graph = {n: _loaded(n, p, text, set(texts)) for n, (p, text) in texts.items()}
    return list(TopologicalSorter(graph).static_order())


def _texts() -> dict[str, tuple[bool, str]]:
    return {
        name: (path.name == "__init__.py", path.read_text(encoding="utf-8"))
        for name, path in _files().items()
    }


def test_imports_have_no_circle() -> None:
    texts = _texts()
    assert {"opc", "opc.frontend.models.bodies", "opc.dialects.opc.base"} <= set(texts)
    assert len(_order(texts)) == len(texts)


def test_circles_are_found() -> None:
    """One between two modules, and one through what a package loads."""
    package = (True, "from . import b\n")
    texts = {"p": (True, ""), "p.q": package, "p.q.b": (False, "import p.a"), "p.a": (False, "")}
    assert _order(texts).index("p.a") < _order(texts).index("p.q.b")
    for text in (
        "from p.q import b",
        "from .q.c import x",
        "import p.q.b as b",
        "if x:\n  import p.q.b",
    ):
        with pytest.raises(CycleError):
            _order({**texts, "p.a": (False, text)})
    for text in ("def f():\n  import p.q.b", "if TYPE_CHECKING:\n  import p.q.b"):
        assert _order({**texts, "p.a": (False, text)})


ROOMS = (
    *("api", "emit", "frontend.python", "graph", "kernels", "numpy", "oracle", "runtime"),
    *("schedule", "support", "tools", "tune"),
)
"""Rooms without any circle, neither in functions nor for types."""


def test_rooms_have_no_circle_of_any_kind() -> None:
    assert _in_circles(_texts(), tuple(f"opc.{room}." for room in ROOMS)) == []


def test_circles_of_any_kind_are_found() -> None:
    """One for types, also by way of another package; and one in a function."""
    texts = {"p.a": (False, "from . import b"), "p.b": (False, ""), "q": (False, "")}
    assert _in_circles(texts, ("p.",)) == []
    for text in ("if TYPE_CHECKING:\n  from .a import x", "def f():\n  import p.a"):
        assert _in_circles({**texts, "p.b": (False, text)}, ("p.",)) == ["p.a", "p.b"]
        assert _in_circles({**texts, "p.b": (False, text)}, ("q.",)) == []
    far = {"p.b": (False, "import q"), "q": (False, "def f():\n  import p.a")}
    assert _in_circles(texts | far, ("p.",)) == ["p.a", "p.b"]

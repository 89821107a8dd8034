"""Libraries of several C texts: objects side by side, kept by their text."""

from __future__ import annotations

import ctypes
import threading
import time
from pathlib import Path

import pytest

from opc.errors import ToolchainError
from opc.runtime import cache as caching
from opc.runtime import objects, toolchain
from opc.runtime.toolchain import find_compiler

MAIN = "int f0(int), f1(int); int run(int x) { return f0(x) + f1(x); }\n"
PARTS = tuple(
    f'__attribute__((visibility("hidden"))) int f{k}(int x) {{ return x * {k + 2}; }}\n'
    for k in range(2)
)
WHOLE = "".join((*PARTS, MAIN))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that a C compiler was run on."""
    texts: list[str] = []

    def translate(compiler: object, text: str, *args: object, **keywords: object) -> bytes:
        texts.append(text)
        return toolchain.translate(compiler, text, *args, **keywords)  # pyright: ignore

    monkeypatch.setattr(objects, "translate", translate)
    return texts


def build(folder: Path | None, units: tuple[str, ...] = (MAIN, *PARTS)) -> ctypes.CDLL:
    path = caching.build("".join(units), target="baseline", cache=folder, units=units)
    return ctypes.CDLL(str(path))


def test_only_what_has_changed_is_compiled(tmp_path: Path, compiled: list[str]) -> None:
    assert build(tmp_path).run(10) == 50
    assert sorted(compiled) == sorted((MAIN, *PARTS))
    compiled.clear()
    changed = PARTS[1].replace("* 3", "* 4")
    assert build(tmp_path, (MAIN, PARTS[0], changed)).run(10) == 60
    assert compiled == [changed]
    compiled.clear()
    assert build(tmp_path).run(10) == 50
    assert not compiled


def test_without_a_cache(compiled: list[str]) -> None:
    assert build(None).run(10) == 50
    assert len(compiled) == 3


def test_a_damaged_object_is_built_again(tmp_path: Path, compiled: list[str]) -> None:
    build(tmp_path)
    for library in tmp_path.glob("*.so"):
        library.unlink()
    damaged = sorted(tmp_path.glob("*.o"))[0]
    damaged.write_bytes(damaged.read_bytes()[:-200] + bytes(200))
    compiled.clear()
    assert build(tmp_path).run(10) == 50
    assert len(compiled) == 1


def test_hidden_names_are_no_part_of_the_library(tmp_path: Path) -> None:
    library = build(tmp_path)
    with pytest.raises(AttributeError):
        library.f0  # noqa: B018 # looks the name up


def test_the_first_error_is_raised_and_stops_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that runs for a minute does not hold it up; what was done is kept."""
    # Two compilers run at once, also where there is one processor.
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    slow = tmp_path / "cc"
    slow.write_text('#!/bin/sh\ngrep -q SLOW kernel.c 2>/dev/null && sleep 60\nexec cc "$@"\n')
    slow.chmod(0o755)
    start = time.perf_counter()
    units = (MAIN, "int SLOW;\n" + " " * 9000, "an error;\n" + " " * 5000)
    with pytest.raises(ToolchainError, match="error"):
        caching.build("", cc=str(slow), target="baseline", cache=tmp_path / "c", units=units)
    assert time.perf_counter() - start < 30
    assert threading.active_count() < 20


def test_a_compiler_that_cannot_link_objects_takes_the_whole_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: list[str]
) -> None:
    monkeypatch.setattr(objects, "can_link", lambda compiler: False)
    path = caching.build(WHOLE, target="baseline", cache=tmp_path, units=(MAIN, *PARTS))
    assert ctypes.CDLL(str(path)).run(10) == 50
    assert not compiled and not list(tmp_path.glob("*.o"))


def test_who_can_link() -> None:
    assert objects.can_link(find_compiler())
    for version, triple in (("tcc 0.9", "x86_64-linux"), ("clang 14", "arm64-apple-darwin")):
        assert not objects.can_link(toolchain.Compiler(("cc",), "cc", version, triple))


def test_objects_count_for_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPC_CACHE_LIMIT", "100000")
    monkeypatch.setattr(caching.limits, "YOUNG", 0.0)
    for k in range(40):
        build(tmp_path, (MAIN, PARTS[0], PARTS[1].replace("* 3", f"* {k + 4}")))
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < 200000

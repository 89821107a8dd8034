"""C text that is kept in the cache: what is found again, and what is not."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import opc
from opc.api import compile_cache
from opc.errors import InputError, UsageError

TEXT = """
func.func @f(%x: tensor<?x40xf32>, %n: tensor<i1>) -> (tensor<?x40xf32>, tensor<40xbf16>) {
  %w = opc.constant dense<WEIGHT> : tensor<40x40xf32>
  %t = opc.tanh %w
  %a = opc.reduce_sum %t {axes = [0]}
  %c = opc.cast %a : tensor<40xf32> -> tensor<40xbf16>
  %y = opc.add %x, %a
  %z = opc.where %n, %y, %x
  return %z, %c : tensor<?x40xf32>, tensor<40xbf16>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = opc.neg %x
  return %y : tensor<4xf32>
}"""


def test_the_same_function_comes_back(tmp_path: Path, lowered: list[None]) -> None:
    # More values than the C text holds, so they are a block of their own.
    values = (np.arange(1600) / 7).reshape(40, 40).tolist()
    text = TEXT.replace("WEIGHT", str(values))
    first = opc.compile(text, function="f", cache=tmp_path)
    again = opc.compile(text, function="f", cache=tmp_path)
    assert len(lowered) == 1
    assert first.lowered.weights is not None
    assert again.c_source == first.c_source
    assert again.header == first.header
    assert again.interface == first.interface
    assert again.library == first.library
    for spec, other in zip(
        (*again.inputs, *again.outputs), (*first.inputs, *first.outputs), strict=True
    ):
        assert spec.dtype is other.dtype
    for stage in ("source", "graph", "loops"):
        assert again.ir(stage) == first.ir(stage)
    x = np.random.default_rng(0).standard_normal((3, 40)).astype(np.float32)
    for found, expected in zip(again(x, np.True_), first(x, np.True_), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_what_it_depends_on(
    tmp_path: Path, lowered: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TEXT.replace("WEIGHT", "2.0")

    def lowerings(graph: Any = text, **options: Any) -> int:
        before = len(lowered)
        opc.compile(graph, **{"function": "g", "cache": tmp_path} | options)
        return len(lowered) - before

    assert lowerings() == 1
    assert lowerings() == 0
    # The schedule depends on what the target can do; the workspace has a part for each thread.
    for options in (
        *({"function": "f"}, {"prefix": "other"}, {"fuse": False}),
        *({"target": "baseline"}, {"threads": 2}, {"budgets": {"nodes": 1000}}),
    ):
        assert lowerings(**options) == 1
        assert lowerings(**options) == 0
    assert lowerings(text + "\n") == 1
    assert lowerings(cache=None) == 1
    assert lowerings(verify_each=True) == 1
    file = tmp_path / "graph.mlir"
    file.write_text(text, encoding="utf-8")
    assert lowerings(file) == lowerings(str(file)) == 0
    file.write_text(text.replace("neg", "abs"), encoding="utf-8")
    assert lowerings(file) == 1
    monkeypatch.setattr(compile_cache, "IDENTITY", "another version")
    assert lowerings() == 1


def test_damaged_entries_are_made_again(tmp_path: Path, lowered: list[None]) -> None:
    text = TEXT.replace("WEIGHT", "2.0")
    first = opc.compile(text, function="f", cache=tmp_path)
    (entry,) = tmp_path.glob("*.c.json")
    content = entry.read_bytes()
    for damaged in (b"", content[:-1], content.replace(b"40", b"41", 1)):
        entry.write_bytes(damaged)
        before = len(lowered)
        assert opc.compile(text, function="f", cache=tmp_path).c_source == first.c_source
        assert len(lowered) == before + 1
        assert entry.read_bytes() == content


def test_mistakes_are_found_again(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="unknown operation"):
            opc.compile("func.func @f() { opc.nothing }", cache=tmp_path)
    assert not list(tmp_path.glob("*.c.json"))


def test_opc_itself_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of both packages and the libraries, so that a changed pass or operator is seen."""
    identity = compile_cache._identity  # pyright: ignore[reportPrivateUsage]
    assert identity() == compile_cache.IDENTITY
    status = os.stat
    changed = [""]

    def newer(path: Any) -> Any:
        found = status(path)
        size = found.st_size + (Path(path).name in changed)
        return SimpleNamespace(st_size=size, st_mtime_ns=found.st_mtime_ns)

    monkeypatch.setattr(compile_cache.os, "stat", newer)
    assert identity() == compile_cache.IDENTITY
    for name in ("decompose.py", "exp_log.c", "element.py"):
        changed[0] = name
        assert identity() != compile_cache.IDENTITY
    changed[0] = ""
    monkeypatch.setattr(np, "__version__", "0")
    assert identity() != compile_cache.IDENTITY


def test_the_folder_stays_within_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where graphs differ in their weights alone, and no library is built."""
    monkeypatch.setenv("OPC_CACHE_LIMIT", "200000")
    monkeypatch.setattr("opc.runtime.limits.YOUNG", 0)
    for k in range(30):
        values = (np.arange(1600) / 7 + k).reshape(40, 40).tolist()
        opc.compile(TEXT.replace("WEIGHT", str(values)), function="f", cache=tmp_path)
        assert sum(f.stat().st_size for f in tmp_path.iterdir()) <= 200000
    assert len(list(tmp_path.glob("*.c.json"))) > 3


def test_names_of_another_type(tmp_path: Path) -> None:
    name: Any = b"f"
    with pytest.raises(UsageError, match="no function b'f'"):
        opc.compile(TEXT.replace("WEIGHT", "2.0"), function=name, cache=tmp_path)


OPTIONS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"cache": 3}, "cache: found 3, expected the path of a folder or None"),
    ({"stem": 3}, "stem: found 3, expected text"),
    ({"report": 3}, "report: found 3, expected a function or None"),
    ({"verify_each": 1}, "verify_each: found 1, expected True or False"),
    ({"fuse": 3}, "fuse: found 3, expected True or False"),
    ({"cache": ""}, "cache: found '', expected"),
    ({"cache": b"a"}, "cache: found b'a', expected"),
    ({"threads": 0}, "threads: found 0, expected a number from 1 to 4096"),
    ({"threads": 1_000_000_000}, "threads: found 1000000000, expected a number from 1"),
    ({"threads": True}, "threads: found True"),
    ({"threads": 1.0}, "threads: found 1.0"),
    ({"cc": 3}, "cc: found 3, expected text"),
    ({"options": 3}, "options: found 3, expected opc.Options"),
    ({"colour": 3}, "unknown option colour"),
)
"""Options that make no sense, and what the message says."""


@pytest.mark.parametrize("options, message", OPTIONS)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        opc.compile(TEXT, **options)


def test_options_are_checked_where_they_are_made() -> None:
    with pytest.raises(UsageError, match="threads: found 5000"):
        opc.Options(threads=5000)

"""The C compiler runs while weights are packed, and is killed if that fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")

from onnx import numpy_helper

import opc
from opc.emit.weights import Weights
from opc.errors import InputError, ToolchainError
from opc.runtime import cache as caching
from tests.unit.common.onnx_models import info, model, node


def product(size: int) -> Any:
    """A product of a matrix of weights; from 512 on these are packed beside the C compiler."""
    weights = np.linspace(-1, 1, size * size, dtype=np.float32).reshape(size, size)
    return model(
        node("MatMul", "x w"),
        [info("x", shape=[2, size])],
        outputs=[info("y", shape=[2, size])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as the C compiler is asked for."""
    event, build = threading.Event(), caching.build

    def begun(*args: Any, **keywords: Any) -> Path:
        event.set()
        return build(*args, **keywords)

    monkeypatch.setattr(caching, "build", begun)
    return event


def test_the_compiler_begins_before_weights_are_packed(
    compiling: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parts, waited = Weights.parts, list[bool]()

    def packed(self: Weights) -> Iterator[memoryview | bytes]:
        waited.append(compiling.wait(20))
        return parts(self)

    monkeypatch.setattr(Weights, "parts", packed)
    f = opc.compile(product(512), cache=tmp_path, target="baseline")
    assert waited and all(waited)
    assert np.isfinite(f(np.ones((2, 512), np.float32))).all()


def test_little_weights_come_first(
    compiling: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parts, begun = Weights.parts, list[bool]()

    def packed(self: Weights) -> Iterator[memoryview | bytes]:
        begun.append(compiling.is_set())
        return parts(self)

    monkeypatch.setattr(Weights, "parts", packed)
    opc.compile(product(64), cache=tmp_path, target="baseline")
    assert begun and not any(begun)


def test_weights_that_cannot_be_read_stop_the_compiler(
    compiling: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slow = tmp_path / "cc"
    slow.write_text('#!/bin/sh\n[ -f kernel.c ] && sleep 60\nexec cc "$@"\n')
    slow.chmod(0o755)

    def packed(self: Weights) -> Iterator[memoryview | bytes]:
        compiling.wait(20)
        raise InputError("the file has changed")

    monkeypatch.setattr(Weights, "parts", packed)
    start = time.perf_counter()
    with pytest.raises(InputError, match="the file has changed"):
        opc.compile(product(512), cache=tmp_path / "c", cc=str(slow), target="baseline")
    assert time.perf_counter() - start < 30


def test_an_error_of_the_compiler_is_raised(tmp_path: Path) -> None:
    failing = tmp_path / "cc"
    failing.write_text('#!/bin/sh\n[ -f kernel.c ] && exit 3\nexec cc "$@"\n')
    failing.chmod(0o755)
    with pytest.raises(ToolchainError, match="exit code 3"):
        opc.compile(product(512), cache=tmp_path / "c", cc=str(failing), target="baseline")

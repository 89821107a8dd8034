"""Models that are kept in the cache: found again, unless the model or its weights have changed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import opc
from opc.api import compile_cache, inputs
from opc.errors import InputError
from opc.support import safe_open
from tests.unit.common.onnx_models import info, model, node, saved
from tests.unit.support.test_safe_open import MODELS, WEIGHTS, mlir_text, onnx_model


class Compiles:
    """Compiles a model with a cache of the test's own; how often it was lowered for that."""

    def __init__(self, lowered: list[None], cache: Path) -> None:
        self.lowered, self.cache = lowered, cache
        self.last: Any = None

    def __call__(self, graph: Any, **options: Any) -> int:
        before = len(self.lowered)
        self.last = opc.compile(graph, **{"cache": self.cache, "target": "baseline"} | options)
        return len(self.lowered) - before


@pytest.fixture
def lowerings(lowered: list[None], tmp_path: Path) -> Compiles:
    return Compiles(lowered, tmp_path / "cache")


def relu(name: str = "Relu") -> Any:
    return model(node(name, "x"), [info("x", shape=[3])], outputs=[info("y", shape=[3])])


def test_what_a_model_depends_on(
    lowerings: Compiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(relu(), tmp_path)
    assert lowerings(path) == 1
    first = lowerings.last
    assert lowerings(path) == lowerings(str(path)) == 0
    again = lowerings.last
    assert again.c_source == first.c_source and again.interface == first.interface
    assert again.ir("source") == first.ir("source")
    assert again(np.array([-1, 0, 2], np.float32)).tolist() == [0, 0, 2]
    for options in ({"prefix": "other"}, {"fuse": False}, {"function": "main"}, {"threads": 2}):
        assert lowerings(path, **options) == 1
        assert lowerings(path, **options) == 0
    assert lowerings(path, verify_each=True) == 1
    (tmp_path / "b").mkdir()
    shutil.copy(path, tmp_path / "b" / "copy.onnx")
    assert lowerings(tmp_path / "b" / "copy.onnx") == 0
    saved(relu("Neg"), tmp_path)
    assert lowerings(path) == 1
    assert lowerings.last(np.array([-1, 0, 2], np.float32)).tolist() == [1, 0, -2]
    monkeypatch.setattr(compile_cache, "IDENTITY", "another version")
    assert lowerings(path) == 1
    monkeypatch.setattr(compile_cache, "_onnx_version", lambda: "another version")
    assert lowerings(path) == 1


def test_relative_paths(
    lowerings: Compiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, operator in (("a", "Neg"), ("b", "Relu")):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        onnx_model(Path()) if operator == "Neg" else saved(relu(), Path(), "m.onnx")
        assert lowerings("m.onnx") == 1
        assert lowerings("m.onnx") == 0
        monkeypatch.chdir(tmp_path)
        assert lowerings(f"{name}/m.onnx") == 0


def test_models_in_memory(lowerings: Compiles) -> None:
    """Kept by what they hold; what is done to one later is not compiled."""
    made, x = relu(), np.array([-1, 0, 2], np.float32)
    assert lowerings(made) == 1
    compiled = lowerings.last
    assert lowerings(made) == lowerings(relu()) == 0
    made.graph.node[0].op_type = "Neg"
    assert '"Relu"' in compiled.ir("source") and '"Relu"' in lowerings.last.ir("source")
    assert lowerings(made) == 1
    assert lowerings.last(x).tolist() == [1, 0, -2] and compiled(x).tolist() == [0, 0, 2]


@pytest.mark.parametrize("kind", ["onnx", "openvino"])
def test_the_same_model_beside_other_weights(
    lowerings: Compiles, tmp_path: Path, kind: str
) -> None:
    make, weights = MODELS[kind]
    for factor in (2, 3):
        folder = tmp_path / str(factor)
        folder.mkdir()
        path = make(folder)
        (folder / weights).write_bytes((WEIGHTS * factor).tobytes())
        for expected in (1, 0):
            assert lowerings(path) == expected
            assert (lowerings.last() == WEIGHTS * factor).all()


def test_the_text_of_onnx(lowerings: Compiles, tmp_path: Path) -> None:
    path = tmp_path / "model.onnxtxt"
    text = '<ir_version: 8, opset_import: ["" : 18]> g (float[3] x) => (float[3] y) {y = OP(x)}'
    for operator in ("Neg", "Relu"):
        path.write_text(text.replace("OP", operator))
        assert lowerings(path) == 1
        assert lowerings(path) == 0


def test_what_was_read_is_what_is_known(
    lowerings: Compiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is replaced while it is read is not kept as the other one."""
    path = saved(relu(), tmp_path)
    read = inputs.read_bytes

    def replaced(*args: Any) -> bytes:
        content = read(*args)
        saved(relu("Neg"), tmp_path)
        return content

    monkeypatch.setattr(inputs, "read_bytes", replaced)
    assert lowerings(path) == 1
    assert lowerings.last(np.array([-1, 0, 2], np.float32)).tolist() == [0, 0, 2]


# Files with weights


@pytest.mark.parametrize("kind", MODELS)
def test_weights_are_kept(lowerings: Compiles, tmp_path: Path, kind: str) -> None:
    make, _ = MODELS[kind]
    path = make(tmp_path)
    assert lowerings(path) == 1
    first = lowerings.last
    assert lowerings(path) == 0
    assert lowerings.last() is not first() and (lowerings.last() == WEIGHTS).all()
    # They are used where the entry has them.
    weights = lowerings.last.lowered.weights
    assert weights.ctypes.data % 16 == 0 and not weights.flags.owndata


def in_place(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def by_renaming(file: Path, content: bytes) -> None:
    file.with_suffix(".new").write_bytes(content)
    file.with_suffix(".new").rename(file)


def with_its_time(file: Path, content: bytes) -> None:
    status = file.stat()
    file.write_bytes(content)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def renamed_with_its_time(file: Path, content: bytes) -> None:
    status = file.stat()
    by_renaming(file, content)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES = [in_place, by_renaming, with_its_time, renamed_with_its_time]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", ["onnx", "openvino"])
def test_changed_weights(
    lowerings: Compiles, tmp_path: Path, kind: str, change: Callable[[Path, bytes], None]
) -> None:
    make, name = MODELS[kind]
    path = make(tmp_path)
    assert lowerings(path) == 1
    for factor in (2, 3):
        change(tmp_path / name, (WEIGHTS * factor).tobytes())
        assert lowerings(path) == 1
        assert (lowerings.last() == WEIGHTS * factor).all()
        assert lowerings(path) == 0
        assert (lowerings.last() == WEIGHTS * factor).all()
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match="cannot be opened"):
        opc.compile(path, cache=lowerings.cache)


def test_changed_weights_of_text(lowerings: Compiles, tmp_path: Path) -> None:
    path = mlir_text(tmp_path)
    assert lowerings(path) == 1
    (tmp_path / "m.mlir.bin").write_bytes((WEIGHTS * 2).tobytes())
    with pytest.raises(InputError, match="has changed"):
        lowerings(path)


def test_weights_that_become_a_link(lowerings: Compiles, tmp_path: Path) -> None:
    path = onnx_model(tmp_path)
    assert lowerings(path) == 1
    (tmp_path / "w.bin").rename(tmp_path / "elsewhere")
    (tmp_path / "w.bin").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="symbolic link"):
        lowerings(path)


def test_weights_written_just_now(
    lowerings: Compiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later changes could have the same time, so the time must pass, or nothing is kept."""
    path = onnx_model(tmp_path)
    assert lowerings(path) == 1
    assert lowerings(path) == 0
    later = time.time_ns() + 10_000_000_000
    os.utime(tmp_path / "w.bin", ns=(later, later))
    assert lowerings(path) == lowerings(path) == 1
    # A file system that counts in seconds.
    seconds = time.time_ns() // 1_000_000_000 * 1_000_000_000
    monkeypatch.setattr(safe_open, "_state", lambda s: (1, 2, s.st_size, seconds, seconds))
    assert lowerings(path) == lowerings(path) == 1
    seconds -= 2_000_000_000
    assert lowerings(path) == 1
    assert lowerings(path) == 0


def test_large_weights_are_not_kept(
    lowerings: Compiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = onnx_model(tmp_path)
    monkeypatch.setenv("OPC_CACHE_LIMIT", str(2 * WEIGHTS.nbytes))
    assert lowerings(path) == lowerings(path) == 1
    monkeypatch.setenv("OPC_CACHE_LIMIT", str(4 * WEIGHTS.nbytes))
    assert lowerings(path) == 1
    assert lowerings(path) == 0


def test_damaged_entries(lowerings: Compiles, tmp_path: Path) -> None:
    path = onnx_model(tmp_path)
    assert lowerings(path) == 1
    (entry,) = lowerings.cache.glob("*.c.json")
    content = entry.read_bytes()
    for damaged in (b"", content[:8], content[:-1], content[:200] + b"?" + content[201:]):
        entry.write_bytes(damaged)
        assert lowerings(path) == 1
        assert lowerings(path) == 0


def test_a_large_model_is_found_soon(lowerings: Compiles, tmp_path: Path) -> None:
    """400 nodes: lowering takes seconds, finding milliseconds."""
    operators = [("Add", 2), ("Tanh", 1), ("Mul", 2), ("Exp", 1)] * 100
    nodes = [
        node(operator, f"v{k} " * inputs, f"v{k + 1}")
        for k, (operator, inputs) in enumerate(operators)
    ]
    outputs = [info("v400", shape=[8, 16])]
    path = saved(model(nodes, [info("v0", shape=[8, 16])], outputs=outputs), tmp_path)
    assert lowerings(path) == 1
    times: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        assert lowerings(path) == 0
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05

"""Files that are none, that lie elsewhere, and that change while they are read."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import opc
from opc.api.driver import load, lower
from opc.errors import InputError
from opc.runtime import cache
from opc.support.safe_open import DataFile, decimal
from opc.tools import convert
from opc.tools.arrays import read_inputs
from tests.unit.common.openvino_files import constant, edge, net, result, write

WEIGHTS = np.arange(5000, dtype=np.float32)


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """Ends a test that waits for the other end of a pipe."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("still waiting after 20 s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def onnx_model(folder: Path, location: str = "w.bin") -> Path:
    """A model whose result is its external data."""
    tensor = numpy_helper.from_array(WEIGHTS, "w")
    (folder / "w.bin").write_bytes(tensor.raw_data)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    y = helper.make_tensor_value_info("y", 1, WEIGHTS.shape)
    node = helper.make_node("Identity", ["w"], ["y"])
    graph = helper.make_graph([node], "g", [], [y], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


def openvino_model(folder: Path) -> Path:
    """The same as an OpenVINO model."""
    layers = [constant(0, WEIGHTS, 0), result(1, WEIGHTS.shape)]
    return write(folder, net(layers, [edge(0, 0, 1, 0)]), WEIGHTS.tobytes())


def mlir_text(folder: Path) -> Path:
    """The same as text."""
    for name, content in convert.text_and_weights(load(onnx_model(folder)), "m").items():
        (folder / name).write_bytes(content)
    return folder / "m.mlir"


MODELS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "onnx": (onnx_model, "w.bin"),
    "openvino": (openvino_model, "model.bin"),
    "mlir": (mlir_text, "m.mlir.bin"),
}
"""What writes a model into a folder, and the name that its weights have there."""


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A model of each format, and its weights."""
    write, name = MODELS[request.param]
    folder = tmp_path / "model"
    folder.mkdir()
    return write(folder), folder / name


@pytest.mark.parametrize("suffix", [".mlir", ".onnx", ".onnxtxt", ".xml"])
def test_pipe_as_a_graph(tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"g{suffix}")
    with pytest.raises(InputError, match="cannot be read: it is a pipe or a device"):
        opc.compile(tmp_path / f"g{suffix}")
    (tmp_path / f"d{suffix}").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="cannot be read: it is a pipe or a device"):
        opc.compile(tmp_path / f"d{suffix}")


def test_pipe_as_an_array(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.npy")
    f = lower(load("func.func @f(%x: tensor<f32>) -> tensor<f32> { func.return %x : tensor<f32> }"))
    with pytest.raises(InputError, match="it is a pipe or a device"):
        read_inputs([f"x={tmp_path / 'x.npy'}"], f.interface)


def test_pipes_as_cache_entries(tmp_path: Path) -> None:
    text = "func.func @f(%x: tensor<f32>) -> tensor<f32> { func.return %x : tensor<f32> }"
    folder = tmp_path / "cache"
    opc.compile(text, cache=folder)
    for entry in folder.iterdir():
        entry.unlink()
        os.mkfifo(entry)
    assert len(list(folder.iterdir())) >= 2
    assert opc.compile(text, cache=folder)(np.float32(3)) == 3
    assert all(
        entry.is_file() for entry in folder.iterdir() if entry.name.endswith((".so", ".c.json"))
    )
    assert cache.read_entry(folder, "missing.c.json") is None


def test_weights(model: tuple[Path, Path]) -> None:
    np.testing.assert_array_equal(opc.compile(model[0], cache=None)(), WEIGHTS)


def test_weights_behind_a_symbolic_link(model: tuple[Path, Path]) -> None:
    """A link out of the folder would show bytes of any file, and messages have some of them."""
    path, weights = model
    for target in (path.parent.parent / "secret", path.parent / "inside"):
        weights.rename(target)
        weights.symlink_to(target)
        with pytest.raises(InputError, match="is or lies behind a symbolic link"):
            load(path)
        weights.unlink()
        target.rename(weights)


def test_weights_with_a_second_name(model: tuple[Path, Path]) -> None:
    path, weights = model
    os.link(weights, path.parent.parent / "secret")
    with pytest.raises(InputError, match="is a hard link: the file has other names"):
        load(path)


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_weights_that_are_no_file(model: tuple[Path, Path], kind: str) -> None:
    path, weights = model
    weights.unlink()
    os.mkfifo(weights) if kind == "pipe" else weights.mkdir()
    with pytest.raises(InputError, match="is no file"):
        load(path)


@pytest.mark.parametrize("size", [0, 4096, 19999])
def test_weights_cut_between_reading_and_lowering(model: tuple[Path, Path], size: int) -> None:
    """A mapping of the file would end the process with SIGBUS here."""
    path, weights = model
    module = load(path)
    os.truncate(weights, size)
    with pytest.raises(InputError, match="has changed since the model was read") as caught:
        lower(module)
    assert caught.value.location == str(weights)


def test_weights_cut_between_lowering_and_calling(model: tuple[Path, Path]) -> None:
    path, weights = model
    function = opc.compile(path, cache=None)
    os.truncate(weights, 0)
    np.testing.assert_array_equal(function(), WEIGHTS)
    if path.suffix != ".mlir":  # which prints the digest that it was checked by
        with pytest.raises(InputError, match="has changed since the model was read"):
            function.ir("source")


def test_weights_cut_while_they_are_read(
    model: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, weights = model
    module, preadv = load(path), os.preadv

    def cutting(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        count = preadv(descriptor, [buffers[0][:4096]], offset)
        os.truncate(weights, 4096)
        return count

    monkeypatch.setattr(os, "preadv", cutting)
    with pytest.raises(InputError, match="has changed since the model was read"):
        lower(module)


def test_weights_that_are_written_over(model: tuple[Path, Path]) -> None:
    """A file that is put in their place is another one; the one that is open is used."""
    path, weights = model
    module = load(path)
    other = weights.with_name("other")
    other.write_bytes(bytes(weights.stat().st_size))
    other.replace(weights)
    assert lower(module).weights is not None
    module = load(path) if path.suffix != ".mlir" else module
    os.utime(weights, ns=(1, 1))
    if path.suffix != ".mlir":
        with pytest.raises(InputError, match="has changed"):
            lower(module)


def test_a_file_is_closed_with_its_model(model: tuple[Path, Path]) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    gc.collect()
    before = descriptors()
    module = load(model[0])
    assert descriptors() == before + 1
    del module
    gc.collect()
    assert descriptors() == before


def test_folders_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "w").write_bytes(b"123456")
    file = DataFile(tmp_path, "./a//b/w")
    assert file.size == 6
    assert file.read(2, 3).tobytes() == b"345"
    (tmp_path / "c").symlink_to("a")
    for location, message in {
        "c/b/w": "symbolic link",
        "a/../a/b/w": "outside",
        "a": "is no file",
        "/a/b/w": "not a relative path",
        "": "not a relative path",
        "a/b/w\0": "not a relative path",
        "a/b/w/x": "Not a directory",
        "x" * 5000: "File name too long",
    }.items():
        with pytest.raises(ValueError, match=message):
            DataFile(tmp_path, location)


def test_decimal() -> None:
    assert decimal("007") == 7
    for text in ("", "1_0", "\u0661", "+1", "-1", " 1", "1\n", "1e3", "9" * 19):
        with pytest.raises(ValueError, match="expected a number"):
            decimal(text)


def test_links_that_the_user_names_are_followed(tmp_path: Path) -> None:
    """What is named on the command line is the user's own choice."""
    (tmp_path / "real").mkdir()
    openvino_model(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert load(tmp_path / "link" / "model.xml")

"""``opc convert``: text and weights that compile to the same C, and blobs that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402

import opc  # noqa: E402
from opc.__main__ import main  # noqa: E402
from opc.api.driver import load  # noqa: E402
from opc.errors import InputError  # noqa: E402
from tests.unit.common.onnx_models import info, model, node, saved  # noqa: E402

pytestmark = pytest.mark.sample(3)


def proto() -> Any:
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.normal(size=(64, 32)).astype(np.float32),
        "b": rng.normal(size=(32,)).astype(np.float32),
        "mask": rng.integers(0, 2, (2048,)).astype(bool),
        "same": np.zeros((2048,), np.float16),
        "other": np.zeros((2048,), np.float16),
    }
    nodes = [
        node("MatMul", "x w", "p"),
        node("Add", "p b", "q", name="bias"),
        node("Relu", "q"),
        node("Where", "mask same other", "z"),
    ]
    outputs = [onnx.ValueInfoProto(name=n) for n in "yz"]
    return model(
        nodes,
        [info("x", shape=("N", 64))],
        17,
        outputs,
        [numpy_helper.from_array(a, n) for n, a in weights.items()],
    )


def converted(tmp_path: Path) -> Path:
    path = saved(proto(), tmp_path)
    assert main(["convert", str(path), "-o", str(tmp_path / "out.mlir")]) == 0
    return tmp_path / "out.mlir"


def test_round_trip(tmp_path: Path) -> None:
    path = converted(tmp_path)
    text = path.read_text()
    assert len(text) < 5000 and text.count("#opc.blob") == 4
    # Equal constants are written once.
    assert (tmp_path / "out.mlir.bin").stat().st_size == 64 * 32 * 4 + 2048 + 2048 * 2
    first, second = opc.lower(load(tmp_path / "model.onnx")), opc.lower(load(path))
    assert first.c_source == second.c_source and first.header == second.header
    assert first.weights is not None and second.weights is not None
    np.testing.assert_array_equal(first.weights, second.weights)
    x = np.ones((3, 64), np.float32)
    for a, b in zip(
        opc.compile(proto(), target="baseline")(x),
        opc.compile(path, target="baseline")(x),
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


def test_ir_of_a_model_compiles_from_the_folder_that_it_is_written_to(tmp_path: Path) -> None:
    arguments = ["compile", str(saved(proto(), tmp_path)), "--target", "baseline"]
    assert main([*arguments, "--emit", "schedule", "-o", str(tmp_path / "out")]) == 0
    (text,) = (tmp_path / "out").glob("*.schedule.mlir")
    x = np.ones((3, 64), np.float32)
    for a, b in zip(
        opc.compile(proto(), target="baseline")(x),
        opc.compile(text, target="baseline")(x),
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


def test_source_text_of_a_model_is_small(tmp_path: Path) -> None:
    path = saved(proto(), tmp_path)
    assert len(str(load(path))) < 5000


def test_weights_that_changed(tmp_path: Path) -> None:
    path = converted(tmp_path)
    weights = tmp_path / "out.mlir.bin"
    content = bytearray(weights.read_bytes())
    content[0] ^= 1
    weights.write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"out.mlir.bin has changed"):
        load(path)
    weights.write_bytes(bytes(content[:10]))
    with pytest.raises(InputError, match="has fewer than"):
        load(path)
    weights.unlink()
    with pytest.raises(InputError, match="No such file"):
        load(path)


@pytest.mark.parametrize(
    "blob, message",
    [
        ('tensor<2xf32>, "../w.bin", 0, 8, "x"', "outside the folder"),
        ('tensor<2xf32>, "/etc/passwd", 0, 8, "x"', "not a relative path"),
        ('tensor<2xf32>, "", 0, 8, "x"', "in no file"),
        ('tensor<2xf32>, "w.bin", 0, 4, "x"', "do not fill"),
        ('tensor<?xf32>, "w.bin", 0, 4, "x"', "static"),
        ('i32, "w.bin", 0, 4, "x"', "static"),
        ('tensor<2xf32>, "w.bin", 8, 8, "x"', "has fewer"),
    ],
)
def test_blobs_that_are_refused(tmp_path: Path, blob: str, message: str) -> None:
    (tmp_path / "w.bin").write_bytes(bytes(8))
    path = tmp_path / "m.mlir"
    path.write_text(
        "func.func @main() -> tensor<2xf32> {\n"
        f"  %c = opc.constant #opc.blob<{blob}>\n"
        "  return %c : tensor<2xf32>\n}\n"
    )
    with pytest.raises(InputError, match=message):
        load(path)


def test_output_must_be_text(tmp_path: Path) -> None:
    path = saved(proto(), tmp_path)
    assert main(["convert", str(path), "-o", str(tmp_path / "out.txt")]) == 2

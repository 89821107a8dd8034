"""The command line on OpenVINO models: convert, compile, run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from opc.__main__ import main
from tests.unit.common.openvino_files import constant, edge, net, parameter, port, result, write

COUNT = 2000
NUMBERS = np.arange(COUNT, dtype=np.float32)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model whose constant is too large for the text."""
    add = (
        '<layer id="2" name="a/b" type="Add" version="opset1">'
        f"<input>{port(0, (COUNT,))}{port(1, (COUNT,))}</input>"
        f"<output>{port(2, (COUNT,), 'FP32')}</output></layer>"
    )
    text = net(
        [
            parameter(0, "x", str(COUNT), (COUNT,)),
            constant(1, NUMBERS, 0),
            add,
            result(3, (COUNT,)),
        ],
        [edge(0, 0, 2, 0), edge(1, 0, 2, 1), edge(2, 2, 3, 0)],
    )
    return write(tmp_path, text, NUMBERS.tobytes())


def test_convert(model: Path) -> None:
    """The text compiles to the same C, and the weights of the model stay what they are."""
    text = model.with_suffix(".mlir")
    assert main(["convert", str(model), "-o", str(text)]) == 0
    assert model.with_suffix(".bin").read_bytes() == NUMBERS.tobytes()
    assert 'openvino.layer "Add" opset1' in text.read_text(encoding="utf-8")
    sources: list[str] = []
    for graph in (text, model):
        folder = model.parent / graph.suffix
        assert main(["compile", str(graph), "-o", str(folder)]) == 0
        sources.append((folder / "model.c").read_text(encoding="utf-8"))
        assert (folder / "model.bin").exists()
    assert sources[0] == sources[1]
    assert "Add" in sources[0] and "a/b" not in sources[0]


def test_compile_beside_the_model(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights that go with the C do not replace those of the model."""
    monkeypatch.chdir(model.parent)
    assert main(["compile", "model.xml"]) == 0
    assert model.with_suffix(".bin").read_bytes() == NUMBERS.tobytes()
    assert Path("model.weights.bin").stat().st_size == NUMBERS.nbytes


def test_run(model: Path) -> None:
    given, out = model.parent / "x.npy", model.parent / "out.npz"
    np.save(given, NUMBERS)
    assert main(["run", str(model), "--input", f"x={given}", "--output", str(out)]) == 0
    with np.load(out) as results:
        (found,) = results.values()
    np.testing.assert_array_equal(found, NUMBERS + NUMBERS)


def test_error(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.with_suffix(".bin").write_bytes(b"short")
    assert main(["compile", str(model)]) == 3
    assert "lie outside model.bin, which has 5" in capsys.readouterr().err

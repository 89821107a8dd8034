"""What it takes to compile whole networks: the workspace, memory, time, with generous limits.

``python -m benchmarks.networks.compiling`` measures the same at full size.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

onnx = pytest.importorskip("onnx")

import opc  # noqa: E402
from benchmarks.networks import NETWORKS, compiling, language  # noqa: E402
from benchmarks.networks.net import Net  # noqa: E402

pytestmark = pytest.mark.bench

LAYERS, WIDTH = 4, 1920
"""Panels of columns of any width up to 6 vectors fill these matrices, so that none has padding."""
WEIGHTS = LAYERS * 4 * WIDTH * WIDTH


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NETWORKS)
def test_the_arena_is_hardly_larger_than_what_is_needed(name: str, tmp_path: Path) -> None:
    found = compiling.workspace(str(compiling.saved(name, tmp_path, small=True)), 2)
    assert 0 < found["needed"] <= found["arena"] <= 1.15 * found["needed"]


def test_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A network with weights: they are in memory once, and from the cache not at all."""
    net, n = Net(), WIDTH
    x = net.input("x", 4, n)
    for _ in range(LAYERS):
        x = net("Relu", net("MatMul", x, net.weight(n, n)))
    net.output(x, "y")
    onnx.save(net.model(), tmp_path / "model.onnx")
    found = compiling.measured(str(tmp_path / "model.onnx"))
    assert found["weights"] == WEIGHTS
    # What Python, xDSL and NumPy take does not depend on the model; 14 MiB is one of its weights.
    assert WEIGHTS / 8 < found["memory"] < 1.5 * WEIGHTS + (60 << 20)
    assert found["memory_warm"] < WEIGHTS / 2 + (40 << 20)
    assert found["warm"] < 10 and found["cold"] < 90
    assert {"reading", "fuse-kernels", "C compiler"} <= set(found["stages"])
    compiling.main([str(tmp_path / "model.onnx"), "--json", str(tmp_path / "figures.json")])
    assert " from the cache " in capsys.readouterr().out
    assert (tmp_path / "figures.json").is_file()


@pytest.mark.long
def test_time_stays_in_proportion() -> None:
    """Four times as many layers may take six times as long."""

    def seconds(layers: int) -> float:
        net = Net()
        language.bert(net, **{**NETWORKS["bert"].small, "layers": layers})
        model, start = net.model(), time.process_time()
        opc.lower(model, cache=None)
        return time.process_time() - start

    seconds(2)
    assert seconds(48) < 6 * seconds(12)

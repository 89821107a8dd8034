"""Small forms of networks that people deploy, whole, against the reference of ONNX.

``benchmarks/networks`` builds them as exporters write them, from ONNX and from OpenVINO IR, with
extents that are known and with a batch, lengths and caches that only a run knows.  At full size
``python -m benchmarks.networks`` compares them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

import opc  # noqa: E402
from benchmarks.networks import NETWORKS, SIZES  # noqa: E402
from benchmarks.networks.agreement import step  # noqa: E402

pytestmark = pytest.mark.level("-O1")


def check(
    name: str, model: Any, run: Any, *, sizes: dict[str, int], seed: int, quantum: float = 0
) -> None:
    """Every result within 1e-5 of the largest value of the reference's.

    One value in twenty may be apart by a quantum, and as exactly.
    """
    arrays = NETWORKS[name].net(small=True, symbolic=bool(sizes)).arrays(sizes, seed)
    expected = ReferenceEvaluator(model).run(None, arrays)
    found = run(arrays)
    assert len(found) == len(expected) > 0
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        assert np.abs(theirs).max() > 0
        apart, close = np.abs(ours - theirs), 1e-5 * np.abs(theirs).max()
        is_other = apart > close
        assert (np.abs(apart[is_other] - quantum) <= close).all()
        assert is_other.mean() <= (0.05 if quantum else 0)


def results(function: Any, arrays: dict[str, Any]) -> list[Any]:
    found = function(**arrays)
    return [found] if len(function.outputs) == 1 else list(found)


LONG = pytest.mark.long


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("symbolic", [True, pytest.param(False, marks=LONG)])
def test_from_onnx(name: str, symbolic: bool) -> None:
    model = NETWORKS[name].net(small=True, symbolic=symbolic).model()
    function = opc.compile(model)
    for seed, sizes in enumerate([SIZES, {"N": 1, "S": 7, "P": 4}] if symbolic else [{}], 1):
        check(name, model, lambda a: results(function, a), sizes=sizes, seed=seed)


@pytest.mark.network
@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("symbolic", [False, pytest.param(True, marks=LONG)])
def test_from_openvino(name: str, symbolic: bool, tmp_path: Path) -> None:
    openvino = pytest.importorskip("openvino")
    model = NETWORKS[name].net(small=True, symbolic=symbolic).model()
    onnx.save(model, tmp_path / "model.onnx")
    converted = openvino.convert_model(tmp_path / "model.onnx")
    openvino.save_model(converted, tmp_path / "model.xml", compress_to_fp16=False)
    function, sizes = opc.compile(tmp_path / "model.xml"), SIZES if symbolic else {}
    # Of the quantized network 2 of 80 values are a step off here, and 14 to 24 of OpenVINO itself.
    check(name, model, lambda a: results(function, a), sizes=sizes, seed=3, quantum=step(model))

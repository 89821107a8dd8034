"""Optimizers and normalization while training, against the ONNX reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402

DOMAIN = "ai.onnx.preview.training"
ATTRIBUTES: dict[str, list[dict[str, Any]]] = {
    "Adagrad": [{}, {"decay_factor": 0.1, "epsilon": 1e-3, "norm_coefficient": 0.2}],
    "Adam": [{}, {"alpha": 0.8, "norm_coefficient": 0.1, "norm_coefficient_post": 0.05}],
    "Momentum": [
        {"alpha": 0.9, "beta": 0.3, "mode": mode, "norm_coefficient": 0.01}
        for mode in ("standard", "nesterov")
    ],
}
LISTS = {"Adagrad": "X G H", "Adam": "X G V H", "Momentum": "X G V"}


def optimizer(operator: str, tensors: int, type: str, **attributes: Any) -> Any:
    lists = LISTS[operator].split()
    names = [f"{name}{k}" for name in lists for k in range(tensors)]
    outputs = [f"{name}{k}_" for name in lists if name != "G" for k in range(tensors)]
    made = node(operator, " ".join(["R", "T", *names]), " ".join(outputs), **attributes)
    made.domain = DOMAIN
    shapes = {n: (2, 3) if n.endswith("0") else ("N",) for n in names}
    infos = [info("R", type, ()), info("T", "i64", ()), *(info(n, type, shapes[n]) for n in names)]
    proto = model(made, infos)
    proto.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    return proto


@pytest.mark.parametrize("count", [0, 1, 7])
@pytest.mark.parametrize(
    "operator, attributes", [(name, a) for name, listed in ATTRIBUTES.items() for a in listed]
)
def test_optimizers(operator: str, attributes: dict[str, Any], count: int) -> None:
    proto = optimizer(operator, 2, "f32", **attributes)
    rng = np.random.default_rng(count)
    values = [rng.random((2, 3) if i.name[-1] == "0" else (5,)) for i in proto.graph.input[2:]]
    inputs = [np.float32(0.1), np.int64(count), *(v.astype(np.float32) for v in values)]
    named = dict(zip((i.name for i in proto.graph.input), inputs, strict=True))
    expected = ReferenceEvaluator(proto).run(None, named)
    for a, b in zip(interpreted(proto, *inputs), expected, strict=True):
        np.testing.assert_allclose(a, b, 1e-6, 1e-6)
        assert a.dtype == np.float32


def test_an_optimizer_in_c() -> None:
    proto = optimizer("Adam", 1, "f64")
    rng = np.random.default_rng(0)
    inputs = [np.float64(0.1), np.int64(3), *(rng.random((2, 3)) for _ in range(4))]
    for a, b in zip(run(proto, *inputs), interpreted(proto, *inputs), strict=True):
        np.testing.assert_allclose(a, b, 1e-14)


def test_lists_that_do_not_fit() -> None:
    proto = optimizer("Adagrad", 1, "f32")
    proto.graph.node[0].input.append("X0")
    with pytest.raises(InputError, match="4 tensors do not make 3 lists"):
        interpreted(proto)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3, 4), ("N", 2, "D", 3)])
@pytest.mark.parametrize("since", [14, 15])
def test_batch_normalization(shape: Any, since: int) -> None:
    channels = shape[1]
    rng = np.random.default_rng(0)
    x = rng.standard_normal([4 if isinstance(e, str) else e for e in shape]).astype(np.float32)
    vectors = [rng.random(channels).astype(np.float32) for _ in range(4)]
    infos = [info("x", shape=shape), *(info(n, shape=(channels,)) for n in "sbmv")]
    made = node("BatchNormalization", "x s b m v", "y p q", training_mode=1, momentum=0.8)
    proto = model(made, infos, since)
    axes = tuple(k for k in range(x.ndim) if k != 1)
    mean, variance = x.mean(axes), x.var(axes)
    wide = (channels, *[1] * (x.ndim - 2))
    y = (x - mean.reshape(wide)) / np.sqrt(variance.reshape(wide) + 1e-5)
    y = y * vectors[0].reshape(wide) + vectors[1].reshape(wide)
    expected = [y, vectors[2] * 0.8 + mean * 0.2, vectors[3] * 0.8 + variance * 0.2]
    for found in (interpreted(proto, x, *vectors), run(proto, x, *vectors)):
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, 1e-5, 1e-5)


def test_a_newer_opset_of_a_domain() -> None:
    proto = optimizer("Adam", 1, "f32")
    proto.opset_import[-1].version = 2
    with pytest.raises(Exception, match=f"opset 2 of {DOMAIN} is newer than 1"):
        interpreted(proto)


def test_training_of_the_first_versions() -> None:
    made = node("BatchNormalization", "x s b m v", is_test=0)
    infos = [info("x", shape=(2, 3)), *(info(n, shape=(3,)) for n in "sbmv")]
    with pytest.raises(UnsupportedError, match="training mode"):
        interpreted(model(made, infos, 6))

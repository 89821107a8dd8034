"""Language models as transformers exports them, against onnxruntime without its optimizer.

Batch, length, cache and mask are unknown when compiling: a prompt without a cache, a token behind
one, a batch of which one sequence is padded, and no batch at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
import opc  # noqa: E402
from opc.interpret.graph import evaluate  # noqa: E402
from tests.unit.common.architectures import DECODERS  # noqa: E402
from tests.unit.common.onnx_models import graph_of  # noqa: E402

CALLS = [(2, 5, 0), (1, 1, 4), (1, 3, 2), (0, 2, 1)]
"""Sequences, tokens and keys of the cache."""


def arguments(net: Any, is_padded: bool, batch: int, length: int, past: int) -> dict[str, Any]:
    """Inputs; if it is padded, the last sequence of several has a token less."""
    extents = {"N": batch, "S": length, "P": past, "T": length + past}
    arrays = net.arrays(extents)
    mask = np.ones((batch, length + past), np.int64)
    if batch > 1 and is_padded:
        mask[-1, -1] = 0
    places = np.broadcast_to(past + np.arange(length), (batch, length))
    return arrays | {"attention_mask": mask, "position_ids": places}


def in_onnxruntime(model: Any, calls: list[dict[str, Any]]) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    taken = {i.name for i in session.get_inputs()}
    return [session.run(None, {n: a for n, a in c.items() if n in taken}) for c in calls]


def check(name: str, model: Any, net: Any, run: Callable[[dict[str, Any]], list[Any]]) -> None:
    """Logits and caches of all calls, and no logits of no batch."""
    is_fused = DECODERS[name].is_fused
    calls = [arguments(net, not is_fused, *call) for call in CALLS]
    empty = calls.pop()
    for call, wanted in zip(calls, in_onnxruntime(model, calls), strict=True):
        for value, due in zip(run(call), wanted, strict=True):
            assert value.shape == due.shape and value.dtype == due.dtype
            np.testing.assert_allclose(value, due, rtol=2e-4, atol=2e-5)
    assert [v.shape[0] for v in run(empty)] == [0] * len(model.graph.output)


@pytest.mark.parametrize("name", DECODERS)
def test_interpreted(name: str) -> None:
    model, net = DECODERS[name].model()
    function = next(iter(graph_of(model).body.block.ops))
    check(name, model, net, lambda call: list(evaluate(function, list(call.values()))))


@pytest.mark.parametrize(
    "name",
    [n if n == "llama, fused" else pytest.param(n, marks=pytest.mark.long) for n in DECODERS],
)
def test_compiled(name: str) -> None:
    model, net = DECODERS[name].model()
    function = opc.compile(model, target="baseline")
    check(name, model, net, lambda call: list(function(**call)))

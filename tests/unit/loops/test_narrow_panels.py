"""Panels of f16 and bf16, as of caches of keys and values: converted a row at a time."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto

import opc
from opc.dialects.registry import context
from opc.passes import pipeline
from tests.unit.common.onnx_models import info, model, node

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
GROUPS, WIDTH = 2, 48


def _attention(type: str) -> Any:
    """Attention of a few queries over a cache of keys and values."""
    cache = [GROUPS, "past", WIDTH]
    nodes = [
        *(node("Cast", name, f"{name}f", to=TensorProto.FLOAT) for name in ("k", "v")),
        node("Transpose", "kf", "t", perm=[0, 2, 1]),
        node("MatMul", "q t", "s"),
        node("Softmax", "s", "p", axis=-1),
        node("MatMul", "p vf"),
    ]
    shape: list[int | str] = [GROUPS, "rows", WIDTH]
    inputs = [info("q", shape=shape), info("k", type, cache), info("v", type, cache)]
    return model(nodes, inputs, outputs=[info("y", shape=shape)])


@pytest.fixture(scope="module")
def wide() -> Any:
    return opc.compile(_attention("f32"))


@pytest.mark.parametrize("past", [1, 15, 16, 33, 600])
@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_the_bits_are_those_of_a_cache_in_f32(type: str, past: int, wide: Any) -> None:
    function = opc.compile(_attention(type), threads=2)
    assert f"opc_widen_{type}(" in function.lowered.c_source
    rng = np.random.default_rng(past)
    for rows in (1, 3, 17):
        q = rng.standard_normal((GROUPS, rows, WIDTH), np.float32)
        k, v = rng.standard_normal((2, GROUPS, past, WIDTH), np.float32).astype(DTYPES[type])
        expected = wide(q, k.astype(np.float32), v.astype(np.float32))
        assert function(q, k, v).tobytes() == expected.tobytes()


@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_a_row_reads_values_where_they_lie(type: str) -> None:
    module = opc.lower(_attention(type), target="avx2").module("schedule")
    # Few rows go one nest after the other.
    passes = ["lower-tile-fusions", "schedule-partial-tiles"]
    pipeline.run(module, context(), passes, target="avx2")
    text = str(module)
    one, more = text[text.rindex("kernel.nest") :].split("} else ")
    assert "schedule.run step" in one and "schedule.pack" not in one
    assert "schedule.pack right" in more

"""Tables of embeddings that a product reads, too: one copy in memory, and the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto

import opc
from opc.api.inputs import load
from opc.dialects.registry import context
from opc.interpret import loop
from opc.oracle.subject import function_in
from opc.passes import pipeline
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.stored_weights import DTYPES, tensor

WORDS, WIDTH, BLOCK = 1024, 96, 32
FORMS = ("f32", "f16", "bf16", "i8", "ui8", "i4", "ui4", "i2", "ui2")
Array = np.ndarray[Any, Any]


def _table(form: str, block: int) -> tuple[list[Any], list[Any], Array]:
    """Nodes that compute a table ``w``, initializers, and its values."""
    rng = np.random.default_rng(len(form) + block)
    if form in DTYPES:
        values = rng.standard_normal((WORDS, WIDTH)).astype(DTYPES[form])
        name = "w" if form == "f32" else "h"
        nodes = [node("Cast", "h", "w", to=TensorProto.FLOAT)] if name == "h" else []
        return nodes, [tensor(name, values, form)], values.astype(np.float32)
    bits = int(form.lstrip("ui"))
    low = 0 if form[0] == "u" else -(1 << (bits - 1))
    values = rng.integers(low, low + (1 << bits), (WORDS, WIDTH))
    own = (WORDS, WIDTH // block) if block else (WORDS,)
    scales = (rng.random(own) * 0.02 + 0.001).astype(np.float32)
    zeros = rng.integers(low, low + (1 << bits), own)
    how = {"axis": 1, "block_size": block} if block else {"axis": 0}
    initializers = [tensor("q", values, form), tensor("s", scales, "f32"), tensor("o", zeros, form)]
    wide = [np.repeat(v.reshape(WORDS, -1), block or WIDTH, 1) for v in (scales, zeros)]
    real = (values - wide[1]).astype(np.float32) * wide[0]
    return [node("DequantizeLinear", "q s o", "w", **how)], initializers, real


def _tied(form: str, block: int = 0, *more: Any) -> tuple[Any, Array]:
    """Rows of a table, and the product of what follows from them with all of it."""
    nodes, initializers, values = _table(form, block)
    nodes += [
        node("Gather", "w i", "rows"),
        node("Transpose", "w", "t", perm=[1, 0]),
        node("Relu", "rows", "a"),
        node("MatMul", "a t"),
        *more,
    ]
    outputs = [info("y", shape=["R", WORDS]), info("rows", shape=["R", WIDTH])]
    outputs += [info("z", shape=[WORDS, WIDTH])] * bool(more)
    how: dict[str, Any] = {"outputs": outputs, "initializers": initializers}
    opset, version = (25, 13) if form.endswith("2") else (21, 10)
    proto = model(nodes, [info("i", "i64", ["R"])], opset, ir_version=version, **how)
    return proto, values


@pytest.mark.parametrize("block", [0, BLOCK])
@pytest.mark.parametrize("form", FORMS)
def test_a_table_is_in_memory_once(form: str, block: int) -> None:
    proto, values = _tied(form, block)
    function = opc.compile(proto)
    stored = sum(len(t.raw_data) for t in proto.graph.initializer)
    weights = function.lowered.weights
    assert weights is not None and weights.nbytes <= 1.05 * stored
    numbers = np.array([0, 1, 15, 16, 63, 64, 65, WORDS - 1, -1, -WORDS])
    rows = function(numbers)[1]
    assert rows.tobytes() == values[numbers].tobytes()


def test_what_reads_all_of_a_table_keeps_it() -> None:
    proto, values = _tied("f32", 0, node("Neg", "w", "z"))
    function = opc.compile(proto)
    numbers = np.array([3, WORDS - 1])
    _, rows, negative = function(numbers)
    assert rows.tobytes() == values[numbers].tobytes()
    assert negative.tobytes() == (-values).tobytes()


@pytest.mark.parametrize("form", ["f32", "ui4"])
def test_the_interpreter_of_loops_reads_panels(form: str) -> None:
    proto, values = _tied(form, BLOCK)
    module, numbers = load(proto), np.array([5, 200])
    pipeline.run(module, context(), pipeline.passes("loops"))
    assert loop.run(function_in(module), [numbers])[1].tobytes() == values[numbers].tobytes()

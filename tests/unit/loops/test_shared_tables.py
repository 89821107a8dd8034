"""Tables of embeddings that a product reads, too: one copy in memory, and the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx.numpy_helper import from_array

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


def test_a_table_whose_rows_lie_side_by_side() -> None:
    """The product has the weights as they are, and the rows are those of their transpose."""
    values = np.random.default_rng(3).standard_normal((WIDTH, WORDS)).astype(np.float32)
    nodes = [node("Transpose", "w", "t", perm=[1, 0]), node("Gather", "t i", "rows")]
    nodes += [node("Relu", "rows", "a"), node("MatMul", "a w")]
    outputs = [info("y", shape=["R", WORDS]), info("rows", shape=["R", WIDTH])]
    how: dict[str, Any] = {"outputs": outputs, "initializers": [tensor("w", values, "f32")]}
    function = opc.compile(model(nodes, [info("i", "i64", ["R"])], 21, **how))
    weights = function.lowered.weights
    assert weights is not None and weights.nbytes <= 1.01 * values.nbytes
    numbers = np.array([0, 1, 63, 64, WORDS - 1, -1, -WORDS])
    assert function(numbers)[1].tobytes() == values.T[numbers].tobytes()


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("is_tied", [True, False])
@pytest.mark.parametrize("has_zeros", [True, False])
def test_packed_bytes(bits: int, is_tied: bool, has_zeros: bool) -> None:
    """GatherBlockQuantized and MatMulNBits have one table, in different shapes."""
    rng, width, per, blocks = np.random.default_rng(bits), 128, 8 // bits, 4
    table = rng.integers(0, 256, (WORDS, blocks, 32 // per), dtype=np.uint8)
    scales = (rng.random((WORDS, blocks)) * 0.02 + 0.001).astype(np.float32)
    zeros = rng.integers(0, 256, (WORDS, -(-blocks // per)), dtype=np.uint8)
    arrays = {"b": table, "s": scales} | ({"o": zeros} if has_zeros else {})
    shape = {"shape": np.array([WORDS, width // per])}
    initializers = [from_array(v, name) for name, v in (arrays | shape).items()]
    own = " o" if has_zeros else ""
    how: dict[str, Any] = {"bits": bits, "block_size": 32, "domain": "com.microsoft"}
    nodes = [node("Reshape", "b shape", "q")]
    nodes += [node("GatherBlockQuantized", f"q i s{own}", "rows", quantize_axis=1, **how)]
    if is_tied:
        nodes += [node("Relu", "rows", "a")]
        nodes += [node("MatMulNBits", f"a b s{own}", K=width, N=WORDS, **how)]
    outputs = [info("y", shape=["R", WORDS])] * is_tied + [info("rows", shape=["R", width])]
    proto = model(nodes, [info("i", "i64", ["R"])], 21, outputs=outputs, initializers=initializers)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    function = opc.compile(proto)
    weights = function.lowered.weights
    # Zero points are a byte each beside a product.
    assert weights is not None and weights.nbytes <= 1.05 * sum(v.nbytes for v in arrays.values())
    numbers = np.array([0, 1, 63, 64, WORDS - 1])
    results = function(numbers)
    shifts, mask = np.arange(0, 8, bits, dtype=np.uint8), np.uint8((1 << bits) - 1)
    codes = (table[..., None] >> shifts & mask).reshape(WORDS, blocks, 32).astype(np.float32)
    offsets = (zeros[..., None] >> shifts & mask).reshape(WORDS, -1)[:, :blocks, None]
    wide = codes - (offsets.astype(np.float32) if has_zeros else np.float32(1 << (bits - 1)))
    wanted = (wide * scales[..., None]).reshape(WORDS, width)[numbers]
    rows = results[1] if is_tied else results
    assert rows.tobytes() == wanted.tobytes()

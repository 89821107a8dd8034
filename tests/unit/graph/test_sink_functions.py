"""Tables of embeddings are read as they are stored, in the rows that a call needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common.onnx_models import info, model, node
from tests.unit.common.stored_weights import NUMBERS, tensor

ROWS, COLUMNS = 2048, 96
"""More elements than fold-constants evaluates."""


def _embedding(type: str, block: int, is_tied: bool) -> tuple[Any, np.ndarray[Any, Any]]:
    """A gather of dequantized rows, and the table in f32; tied, products read the table, too."""
    rng = np.random.default_rng(4)
    if type in ("f16", "bf16"):
        values = rng.standard_normal((ROWS, COLUMNS)).astype(np.float32)
        tensors = [tensor("q", values, type)]
        nodes = [node("Cast", "q", "w", to=NUMBERS["f32"])]
        raw = np.frombuffer(tensors[0].raw_data, np.uint16)
        wide = raw.view(np.float16) if type == "f16" else (raw.astype("u4") << 16).view(np.float32)
        table = wide.astype(np.float32).reshape(values.shape)
    else:
        low, bits = (0 if type[0] == "u" else -8), 4
        values = rng.integers(low, low + (1 << bits), (ROWS, COLUMNS))
        scales = (rng.random((ROWS, COLUMNS // block) if block else ROWS) + 0.1).astype(np.float32)
        tensors = [tensor("q", values, type), tensor("s", scales, "f32")]
        how: dict[str, Any] = {"axis": 1, "block_size": block} if block else {"axis": 0}
        nodes = [node("DequantizeLinear", "q s", "w", **how)]
        spread = np.repeat(scales, block, 1) if block else scales[:, None]
        table = values.astype(np.float32) * spread
    nodes.append(node("Gather", "w i", "e"))
    outputs = [info("e", shape=["B", "N", COLUMNS])]
    if is_tied:
        nodes += [node("Transpose", "w", "t", perm=[1, 0]), node("MatMul", "e t", "p")]
        outputs.append(info("p", shape=["B", "N", ROWS]))
    ids = info("i", "i64", ["B", "N"])
    return model(nodes, [ids], 21, outputs=outputs, initializers=tensors, ir_version=10), table


@pytest.mark.parametrize("is_tied", [False, True])
@pytest.mark.parametrize(
    ("type", "block"), [("i8", 0), ("i8", 32), ("ui4", 32), ("i4", 0), ("f16", 0), ("bf16", 0)]
)
def test_no_call_computes_the_table(type: str, block: int, is_tied: bool) -> None:
    proto, table = _embedding(type, block, is_tied)
    function = opc.compile(proto)
    ids = np.array([[3, ROWS - 1, -1], [0, 3, 77]])
    rows, *products = function(ids) if is_tied else (function(ids),)
    assert rows.tobytes() == table[ids].tobytes()
    if is_tied:
        x, w = info("x", shape=["B", "N", COLUMNS]), info("w", shape=[COLUMNS, ROWS])
        product = model(node("MatMul", "x w"), [x, w], outputs=[info("y", shape=["B", "N", ROWS])])
        expected = opc.compile(product)(rows, np.ascontiguousarray(table.T))
        assert products[0].tobytes() == expected.tobytes()
    loops = function.ir("schedule")
    assert f"kernel.nest [{ROWS}, {COLUMNS}]" not in loops
    assert (" stored lanes " in loops) == is_tied

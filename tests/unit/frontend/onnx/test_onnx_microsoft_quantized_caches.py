"""GroupQueryAttention with caches of integers, against onnxruntime and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
import onnx

import opc
from tests.unit.api.test_donated import written
from tests.unit.frontend.onnx.test_onnx_microsoft import (
    computed,
    floats,
    in_onnxruntime,
    made,
    near,
)

RNG = np.random.default_rng(31)
WIDE, GROUPS, SIZE = 4, 2, 32
INT8, UINT8, F32 = onnx.TensorProto.INT8, onnx.TensorProto.UINT8, onnx.TensorProto.FLOAT


def scales(kind: str) -> Any:
    shape = (1,) if kind == "PER_TENSOR" else (1, GROUPS, 1, SIZE)
    return (RNG.random(shape) * 0.03 + 0.01).astype(np.float32)


def step(
    bits: int, kind: str, count: int, total: int, room: int, batch: int
) -> tuple[Any, dict[str, Any]]:
    """The inputs of a call, with ``total`` positions behind it, and attributes."""
    new = [floats(batch, count, n * SIZE) for n in (WIDE, GROUPS, GROUPS)]
    shape = (batch, GROUPS, room, SIZE if bits == 8 else SIZE // 2)
    past = [RNG.integers(0, 256, shape).astype(np.uint8) for _ in "kv"]
    past = [x.view(np.int8) for x in past] if bits == 8 else past
    lengths = np.full(batch, total - 1, np.int32), np.int32(total)
    arrays = [*new, *past, *lengths, *[None] * 5, scales(kind), scales(kind)]
    how = {"num_heads": WIDE, "kv_num_heads": GROUPS, "kv_cache_bit_width": bits}
    return arrays, how | {"k_quant_type": kind, "v_quant_type": kind}


CASES = {
    "one position": (1, 9, 16, 1),
    "two batches": (1, 16, 16, 2),
    "a prompt": (5, 5, 16, 1),
    "several positions": (3, 9, 16, 1),
    "a cache that grows": (1, 17, 16, 1),
}


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("kind", ["PER_TENSOR", "PER_CHANNEL"])
@pytest.mark.parametrize("name", CASES)
def test_integers_are_those_of_onnxruntime(bits: int, kind: str, name: str) -> None:
    arrays, how = step(bits, kind, *CASES[name])
    y, *caches = computed("GroupQueryAttention", arrays, "y k v", **how)
    wanted, *others = in_onnxruntime("GroupQueryAttention", arrays, "y k v", **how)
    near(y, wanted, 1e-6)
    for cache, other in zip(caches, others, strict=True):
        assert cache.dtype == other.dtype and cache.shape == other.shape
        total = CASES[name][1]
        np.testing.assert_array_equal(cache[:, :, :total], other[:, :, :total])


def test_a_window_of_integers() -> None:
    arrays, how = step(8, "PER_CHANNEL", 1, 30, 12, 1)
    how |= {"local_window_size": 7, "sliding_window_cache": 1}
    y, key, _ = computed("GroupQueryAttention", arrays, "y k v", **how)
    wanted, other, _ = in_onnxruntime("GroupQueryAttention", arrays, "y k v", **how)
    near(y, wanted, 1e-6)
    np.testing.assert_array_equal(key[:, :, :12], other[:, :, :12])


@pytest.mark.parametrize("bits", [8, 4])
def test_values_are_rounded_to_even_and_saturated(bits: int) -> None:
    arrays, how = step(bits, "PER_TENSOR", 1, 1, 4, 1)
    arrays[12] = arrays[13] = np.array([0.5], np.float32)
    top = 1 << (bits - 1)
    row = np.array([0.25, 0.75, -0.25, -0.75, top, -top, 1e9, -1e9], np.float32)
    arrays[1] = np.resize(row, (1, 1, GROUPS * SIZE))
    _, key, _ = computed("GroupQueryAttention", arrays, "y k v", **how)
    wanted = np.array([0, 2, 0, -2, top - 1, -top, top - 1, -top])
    if bits == 8:
        np.testing.assert_array_equal(key[0, 0, 0, :8], wanted)
    else:
        low, high = (wanted + 8)[::2], (wanted + 8)[1::2]
        np.testing.assert_array_equal(key[0, 0, 0, :4], low | high << 4)


@pytest.mark.level("-O0")
@pytest.mark.parametrize("bits", [8, 4])
def test_a_step_writes_the_new_integers_alone(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays, how = step(bits, "PER_CHANNEL", 1, 9, 16, 1)
    proto, feeds = made("GroupQueryAttention", arrays, "y k v", **how)
    for info in proto.graph.output:
        is_cache = info.name != "y"
        info.type.tensor_type.elem_type = (INT8 if bits == 8 else UINT8) if is_cache else F32
    _, _, _, key, value, *_ = feeds
    f = opc.compile(proto, donate={key: "k", value: "v"})
    wanted = opc.compile(proto)(*feeds.values())
    own = [x.copy() for x in feeds.values()]
    for found, array in zip(f(*own), wanted, strict=True):
        np.testing.assert_array_equal(found, array)
    assert written(f.lowered, own, "k", monkeypatch) == GROUPS * SIZE * bits // 8


@pytest.mark.parametrize(
    ("changes", "absent", "message"),
    [
        ({"k_quant_type": "PER_ROW"}, (), 'k_quant_type is "PER_ROW", expected NONE, PER_TENSOR'),
        ({"k_quant_type": "NONE"}, (), "a scale or a width of quantized values, and k_quant_type"),
        ({}, (12,), "k_quant_type is PER_TENSOR, and there is no cache or no scale"),
        ({"v_quant_type": "PER_CHANNEL"}, (), "v_scale has another number of scales"),
    ],
)
def test_caches_that_make_no_sense(
    changes: dict[str, Any], absent: tuple[int, ...], message: str
) -> None:
    arrays, how = step(8, "PER_TENSOR", 1, 9, 16, 1)
    for k in absent:
        arrays[k] = None
    with pytest.raises(opc.OpcError, match=message):
        computed("GroupQueryAttention", arrays, "y k v", **how | changes)


def test_bytes_without_their_width_are_refused() -> None:
    arrays, how = step(4, "PER_TENSOR", 1, 9, 16, 1)
    with pytest.raises(opc.OpcError, match="kv_cache_bit_width is 8 for a cache of ui8"):
        computed("GroupQueryAttention", arrays, "y k v", **how | {"kv_cache_bit_width": 8})

"""Attention whose cache has room for positions to come, against onnxruntime and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
from opc.errors import OpcError
from tests.unit.frontend.onnx.test_onnx_microsoft import computed, floats, in_onnxruntime, near

HEADS, SIZE, ROOM = 2, 4, 9
WIDTH = HEADS * SIZE


def cache(batch: int) -> list[Any]:
    return [floats(batch, HEADS, ROOM, SIZE) for _ in range(2)]


def same(operator: str, arrays: list[Any], outputs: str, used: int, **how: Any) -> None:
    """opc gives what onnxruntime does; of caches as many positions as are in use."""
    found = computed(operator, arrays, outputs, **how)
    wanted = in_onnxruntime(operator, arrays, outputs, **how)
    near(found[0], wanted[0], 1e-5)
    for ours, theirs in zip(found[1:3], wanted[1:3], strict=True):
        assert ours.shape == theirs.shape
        near(ours[:, :, :used], theirs[:, :, :used])


@pytest.mark.parametrize("past", [0, 3, 8])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_decoder(past: int, bias: bool, masked: bool) -> None:
    """One position more, put where the shared buffer has room."""
    q, k, v = (floats(2, 1, WIDTH) for _ in range(3))
    mask = np.ones((2, past + 1), np.int32)
    mask[0, 0] = 0
    arrays = [q, k, v, mask if masked else None, None, *cache(2), np.array([past], np.int32)]
    arrays += [None, None, floats(3 * WIDTH)] if bias else []
    how = {"num_heads": HEADS, "past_present_share_buffer": 1}
    same("DecoderMaskedMultiHeadAttention", arrays, "y k v", past + 1, **how)


def test_decoder_of_other_keys() -> None:
    """Attention to what an encoder gave has no cache of its own."""
    q, k, v = floats(2, 1, WIDTH), floats(2, HEADS, 5, SIZE), floats(2, HEADS, 5, SIZE)
    found = computed("DecoderMaskedMultiHeadAttention", [q, k, v], num_heads=HEADS)
    near(found, in_onnxruntime("DecoderMaskedMultiHeadAttention", [q, k, v], num_heads=HEADS), 1e-5)


def plain(q: Any, k: Any, v: Any, first: int) -> Any:
    """Each query sees the keys up to its own place; heads last."""
    x = q @ np.swapaxes(k, -1, -2) / np.sqrt(SIZE)
    places = first + np.arange(q.shape[2])[:, None]
    x = np.where(np.arange(k.shape[2]) <= places, x, -np.inf)
    power = np.exp(x - x.max(-1, keepdims=True))
    y = power / power.sum(-1, keepdims=True) @ v
    return np.swapaxes(y, 1, 2).reshape(y.shape[0], y.shape[2], -1)


def heads(x: Any) -> Any:
    return np.swapaxes(x.reshape(*x.shape[:2], HEADS, SIZE), 1, 2)


def appended(old: Any, new: Any, past: int) -> Any:
    found = old.copy()
    found[..., past : past + new.shape[-2], :] = new
    return found


@pytest.mark.parametrize("new", [1, 3])
def test_several_heads_in_a_shared_buffer(new: int) -> None:
    q, k, v = (floats(2, new, WIDTH) for _ in range(3))
    old, past = cache(2), 4
    arrays = [q, k, v, None, None, None, *old, np.array([past], np.int32)]
    how = {"num_heads": HEADS, "unidirectional": 1}
    y, *kept = computed("MultiHeadAttention", arrays, "y k v", **how)
    whole = [appended(o, heads(x), past) for o, x in zip(old, (k, v), strict=True)]
    for found, wanted in zip(kept, whole, strict=True):
        assert np.array_equal(found, wanted)
    near(y, plain(heads(q), *(x[:, :, : past + new] for x in whole), past), 1e-5)


@pytest.mark.parametrize("operator", ["Attention", "DecoderMaskedSelfAttention"])
def test_packed_weights_and_a_shared_buffer(operator: str) -> None:
    new, past = (1 if operator[0] == "D" else 2), 5
    x, w, b = floats(2, new, 6), floats(6, 3 * WIDTH), floats(3 * WIDTH)
    old, length = floats(2, 2, HEADS, ROOM, SIZE), np.array([past], np.int32)
    arrays = [x, w, b, None, old, None, length]
    how: dict[str, int] = {"num_heads": HEADS, "past_present_share_buffer": 1}
    how |= {} if operator[0] == "D" else {"unidirectional": 1}
    y, kept = computed(operator, arrays, "y present", **how)
    q, k, v = (heads(p) for p in np.split(x @ w + b, 3, axis=2))
    whole = appended(old, np.stack([k, v]), past)
    near(kept, whole)
    near(y, plain(q, *whole[:, :, :, : past + new], past), 1e-5)
    with pytest.raises(OpcError, match="shared buffer"):
        computed("Attention", [*arrays[:6]], "y present", **how)


def test_beams_are_refused() -> None:
    q, k, v = (floats(2, 1, WIDTH) for _ in range(3))
    places = np.zeros((1, 2, ROOM), np.int32)
    arrays = [q, k, v, None, None, *cache(2), np.array([3], np.int32), None, places]
    with pytest.raises(OpcError, match="beam search"):
        computed(
            "DecoderMaskedMultiHeadAttention", arrays, num_heads=HEADS, past_present_share_buffer=1
        )

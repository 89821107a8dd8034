"""``examples/text``: a network from a GGUF file generates text, here a small one without a file."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import opc
from tests.unit.common import ROOT

FOLDER = ROOT / "examples" / "text"
WIDTH, HEADS, GROUPS, INNER, WORDS, LAYERS, ROOM = 64, 4, 2, 96, 40, 2, 24
PAIRS = WIDTH // HEADS // 2
Array = np.ndarray[Any, np.dtype[Any]]


def halves(values: Array) -> Array:
    return values.astype(np.float16)[..., None].view(np.uint8)


def tensor(kind: str, *data: Array) -> Any:
    return SimpleNamespace(
        tensor_type=SimpleNamespace(name=kind), data=np.concatenate(data, axis=-1)
    )


def four_bits(random: Any, rows: int, columns: int) -> tuple[Any, Array]:
    """Weights as Q4_1 of GGUF has them, and their values."""
    scales = random.uniform(0.01, 0.02, (rows, columns // 32)).astype(np.float16)
    least = random.uniform(-0.2, -0.1, scales.shape).astype(np.float16)
    numbers = random.integers(0, 16, (*scales.shape, 32)).astype(np.uint8)
    packed = numbers[..., :16] | numbers[..., 16:] << 4
    blocks = np.concatenate([halves(scales), halves(least), packed], axis=-1)
    s, m = (a.astype(np.float32)[..., None] for a in (scales, least))
    values = (numbers.astype(np.float32) - -m / s) * s
    return tensor("Q4_1", blocks.reshape(rows, -1)), values.reshape(rows, columns)


def eight_bits(random: Any, rows: int, columns: int) -> tuple[Any, Array]:
    """The same for Q8_0."""
    scales = random.uniform(0.01, 0.02, (rows, columns // 32)).astype(np.float16)
    numbers = random.integers(-128, 128, (*scales.shape, 32)).astype(np.int8)
    blocks = np.concatenate([halves(scales), numbers.view(np.uint8)], axis=-1)
    values = numbers.astype(np.float32) * scales.astype(np.float32)[..., None]
    return tensor("Q8_0", blocks.reshape(rows, -1)), values.reshape(rows, columns)


@pytest.fixture(scope="module")
def network() -> tuple[Any, dict[str, Array]]:
    """A file, as its reader gives it, and the values of its weights."""
    random = np.random.default_rng(4)
    tensors, values = {}, {}
    shapes = {"token_embd": (WORDS, WIDTH), "output_norm": (WIDTH,)}
    group = GROUPS * WIDTH // HEADS
    for k in range(LAYERS):
        shapes |= {
            f"blk.{k}.{name}": shape
            for name, shape in {
                **{"attn_norm": (WIDTH,), "ffn_norm": (WIDTH,)},
                **{"attn_q": (WIDTH, WIDTH), "attn_k": (group, WIDTH), "attn_v": (group, WIDTH)},
                **{"attn_output": (WIDTH, WIDTH), "ffn_gate": (INNER, WIDTH)},
                **{"ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER)},
            }.items()
        }
    for name, shape in shapes.items():
        if len(shape) == 1:
            values[name] = random.uniform(0.5, 1.5, shape).astype(np.float32)
            stored = tensor("F32", values[name])
        else:
            make = eight_bits if name == "token_embd" else four_bits
            stored, values[name] = make(random, *shape)
        stored.name = f"{name}.weight"
        tensors[name] = stored
    numbers = {
        "block_count": LAYERS,
        "embedding_length": WIDTH,
        "attention.head_count": HEADS,
        "attention.head_count_kv": GROUPS,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.dimension_count": 2 * PAIRS,
        "rope.freq_base": 10000.0,
    }
    fields = {
        f"llama.{key}": SimpleNamespace(contents=lambda value=value: value)
        for key, value in numbers.items()
    }
    return SimpleNamespace(tensors=list(tensors.values()), fields=fields), values


@pytest.fixture(scope="module")
def llama() -> Any:
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("llama")
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def function(llama: Any, network: Any) -> Any:
    return opc.compile(llama.Llama(network[0], ROOM).model(), donate=llama.donated(LAYERS))


def next_token(values: dict[str, Array], ids: list[int]) -> tuple[int, Array]:
    """The most likely token and the logits, in f64."""
    w = {name: value.astype(np.float64) for name, value in values.items()}

    def norm(x: Array, name: str) -> Array:
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) * w[name]

    def turned(x: Array) -> Array:
        angles = np.arange(len(ids))[:, None] * 10000.0 ** (-np.arange(PAIRS) / PAIRS)
        a, b, c, s = x[..., ::2], x[..., 1::2], np.cos(angles), np.sin(angles)
        return np.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)

    def split(x: Array, heads: int) -> Array:
        return x.reshape(len(ids), heads, -1).swapaxes(0, 1)

    x = w["token_embd"][ids]
    for k in range(LAYERS):
        y = norm(x, f"blk.{k}.attn_norm")
        q, key, v = (y @ w[f"blk.{k}.attn_{letter}"].T for letter in "qkv")
        q, key = turned(split(q, HEADS)), turned(split(key, GROUPS))
        key, v = (np.repeat(z, HEADS // GROUPS, 0) for z in (key, split(v, GROUPS)))
        scores = q @ key.swapaxes(1, 2) / np.sqrt(2 * PAIRS)
        scores[:, np.triu(np.ones(2 * [len(ids)], bool), 1)] = -np.inf
        e = np.exp(scores - scores.max(-1, keepdims=True))
        y = (e / e.sum(-1, keepdims=True) @ v).swapaxes(0, 1).reshape(len(ids), WIDTH)
        x = x + y @ w[f"blk.{k}.attn_output"].T
        y = norm(x, f"blk.{k}.ffn_norm")
        gate, up = (y @ w[f"blk.{k}.ffn_{name}"].T for name in ("gate", "up"))
        x = x + (gate / (1 + np.exp(-gate)) * up) @ w[f"blk.{k}.ffn_down"].T
    logits = norm(x[-1], "output_norm") @ w["token_embd"].T
    return int(logits.argmax()), logits


def test_text_continues_as_the_network_says(function: Any, network: Any) -> None:
    """A prompt at once, then token by token over caches that are written in place."""
    caches = [np.zeros(spec.shape, np.float32) for spec in function.inputs[1 : 1 + 2 * LAYERS]]
    ids, new = [3, 1, 4, 1, 5], [3, 1, 4, 1, 5]
    for _ in range(12):
        total = np.array(len(ids), np.int32)
        logits, *present = function(np.array([new]), *caches, total.reshape(1) - 1, total)
        assert all(array is cache for array, cache in zip(present, caches, strict=True))
        token, expected = next_token(network[1], ids)
        np.testing.assert_allclose(logits[0, 0], expected, rtol=2e-4, atol=2e-4)
        new = [int(logits.argmax())]
        assert new == [token]
        ids += new


def continued(function: Any, ids: list[int], count: int) -> tuple[list[int], list[Array]]:
    """The next most likely tokens, and the logits of each."""
    caches = [np.zeros(spec.shape, np.float32) for spec in function.inputs[1 : 1 + 2 * LAYERS]]
    every: list[Array] = []
    new = ids
    for _ in range(count):
        total = np.array(len(ids), np.int32)
        logits, *_ = function(np.array([new]), *caches, total.reshape(1) - 1, total)
        every.append(logits)
        new = [int(logits.argmax())]
        ids = ids + new
    return ids, every


def test_packed_weights_say_what_their_f32_values_say(
    function: Any, llama: Any, network: Any
) -> None:
    """The logits have the same bits, so that the tokens are the same."""

    class Dequantized(llama.Llama):
        def _product(self, x: str, name: str) -> str:
            self.constants[f"{name}.f32"] = np.ascontiguousarray(network[1][name].T)
            return self.node("MatMul", [x, f"{name}.f32"])

    plain = opc.compile(Dequantized(network[0], ROOM).model(), donate=llama.donated(LAYERS))
    tokens, logits = continued(function, [3, 1, 4, 1, 5], ROOM - 5)
    expected_tokens, expected = continued(plain, [3, 1, 4, 1, 5], ROOM - 5)
    assert tokens == expected_tokens
    for packed, dequantized in zip(logits, expected, strict=True):
        np.testing.assert_array_equal(packed, dequantized)

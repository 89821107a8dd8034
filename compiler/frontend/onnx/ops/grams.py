"""How often sequences of numbers occur: TfIdfVectorizer of integers.

A gram of n numbers stands wherever these follow one another, or are equally far apart, up to so
many places; one number alone is counted once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import NodeTrace

from .node import Node
from .schema import INDEX, SINGLE, add


def _pool(node: Node) -> list[Any]:
    """The grams of each length, an array [grams, length] for each; all lengths from 1 on."""
    starts, pool = node.attr("ngram_counts"), node.attr("pool_int64s")
    if pool is None or node.attr("pool_strings"):
        raise node.unsupported("grams of text")
    if not starts or sorted(starts) != list(starts) or starts[0] != 0 or starts[-1] > len(pool):
        raise node.error(f"attribute ngram_counts is {list(starts)}, for {len(pool)} numbers")
    ends = [*starts[1:], len(pool)]
    found: list[Any] = []
    for length, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        if (end - start) % length:
            raise node.error(f"{end - start} numbers are no grams of {length}")
        found.append(np.array(pool[start:end], np.int64).reshape(-1, length))
    return found


def tf_idf(node: Node) -> Result:
    """TfIdfVectorizer(x) --> how often each gram is in a row, at the place of it."""
    shape, mode = node.shape(), node.attr("mode")
    least, most = node.attr("min_gram_length"), node.attr("max_gram_length")
    if not 1 <= len(shape) <= 2 or not 1 <= least <= most or node.attr("max_skip_count") < 0:
        raise node.error(f"grams of {least} to {most} numbers of {shape_text(shape)}")
    if mode not in ("TF", "IDF", "TFIDF"):
        raise node.error(f"attribute mode is {mode!r}")
    grams, places = _pool(node), node.attr("ngram_indexes")
    if len(places) != sum(map(len, grams)) or min(places, default=0) < 0:
        raise node.error(f"{len(places)} indices for {sum(map(len, grams))} grams")
    size = max(places, default=-1) + 1
    trace, rows = NodeTrace(node), (ex.const(1), *shape)[-2:]
    x = trace.array(node.reshape(node.cast(node[0], el.I64), rows))
    counts: list[Any] = []
    at = list[int]()
    first = 0
    for length, listed in enumerate(grams, 1):
        numbers, first = range(first, first + len(listed)), first + len(listed)
        if not (least <= length <= most) or not len(listed):
            continue
        total: Any = None
        for distance in range(1, 2 if length == 1 else node.attr("max_skip_count") + 2):
            windows = trace.emit(WindowsOp, x, sizes=[length], strides=[1], dilations=[distance])
            same = np.all(windows[:, :, None, :] == listed, axis=-1)
            count = np.sum(same.astype("i64"), axis=1)
            total = count if total is None else total + count
        counts.append(total)
        at += (places[k] for k in numbers)
    zeros = node.broadcast(node.constant(0, el.I64), (rows[0], size))
    found = trace.array(zeros)
    if counts:
        every: Any = counts[0] if len(counts) == 1 else np.concatenate(counts, axis=1)
        indices = trace.constant(np.array(at, np.int64), el.I64)
        how: dict[str, Any] = {"axes": (1,), "reduction": "add", "from_end": False}
        found = trace.emit(ScatterOp, found, every, indices, **how)
    if mode == "IDF":
        found = found > 0
    result = found.astype("f32")
    weights = node.attr("weights")
    if weights and mode != "TF":
        if len(weights) < size:
            raise node.error(f"{len(weights)} weights for {size} places")
        result = result * np.array(weights[:size], np.float32)
    return node.reshape(result.value, (*shape[:-1], size))


add(
    "TfIdfVectorizer",
    9,
    "X:T -> Y:T1",
    {"T": INDEX, "T1": SINGLE},
    tf_idf,
    "max_gram_length:int! max_skip_count:int! min_gram_length:int! mode:string! "
    "ngram_counts:ints! ngram_indexes:ints! pool_int64s:ints pool_strings:strings weights:floats",
)

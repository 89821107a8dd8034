"""TfIdfVectorizer of integers: counts occurrences of n-grams.

An n-gram of at least 2 numbers also occurs where these are equally spaced, up to a given distance.
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

from .node import Node
from .schema import onnx


def _pool(node: Node) -> list[Any]:
    """The grams by length, from 1 on, as arrays [grams, length]."""
    starts, pool = node.attr("ngram_counts"), node.attr("pool_int64s")
    if pool is None or node.attr("pool_strings"):
        raise node.unsupported("grams of text")
    if not starts or sorted(starts) != list(starts) or starts[0] != 0 or starts[-1] > len(pool):
        raise node.error(f"attribute ngram_counts is {list(starts)}, for {len(pool)} numbers")
    ends = [*starts[1:], len(pool)]
    grams: list[Any] = []
    for length, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        if (end - start) % length:
            raise node.error(f"{end - start} numbers do not form grams of {length}")
        grams.append(np.array(pool[start:end], np.int64).reshape(-1, length))
    return grams


@onnx("TfIdfVectorizer", 9)
def tf_idf(node: Node) -> Result:
    """TfIdfVectorizer(x) --> counts of each gram in a row, at its index."""
    shape, mode = node.ranked(0, 1, 2), node.choice("mode", "TF", "IDF", "TFIDF")
    least, most = node.attr("min_gram_length"), node.attr("max_gram_length")
    if not 1 <= least <= most or node.attr("max_skip_count") < 0:
        raise node.error(f"grams of {least} to {most} numbers of {shape_text(shape)}")
    grams, columns = _pool(node), node.attr("ngram_indexes")
    if len(columns) != sum(map(len, grams)) or min(columns, default=0) < 0:
        raise node.error(f"{len(columns)} indices for {sum(map(len, grams))} grams")
    size = max(columns, default=-1) + 1
    trace, rows = node.trace, (ex.const(1), *shape)[-2:]
    x = trace.array(node.reshape(node.cast(node[0], el.I64), rows))
    counts: list[Any] = []
    at = list[int]()
    first = 0
    for length, table in enumerate(grams, 1):
        numbers, first = range(first, first + len(table)), first + len(table)
        if not (least <= length <= most) or not len(table):
            continue
        total: Any = None
        for distance in range(1, 2 if length == 1 else node.attr("max_skip_count") + 2):
            windows = trace.emit(WindowsOp, x, sizes=[length], strides=[1], dilations=[distance])
            same = np.all(windows[:, :, None, :] == table, axis=-1)
            count = np.sum(same.astype("i64"), axis=1)
            total = count if total is None else total + count
        counts.append(total)
        at += (columns[k] for k in numbers)
    zeros = node.broadcast(node.constant(0, el.I64), (rows[0], size))
    frequencies = trace.array(zeros)
    if counts:
        every: Any = counts[0] if len(counts) == 1 else np.concatenate(counts, axis=1)
        indices = trace.constant(np.array(at, np.int64), el.I64)
        options: dict[str, Any] = {"axes": (1,), "reduction": "add", "from_end": False}
        frequencies = trace.emit(ScatterOp, frequencies, every, indices, **options)
    if mode == "IDF":
        frequencies = frequencies > 0
    result = frequencies.astype("f32")
    weights = node.attr("weights")
    if weights and mode != "TF":
        if len(weights) < size:
            raise node.error(f"{len(weights)} weights for {size} places")
        result = result * np.array(weights[:size], np.float32)
    return node.reshape(result.value, (*shape[:-1], size))

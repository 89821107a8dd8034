"""Strings as indices into tables, ZipMap, and n-grams of integers.

A gram of at least 2 numbers also occurs where these are equally spaced, up to a given distance.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.opc.parts import WindowsOp
from opc.dialects.shape import shape_text
from opc.frontend.models.containers import Labels, Maps
from opc.frontend.models.traced import gathered, value

from .node import Node
from .schema import Result, onnx

Table: TypeAlias = "tuple[int, ...] | tuple[str, ...]"

ML = "ai.onnx.ml::"
MOVES = frozenset({
    *("Compress", "Expand", "Flatten", "Gather", "GatherElements", "GatherND", "Identity"),
    *("Reshape", "Slice", "Squeeze", "Tile", "Transpose", "Unsqueeze"),
    "ai.onnx.ml::ArrayFeatureExtractor",
})  # fmt: skip
"""Operators that only move elements of the first input."""


def labels_of(node: Node, name: str) -> Table:
    """The labels of a classifier: those of ``classlabels_strings``, or the integers of ``name``."""
    return node.attr("classlabels_strings") or node.attr(name) or ()


def labels_at(node: Node, labels: Table, indices: Any) -> Result:
    """The labels at indices, i64 [N], or the indices without labels."""
    if labels and isinstance(labels[0], str):
        return Labels.at(value(node, indices, el.I64), tuple(map(str, labels)))
    if labels:
        table = indices.trace.constant(np.asarray(labels), el.I64)
        indices = gathered(table, (0,), indices)
    return value(node, indices, el.I64)


def moved(node: Node) -> tuple[Result, ...] | None:
    """An operator that moves strings, applied to their indices; None for others."""
    first = node.inputs[0] if node.inputs else None
    if not isinstance(first, Labels):
        return None
    is_move = node.schema.operator in MOVES
    if node.schema.operator in ("Cast", "CastLike"):
        # The only supported conversion of strings is to strings.
        is_move = node.schema.operator == "Cast" and node.attr("to") in (8, "STRING")
        return (first,) if is_move else None
    if not is_move:
        return None
    outcome = node.schema.legalize(node.with_inputs(first.tensor, *node.inputs[1:]))
    results = outcome if isinstance(outcome, tuple) else (outcome,)
    return tuple(first.with_tensor(node.tensor(r)) for r in results if r is not None)


def encoded(
    node: Node, keys: list[Any], values: list[Any], default: Any, type: el.ElementType = el.I64
) -> Result:
    """LabelEncoder with strings as keys or values --> a lookup in a table.

    For string keys the table has the value of each possible string, of ``type`` if a number, for
    constant numbers their strings.
    """
    first = node.inputs[0]
    pairs: dict[Any, Any] = {}
    for key, name in zip(keys, values, strict=True):
        pairs.setdefault(key, name)
    trace = node.trace
    known = node.known(0) if isinstance(default, str) and not isinstance(first, Labels) else None
    numbers = None if known is None else known.constants()
    if known is not None and numbers is not None:
        names = [pairs.get(n, default) for n in numbers]
        table = [*dict.fromkeys(names)]
        positions = np.array([table.index(n) for n in names], np.int64)
        indices = trace.constant(positions.reshape(known.shape), el.I64)
    elif isinstance(first, Labels):
        indices, table = trace.array(first.tensor), [pairs.get(n, default) for n in first.table]
    else:
        x = node.traced(0)
        same = matches(x, np.asarray([*pairs]))
        is_there = onp.any(same, axis=-1)
        indices = onp.where(is_there, onp.argmax(same.astype("i32"), axis=-1), len(pairs))
        table = [*pairs.values(), default]
    if isinstance(default, str):
        return Labels.at(value(node, indices, el.I64), tuple(map(str, table)))
    values_of = trace.constant(np.asarray(table, type.dtype), type)
    return value(node, gathered(values_of, (0,), indices), type)


def matches(x: Any, keys: Any) -> Any:
    """Whether elements equal keys, along a new last axis; NaN equals NaN."""
    column = x.reshape(*x.shape, 1)
    same: Any = onp.equal(column, x.trace.constant(keys, x.element))
    if not x.element.is_float:
        return same
    nan = x.trace.constant(np.isnan(keys.astype(np.float64)), el.I1)
    return same | (onp.isnan(column) & nan)


@onnx(f"{ML}ZipMap", 1)
def zip_map(node: Node) -> Result:
    """ZipMap(x) --> a dictionary for each row of x [N, K], or one for x [K]."""
    keys, x = labels_of(node, "classlabels_int64s"), node.traced(0)
    if not keys:
        raise node.error("there are no classlabels")
    node.ranked(0, 1, 2)
    x = x.reshape(1, *x.shape) if x.ndim == 1 else x
    x.trace.require_equal(x.extents[1], x.extents[1] * 0 + len(keys), "labels and columns differ")
    if len(set(keys)) < len(keys):
        label = next(k for k in keys if keys.count(k) > 1)
        raise node.error(f"classlabels have {label!r} twice, expected labels that differ")
    return Maps.of_rows(x.value, keys)


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

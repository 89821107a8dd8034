"""Decodes long attribute lists of binary models with NumPy.

``AttributeProto`` has a tag before each element of ``floats``, ``ints`` and ``strings``.  Tree
ensembles have lists of millions, which the protobuf parser would keep as objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BytesAttr, DenseArrayBase, Float32Type, StringAttr, i64
from xdsl.ir import Attribute

FLOAT, INT, STRING = 7 << 3 | 5, 8 << 3, 9 << 3 | 2
"""The tags of elements."""
LONG = 1 << 16
"""The list of an attribute of at least this many bytes is decoded here."""
PART = 1 << 20
"""Bytes decoded per iteration."""
WORDS = tuple(
    word.encode()
    for word in ("LEAF", *(f"BRANCH_{m}" for m in ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ")))
)
"""The strings of long lists.  None contains the tag's byte, so tags can be located."""

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class LongList:
    """The elements of a list: i64 or f32 in memory order, or indices into ``WORDS``."""

    tag: int
    elements: bytes

    def attribute(self) -> Attribute:
        """The list as an IR attribute."""
        if self.tag == STRING:
            words = [StringAttr(word.decode()) for word in WORDS]
            return ArrayAttr(map(words.__getitem__, self.elements))
        type = i64 if self.tag == INT else Float32Type()
        return DenseArrayBase(type, BytesAttr(self.elements))


def list_at(data: Bytes, at: int) -> tuple[LongList, int] | None:
    """The list whose first tag is at an offset, and the offset behind it; None if unusual."""
    tag = int(data[at])
    decoded = {FLOAT: _floats, INT: _ints, STRING: _strings}[tag](data, at)
    return None if decoded is None else (LongList(tag, decoded[0]), decoded[1])


def _floats(data: Bytes, at: int) -> tuple[bytes, int]:
    count = (len(data) - at) // 5
    rows = data[at : at + 5 * count].reshape(-1, 5)
    is_other = rows[:, 0] != FLOAT
    count = int(is_other.argmax()) if is_other.any() else count
    return rows[:count, 1:].tobytes(), at + 5 * count


def _ints(data: Bytes, at: int) -> tuple[bytes, int]:
    """Decode pairs of tag and varint, whose last byte alone is below 128."""
    chunks: list[bytes] = []
    while at < len(data):
        part = data[at : at + PART]
        ends = np.flatnonzero(part < 128)
        count = len(ends) // 2
        tags, last = ends[0 : 2 * count : 2], ends[1 : 2 * count : 2]
        starts = np.concatenate([[0], last[:-1] + 1]) if count else tags
        fits = (tags == starts) & (part[tags] == INT) & (last - tags <= 10)
        count = count if fits.all() else int(fits.argmin())
        if not count:
            break
        tags, last = tags[:count], last[:count]
        values = np.zeros(count, np.uint64)
        for k in range(int((last - tags).max())):
            there = tags + 1 + k <= last
            bits = part[np.where(there, tags + 1 + k, 0)].astype(np.uint64) & np.uint64(127)
            values |= np.where(there, bits << np.uint64(7 * k), np.uint64(0))
        chunks.append(values.tobytes())
        at += int(last[-1]) + 1
    return b"".join(chunks), at


def _strings(data: Bytes, at: int) -> tuple[bytes, int] | None:
    """Decode triples of tag, length and letters; None if a string is not in ``WORDS``."""
    starts = at + np.flatnonzero(data[at:] == STRING)
    sizes = data[np.minimum(starts + 1, len(data) - 1)].astype(np.int64)
    ends = starts + 2 + sizes
    follows = starts[1:] == ends[:-1]
    count = len(starts) if follows.all() else int(follows.argmin()) + 1
    starts, sizes, behind = starts[:count], sizes[:count], int(ends[count - 1])
    codes = np.full(count, 255, np.uint8)
    if behind > len(data):
        return None
    for code, word in enumerate(WORDS):
        same = np.flatnonzero(sizes == len(word))
        for k in reversed(range(len(word))):
            same = same[data[starts[same] + 2 + k] == word[k]]
        codes[same] = code
    return None if (codes == 255).any() else (codes.tobytes(), behind)

"""Leaves large tensors of serialized ONNX models in the file, and decodes long lists with NumPy.

A model is a tree of messages: a tag, a length, that many bytes.  The scanner descends to
``raw_data`` and turns long ones into external data at an offset of the file itself, under a random
name.  Parsing then takes memory for the graph, not for the weights.  Field numbers are those of
``onnx.proto``, the encoding is that of protocol buffers.

``AttributeProto`` has a tag before each element of ``floats``, ``ints`` and ``strings``.  Tree
ensembles have lists of millions, which the protobuf parser would keep as objects.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, BytesAttr, DenseArrayBase, Float32Type, StringAttr, i64
from xdsl.ir import Attribute

FLOAT, INT, STRING = 7 << 3 | 5, 8 << 3, 9 << 3 | 2
"""The tags of elements."""
LONG_LIST = 1 << 16
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


LONG = 4096
"""``raw_data`` of at least this many bytes stay in the file."""

RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 9, 13, 14
_STRING, _TENSOR, _GRAPH = 4, 5, 6
"""Fields of an attribute."""
VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


class Content(Protocol):
    """Bytes that can be read in parts."""

    @property
    def size(self) -> int:
        """The number of bytes."""
        ...

    def read(self, offset: int, size: int) -> Bytes:
        """``size`` bytes from ``offset`` on, which must be in range."""
        ...


class InMemory:
    """Bytes in memory.  Parts are views, or copies if not aligned to 8 bytes."""

    def __init__(self, content: bytes) -> None:
        self.size = len(content)
        self._bytes = np.frombuffer(content, np.uint8)

    def read(self, offset: int, size: int) -> Bytes:
        """``size`` bytes from ``offset`` on."""
        part = self._bytes[offset : offset + size]
        return part if part.ctypes.data % 8 == 0 else part.copy()


@dataclass(frozen=True)
class Embedded:
    """A file whose parts are external data of its own model, under this name."""

    name: str
    content: Content
    lists: dict[str, LongList] = field(default_factory=dict[str, LongList])
    """Long lists of attributes, by the string that replaces them."""


class Message:
    """A message type: its fields that lead to tensors."""

    def __init__(self, fields: Mapping[int, Message]) -> None:
        self.fields = dict(fields)


TENSOR = Message({})
ATTRIBUTE = Message({5: TENSOR, 10: TENSOR})
NODE = Message({5: ATTRIBUTE})
GRAPH = Message({1: NODE, 5: TENSOR})
ATTRIBUTE.fields |= {6: GRAPH, 11: GRAPH}
MODEL = Message({7: GRAPH, 25: Message({7: NODE})})


def without_weights(content: Content) -> tuple[bytes, Embedded]:
    """The model without long ``raw_data``, and where to read them.

    Raises ValueError if the bytes are not a tree of messages.
    """
    embedded = Embedded(secrets.token_hex(16), content)
    return b"".join(Scanner(embedded).message(0, content.size, MODEL)), embedded


class Scanner:
    """Scans a model from front to back."""

    WINDOW = 1 << 16

    def __init__(self, embedded: Embedded) -> None:
        self.embedded = embedded
        self.content = embedded.content
        self.start = 0
        self.window = b""

    def bytes(self, start: int, stop: int) -> bytes:
        """The content in [start, stop)."""
        return self.content.read(start, stop - start).tobytes()

    def varint(self, at: int, stop: int) -> tuple[int, int]:
        """A number of seven bits per byte, and the offset behind it."""
        value = shift = 0
        while shift < 70:
            if at >= stop:
                raise ValueError("a number is cut off")
            if not 0 <= at - self.start < len(self.window):
                self.start = at
                self.window = self.bytes(at, min(at + self.WINDOW, self.content.size))
            byte = self.window[at - self.start]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at
        raise ValueError("a number is too long")

    def message(self, start: int, stop: int, kind: Message) -> list[bytes]:
        """The bytes of a message without its large tensors."""
        if kind is ATTRIBUTE and stop - start >= LONG_LIST:
            parts = self._without_list(start, stop)
            if parts is not None:
                return parts
        chunks: list[bytes] = []
        raw: tuple[int, int] | None = None
        at, copied, is_plain = start, start, True
        while at < stop:
            begin = at
            tag, at = self.varint(at, stop)
            field, wire = tag >> 3, tag & 7
            inner = at
            if wire == VARINT:
                _, at = self.varint(at, stop)
            elif wire == LENGTH:
                length, inner = self.varint(at, stop)
                at = inner + length
            elif wire in (FIXED64, FIXED32):
                at += 8 if wire == FIXED64 else 4
            else:
                raise ValueError(f"wire type {wire}")
            if at > stop:
                raise ValueError("a field is cut off")
            if kind is TENSOR and field in (EXTERNAL_DATA, DATA_LOCATION):
                is_plain = False
            if wire != LENGTH or at - inner < LONG:
                continue
            if field in kind.fields:
                parts = self.message(inner, at, kind.fields[field])
                parts = [_varint(tag), _varint(sum(map(len, parts))), *parts]
            elif kind is TENSOR and field == RAW_DATA and raw is None:
                raw, parts = (inner, at), list[bytes]()
            else:
                continue
            chunks += [self.bytes(copied, begin), *parts]
            copied = at
        if raw is not None and not is_plain:
            return [self.bytes(start, stop)]
        chunks.append(self.bytes(copied, stop))
        return chunks if raw is None else [*chunks, *self._external(*raw)]

    def _without_list(self, start: int, stop: int) -> list[bytes] | None:
        """The bytes of an attribute whose list is replaced by a string; None if it has no list.

        Only fields that are no messages stand before the list.
        """
        at, data = start, self.content.read(start, stop - start)
        while at < stop:
            begin = at
            tag, at = self.varint(at, stop)
            if tag in (FLOAT, INT, STRING):
                parsed = list_at(data, begin - start)
                if parsed is None:
                    return None
                key = f"{self.embedded.name}.{len(self.embedded.lists)}"
                self.embedded.lists[key] = parsed[0]
                front, rest = data[: begin - start].tobytes(), data[parsed[1] :].tobytes()
                return [front, _text(_STRING, key), rest] if len(rest) < LONG_LIST else None
            if tag & 7 not in (VARINT, LENGTH) or tag >> 3 in (_TENSOR, _GRAPH):
                return None
            size, at = self.varint(at, stop)
            at += size if tag & 7 == LENGTH else 0
        return None

    def _external(self, start: int, stop: int) -> list[bytes]:
        """The fields that locate ``raw_data`` in the file."""
        entries = {"location": self.embedded.name, "offset": start, "length": stop - start}
        fields: list[bytes] = []
        for key, value in entries.items():
            entry = _text(1, key) + _text(2, str(value))
            fields += [_varint(EXTERNAL_DATA << 3 | LENGTH), _varint(len(entry)), entry]
        return [*fields, _varint(DATA_LOCATION << 3 | VARINT), _varint(1)]


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes([*encoded, value])


def _text(field: int, text: str) -> bytes:
    return _varint(field << 3 | LENGTH) + _varint(len(text)) + text.encode()

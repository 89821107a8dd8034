"""Strips large tensors from serialized ONNX models and leaves them in the file.

A model is a tree of messages: a tag, a length, that many bytes.  The scanner descends to
``raw_data`` and turns long ones into external data at an offset of the file itself, under a random
name.  Parsing then takes memory for the graph, not for the weights.  Field numbers are those of
``onnx.proto``, the encoding is that of protocol buffers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from . import lists
from .lists import LongList

LONG = 4096
"""``raw_data`` of at least this many bytes stay in the file."""

RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 9, 13, 14
_STRING, _TENSOR, _GRAPH = 4, 5, 6
"""Fields of an attribute."""
VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5

Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]


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
        if kind is ATTRIBUTE and stop - start >= lists.LONG:
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
            if tag in (lists.FLOAT, lists.INT, lists.STRING):
                parsed = lists.list_at(data, begin - start)
                if parsed is None:
                    return None
                key = f"{self.embedded.name}.{len(self.embedded.lists)}"
                self.embedded.lists[key] = parsed[0]
                front, rest = data[: begin - start].tobytes(), data[parsed[1] :].tobytes()
                return [front, _text(_STRING, key), rest] if len(rest) < lists.LONG else None
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

"""Leaves large tensors of serialized ONNX models in the file.

A model is a tree of messages: a tag, a length, that many bytes.  The scanner descends to
``raw_data`` and turns long ones into external data at an offset of the file itself, under a random
name.  Parsing then takes memory for the graph, not for the weights.  Field numbers are those of
``onnx.proto``, the encoding is that of protocol buffers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

LONG = 4096
"""``raw_data`` of at least this many bytes stay in the file."""

RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 9, 13, 14
LISTS = (7, 8, 9)
"""Fields of an attribute that has no tensors: lists, of millions of elements in tree ensembles."""
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
        chunks: list[bytes] = []
        raw: tuple[int, int] | None = None
        at, copied, is_plain = start, start, True
        while at < stop:
            begin = at
            tag, at = self.varint(at, stop)
            field, wire = tag >> 3, tag & 7
            if kind is ATTRIBUTE and field in LISTS:
                break
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

"""Loads binary and textual ONNX files as protocol buffers."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from opc.errors import InputError, UsageError
from opc.frontend.formats import MODEL_BYTES
from opc.frontend.mlir.reader import read_bytes
from opc.frontend.verify import shorten

from .embedded import Content, Embedded, InMemory, without_weights

_POSITION = re.compile(r"\[ParseError at position \(line: (\d+) column: (\d+)\)\]\s*")
_CONTEXT = re.compile(r"^Error context:[^\n]*\n")


@dataclass(frozen=True)
class Model:
    """A ``ModelProto``, the folder of its external data, and its name in messages."""

    proto: Any
    folder: Path | None
    name: str
    embedded: Embedded | None = None
    """Where to read tensors that were not parsed."""


def onnx() -> Any:
    """The package ``onnx``.  UsageError if it is not installed."""
    try:
        return import_module("onnx")
    except ImportError as error:
        raise UsageError(
            "reading ONNX models needs the package onnx, 1.17 or newer: pip install onnx"
        ) from error


def load_model(path: str | os.PathLike[str], content: Content | bytes | None = None) -> Model:
    """The model in a file; ``.onnxtxt`` files are textual.  Raises InputError.

    ``content`` is the file's content if the caller has read or opened it.  External data and large
    tensors of binary files are not read.
    """
    file = Path(path)
    package = onnx()
    suffix = file.suffix.lower()
    if content is None:
        content = read_bytes(path, MODEL_BYTES.get(suffix))
    if suffix == ".onnxtxt":
        text = content if isinstance(content, bytes) else content.read(0, content.size).tobytes()
        return Model(_parsed(package, text, True, str(path)), file.parent, str(path))
    return binary_model(content, file.parent, str(path))


def binary_model(content: Content | bytes, folder: Path | None, name: str) -> Model:
    """The model in a file's content, without its large tensors.  Raises InputError."""
    if isinstance(content, bytes):
        content = InMemory(content)
    try:
        graph, embedded = without_weights(content)
    except (ValueError, RecursionError):
        # The parser of protocol buffers reports the error.
        graph, embedded = content.read(0, content.size).tobytes(), None
    return Model(_parsed(onnx(), graph, False, name), folder, name, embedded)


def _parsed(package: Any, content: bytes, textual: bool, place: str) -> Any:
    if textual:
        try:
            return package.parser.parse_model(content.decode("utf-8"))
        except Exception as error:
            # Exception classes of the parser vary, and some have bytes for text.
            argument: Any = error.args[0] if len(error.args) == 1 else str(error)
            text = argument.decode(errors="replace") if isinstance(argument, bytes) else str(error)
            position = _POSITION.match(text)
            if position is not None:
                place, text = f"{place}:{position[1]}:{position[2]}", text[position.end() :]
            text = shorten(_CONTEXT.sub("", text))
            raise InputError(f"not the text of an ONNX model: {text}", place) from None
    proto = package.ModelProto()
    try:
        proto.ParseFromString(content)
    except Exception as error:
        # Exception classes depend on the protobuf implementation.
        text = shorten(str(error)) or "it is damaged"
        raise InputError(f"not an ONNX model: {text}", place) from None
    if not proto.HasField("graph"):
        raise InputError("not an ONNX model: it has no graph", place)
    check_text(proto, place)
    return proto


def check_text(message: Any, place: str) -> None:
    """InputError for a string that is not UTF-8, which protobuf returns as bytes."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_STRING:
            items: Any = value if is_repeated(value) else (value,)
            if not all(isinstance(item, str) for item in items):
                raise InputError(f"not an ONNX model: {field.full_name} is not UTF-8 text", place)
        elif field.type == field.TYPE_MESSAGE:
            for item in value if is_repeated(value) else (value,):
                check_text(item, place)


def is_repeated(value: Any) -> bool:
    """Whether a field's value is a list."""
    return hasattr(value, "__len__") and not isinstance(value, str | bytes)

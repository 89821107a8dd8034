"""Files with ONNX models, binary or textual, as protocol buffers."""

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
    """A ``ModelProto``, the folder for its external data, and what messages call it."""

    proto: Any
    folder: Path | None
    name: str
    embedded: Embedded | None = None
    """What holds those of its tensors that were not parsed."""


def onnx() -> Any:
    """The package ``onnx``.  UsageError if it is not installed."""
    try:
        return import_module("onnx")
    except ImportError as error:
        raise UsageError(
            "reading ONNX models needs the package onnx, 1.17 or newer: pip install onnx"
        ) from error


def load_model(path: str | os.PathLike[str], content: Content | bytes | None = None) -> Model:
    """The model in a file, of the textual form if it ends in ``.onnxtxt``.

    ``content`` is that of the file, if it was read or opened already.  External data is left where
    it is, and so are large tensors of a binary file.
    Raises InputError.
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
        # The parser says what is wrong.
        graph, embedded = content.read(0, content.size).tobytes(), None
    return Model(_parsed(onnx(), graph, False, name), folder, name, embedded)


def _parsed(package: Any, content: bytes, textual: bool, place: str) -> Any:
    if textual:
        try:
            return package.parser.parse_model(content.decode("utf-8"))
        except Exception as error:
            # The parser of the package has an exception for each kind of mistake, some of bytes.
            given: Any = error.args[0] if len(error.args) == 1 else str(error)
            text = given.decode(errors="replace") if isinstance(given, bytes) else str(error)
            found = _POSITION.match(text)
            if found is not None:
                place, text = f"{place}:{found[1]}:{found[2]}", text[found.end() :]
            text = shorten(_CONTEXT.sub("", text))
            raise InputError(f"not the text of an ONNX model: {text}", place) from None
    proto = package.ModelProto()
    try:
        proto.ParseFromString(content)
    except Exception as error:
        # What protocol buffers raise depends on their implementation.
        text = shorten(str(error)) or "it is damaged"
        raise InputError(f"not an ONNX model: {text}", place) from None
    if not proto.HasField("graph"):
        raise InputError("not an ONNX model: it has no graph", place)
    check_text(proto, place)
    return proto


def check_text(message: Any, place: str) -> None:
    """InputError for a name in a model that is no UTF-8 text: it is read as bytes."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_STRING:
            items: Any = value if is_repeated(value) else (value,)
            if not all(isinstance(item, str) for item in items):
                raise InputError(f"not an ONNX model: {field.full_name} is no UTF-8 text", place)
        elif field.type == field.TYPE_MESSAGE:
            for item in value if is_repeated(value) else (value,):
                check_text(item, place)


def is_repeated(value: Any) -> bool:
    """Whether the value of a field is a list."""
    return hasattr(value, "__len__") and not isinstance(value, str | bytes)

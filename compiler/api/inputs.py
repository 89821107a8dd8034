"""Graphs as callers give them: a path, MLIR text, a module or a model; parsed when needed."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from opc.dialects.registry import resolve
from opc.errors import InputError, UsageError
from opc.frontend.check import check_source
from opc.frontend.formats import MODEL_BYTES, READERS
from opc.frontend.mlir.reader import parse_module, read_bytes, read_text
from opc.support.safe_open import DataFile

from .budgets import reported

LARGE = 1 << 20
"""Bytes of a binary model from which on it is not read as a whole."""


@dataclass(frozen=True)
class Graph:
    """A graph as it was given."""

    parse: Callable[[], ModuleOp]
    """Gives the module; what is read from text or a model is verified.  Raises InputError."""
    kind: str = ""
    """The suffix of such files; empty for a module."""
    content: str | bytes | DataFile | None = None
    """What is in the file, or the open file if that is large; None for a module."""
    path: str | None = None
    """The path of the file, if there is one."""

    @property
    def folder(self) -> str:
        """Where files are looked for that the graph names."""
        return str(Path.cwd() if self.path is None else Path(self.path).absolute().parent)

    @property
    def stem(self) -> str | None:
        """The name of the file without its suffix."""
        return None if self.path is None else Path(self.path).stem

    @functools.cached_property
    def digest(self) -> str:
        """A digest of the content, whatever the path."""
        content = str(self.parse()) if self.content is None else self.content
        if isinstance(content, DataFile):
            return content.digest
        data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
        return hashlib.sha256(data).hexdigest()


def given(graph: Any) -> Graph:
    """A path, MLIR text, a module, an ONNX ``ModelProto``, an ``Exported`` of jax or an
    ``ExportedProgram`` of PyTorch as a graph.

    Raises InputError for a file that cannot be read, and UsageError for anything else.
    """
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, ModuleOp):
        return Graph(lambda: graph)
    if type(graph).__name__ == "ModelProto":
        return _of_proto(graph)
    if type(graph).__name__ == "Exported" and hasattr(graph, "mlir_module"):
        graph = str(graph.mlir_module())  # of jax.export
    if type(graph).__name__ == "ExportedProgram" and hasattr(graph, "graph_signature"):
        reader = "opc.frontend.torch.reader:read"
        return Graph(functools.cache(lambda: resolve(reader)(graph)))
    if isinstance(graph, str) and ("\n" in graph or "func.func" in graph):
        return Graph(lambda: parse_module(graph, "<string>"), ".mlir", graph)
    if isinstance(graph, str | os.PathLike):
        return in_file(cast("str | os.PathLike[str]", graph))
    is_torch = hasattr(graph, "named_parameters")
    advice = "; of a module of PyTorch pass torch.export.export(module, args)" if is_torch else ""
    raise UsageError(
        "a graph is a path, MLIR text, a module of xDSL or an ONNX model, "
        f"not {type(graph).__name__}{advice}"
    )


def in_file(path: str | os.PathLike[str]) -> Graph:
    """The graph in a file: a model, or MLIR text, which is on standard input for ``-``."""
    path = os.fspath(path)
    kind = Path(path).suffix.lower()
    if kind in READERS:
        content = _large(path, kind) or read_bytes(path, MODEL_BYTES[kind])
        return Graph(lambda: resolve(READERS[kind])(path, content), kind, content, path)
    if kind in ("", ".mlir"):
        text, name = read_text(path)
        return Graph(lambda: parse_module(text, name), ".mlir", text, None if path == "-" else path)
    with _read_as_text(kind):
        text, name = read_text(path)

    def parse() -> ModuleOp:
        with _read_as_text(kind):
            return parse_module(text, name)

    return Graph(parse, ".mlir", text, path)


def _large(path: str, kind: str) -> DataFile | None:
    """A large binary model, opened: most of it is weights, which are read when they are needed."""
    with contextlib.suppress(OSError, ValueError):
        if kind == ".onnx" and LARGE <= Path(path).stat().st_size <= MODEL_BYTES[kind]:
            return DataFile.named(path)
    return None


@contextlib.contextmanager
def _read_as_text(kind: str) -> Generator[None]:
    """Say in an error that a file of a kind that is not known is read as MLIR text."""
    try:
        yield
    except InputError as error:
        first, separator, rest = error.message.partition("\n")
        models = ", ".join(READERS)
        first += f" (a file {kind[:20]!r} is read as MLIR text; models are {models})"
        raise InputError(first + separator + rest, error.location) from None


def load(graph: Any) -> ModuleOp:
    """A verified module from a path, MLIR text, a module or an ONNX ``ModelProto``.

    Raises InputError.
    """
    input_graph = given(graph)
    with reported():
        module = input_graph.parse()
        if input_graph.content is None:
            check_source(module)
        return module


def _of_proto(proto: Any) -> Graph:
    """A model in memory, as it is now: what is done to it later is not compiled."""
    reader = "opc.frontend.onnx.reader"
    try:
        content: bytes = proto.SerializeToString(deterministic=True)
    except ValueError:  # larger than protocol buffers write
        return Graph(lambda: resolve(f"{reader}:from_proto")(proto))
    return Graph(lambda: resolve(f"{reader}:from_content")(content), ".onnx", content)

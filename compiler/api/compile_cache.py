"""Cache of lowered C, beside that of built libraries.

From the cache, a graph in text or a model need neither be parsed nor lowered.  An entry is found by
the content of the file, by what else the C depends on, and by opc itself: its files, with their
sizes and times, and the libraries under it, so that nothing outlives a change of a pass.  It holds
as long as the files with weights that were opened for it are what they were then, by name, inode,
size and times; the weights themselves are in the entry.

A graph of 500 operators takes 1.5 to 5 s the first time and 1 to 3 ms from then on in one process,
an ONNX model of 400 nodes 7 s and 3 to 8 ms.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.metadata
import itertools
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import xdsl

from opc.dialects import element
from opc.emit.source import Emitted
from opc.emit.weights import Weights
from opc.runtime import cache as caching
from opc.runtime.limits import MAPPED
from opc.support.interface import Interface, TensorSpec
from opc.support.safe_open import DataFile, state_of

DTYPES = {e.dtype.name: e.dtype for e in element.BY_NAME.values()}
"""The element types by name; calls compare them by identity."""


_LENGTH = 8
"""An entry starts with the place of the weights in so many bytes; the JSON is between."""
_ALIGNMENT = 64
"""Alignment of the weights, so that they can be used where the file is mapped."""


def entry_name(*parts: str | None) -> str:
    """The name of the entry for a graph and whatever else the C depends on."""
    digest = hashlib.sha256(repr((IDENTITY, parts)).encode())
    return f"{digest.hexdigest()}.c.json"


def content_key(cache: caching.Cache, content: str | bytes | DataFile) -> str:
    """A key of a file: its text, or a digest of its bytes and the package that reads them."""
    if isinstance(content, str):
        return content
    is_open = isinstance(content, DataFile)
    digest = _known(cache, content) if is_open else hashlib.sha256(content).hexdigest()
    return repr((digest, _onnx_version()))


def _known(cache: caching.Cache, file: DataFile) -> str:
    """The digest of a large file, which is computed once as long as the file stays as it is."""
    if file.is_settled:
        name = entry_name("digest", str(file.path.absolute()), repr(file.state))
        if (kept := caching.read_entry(cache, name)) is not None:
            file.digest = bytes(kept).decode()
        else:
            content = file.digest.encode()
            caching.write_entry(cache, name, len(content), [content])
    return file.digest


@functools.cache
def _onnx_version() -> str:
    try:
        return importlib.metadata.version("onnx")
    except importlib.metadata.PackageNotFoundError:
        return ""


def recall(cache: caching.Cache, name: str) -> Emitted | None:
    """The entry of a name; None if it is missing, damaged, or made of other weights."""
    content = caching.read_entry(cache, name)
    if content is None:
        return None
    start = int.from_bytes(content[:_LENGTH], "little")
    entry: dict[str, Any] = json.loads(bytes(content[_LENGTH:start]))
    if any(state_of(path) != tuple(state) for path, state in entry["files"]):
        return None
    fields: dict[str, Any] = entry["interface"]
    for key in ("inputs", "outputs"):
        fields[key] = list(map(_spec, fields[key]))
    for key in ("inputs", "outputs", "dims", "checks", "capacities", "notes"):
        fields[key] = tuple(fields[key])
    fields["constants"] = tuple((type, count) for type, count in fields["constants"])
    fields["donated"] = tuple((number, result) for number, result in fields["donated"])
    interface = Interface(**fields)
    block = None
    if interface.has_weights:
        block = Weights.of(np.frombuffer(content, np.uint8, offset=start))
    return Emitted(entry["source"], entry["header"], interface, block, tuple(entry["units"]))


def _spec(fields: Sequence[Any]) -> TensorSpec:
    name, dtype, shape, below, *tables = fields
    tables = [None if table is None else tuple(table) for table in tables]
    return TensorSpec(name, DTYPES[dtype], tuple(shape), below, *tables)


def keep(
    cache: caching.Cache, name: str, emitted: Emitted, files: Sequence[DataFile] = ()
) -> Emitted:
    """Write C that depends on ``files`` to the cache; the same C, with large weights mapped.

    These are never in memory as a whole: they are written to the entry one by one, and mapped
    from there.  Where the cache cannot be written, nothing is kept, nor where a file was just being
    written.  Raises InputError if a file has changed.
    """
    kept = all(file.is_settled for file in files) and _keep(cache, name, emitted, files)
    if kept and emitted.block is not None and emitted.block.nbytes >= MAPPED:
        return recall(cache, name) or emitted
    return emitted


def _keep(cache: caching.Cache, name: str, emitted: Emitted, files: Sequence[DataFile]) -> bool:
    interface = emitted.interface
    fields = {f.name: getattr(interface, f.name) for f in dataclasses.fields(Interface)}
    for key in ("inputs", "outputs"):
        specs: tuple[TensorSpec, ...] = fields[key]
        if any(DTYPES.get(spec.dtype.name) is not spec.dtype for spec in specs):
            return False
        fields[key] = [(s.name, s.dtype.name, s.shape, s.below, s.labels, s.keys) for s in specs]
    entry = {
        "source": emitted.source,
        "header": emitted.header,
        "interface": fields,
        "units": emitted.units,
        "files": [(str(file.path.absolute()), file.state) for file in files],
    }
    text = json.dumps(entry).encode()
    text += b" " * (-(_LENGTH + len(text)) % _ALIGNMENT)
    start = (_LENGTH + len(text)).to_bytes(_LENGTH, "little")
    size, weights = len(start) + len(text), emitted.block
    if weights is None:
        return caching.write_entry(cache, name, size, [start + text])
    content = itertools.chain([start + text], weights.parts())
    return caching.write_entry(cache, name, size + weights.nbytes, content)


def _identity() -> str:
    """A digest of opc: of every file of the package, its size and when it was changed."""
    versions = [str(library.__version__) for library in (xdsl, np, ml_dtypes)]
    digest = hashlib.sha256(repr(versions).encode())
    for root in sorted({Path(__file__).parents[1], Path(element.__file__).parent}):
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".py", ".c")):
                    path = os.path.join(folder, name)  # noqa: PTH118
                    status = os.stat(path)  # noqa: PTH116
                    digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


IDENTITY = _identity()
"""What this process has loaded.  A later change of a file is for processes that start later."""

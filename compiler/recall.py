"""C text of graphs that were lowered before, kept in the cache beside the libraries.

From the cache, a graph in text need neither be parsed nor lowered.  An entry is found by the text,
by what else the C depends on, and by opc itself: its files, with their sizes and times, and the
libraries under it, so that nothing outlives a change of a pass.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import xdsl

from opc.dialects import element
from opc.emit.source import Emitted
from opc.interface import Interface, TensorSpec
from opc.runtime import cache as caching

DTYPES = {e.dtype.name: e.dtype for e in element.BY_NAME.values()}
"""The element types by name: the very objects, by which calls compare them."""


def entry_name(*parts: str | None) -> str:
    """The name of the entry for a text and whatever else the C depends on."""
    found = hashlib.sha256(repr((IDENTITY, parts)).encode())
    return f"{found.hexdigest()}.c.json"


def recall(cache: caching.Cache, name: str) -> Emitted | None:
    """What was kept under a name; None if that is nothing, or damaged."""
    content = caching.read_entry(cache, name)
    if content is None:
        return None
    text, _, weights = content.partition(b"\n")
    found: dict[str, Any] = json.loads(text)
    fields: dict[str, Any] = found["interface"]
    for key in ("inputs", "outputs"):
        fields[key] = [TensorSpec(n, DTYPES[t], tuple(shape)) for n, t, shape in fields[key]]
    for key in ("inputs", "outputs", "dims", "checks"):
        fields[key] = tuple(fields[key])
    interface = Interface(**fields)
    block = np.frombuffer(weights, np.uint8) if interface.has_weights else None
    return Emitted(found["source"], found["header"], interface, block)


def keep(cache: caching.Cache, name: str, emitted: Emitted) -> None:
    """Keep something for later; where the cache cannot be written, nothing happens."""
    interface = emitted.interface
    fields = {f.name: getattr(interface, f.name) for f in dataclasses.fields(Interface)}
    for key in ("inputs", "outputs"):
        specs: tuple[TensorSpec, ...] = fields[key]
        if any(DTYPES.get(spec.dtype.name) is not spec.dtype for spec in specs):
            return
        fields[key] = [(spec.name, spec.dtype.name, spec.shape) for spec in specs]
    found = {"source": emitted.source, "header": emitted.header, "interface": fields}
    weights = b"" if emitted.weights is None else emitted.weights.tobytes()
    caching.write_entry(cache, name, json.dumps(found).encode() + b"\n" + weights)


def _identity() -> str:
    """A digest of opc: of every file of the package, its size and when it was changed."""
    versions = [str(library.__version__) for library in (xdsl, np, ml_dtypes)]
    found = hashlib.sha256(repr(versions).encode())
    for root in sorted({Path(__file__).parent, Path(element.__file__).parent}):
        for folder, folders, names in os.walk(root):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".py", ".c")):
                    path = os.path.join(folder, name)  # noqa: PTH118
                    status = os.stat(path)  # noqa: PTH116
                    found.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()


IDENTITY = _identity()
"""What this process has loaded.  A later change of a file is for processes that start later."""

"""Compiled functions as files: the JSON that describes them, and loading.

Loading needs NumPy, but neither xDSL nor a C compiler.  The JSON names the files beside it, with
their sizes and digests, and has a digest of its own, so files that do not belong together are
refused before they are loaded.  None of that makes a library from an untrusted source safe.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from opc.errors import InputError, OutputError, UsageError
from opc.support.forms import FORMS
from opc.support.interface import ABI_VERSION, Interface, TensorSpec

from . import limits, processor
from .callable import CompiledFunction
from .json_fields import FORMAT, Fields, content_of, digest_of

_NO_NAME = re.compile(r"[/\\\0]|^\.|\.json\Z")
_loaded: dict[Path, str] = {}
"""The digest of each library when this process loaded it first."""
_lock = threading.Lock()


@dataclass(frozen=True)
class Library:
    """A shared library, with the architecture, target and threads that it was built for."""

    name: str
    content: bytes | memoryview
    architecture: str
    target: str
    threads: int


def metadata(interface: Interface, weight_bytes: int, graph: str) -> dict[str, Any]:
    """The fields of the JSON for callers: names, element types, shapes, sizes, checks.

    ``graph`` is a digest of the source.
    """

    def tensors(specs: tuple[TensorSpec, ...]) -> list[dict[str, Any]]:
        return [
            {"name": s.name, "dtype": s.dtype.name, "shape": list(s.shape)}
            | ({} if s.below is None else {"below": s.below})
            | ({} if s.labels is None else {"labels": list(s.labels)})
            | ({} if s.keys is None else {"keys": list(s.keys)})
            for s in specs
        ]

    return {
        "opc": FORMAT,
        "abi": ABI_VERSION,
        "contract": interface.contract,
        **{name: getattr(interface, name) for name in FORMS},
        "prefix": interface.prefix,
        "function": interface.function,
        "graph": graph,
        "inputs": tensors(interface.inputs),
        "outputs": tensors(interface.outputs),
        "dims": list(interface.dims),
        "workspace_bytes": interface.workspace,
        "weight_bytes": weight_bytes,
        "checks": list(interface.checks),
        "reads_sizes": interface.reads_sizes,
        "finds_shapes": interface.finds_shapes,
        "capacities": list(interface.capacities),
        **({"donated": [list(pair) for pair in interface.donated]} if interface.donated else {}),
        **({"names": dict(interface.names)} if interface.names else {}),
    }


def described(
    fields: dict[str, Any],
    library: Library | None,
    weights: tuple[str, bytes | memoryview] | None,
) -> bytes:
    """The JSON of a function: its metadata, and the files beside it."""
    fields = dict(fields)
    if library is not None:
        fields["library"] = {
            **_file(library.name, library.content),
            "architecture": processor.machine(library.architecture),
            "target": library.target,
            "features": processor.needed(library.target, library.architecture),
            "threads": library.threads,
        }
    if weights is not None:
        fields["weights"] = _file(*weights)
    fields["digest"] = digest_of(fields)
    return json.dumps(fields, indent=2).encode() + b"\n"


def weights_name(folder: str | os.PathLike[str], prefix: str) -> str:
    """``PREFIX.bin``, or ``PREFIX.weights.bin`` if the former is a file of another program.

    A model may have its own weights under that name; an OpenVINO pair always does.
    """
    name = f"{prefix}.bin"
    folder = Path(folder)
    try:
        if not (folder / name).exists():
            return name
        weights = Fields(_parsed(folder / f"{prefix}.json"), str(folder)).part("weights")
        return name if weights.fields.get("file") == name else f"{prefix}.weights.bin"
    except (InputError, OSError, ValueError):
        return f"{prefix}.weights.bin"


def file_name(name: object) -> str:
    """The name, if files can have it; UsageError if not."""
    if not isinstance(name, str) or not name or len(name) > limits.NAME or _NO_NAME.search(name):
        raise UsageError(
            f"name: found {str(name)[: limits.SHOWN]!r}, expected that of a file, without suffix"
        )
    return name


def check_free(folder: Path, name: str, described: bytes) -> None:
    """OutputError if ``NAME.json`` or ``NAME.so`` exist and are of another graph.

    ``described`` is the JSON that is to be written.
    """
    path, library = folder / f"{name}.json", folder / f"{name}.so"
    taken = next((str(file) for file in (path, library) if file.is_file()), None)
    if taken is None:
        return
    try:
        both = [Fields(fields, taken) for fields in (_parsed(path), json.loads(described))]
        kinds = [(f.text("graph"), f.text("function"), _weights(f)) for f in both]
    except InputError:
        kinds = []
    if len(set(kinds)) != 1:
        raise OutputError(
            f"is of another graph than what would be saved as {name!r}; give save another "
            "name=..., or overwrite=True to replace it",
            taken,
        )


def _weights(fields: Fields) -> str:
    weights = fields.part("weights")
    return weights.text("sha256") if weights.fields else ""


def load(
    path: str | os.PathLike[str], *, threads: int | None = None, digest: bool = False
) -> CompiledFunction:
    """Load the function that ``opc compile`` or ``save`` wrote, from its JSON file.

    The library and the weights are the files beside it that the JSON names.  Neither xDSL nor a C
    compiler is needed.  A call runs on at most ``threads`` threads; the default is what the library
    was compiled for.  A library keeps the bits of the numerical contract that it was compiled
    under; its ``contract`` is 0 if the file names none.  Only load what you trust: a library can do
    whatever this process can.

    Weights of 1 MiB and more are mapped: loading reads none of them, and several processes share
    them.  Their size is checked; their SHA-256, which takes a second for 1 GB, only with
    ``digest``.  Whoever replaces such a file must rename a new one over it, as ``save`` does.

    Raises :class:`InputError` for files that are missing, changed, of another version or for
    another processor, and :class:`ToolchainError` if the system cannot load the library.
    """
    if not isinstance(cast(object, path), str | os.PathLike):
        raise UsageError(f"opc.load takes the path of a .json file, not {type(path).__name__}")
    if threads is not None:
        from .cache import check_threads

        check_threads(threads)
    file = Path(os.fsdecode(path)).absolute()
    fields = Fields(_parsed(file), str(path))
    fields.check_version()
    interface = fields.interface()
    library, weights = fields.part("library"), None
    if not library.fields:
        fields.refuse("it names no library: write one with `opc compile --emit so`")
    library.check_processor()
    built_for = library.number("threads")
    content, library_digest = library.file(file.parent)
    if interface.has_weights:
        weights = np.frombuffer(fields.part("weights").mapped(file.parent, digest), np.uint8)
    loaded = _to_load(file.parent / library.text("file"), content, library_digest)
    return CompiledFunction(interface, loaded, weights, threads or built_for or 1)


def _file(name: str, content: bytes | memoryview) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"file": name, "bytes": len(content), "sha256": digest}


def _parsed(path: Path) -> dict[str, Any]:
    content = content_of(path, str(path), None)
    try:
        fields: object = json.loads(content)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InputError("no JSON; expected the .json file that opc compile wrote", str(path))
    return cast(dict[str, Any], fields)


def _to_load(path: Path, content: bytes, digest: str) -> Path:
    """The file to load: a copy if this process has loaded other content under that name.

    The system's loader goes by the name and would return the library that it has.
    """
    path = path.resolve()
    with _lock:
        if _loaded.setdefault(path, digest) == digest:
            return path
    from .cache import store_private

    return store_private(content)

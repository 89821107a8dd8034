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
from typing import Any, NoReturn, cast

import numpy as np

from opc.errors import InputError, OutputError, UsageError
from opc.support.interface import ABI_VERSION, Interface, TensorSpec
from opc.support.safe_open import open_regular

from . import limits, processor
from .callable import CompiledFunction

FORMAT = 2
"""The version of the JSON."""

_MOST_EXTENT = (1 << 63) - 1
_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,255}\Z", re.ASCII)
_NO_NAME = re.compile(r"[/\\\0]|^\.|\.json\Z")
_NUMPY_TYPES = {
    *("bool", "float16", "float32", "float64"),
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
}
_SMALL_TYPES = {
    *("bfloat16", "float4_e2m1fn", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2"),
    *("float8_e5m2fnuz", "float8_e8m0fnu", "int2", "int4", "uint2", "uint4"),
}
"""Those of ml_dtypes."""

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
        "products": interface.products,
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
    fields["digest"] = _digest(fields)
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
        weights = _Json(_parsed(folder / f"{prefix}.json"), str(folder)).part("weights")
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
        both = [_Json(fields, taken) for fields in (_parsed(path), json.loads(described))]
        kinds = [(f.text("graph"), f.text("function"), _weights(f)) for f in both]
    except InputError:
        kinds = []
    if len(set(kinds)) != 1:
        raise OutputError(
            f"is of another graph than what would be saved as {name!r}; give save another "
            "name=..., or overwrite=True to replace it",
            taken,
        )


def _weights(fields: _Json) -> str:
    weights = fields.part("weights")
    return weights.text("sha256") if weights.fields else ""


def load(path: str | os.PathLike[str], *, threads: int | None = None) -> CompiledFunction:
    """Load the function that ``opc compile`` or ``save`` wrote, from its JSON file.

    The library and the weights are the files beside it that the JSON names.  Neither xDSL nor a C
    compiler is needed.  A call runs on at most ``threads`` threads; the default is what the library
    was compiled for.  A library keeps the bits of the numerical contract that it was compiled
    under; its ``contract`` is 0 if the file names none.  Only load what you trust: a library can do
    whatever this process can.

    Raises :class:`InputError` for files that are missing, changed, of another version or for
    another processor, and :class:`ToolchainError` if the system cannot load the library.
    """
    if not isinstance(cast(object, path), str | os.PathLike):
        raise UsageError(f"opc.load takes the path of a .json file, not {type(path).__name__}")
    if threads is not None:
        from .cache import check_threads

        check_threads(threads)
    file = Path(os.fsdecode(path)).absolute()
    fields = _Json(_parsed(file), str(path))
    fields.check_version()
    interface = fields.interface()
    library, weights = fields.part("library"), None
    if not library.fields:
        fields.refuse("it names no library: write one with `opc compile --emit so`")
    library.check_processor()
    built_for = library.number("threads")
    content, digest = library.file(file.parent)
    if interface.has_weights:
        block, _ = fields.part("weights").file(file.parent)
        weights = np.frombuffer(block, np.uint8)
    loaded = _to_load(file.parent / library.text("file"), content, digest)
    return CompiledFunction(interface, loaded, weights, threads or built_for or 1)


def _file(name: str, content: bytes | memoryview) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"file": name, "bytes": len(content), "sha256": digest}


def _digest(fields: dict[str, Any]) -> str:
    rest = {key: value for key, value in fields.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _parsed(path: Path) -> dict[str, Any]:
    content = _content(path, str(path), None)
    try:
        fields: object = json.loads(content)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InputError("no JSON; expected the .json file that opc compile wrote", str(path))
    return cast(dict[str, Any], fields)


def _content(path: Path, shown: str, size: int | None) -> bytes:
    """The bytes of a file, which must be ``size`` if that is known."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            count = os.fstat(file.fileno()).st_size
            if size is not None and count != size:
                raise InputError(f"found {count} bytes, expected {size}", shown)
            if size is None and count > limits.INTERFACE:
                raise InputError(f"found {count} bytes, expected at most {limits.INTERFACE}", shown)
            return file.read(count)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", shown) from None
    except ValueError as error:
        raise InputError(f"cannot be read: {error}", shown.replace("\0", "\\0")) from None


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


@dataclass(frozen=True)
class _Json:
    """An object in the JSON file, which is not trusted."""

    fields: dict[str, Any]
    path: str
    label: str = ""

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about the file."""
        raise InputError(message, self.path)

    def part(self, name: str) -> _Json:
        """An object inside; without fields if it is absent."""
        value: object = self.fields.get(name, {})
        if not isinstance(value, dict):
            self._wrong(name, "an object")
        return _Json(cast(dict[str, Any], value), self.path, f"{name}.")

    def text(self, name: str) -> str:
        """A field that is text."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else self._wrong(name, "text")

    def number(self, name: str) -> int:
        """A field that is a number from 0 on."""
        value = self.fields.get(name)
        # True is an int.
        if type(value) is int and 0 <= value <= _MOST_EXTENT:
            return value
        return self._wrong(name, "a number from 0 to 2^63 - 1")

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of text."""
        items = self.items(name)
        if all(isinstance(item, str) for item in items):
            return tuple(items)
        return self._wrong(name, "a list of text")

    def keys(self) -> tuple[int | str, ...]:
        """The keys of dictionaries: text, or numbers."""
        items = self.items("keys")
        if all(isinstance(item, str) or type(item) is int for item in items):
            return tuple(items)
        return self._wrong("keys", "text and numbers")

    def items(self, name: str) -> list[Any]:
        """A field that is a list."""
        value = self.fields.get(name)
        return cast(list[Any], value) if isinstance(value, list) else self._wrong(name, "a list")

    def check_version(self) -> None:
        """Refuse another format, a file that was changed, and another calling convention."""
        for name, expected in (("opc", FORMAT), ("abi", ABI_VERSION)):
            version = self.fields.get(name)
            if type(version) is not int or version != expected:
                self.refuse(
                    f"found {name} {_shown(version)}, expected {expected}: it is of another "
                    "version of opc; compile it again"
                )
        stated, digest = self.text("digest"), _digest(self.fields)
        if stated != digest:
            self.refuse(f"it was changed: found digest {_shown(stated)}, expected {_shown(digest)}")

    def interface(self) -> Interface:
        """The interface of the function."""
        prefix = self.text("prefix")
        if not _PREFIX.match(prefix):
            self._wrong("prefix", "a name of C")
        workspace = None
        if self.fields.get("workspace_bytes", 0) is not None:
            workspace = self.number("workspace_bytes")
        size, weights = self.number("weight_bytes"), self.part("weights")
        if size != (weights.number("bytes") if weights.fields else 0):
            self._wrong("weight_bytes", "the size of the weights")
        for name in ("reads_sizes", "finds_shapes"):
            if type(self.fields.get(name)) is not bool:
                self._wrong(name, "true or false")
        inputs, outputs = self._tensors("inputs"), self._tensors("outputs")
        symbols = {e for spec in inputs for e in spec.shape if isinstance(e, str)}
        dims, capacities = self.texts("dims"), self.texts("capacities")
        names = self.part("names")
        if not symbols.union(capacities).issuperset(dims):
            self._wrong("dims", "extents of inputs, and capacities")
        return Interface(
            prefix,
            self.text("function"),
            inputs,
            outputs,
            dims,
            workspace,
            bool(weights.fields),
            self.texts("checks"),
            self.fields["reads_sizes"],
            self.fields["finds_shapes"],
            capacities,
            contract=self.number("contract") if "contract" in self.fields else 0,
            products=self.text("products") if "products" in self.fields else "fused",
            names={name: names.text(name) for name in names.fields},
        )

    def check_processor(self) -> None:
        """Refuse a library that this machine cannot run."""
        architecture, expected = self.text("architecture"), processor.machine()
        if architecture != expected:
            self.refuse(f"the library is for {_shown(architecture)}, expected {expected}")
        missing = processor.missing(self.texts("features"))
        if missing:
            features = ", ".join(map(_shown, missing[:20]))
            target = _shown(self.text("target"))
            self.refuse(
                f"the library (target {target}) needs of the processor what this one has not: "
                f"{features}; compile it here, or for a target that fits"
            )

    def file(self, folder: Path) -> tuple[bytes, str]:
        """The content of the file that the object names, and its digest."""
        name = self.text("file")
        if name in ("", ".", "..") or re.search(r"[/\\\0]", name) or len(name) > limits.FILE:
            self._wrong("file", "the name of a file beside this one")
        shown = str(Path(self.path).parent / name)
        content = _content(folder / name, shown, self.number("bytes"))
        digest, expected = hashlib.sha256(content).hexdigest(), self.text("sha256")
        if digest != expected:
            raise InputError(f"found SHA-256 {digest}, expected {_shown(expected)}", shown)
        return content, digest

    def _tensors(self, name: str) -> tuple[TensorSpec, ...]:
        specs: list[TensorSpec] = []
        for k, item in enumerate(self.items(name)):
            label = f"{name}[{k}]."
            if not isinstance(item, dict):
                self._wrong(f"{name}[{k}]", "an object")
            tensor = _Json(cast(dict[str, Any], item), self.path, label)
            shape = tensor.items("shape")
            fits = all(
                isinstance(e, str) or (type(e) is int and 0 <= e <= _MOST_EXTENT) for e in shape
            )
            if not fits or len(shape) > limits.RANK:
                tensor._wrong("shape", "extents and symbols")
            dtype = dtype_named(tensor.text("dtype"))
            if dtype is None:
                tensor._wrong("dtype", "an element type of opc")
            below = tensor.fields.get("below")
            if not (below is None or isinstance(below, str) or type(below) is int):
                tensor._wrong("below", "an extent or a symbol")
            labels = tensor.texts("labels") if "labels" in tensor.fields else None
            keys = tensor.keys() if "keys" in tensor.fields else None
            specs.append(TensorSpec(tensor.text("name"), dtype, tuple(shape), below, labels, keys))
        return tuple(specs)

    def _wrong(self, name: str, expected: str) -> NoReturn:
        value = _shown(self.fields.get(name))
        self.refuse(f"{self.label}{name}: found {value}, expected {expected}")


def dtype_named(name: str) -> np.dtype[Any] | None:
    """The element type with a name in the JSON; None if there is none."""
    if name in _NUMPY_TYPES:
        return np.dtype(name)
    if name in _SMALL_TYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return None


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= limits.SHOWN else text[: limits.SHOWN] + "..."

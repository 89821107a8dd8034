"""The JSON beside a compiled function, which is not trusted: its fields, and the files it names."""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

import numpy as np

from opc.errors import InputError
from opc.support.forms import FORMS
from opc.support.interface import ABI_VERSION, Interface, TensorSpec
from opc.support.safe_open import open_regular

from . import large_pages, limits, processor

FORMAT = 3
"""The version of the JSON."""

_MOST_EXTENT = (1 << 63) - 1
_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,255}\Z", re.ASCII)
_NUMPY_TYPES = {
    *("bool", "float16", "float32", "float64"),
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
}
_SMALL_TYPES = {
    *("bfloat16", "float4_e2m1fn", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2"),
    *("float8_e5m2fnuz", "float8_e8m0fnu", "int2", "int4", "uint2", "uint4"),
}
"""Those of ml_dtypes."""


@dataclass(frozen=True)
class Fields:
    """An object in the JSON file, which is not trusted."""

    fields: dict[str, Any]
    path: str
    label: str = ""

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about the file."""
        raise InputError(message, self.path)

    def part(self, name: str) -> Fields:
        """An object inside; without fields if it is absent."""
        value: object = self.fields.get(name, {})
        if not isinstance(value, dict):
            self._wrong(name, "an object")
        return Fields(cast(dict[str, Any], value), self.path, f"{name}.")

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
                    f"found {name} {shown_value(version)}, expected {expected}: it is of another "
                    "version of opc; compile it again"
                )
        stated, digest = self.text("digest"), digest_of(self.fields)
        if stated != digest:
            self.refuse(
                f"it was changed: found digest {shown_value(stated)}, "
                f"expected {shown_value(digest)}"
            )

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
        forms: dict[str, Any] = {name: self._form(name) for name in FORMS}
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
            **forms,
            donated=self._donated(inputs, outputs),
            names={name: names.text(name) for name in names.fields},
        )

    def _form(self, name: str) -> str:
        """The word for one of ``FORMS``."""
        words = FORMS[name]
        word = self.text(name) if name in self.fields else words[0]
        return word if word in words else self._wrong(name, " or ".join(words))

    def _donated(
        self, inputs: Sequence[TensorSpec], outputs: Sequence[TensorSpec]
    ) -> tuple[tuple[int, int], ...]:
        """The pairs of numbers of an input and the output that is the same array."""
        pairs: list[tuple[int, int]] = []
        for pair in self.items("donated") if "donated" in self.fields else []:
            match pair:
                case [int() as k, int() as out] if (
                    0 <= k < len(inputs)
                    and 0 <= out < len(outputs)
                    and (inputs[k].dtype, inputs[k].shape)
                    == (outputs[out].dtype, outputs[out].shape)
                ):
                    pairs.append((k, out))
                case _:
                    self._wrong("donated", "numbers of an input and an output of its type")
        if any(len(set(numbers)) != len(pairs) for numbers in zip(*pairs, strict=True)):
            self._wrong("donated", "each input and output once")
        return tuple(pairs)

    def check_processor(self) -> None:
        """Refuse a library that this machine cannot run."""
        architecture, expected = self.text("architecture"), processor.machine()
        if architecture != expected:
            self.refuse(f"the library is for {shown_value(architecture)}, expected {expected}")
        missing = processor.missing(self.texts("features"))
        if missing:
            features = ", ".join(map(shown_value, missing[:20]))
            target = shown_value(self.text("target"))
            self.refuse(
                f"the library (target {target}) needs of the processor what this one has not: "
                f"{features}; compile it here, or for a target that fits"
            )

    def file(self, folder: Path) -> tuple[bytes, str]:
        """The content of the file that the object names, and its digest."""
        path, shown = self._named(folder)
        content = content_of(path, shown, self.number("bytes"))
        return content, self._check_digest(content, shown)

    def mapped(self, folder: Path, digest: bool) -> bytes | mmap.mmap:
        """The content of the file that the object names, mapped if it is large.

        The digest of a mapped file is checked only with ``digest``.
        """
        size = self.number("bytes")
        if size < limits.MAPPED:
            return self.file(folder)[0]
        path, shown = self._named(folder)
        with _opened(path, shown, size) as file:
            content = large_pages.mapped(file.fileno(), size)
        if digest:
            self._check_digest(content, shown)
        return content

    def _named(self, folder: Path) -> tuple[Path, str]:
        """The path of the file that the object names, and how messages show it."""
        name = self.text("file")
        if name in ("", ".", "..") or re.search(r"[/\\\0]", name) or len(name) > limits.FILE:
            self._wrong("file", "the name of a file beside this one")
        return folder / name, str(Path(self.path).parent / name)

    def _check_digest(self, content: bytes | mmap.mmap, shown: str) -> str:
        digest, expected = hashlib.sha256(content).hexdigest(), self.text("sha256")
        if digest != expected:
            raise InputError(f"found SHA-256 {digest}, expected {shown_value(expected)}", shown)
        return digest

    def _tensors(self, name: str) -> tuple[TensorSpec, ...]:
        specs: list[TensorSpec] = []
        for k, item in enumerate(self.items(name)):
            label = f"{name}[{k}]."
            if not isinstance(item, dict):
                self._wrong(f"{name}[{k}]", "an object")
            tensor = Fields(cast(dict[str, Any], item), self.path, label)
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
        value = shown_value(self.fields.get(name))
        self.refuse(f"{self.label}{name}: found {value}, expected {expected}")


def dtype_named(name: str) -> np.dtype[Any] | None:
    """The element type with a name in the JSON; None if there is none."""
    if name in _NUMPY_TYPES:
        return np.dtype(name)
    if name in _SMALL_TYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return None


def shown_value(value: object) -> str:
    """A value as JSON, of limited length."""
    text = json.dumps(value)
    return text if len(text) <= limits.SHOWN else text[: limits.SHOWN] + "..."


def digest_of(fields: dict[str, Any]) -> str:
    """The digest of all fields but itself."""
    rest = {key: value for key, value in fields.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


@contextlib.contextmanager
def _opened(path: Path, shown: str, size: int | None) -> Generator[BinaryIO]:
    """A file, which must have ``size`` bytes if that is known."""
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            count = os.fstat(file.fileno()).st_size
            if size is not None and count != size:
                raise InputError(f"found {count} bytes, expected {size}", shown)
            yield file
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", shown) from None
    except ValueError as error:
        raise InputError(f"cannot be read: {error}", shown.replace("\0", "\\0")) from None


def content_of(path: Path, shown: str, size: int | None) -> bytes:
    """The bytes of a file, which must be ``size`` if that is known."""
    with _opened(path, shown, size) as file:
        content = file.read(limits.INTERFACE + 1 if size is None else size)
        if size is None and len(content) > limits.INTERFACE:
            raise InputError(f"found more than {limits.INTERFACE} bytes, expected fewer", shown)
        return content

"""Arrays in files, random arrays, and arrays as text, for ``opc run``."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

from opc.errors import ArgumentError, InputError, OpcError, UsageError
from opc.runtime.arguments import described_shape, described_type
from opc.runtime.limits import DEFAULT_EXTENT
from opc.support.interface import Interface, TensorSpec
from opc.support.safe_open import open_regular

from .files import write_all

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def read_inputs(items: Sequence[str], interface: Interface) -> dict[str, Array]:
    """The arrays of ``[NAME=]FILE`` items by the name of their input.

    Raises :class:`UsageError` for names that are no inputs, :class:`InputError` for files that
    hold no arrays.
    """
    specs = {spec.name: spec for spec in interface.inputs}
    names = ", ".join(specs) or "none"
    by_name: dict[str, Array] = {}

    def add(name: str, array: Array) -> None:
        if name in by_name:
            raise UsageError(f"--input: {name!r} is given twice")
        by_name[name] = _with_type(array, specs[name])

    for item in items:
        name, equals, path = item.partition("=")
        # A file may have a = in its name, an input may not.
        if equals and name in specs:
            arrays = _load(path)
            if isinstance(arrays, dict):
                if name not in arrays and len(arrays) != 1:
                    raise InputError(f"holds no array {name!r}: {', '.join(arrays)}", path)
                arrays = arrays[name] if name in arrays else next(iter(arrays.values()))
            add(name, arrays)
            continue
        if equals and not Path(item).exists():
            raise UsageError(f"--input: there is no input {name!r}; there are: {names}")
        arrays = _load(item)
        if not isinstance(arrays, dict):
            if len(specs) != 1:
                raise UsageError(
                    f"--input: {item} needs the name of its input: NAME={item}; there are: {names}"
                )
            add(next(iter(specs)), arrays)
            continue
        matching = [key for key in arrays if key in specs]
        if not matching:
            raise UsageError(f"--input: {item} holds none of the inputs {names}")
        for key in matching:
            add(key, arrays[key])
    return by_name


def _load(path: str) -> Array | dict[str, Array]:
    """The array of a .npy file, or those of an .npz archive by name."""
    if not path:
        raise InputError("--input: found an empty path, expected that of a file")
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            # NumPy takes everything else for pickled objects, and advises to load them.
            if not file.read(6).startswith((b"\x93NUMPY", b"PK\x03\x04", b"PK\x05\x06")):
                raise InputError("is neither a .npy file nor an .npz archive", path)
            file.seek(0)
            loaded: Any = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return cast(Array, loaded)
            with loaded:
                members = {name: loaded[name] for name in loaded.files}
        for name, member in members.items():
            # NumPy hands over the bytes of what is no array.
            if not isinstance(member, np.ndarray):
                raise ValueError(f"{name} is no array")
        return members
    except OpcError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from error
    except MemoryError as error:
        raise InputError("holds an array that does not fit into memory", path) from error
    except Exception as error:
        # A damaged archive fails in any of zipfile, zlib and NumPy's reader of headers.
        text = " ".join(str(error).split())
        if "Object arrays" in text:
            raise InputError("holds Python objects, expected numbers", path) from None
        raise InputError(f"cannot be read as .npy or .npz: {text}"[:300], path) from error


def _with_type(array: Array, spec: TensorSpec) -> Array:
    """The array with raw bytes read as the element type, where that is one that NumPy lacks."""
    dtype, wanted = array.dtype, spec.dtype
    is_raw = dtype.kind == wanted.kind == "V" and dtype.names is None
    return array.view(wanted) if is_raw and dtype.itemsize == wanted.itemsize else array


def random_inputs(
    seed: int, interface: Interface, arrays: Mapping[str, Array], extents: Mapping[str, int]
) -> dict[str, Array]:
    """Random arrays for the inputs that are not in ``arrays``, whose extents the others follow."""
    symbols: dict[str, int] = {}
    for spec in interface.inputs:
        if spec.name in arrays:
            pairs = zip(spec.shape, arrays[spec.name].shape, strict=False)
            symbols |= {s: n for s, n in pairs if isinstance(s, str) and s not in symbols}
    known = {e for spec in interface.inputs for e in spec.shape if isinstance(e, str)}
    for name, extent in extents.items():
        if name not in known:
            shown = ", ".join(sorted(known)) or "none"
            raise UsageError(f"--extent: there is no symbol {name!r}; there are: {shown}")
        if symbols.setdefault(name, extent) != extent:
            raise UsageError(f"--extent: {name} is {symbols[name]} in the arrays that are given")

    def of(symbol: str) -> int:
        return symbols.get(symbol, DEFAULT_EXTENT)

    rng = np.random.default_rng(seed)
    drawn: dict[str, Array] = {}
    for spec in interface.inputs:
        if spec.name not in arrays:
            shape = [e if isinstance(e, int) else of(e) for e in spec.shape]
            below = of(spec.below) if isinstance(spec.below, str) else spec.below
            drawn[spec.name] = _random(rng, shape, spec, below)
    return drawn


def _random(
    rng: np.random.Generator, shape: Sequence[int], spec: TensorSpec, below: int | None
) -> Array:
    try:
        if below is not None:
            most = min(below, int(np.iinfo(spec.dtype).max) + 1)
            return rng.integers(0, max(most, 1), shape).astype(spec.dtype)
        if spec.dtype.kind == "b":
            return rng.integers(0, 2, shape).astype(spec.dtype)
        if spec.dtype.kind in "iu":
            low = -9 if spec.dtype.kind == "i" else 0
            return rng.integers(low, 10, shape).astype(spec.dtype)
        return np.asarray(rng.standard_normal(shape)).astype(spec.dtype)
    except (MemoryError, ValueError) as error:
        raise ArgumentError(f"input {spec.name!r}: cannot make shape {shape}: {error}") from error


def save_outputs(
    path: Path, interface: Interface, outputs: Sequence[Array]
) -> list[tuple[Path, int]]:
    """Write ``path``/NAME.npy for every output, or the one file that ``path`` names.

    That is an archive if it ends in .npz, and the array of the only output if it ends in .npy.  A
    file of an output whose name is no plain file name is called ``output`` and its position.
    ``outputs`` are what C writes.  Labels are saved as text of NumPy, dictionaries as the matrix of
    their values.
    """
    is_archive = path.suffix == ".npz"
    files: dict[str, Array] = {}
    for position, (spec, array) in enumerate(zip(interface.outputs, outputs, strict=True)):
        is_plain = is_archive or _PLAIN_NAME.fullmatch(spec.name)
        name = spec.name if is_plain else f"output{position}"
        files[f"output{position}" if name in files else name] = _text(spec, array)
    if is_archive:
        return write_all(path.parent, {path.name: archive(files)})
    if path.suffix == ".npy":
        return write_all(path.parent, {path.name: _bytes(next(iter(files.values())))})
    return write_all(path, {f"{name}.npy": _bytes(array) for name, array in files.items()})


def archive(arrays: Mapping[str, Array]) -> bytes:
    """The content of an .npz archive: numpy.savez takes names as keywords, which forbids some."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, array in arrays.items():
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), _bytes(array))
    return content.getvalue()


def _bytes(array: Array) -> bytes:
    """The content of a .npy file."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def shown(spec: TensorSpec, array: Array) -> str:
    """Name, type, shape, and the values as NumPy prints them, long arrays in summary.

    ``array`` is what C writes.  Labels are shown as text, dictionaries as Python has them.
    """
    if spec.keys is not None:
        kind = "str" if any(isinstance(key, str) for key in spec.keys) else "i64"
        element = described_type(TensorSpec("", spec.dtype, ())).removesuffix("[]")
        type, values = f"{{{kind}: {element}}}[{len(array)}]", _dictionaries(spec.keys, array)
    elif spec.labels is not None:
        type = f"str{described_shape(array.shape)}"
        values = np.array2string(_text(spec, array), separator=", ")
    else:
        type = described_type(TensorSpec(spec.name, spec.dtype, array.shape))
        values = np.array2string(array, separator=", ")
    return f"{spec.name}: {type}\n{values}"


def _text(spec: TensorSpec, array: Array) -> Array:
    """Labels as text of NumPy; any other array as it is."""
    return array if spec.labels is None else np.asarray(np.array(spec.labels, str)[array])


def _dictionaries(keys: Sequence[int | str], rows: Array) -> str:
    """A dictionary for each row; many in summary."""

    def dictionary(row: int) -> str:
        pairs = zip(keys, rows[row], strict=True)
        return "{" + ", ".join(f"{key!r}: {value!s}" for key, value in pairs) + "}"

    most = max(1, np.get_printoptions()["threshold"] // max(1, len(keys)))
    formatter: Any = {"int": dictionary}
    return np.array2string(
        np.arange(len(rows)), separator=", ", threshold=most, formatter=formatter
    )

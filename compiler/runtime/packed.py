"""A compiled function in a package of its own: a copy of this module loads it with NumPy alone.

``opc pack`` puts it beside ``function.json``, ``function.so`` and ``function.bin``.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import platform
from pathlib import Path
from typing import Any

import numpy as np

_ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}


def _flags() -> set[str]:
    """The features of this processor, where Linux names them."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as file:
            text = file.read(16384)
    except OSError:
        return set()
    lines = (line.partition(":") for line in text.splitlines())
    values = (value for key, _, value in lines if key.strip() in ("flags", "Features"))
    return set(next(values, "").split())


class Function:
    """The function: call it with arrays, by position or by name.

    ``inputs`` and ``outputs`` are dictionaries with name, dtype and shape.  Calls at the same time
    are fine.
    """

    def __init__(self, folder: Path) -> None:
        self._json: dict[str, Any] = json.loads((folder / "function.json").read_text("utf-8"))
        self.inputs: list[dict[str, Any]] = self._json["inputs"]
        self.outputs: list[dict[str, Any]] = self._json["outputs"]
        library = self._json["library"]
        machine = platform.machine().lower()
        if library["architecture"] != _ALIASES.get(machine, machine):
            raise ImportError(f"this package is for {library['architecture']}, not {machine}")
        flags = _flags()
        missing = sorted(set(library["features"]) - flags) if flags else []
        if missing:
            raise ImportError(f"this package needs a processor with {', '.join(missing)}")
        loaded = ctypes.CDLL(str(folder / library["file"]))
        self._run = loaded[f"{self._json['prefix']}_run"]
        self._plan = loaded[f"{self._json['prefix']}_plan"] if self._has_plan() else None
        self._weights = None
        if self._json["weight_bytes"]:
            self._weights = np.memmap(folder / "function.bin", np.uint8, "r")

    def _has_plan(self) -> bool:
        extents = [extent for spec in self.outputs for extent in spec["shape"]]
        return self._json["workspace_bytes"] is None or any(isinstance(e, str) for e in extents)

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """The output, or a tuple of several.

        Raises TypeError and ValueError for arrays that do not fit.
        """
        inputs = self._checked(arrays, named)
        symbols = self._symbols(inputs)
        capacities: list[str] = self._json["capacities"]
        first: int = self._json["capacity"]
        symbols |= dict.fromkeys(capacities, first)
        while True:
            code, results = self._called(inputs, symbols)
            number, bits = divmod(-code, self._json["places"])
            if code >= 0 or number == 0 or number > len(capacities):
                break
            symbols[capacities[number - 1]] = 1 << bits
        if code:
            checks = self._json["checks"]
            known = 0 < code <= len(checks)
            text = checks[code - 1] if known else f"arrays are too large, or code {code}"
            shown = ", ".join(f"{name} = {value}" for name, value in symbols.items())
            raise ValueError(f"{text} ({shown})" if shown else text)
        return results[0] if len(results) == 1 else tuple(results)

    def _checked(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        names = [spec["name"] for spec in self.inputs]
        values = dict(zip(names, arrays, strict=False))
        unknown = sorted(set(named) - set(names)) + sorted(set(named) & set(values))
        if len(arrays) > len(names) or unknown:
            raise TypeError(f"expected the inputs {', '.join(names)}, each once")
        values |= named
        if names and names[-1] == "seed" and "seed" not in values:
            values["seed"] = np.uint64(int.from_bytes(os.urandom(8), "little"))
        checked: list[Any] = []
        for spec in self.inputs:
            if spec["name"] not in values:
                raise TypeError(f"input {spec['name']} is missing")
            array = np.asarray(values[spec["name"]])
            if array.dtype != np.dtype(spec["dtype"]):
                raise TypeError(f"input {spec['name']}: {array.dtype}, expected {spec['dtype']}")
            checked.append(np.ascontiguousarray(array).reshape(array.shape))
        return checked

    def _symbols(self, inputs: list[Any]) -> dict[str, int]:
        symbols: dict[str, int] = {}
        for spec, array in zip(self.inputs, inputs, strict=True):
            shape: list[int | str] = spec["shape"]
            fits = len(shape) == array.ndim and all(
                size == (extent if isinstance(extent, int) else symbols.setdefault(extent, size))
                for extent, size in zip(shape, array.shape, strict=True)
            )
            if not fits:
                raise ValueError(f"input {spec['name']}: {array.shape}, expected {shape}")
        return symbols

    def _called(self, inputs: list[Any], symbols: dict[str, int]) -> tuple[int, list[Any]]:
        first = [ctypes.c_int64(symbols[name]) for name in self._json["dims"]]
        first += [ctypes.c_void_p(array.ctypes.data) for array in inputs]
        ranks = [len(spec["shape"]) for spec in self.outputs]
        extents = (ctypes.c_int64 * max(1, sum(ranks)))()
        size = ctypes.c_size_t(self._json["workspace_bytes"] or 0)
        shapes = [tuple(spec["shape"]) for spec in self.outputs]
        if self._plan is not None:
            code = self._plan(*first, extents, ctypes.byref(size))
            if code:
                return code, []
            shapes = _split(extents, ranks)
        types = [np.dtype(spec["dtype"]) for spec in self.outputs]
        results = [np.empty(shape, type) for shape, type in zip(shapes, types, strict=True)]
        space = np.empty(size.value + 64, np.uint8)
        workspace = space.ctypes.data + -space.ctypes.data % 64
        arguments = list[Any](first)
        if self._weights is not None:
            arguments.append(ctypes.c_void_p(self._weights.ctypes.data))
        arguments += [ctypes.c_void_p(array.ctypes.data) for array in results]
        arguments.append(ctypes.c_void_p(workspace))
        if self._json["finds_shapes"]:
            arguments.append(extents)
        code = self._run(*arguments)
        if code == 0 and self._json["finds_shapes"]:
            lengths = _split(extents, ranks)
            results = [
                array.reshape(-1)[: math.prod(shape)].reshape(shape)
                for array, shape in zip(results, lengths, strict=True)
            ]
        return code, results


def _split(extents: Any, ranks: list[int]) -> list[tuple[int, ...]]:
    """The extents of each output."""
    shapes: list[tuple[int, ...]] = []
    for rank in ranks:
        start = sum(map(len, shapes))
        shapes.append(tuple(extents[start : start + rank]))
    return shapes


function = Function(Path(__file__).parent) if Path(__file__).stem == "_function" else None

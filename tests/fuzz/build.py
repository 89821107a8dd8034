"""Many graphs in one library, and calls whose memory is watched."""

from __future__ import annotations

import ctypes
import hashlib
import math
import mmap
import os
import subprocess
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from opc.api.driver import Options, load, lower
from opc.emit.source import Emitted
from opc.errors import ArgumentError
from opc.runtime.arguments import bind_symbols, origins
from opc.runtime.commands import CRASHES
from opc.schedule import form_tile_fusions
from opc.support.interface import CAPACITY, too_small
from opc.support.target import Target
from opc.support.targets import target

from .compare import Difference
from .graph import Array

FLAGS = ("-std=c99", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-w")
POISONS = (0xFF, 0x55)
"""What memory holds before a call: NaNs and -1, or large numbers."""
GUARD = 256
PAGE = mmap.PAGESIZE
EDGES = ("behind", "before")
"""Where a page lies that nobody may read, right at an array."""


class Refused(Difference):
    """A call whose arguments do not fit the graph."""


@dataclass(frozen=True)
class Build:
    """A way to make machine code of the same C."""

    name: str = "gcc -O1"
    argv: tuple[str, ...] = ("gcc", "-O1")
    threads: int = 0
    """How many threads calls take; 0 for a build without threads."""


@dataclass(frozen=True)
class Watched:
    """An array amid bytes that nothing may change, all of them and the array poisoned."""

    array: Array
    around: Array
    start: int

    @classmethod
    def new(cls, shape: Sequence[int], dtype: np.dtype, poison: int, shift: int = 0) -> Watched:
        size = math.prod(shape) * dtype.itemsize
        around = np.full(size + 2 * GUARD + 64, poison, np.uint8)
        start = GUARD - (around.ctypes.data + GUARD) % 64 + 64 + shift * dtype.itemsize % 64
        return cls(around[start : start + size].view(dtype).reshape(tuple(shape)), around, start)

    @classmethod
    def at_edge(
        cls, shape: Sequence[int], dtype: np.dtype, poison: int, edge: str, alignment: int = 1
    ) -> Watched:
        """The same, right in front of a page that nobody may read, or right behind one."""
        size = math.prod(shape) * dtype.itemsize
        pages = -(-size // PAGE) * PAGE
        memory = mmap.mmap(-1, pages + PAGE)
        whole = np.frombuffer(memory, np.uint8)
        first = 0 if edge == "behind" else PAGE
        around = whole[first : first + pages]
        around[...] = poison
        closed = pages if edge == "behind" else 0
        _close(whole.ctypes.data + closed, PAGE)
        start = (pages - size) // alignment * alignment if edge == "behind" else 0
        return cls(around[start : start + size].view(dtype).reshape(tuple(shape)), around, start)

    def check(self, poison: int, what: str) -> None:
        end = self.start + self.array.nbytes
        for part, where in ((self.around[: self.start], "before"), (self.around[end:], "behind")):
            if (part != poison).any():
                raise Difference(f"bytes {where} {what} were written")


def _close(address: int, size: int) -> None:
    """Let nobody read or write some pages; a process that does ends."""
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if protect(address, size, 0) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")


@dataclass
class Program:
    """The C of a graph, and its function in a library once that is there."""

    emitted: Emitted
    weights: Array | None = field(init=False)

    def __post_init__(self) -> None:
        self.weights = self.emitted.weights
        self.interface = self.emitted.interface
        self.origins = origins(self.interface)
        self.capacities = dict.fromkeys(self.interface.capacities, CAPACITY)

    def call(
        self,
        library: ctypes.CDLL,
        inputs: Sequence[Array],
        poison: int = 0xFF,
        shift: int = 0,
        edge: str | None = None,
    ) -> list[Array]:
        """The results.  Difference where memory outside was written, or the call failed.

        With an ``edge``, arrays lie at pages that nobody may read.
        """

        def new(shape: Sequence[int], dtype: np.dtype, alignment: int = 1) -> Watched:
            if edge is None:
                return Watched.new(shape, dtype, poison, shift if alignment == 1 else 0)
            return Watched.at_edge(shape, dtype, poison, edge, alignment)

        interface = self.interface
        try:
            symbols = bind_symbols(interface, self.origins, inputs) | self.capacities
        except ArgumentError as error:
            raise Refused(str(error)) from None
        dims = [ctypes.c_int64(symbols[n]) for n in interface.dims]
        given = [new(x.shape, x.dtype) for x in inputs]
        for copy, x in zip(given, inputs, strict=True):
            copy.array[...] = x
        sources = [*dims, *(_pointer(w.array) for w in given)]
        shapes, size = self._measure(library, sources)
        outputs = [
            new(shape, spec.dtype) for shape, spec in zip(shapes, interface.outputs, strict=True)
        ]
        workspace = new((size,), np.dtype(np.uint8), 64)
        weights = [] if self.weights is None else [_pointer(self.weights)]
        run = getattr(library, f"{interface.prefix}_run")
        extents = (ctypes.c_int64 * (1 + sum(len(s.shape) for s in interface.outputs)))()
        found = [extents] if interface.finds_shapes else []
        addresses = [*(_pointer(w.array) for w in outputs), _pointer(workspace.array)]
        code = run(*sources, *weights, *addresses, *found)
        small = too_small(code)
        if small is not None:
            name = interface.capacities[small[0]]
            if small[1] <= self.capacities[name]:
                raise Difference(f"a capacity of {self.capacities[name]} is said to be too small")
            self.capacities[name] = small[1]
            return self.call(library, inputs, poison, shift, edge)
        if code:
            raise Refused(f"the call returned {code}: {interface.checks[code - 1]}")
        for k, (w, x) in enumerate(zip(given, inputs, strict=True)):
            w.check(poison, f"input {k}")
            if w.array.tobytes() != np.ascontiguousarray(x).tobytes():
                raise Difference(f"input {k} was written")
        for k, w in enumerate(outputs):
            w.check(poison, f"result {k}")
        workspace.check(poison, "the workspace")
        if not interface.finds_shapes:
            return [w.array for w in outputs]
        left = iter(extents)
        came = [tuple(next(left) for _ in s.shape) for s in interface.outputs]
        return [
            w.array.reshape(-1)[: math.prod(shape)].reshape(shape)
            for w, shape in zip(outputs, came, strict=True)
        ]

    def _measure(
        self, library: ctypes.CDLL, sources: Sequence[ctypes._SimpleCData]
    ) -> tuple[list[tuple[int, ...]], int]:
        interface = self.interface
        if not interface.needs_plan:
            return [tuple(map(int, s.shape)) for s in interface.outputs], interface.workspace or 0
        extents = (ctypes.c_int64 * (1 + sum(len(s.shape) for s in interface.outputs)))()
        size = ctypes.c_size_t()
        plan = getattr(library, f"{interface.prefix}_plan")
        code = plan(*sources, extents, ctypes.byref(size))
        if code:
            what = interface.checks[code - 1] if code > 0 else "arrays are too large"
            raise Refused(f"the plan returned {code}: {what}")
        left = iter(extents)
        return [tuple(next(left) for _ in s.shape) for s in interface.outputs], size.value


def _pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


FUSED, UNFUSED, FUSIONS = "fused", "unfused", "in tile fusions"
"""Forms of a graph: as it is, without fuse-kernels, and as if a cache held few of its results."""
SMALL_CACHES = (1 << 12, 1 << 13, 1 << 14, 1 << 15, 3 << 14)
"""Bytes of that cache; a graph has one of them."""


def program(text: str, prefix: str, form: str = FUSED) -> Program:
    """A graph as C whose names start with the prefix."""
    options = Options(prefix=prefix, fuse=form != UNFUSED, verify_each=True)
    if form != FUSIONS:
        return Program(lower(load(text), options).emitted)
    size = SMALL_CACHES[zlib.crc32(text.encode()) % len(SMALL_CACHES)]

    def small(passed: form_tile_fusions.FormTileFusionsPass) -> Target:
        return replace(target(passed.target), l2=size)

    with patch.object(form_tile_fusions.FormTileFusionsPass, "machine", property(small)):
        return Program(lower(load(text), options).emitted)


def link(programs: Sequence[Program], build: Build, kept: bool = False) -> ctypes.CDLL:
    """One library of all of them; what is ``kept`` is there for the next run, too."""
    argv = [*build.argv, "-shared", *(["-pthread"] if build.threads else [])]
    with tempfile.TemporaryDirectory(prefix="opc-fuzz-") as name:
        built = Path(name) / "out"
        old = _place(programs, argv) if kept else built
        if not old.exists():
            compile_to(Path(name), programs, argv)
            if kept:
                built.replace(old)
        library = ctypes.CDLL(str(old))
    for p in programs if build.threads else ():
        # It is not there where no loop of a program is for threads.
        name = f"{p.interface.prefix}_threads"
        if hasattr(library, name):
            getattr(library, name)(build.threads)
    return library


def _place(programs: Sequence[Program], argv: Sequence[str]) -> Path:
    digest = hashlib.sha256(repr(argv).encode())
    for p in programs:
        digest.update(p.emitted.source.encode())
    folder = Path(tempfile.gettempdir()) / f"opc-fuzz-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / digest.hexdigest()[:32]


def compile_to(folder: Path, programs: Sequence[Program], argv: Sequence[str]) -> None:
    """The programs as ``out`` in the folder; C files that are there already go with them."""
    for p in programs:
        (folder / f"{p.interface.prefix}.c").write_text(p.emitted.source)
    files = [path.name for path in folder.glob("*.c")]
    command = [*argv, *FLAGS, "-o", "out", *files, "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    is_crash = any(words in done.stderr for words in CRASHES)
    if done.returncode and "-O1" not in argv and is_crash:
        # The compiler died: of what it can compile at -O1, as opc does then.
        return compile_to(folder, programs, [*argv, "-O1"])
    if done.returncode:
        raise Difference(f"{' '.join(argv)}: {done.stderr[:2000]}")

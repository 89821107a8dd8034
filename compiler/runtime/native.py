"""The C functions of a library: loading them, sizes, failures, memory."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from opc.errors import ArgumentError, NoMemoryError, ToolchainError, UsageError
from opc.support.interface import CAPACITY, IMPOSSIBLE, Interface, too_small
from opc.support.target import LINE, PLACED

from . import processor
from .arguments import (
    Array,
    Shape,
    bind_symbols,
    check_count,
    described_origin,
    origins,
    overlap,
    pointer,
    shown,
)
from .threads import limited

_ELEMENT = re.compile(r"in([0-9]{1,9})\[([0-9]{1,9})\]")
"""An element of an input, by its place in row-major order, in a message."""
Workspace = tuple[ctypes.c_void_p | None, Any]
"""The address of a workspace and its owner; both None if it has no bytes."""


class Native:
    """``P_run`` and ``P_plan`` of a loaded library, with the constants that they read.

    ``run`` takes the dims, the inputs, ``constants``, the outputs, a workspace, and the result of
    :meth:`new_shapes` if the interface finds shapes.
    """

    def __init__(
        self,
        interface: Interface,
        library: Path,
        weights: Array | None,
        threads: int,
        target: str = "native",
    ) -> None:
        """Load ``library``, which is for ``target`` and takes at most ``threads`` threads.

        Raises :class:`ToolchainError` if that is not possible or it lacks the functions,
        :class:`ArgumentError` if ``weights`` are missing and :class:`UnsupportedError` if there
        are more arguments than Python can pass.
        """
        check_count(interface)
        self.interface = interface
        self.origins = origins(interface)
        self.capacities = dict.fromkeys(interface.capacities, CAPACITY)
        """The present value of each; calls that find one too small raise it."""
        known = self.origins.keys() | self.capacities.keys()
        unbound = [name for name in interface.dims if name not in known]
        if unbound:
            raise ArgumentError(f"no input axis gives {', '.join(map(shown, unbound))}")
        self.weights = _aligned_weights(interface, weights)
        self.constants = () if self.weights is None else (fixed_pointer(self.weights),)
        self.run, self._plan = _load(interface, library, threads)
        lacking = [] if target == "native" else processor.missing_for(target)
        if lacking:
            self.run = _refused(interface, target, lacking)
            self._plan = self._plan and self.run
        self._first = len(interface.dims)
        self._ranks = [len(spec.shape) for spec in interface.outputs]
        self._extents = ctypes.c_int64 * max(1, sum(self._ranks))

    def bind(self, inputs: Sequence[Array]) -> tuple[dict[str, int], list[int]]:
        """The value of each symbol, and the dims for C; checks ranks and extents."""
        symbols = bind_symbols(self.interface, self.origins, inputs) | self.capacities
        return symbols, [symbols[name] for name in self.interface.dims]

    def measure(
        self, sources: Sequence[Any], symbols: Mapping[str, int]
    ) -> tuple[list[Shape], int]:
        """The shape of each output and the bytes of workspace, for these dims and inputs."""
        if self._plan is None:
            # Without a plan every extent is an int.
            fixed: list[Any] = [spec.shape for spec in self.interface.outputs]
            return fixed, self.interface.workspace or 0
        extents = self._extents()
        size = ctypes.c_size_t()
        code = self._plan(*sources, extents, ctypes.byref(size))
        if code:
            self.fail(code, symbols, sources)
        return self._split(extents), size.value

    def new_shapes(self) -> tuple[Any, ...]:
        """Where a run writes the shapes of its outputs; empty if they are known before."""
        return (self._extents(),) if self.interface.finds_shapes else ()

    def results(
        self, outputs: Sequence[Array], shapes: tuple[Any, ...], *, may_copy: bool = False
    ) -> list[Array]:
        """The outputs in their final shapes: views of the start of each array.

        With ``may_copy``, an output of less than half of its array is copied, which frees that.
        """
        if not shapes:
            return list(outputs)
        results: list[Array] = []
        for array, shape in zip(outputs, self._split(shapes[0]), strict=True):
            size = math.prod(shape)
            part = array.reshape(-1)[:size].reshape(shape)
            results.append(part.copy() if may_copy and 2 * size < array.size else part)
        return results

    def _split(self, extents: Any) -> list[Shape]:
        """The extents of each output."""
        shapes: list[Shape] = []
        start = 0
        for rank in self._ranks:
            shapes.append(tuple(extents[start : start + rank]))
            start += rank
        return shapes

    def is_read(self, output: Array, inputs: Sequence[Array]) -> bool:
        """Whether ``output`` shares memory with an input or the weights, which C excludes."""
        return any(overlap(output, array) for array in self.read(inputs))

    def read(self, inputs: Sequence[Array]) -> Sequence[Array]:
        """The inputs, and the weights if there are any."""
        return inputs if self.weights is None else [*inputs, self.weights]

    @contextmanager
    def growing(self) -> Generator[None]:
        """Restore the capacities if a call with larger ones ends in an error."""
        before = dict(self.capacities)
        try:
            yield
        except BaseException:
            self.capacities.update(before)
            raise

    def grow(self, code: int, symbols: Mapping[str, int]) -> bool:
        """Raise a capacity that ``code`` says is too small; whether to call again."""
        failed = too_small(code)
        if failed is None or failed[0] >= len(self.interface.capacities):
            return False
        name, size = self.interface.capacities[failed[0]], failed[1]
        self.capacities[name] = max(self.capacities[name], size)
        return size > symbols[name]

    def _element(self, text: str, arguments: Sequence[Any]) -> tuple[str, int] | None:
        """The name of ``in2[1]`` in messages, and its value; None for other texts."""
        match = _ELEMENT.fullmatch(text)
        position, place = map(int, match.groups()) if match else (0, 0)
        if match is None or not arguments or position >= len(self.interface.inputs):
            return None
        spec, address = self.interface.inputs[position], arguments[self._first + position].value
        if place >= math.prod(e if isinstance(e, int) else 0 for e in spec.shape):
            return None
        size = spec.dtype.itemsize
        array = np.frombuffer(ctypes.string_at(address + place * size, size), spec.dtype)
        index = f"[{place}]" if spec.shape else ""
        return f"input {spec.name!r}{index}", int(array[0])

    def fail(
        self, code: int, symbols: Mapping[str, int], arguments: Sequence[Any] = ()
    ) -> NoReturn:
        """Raise the error for a return value ``code`` that is not 0.

        ``arguments`` are those of the C function; messages show elements of inputs.
        """
        # Not imported for calls that succeed.
        from .folding import FILLED, folded

        interface = self.interface

        def called(name: str) -> str:
            return shown(interface.names.get(name, name))

        if code == IMPOSSIBLE:
            extents = ", ".join(f"{called(name)} = {value}" for name, value in symbols.items())
            raise ArgumentError(f"{shown(interface.function)}(): arrays are too large: {extents}")
        if not 0 < code <= len(interface.checks):
            raise ArgumentError(f"{shown(interface.function)}(): the C function returned {code}")
        used: dict[str, str] = {}

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name in self.origins and name in symbols:
                origin = described_origin(interface, self.origins[name])
                used[name] = f"{called(name)} = {symbols[name]}, from {origin}"
                return f"{FILLED}{symbols[name]}"
            if element := self._element(name, arguments):
                used[name] = f"{element[0]} = {element[1]}"
                return f"{FILLED}{element[1]}"
            if name not in interface.names:
                return match[0]
            used[name] = f"{name} is {interface.names[name]}"
            return name

        # Not str.format: a template may hold names from an untrusted model.
        message = folded(re.sub(r"\{([^{}]*)\}", value, interface.checks[code - 1]))
        raise ArgumentError(f"{message} ({'; '.join(used.values())})" if used else message)


def fixed_pointer(array: Array) -> ctypes.c_void_p:
    """The address of an array's first element, independent of the array object."""
    return ctypes.c_void_p(pointer(array).value)


def is_large(shape: Sequence[int | str], dtype: np.dtype[Any]) -> bool:
    """Whether an array is known to be large enough to start at a cache line."""
    known = [extent for extent in shape if isinstance(extent, int)]
    return len(known) == len(shape) and math.prod(known) * dtype.itemsize >= PLACED


def new_array(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """An array without values.  A large one starts at a cache line, where C writes faster.

    Raises ``ValueError`` for a shape that NumPy cannot have.
    """
    size = math.prod(shape) * dtype.itemsize
    return new_bytes(size).view(dtype).reshape(shape) if size >= PLACED else np.empty(shape, dtype)


def new_bytes(size: int) -> Array:
    """``size`` new bytes that start at a cache line.  Raises ``ValueError`` for too many."""
    space = np.empty(size + LINE, np.uint8)
    start = -space.ctypes.data % LINE
    return space[start : start + size]


def new_workspace(size: int) -> Workspace:
    """``size`` new bytes, aligned as C expects.  Raises :class:`NoMemoryError`."""
    if size == 0:
        return (None, None)
    try:
        block = new_bytes(size)
    except (ValueError, MemoryError):
        raise NoMemoryError(f"cannot allocate a workspace of {size} bytes") from None
    return (ctypes.c_void_p(block.ctypes.data), block)


def _load(interface: Interface, library: Path, threads: int) -> tuple[Any, Any]:
    """``P_run`` and ``P_plan``, the latter None if there is none."""
    dims = [ctypes.c_int64] * len(interface.dims)
    inputs = [ctypes.c_void_p] * len(interface.inputs)
    constants = [ctypes.c_void_p] * interface.has_weights
    outputs = [ctypes.c_void_p] * len(interface.outputs)
    try:
        loaded = ctypes.CDLL(str(library))
        run = getattr(loaded, f"{interface.prefix}_run")
        plan = getattr(loaded, f"{interface.prefix}_plan") if interface.needs_plan else None
    except (OSError, AttributeError) as error:
        raise ToolchainError(f"cannot use the library {library}: {error}") from None
    shapes = [ctypes.c_void_p] * interface.finds_shapes
    run.argtypes = [*dims, *inputs, *constants, *outputs, ctypes.c_void_p, *shapes]
    if plan is not None:
        plan.argtypes = [*dims, *inputs, ctypes.c_void_p, ctypes.c_void_p]
    return limited(loaded, interface.prefix, run, threads), plan


def _refused(interface: Interface, target: str, lacking: Sequence[str]) -> Callable[..., int]:
    """What is called in place of code that this processor cannot run."""

    def refuse(*_: object) -> int:
        raise UsageError(
            f"{shown(interface.function)}() is compiled for target {target}, which needs of the "
            f"processor what this one has not: {', '.join(lacking)}"
        )

    return refuse


def _aligned_weights(interface: Interface, weights: Array | None) -> Array | None:
    """The weights as bytes that C reads fast: in place if they start at a cache line.

    Elsewhere each vector of a panel would lie on two lines, and products take twice as long.
    """
    if not interface.has_weights:
        return None
    if weights is None:
        raise ArgumentError(f"{shown(interface.function)}() needs its weights")
    plain = np.ascontiguousarray(weights).reshape(-1).view(np.uint8)
    if plain.ctypes.data % LINE == 0:
        return plain
    aligned = new_bytes(plain.nbytes)
    aligned[:] = plain
    return aligned

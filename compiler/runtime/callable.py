"""A compiled library as a Python function over arrays."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from opc.errors import ArgumentError, NoMemoryError
from opc.support.interface import Interface, TensorSpec

from .arguments import (
    Array,
    Shape,
    check_outputs,
    described_shape,
    described_type,
    in_place,
    order,
    pointer,
    prepare,
    shown,
)
from .direct import Direct, direct_call
from .labelled import has_tables, objects
from .native import Native, Workspace, fixed_pointer, new_array, new_workspace


class CompiledFunction:
    """A function over NumPy arrays that runs compiled C.

    It may be called from many threads at once: the interpreter lock is released while the C runs,
    and every thread has a workspace of its own.

    ``threads`` is the most that a call runs on.  It takes fewer where there are fewer processors,
    where ``OMP_NUM_THREADS`` is smaller, and where others have something else to do: the caller
    does what nobody else has begun with.  The bits of a result do not depend on it.  A process may
    fork after a call, and call in the child.
    """

    def __init__(
        self,
        interface: Interface,
        library: Path,
        weights: Array | None = None,
        threads: int = 1,
    ) -> None:
        """Load ``library``; ``weights`` is the block of constants if the interface has one.

        Raises :class:`ToolchainError` if the library cannot be loaded or is another one.
        """
        self.interface = interface
        self.library = library
        self.threads = threads
        self.__name__ = interface.function
        self._native = Native(interface, library, weights, threads)
        self._local = threading.local()
        self._direct: Direct = direct_call(self._native, self._workspace)
        self._has_tables = has_tables(interface.outputs)
        if self._has_tables:
            self._direct = lambda args, out: None

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Name, element type and shape of each input."""
        return self.interface.inputs

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Name, element type and shape of each output."""
        return self.interface.outputs

    @property
    def contract(self) -> int:
        """The version of docs/numerics.md that results have the bits of.

        That of this opc is ``opc.support.interface.CONTRACT``; a loaded library may have another.
        """
        return self.interface.contract

    def __call__(self, /, *args: Any, out: Any = None, **named: Any) -> Any:
        """Compute the outputs: one array, or a tuple if there is not exactly one.

        Inputs are given by order or by name (an input named ``out`` by order only);
        :mod:`opc.runtime.arguments` says what is accepted.  ``out`` is an array, of NumPy or with
        ``__dlpack__``, or a tuple of them, that the results are written to and that is returned:
        exact shape and type, writable, aligned, C-contiguous.  Where it shares memory with an
        input, the result is computed into a temporary array and copied.

        The input ``seed`` of a function that draws random numbers may be left out; it is then drawn
        from the system.

        Where extents of outputs come of what is computed (``interface.finds_shapes``), ``out`` has
        the greatest shape that there can be, and what is returned are views of its start.  Where
        nothing bounds such an extent (``interface.capacities``), the call is repeated until there
        is room for it, which later calls begin with.

        An output that stands for text is an array of ``str``, and one that stands for dictionaries
        a list of them; with ``out``, and in what :meth:`arrays` returns, they are the arrays that C
        writes: places in ``spec.labels``, and a column for each of ``spec.keys``.

        Raises :class:`ArgumentError`, and of that :class:`DTypeError` and :class:`NoMemoryError`.
        """
        if not named:
            result = self._direct(args, out)
            if result is not None:
                return result
        given, args = len(args), tuple(order(self.interface, args, named))
        if given < len(args):
            result = self._direct(args, out)
            if result is not None:
                return result
        return self._general(args, out)

    def _general(self, args: Sequence[Any], out: Any) -> Any:
        """The call for arguments in order, whatever they are."""
        result = self._arrays(args, out)
        return (
            objects(self.interface.outputs, result) if self._has_tables and out is None else result
        )

    def arrays(self, /, *args: Any, **named: Any) -> Any:
        """As a call, with the arrays that C writes as results, whatever they stand for."""
        return self._arrays(tuple(order(self.interface, args, named)), None)

    def _arrays(self, args: Sequence[Any], out: Any) -> Any:
        inputs = list(map(prepare, args, self.interface.inputs))
        with self._native.growing():
            found, result = self._run(inputs, out)
            while not found:
                found, result = self._run(inputs, out)
        return result

    def _run(self, inputs: Sequence[Array], out: Any) -> tuple[bool, Any]:
        """The result; False in front if a capacity was too small, and is enough now."""
        native = self._native
        symbols, dims = native.bind(inputs)
        sources = [*dims, *map(pointer, inputs)]
        shapes, size = native.measure(sources, symbols)
        outputs, result = _outputs(self.interface, out, shapes)
        targets = outputs
        if out is not None:
            # The C code promises the compiler that an output is no input.
            targets = [
                np.empty_like(array) if native.is_read(array, inputs) else array
                for array in outputs
            ]
        workspace, found = self._workspace(size), native.new_shapes()
        addresses = [*map(pointer, targets), workspace[0]]
        code = native.run(*sources, *native.constants, *addresses, *found)
        if code:
            if native.grow(code, symbols):
                return False, None
            native.fail(code, symbols, sources)
        if targets is not outputs:
            for array, target in zip(outputs, targets, strict=True):
                if target is not array:
                    array[...] = target
        if not found:
            return True, result
        return True, _single(native.found(outputs, found, may_copy=out is None))

    def output_shapes(self, /, *args: Any, **named: Any) -> tuple[Shape, ...]:
        """The shape that each array of ``out`` must have for these inputs.

        Where extents of outputs come of what is computed, the greatest that there can be; where
        nothing bounds them, that for which there is room now.  Raises what a call raises for inputs
        that do not fit.
        """
        native = self._native
        inputs = list(map(prepare, order(self.interface, args, named), self.interface.inputs))
        symbols, dims = native.bind(inputs)
        return tuple(native.measure([*dims, *map(pointer, inputs)], symbols)[0])

    def bind(self, /, *args: Any, out: Any = None, **named: Any) -> BoundCall:
        """A function without arguments that computes over these very arrays each time.

        Checks are made here, so a call costs little more than the C function.  Every input must be
        an array that is used in place, of NumPy or with ``__dlpack__``, and ``out``, allocated here
        unless given, must not share memory with one.  Raises :class:`ArgumentError` and
        :class:`DTypeError`.
        """
        values = order(self.interface, args, named)
        return BoundCall(self._native, list(map(in_place, values, self.inputs)), out)

    def _workspace(self, size: int) -> Workspace:
        """This thread's workspace, of at least ``size`` bytes."""
        if size == 0:
            return (None, None)
        local = self._local
        if size > getattr(local, "size", 0):
            local.workspace = new_workspace(size)
            local.size = size
        return local.workspace

    def __reduce__(self) -> NoReturn:
        """Refuse: a loaded library cannot go to another process."""
        raise TypeError("a compiled function cannot be pickled or copied; compile it again there")

    def __repr__(self) -> str:
        inputs = ", ".join(f"{shown(spec.name)}: {described_type(spec)}" for spec in self.inputs)
        outputs = ", ".join(described_type(spec) for spec in self.outputs)
        if len(self.outputs) != 1:
            outputs = f"({outputs})"
        return f"<opc function {shown(self.interface.function)}({inputs}) -> {outputs}>"


class BoundCall:
    """A compiled function over fixed arrays, made by :meth:`CompiledFunction.bind`.

    A call reads the arrays as they are then, and returns the same object every time, ``result``;
    where extents of outputs come of what is computed, views of the same arrays.
    The arrays are kept alive and must not be resized.  There is one workspace: do not call it from
    two threads at once.
    """

    __slots__ = (
        "_arguments",
        "_found",
        "_native",
        "_out",
        "_owned",
        "_plan",
        "_run",
        "_symbols",
        "result",
    )

    def __init__(self, native: Native, inputs: list[Array], out: Any) -> None:
        """Check and prepare everything; ``inputs`` are in order and can be read in place."""
        self._out = out
        symbols, dims = native.bind(inputs)
        sources = [*map(ctypes.c_int64, dims), *map(fixed_pointer, inputs)]
        shapes, size = native.measure(sources, symbols)
        outputs, result = _outputs(native.interface, out, shapes)
        for spec, array in zip(native.interface.outputs, outputs, strict=True):
            if native.is_read(array, inputs):
                raise ArgumentError(f"out for {spec.name!r}: it shares memory with an input")
        workspace = new_workspace(size)
        # From here on nothing fails: a call that found no room for its results can be made again.
        self._symbols, self.result = symbols, result
        # Addresses alone would not keep the arrays alive.
        self._owned = (inputs, outputs, workspace)
        targets = map(fixed_pointer, outputs)
        self._found = native.new_shapes()
        found = [ctypes.c_void_p(ctypes.addressof(shapes)) for shapes in self._found]
        self._arguments = (*sources, *native.constants, *targets, workspace[0], *found)
        follows = not native.interface.reads_sizes
        self._plan = None if follows else (sources, shapes, size)
        self._run = native.run
        self._native = native

    def __call__(self) -> Any:
        """Compute again; :class:`ArgumentError` if a run-time check fails."""
        if self._plan is not None:
            # Shapes may depend on what the inputs hold, and that may have changed.
            sources, shapes, size = self._plan
            new_shapes, new_size = self._native.measure(sources, self._symbols)
            if new_shapes != shapes or new_size > size:
                raise ArgumentError("bind(): the inputs now give outputs of another size")
        code = self._run(*self._arguments)
        if code:
            with self._native.growing():
                if self._native.grow(code, self._symbols):
                    # All is prepared again, with arrays that have room for a larger capacity.
                    self.__init__(self._native, self._owned[0], self._out)
                    return self()
            self._native.fail(code, self._symbols, self._arguments)
        if self._found:
            self.result = _single(self._native.found(self._owned[1], self._found))
        return self.result

    def __reduce__(self) -> NoReturn:
        """Refuse: addresses mean nothing in another process."""
        raise TypeError("a bound call cannot be pickled or copied")

    def __repr__(self) -> str:
        return f"<opc call of {shown(self._native.interface.function)}() over fixed arrays>"


def _outputs(interface: Interface, out: Any, shapes: Sequence[Shape]) -> tuple[list[Array], Any]:
    """The arrays to write, the caller's or new ones, and what the call returns."""
    if out is not None:
        given = check_outputs(interface, out, shapes)
        return given, tuple(cast(list[Array], out)) if isinstance(out, list) else out
    try:
        types = (spec.dtype for spec in interface.outputs)
        arrays = list(map(new_array, shapes, types))
    except (ValueError, MemoryError) as error:
        listed = ", ".join(map(described_shape, shapes))
        kind = NoMemoryError if isinstance(error, MemoryError) else ArgumentError
        raise kind(f"cannot make outputs of shape {listed}: {error}") from None
    return arrays, _single(arrays)


def _single(arrays: Sequence[Array]) -> Any:
    """What a call returns: one array, or a tuple if there is not exactly one."""
    return arrays[0] if len(arrays) == 1 else tuple(arrays)

"""A compiled library as a Python function over arrays."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np

from opc.errors import ArgumentError, NoMemoryError
from opc.support.interface import Interface, TensorSpec

from .addressed import AddressedCall
from .arguments import (
    Array,
    Shape,
    all_prepared,
    are_apart,
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
from .native import Native, Workspace, fixed_pointer, new_array, new_workspace


class CompiledFunction:
    """A function over NumPy arrays that runs compiled C.

    It may be called from many threads at once: the interpreter lock is released while the C runs,
    and every thread has a workspace of its own.

    A call runs on at most ``threads`` threads.  It takes fewer if there are fewer processors, if
    ``OMP_NUM_THREADS`` is smaller, and if other threads are busy: the caller does the work that
    nobody else has begun.  The bits of a result do not depend on it.  A process may fork after a
    call, and call in the child.
    """

    def __init__(
        self,
        interface: Interface,
        library: Path,
        weights: Array | None = None,
        threads: int = 1,
        target: str = "native",
    ) -> None:
        """Load ``library``; ``weights`` is the block of constants if the interface has one.

        Where this processor lacks what ``target`` needs, calls raise :class:`UsageError`.

        Raises :class:`ToolchainError` if the library cannot be loaded or lacks the functions.
        """
        self.interface = interface
        self.library = library
        self.threads = threads
        self.__name__ = interface.function
        self._native = Native(interface, library, weights, threads, target)
        self._local = threading.local()
        self._direct: Direct = direct_call(self._native, self._workspace)
        outputs = interface.outputs
        self._has_tables = any(s.labels is not None or s.keys is not None for s in outputs)
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
    def products(self) -> str:
        """How contractions add products: ``fused``, or ``rounded`` before they are added."""
        return self.interface.products

    @property
    def activations(self) -> str:
        """What weights of few bits are multiplied by: ``float``, or ``int8`` where a model may."""
        return self.interface.activations

    @property
    def subnormals(self) -> str:
        """What subnormal weights of contractions are: ``flushed`` to zeros, or ``kept``."""
        return self.interface.subnormals

    @property
    def contract(self) -> int:
        """The version of the numerical contract (docs/numerics.md) that the bits of results keep.

        A loaded library may have another one than ``opc.support.interface.CONTRACT``.
        """
        return self.interface.contract

    def __call__(self, /, *args: Any, out: Any = None, **named: Any) -> Any:
        """Compute the outputs: one array, or a tuple if there is not exactly one.

        Inputs are passed by position or by name (an input named ``out`` by position only);
        :mod:`opc.runtime.arguments` lists what is accepted.  ``out`` is an array, of NumPy or with
        ``__dlpack__``, or a tuple of them.  Results are written to it, and it is returned.  It must
        have the exact shape and type and be writable, aligned and C-contiguous.  If it shares
        memory with an input, the result is computed into a temporary array and copied.

        The array of a donated input (``interface.donated``) must be one that can be used in place
        and written to, and share no memory with another input; it is returned as the output that
        it holds afterwards.  After an error, what it holds means nothing.

        The input ``seed`` of a function that draws random numbers may be left out; the system then
        draws it.

        With data-dependent extents of outputs (``interface.finds_shapes``), ``out`` has the upper
        bound of the shape, and views of its start are returned.  If an extent has no upper bound
        (``interface.capacities``), the call is repeated until there is room for it; later calls
        begin with that.

        An output that stands for text is an array of ``str``, one that stands for dictionaries a
        list of them.  With ``out``, and from :meth:`arrays`, they are the arrays that C writes:
        positions in ``spec.labels``, and a column for each of ``spec.keys``.

        Raises :class:`ArgumentError` and its subclasses :class:`DTypeError` and
        :class:`NoMemoryError`.
        """
        if not named:
            result = self._direct(args, out)
            if result is not None:
                return result
        count, args = len(args), tuple(order(self.interface, args, named))
        if count < len(args):
            result = self._direct(args, out)
            if result is not None:
                return result
        return self._general(args, out)

    def _general(self, args: Sequence[Any], out: Any) -> Any:
        """The call for any arguments, in order."""
        result = self._arrays(args, out)
        return (
            objects(self.interface.outputs, result) if self._has_tables and out is None else result
        )

    def arrays(self, /, *args: Any, **named: Any) -> Any:
        """A call that returns the arrays that C writes, whatever they stand for."""
        return self._arrays(tuple(order(self.interface, args, named)), None)

    def _arrays(self, args: Sequence[Any], out: Any) -> Any:
        inputs = all_prepared(self.interface, args, prepare)
        with self._native.growing():
            is_done, result = self._run(inputs, out)
            while not is_done:
                is_done, result = self._run(inputs, out)
        return result

    def _run(self, inputs: Sequence[Array], out: Any) -> tuple[bool, Any]:
        """Whether all capacities sufficed, and the result; if not, they are larger now."""
        native = self._native
        symbols, dims = native.bind(inputs)
        sources = [*dims, *map(pointer, inputs)]
        shapes, size = native.measure(sources, symbols)
        outputs, result = _outputs(self.interface, out, shapes, inputs)
        targets = outputs
        if out is not None and not are_apart(outputs, native.read(inputs)):
            # In C, outputs are restrict: they must not overlap inputs.
            targets = [
                np.empty_like(array) if native.is_read(array, inputs) else array
                for array in outputs
            ]
            for k, number in self.interface.donated:
                targets[number] = inputs[k]
        workspace, written_shapes = self._workspace(size), native.new_shapes()
        addresses = [*map(pointer, targets), workspace[0]]
        code = native.run(*sources, *native.constants, *addresses, *written_shapes)
        if code:
            if native.grow(code, symbols):
                return False, None
            native.fail(code, symbols, sources)
        if targets is not outputs:
            for array, target in zip(outputs, targets, strict=True):
                if target is not array:
                    array[...] = target
        if not written_shapes:
            return True, result
        return True, _single(native.results(outputs, written_shapes, may_copy=out is None))

    def output_shapes(self, /, *args: Any, **named: Any) -> tuple[Shape, ...]:
        """The shape that each array of ``out`` must have for these inputs.

        Data-dependent extents count as their upper bounds, or as the present capacities if they
        have none.  Raises what a call raises for inputs that do not fit.
        """
        native = self._native
        inputs = list(map(prepare, order(self.interface, args, named), self.interface.inputs))
        symbols, dims = native.bind(inputs)
        return tuple(native.measure([*dims, *map(pointer, inputs)], symbols)[0])

    def bind(self, /, *args: Any, out: Any = None, **named: Any) -> BoundCall:
        """A function without arguments that computes over these arrays each time.

        Checks are made here, so a call costs little more than the C function.  Every input must be
        an array, of NumPy or with ``__dlpack__``, that can be used in place.  ``out``, which is
        allocated unless it is passed, must not share memory with an input.  Raises
        :class:`ArgumentError` and :class:`DTypeError`.
        """
        values = order(self.interface, args, named)
        return BoundCall(self._native, all_prepared(self.interface, values, in_place), out)

    def addressed(self) -> AddressedCall | None:
        """The function over addresses; None if extents of results come of what it computes."""
        interface = self.interface
        if interface.finds_shapes or interface.capacities or interface.donated:
            return None
        return AddressedCall(self._native, self._workspace)

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

    A call reads the present values of the arrays and returns the same object every time,
    ``result``; with data-dependent extents of outputs, views of the same arrays.  The arrays are
    kept alive and must not be resized.  There is one workspace: do not call it from two threads at
    once.

    ``call(x=other)`` takes another array for an input from then on, as ``bind`` takes it.  It may
    have other extents: the outputs are then new arrays, unless ``out`` was passed.
    """

    __slots__ = (
        "_arguments",
        "_native",
        "_out",
        "_owned",
        "_plan",
        "_room",
        "_run",
        "_shapes",
        "_symbols",
        "result",
    )

    def __init__(self, native: Native, inputs: list[Array], out: Any) -> None:
        """Check and prepare everything; ``inputs`` are in order and can be read in place."""
        self._out = out
        self._prepare(native, inputs, new_workspace(0), 0)

    def _prepare(
        self, native: Native, inputs: list[Array], workspace: Workspace, room: int
    ) -> None:
        """``workspace`` has ``room`` bytes, and stays if that is enough."""
        out = self._out
        symbols, dims = native.bind(inputs)
        sources = [*map(ctypes.c_int64, dims), *map(fixed_pointer, inputs)]
        shapes, size = native.measure(sources, symbols)
        outputs, result = _outputs(native.interface, out, shapes, inputs)
        own = {number for _, number in native.interface.donated}
        for k, (spec, array) in enumerate(zip(native.interface.outputs, outputs, strict=True)):
            if k not in own and native.is_read(array, inputs):
                raise ArgumentError(f"out for {spec.name!r}: it shares memory with an input")
        if size > room:
            workspace, room = new_workspace(size), size
        # From here on nothing fails, so that a call without room for its results can be repeated.
        self._symbols, self.result, self._room = symbols, result, room
        # Addresses alone would not keep the arrays alive.
        self._owned = (inputs, outputs, workspace)
        targets = map(fixed_pointer, outputs)
        self._shapes = native.new_shapes()
        written = [ctypes.c_void_p(ctypes.addressof(extents)) for extents in self._shapes]
        self._arguments = (*sources, *native.constants, *targets, workspace[0], *written)
        self._plan = (sources, shapes, size) if native.interface.reads_sizes else None
        self._run = native.run
        self._native = native

    def __call__(self, /, **changed: Any) -> Any:
        """Compute again; :class:`ArgumentError` if a run-time check or a changed input fails."""
        if changed:
            self._change(changed)
        if self._plan is not None:
            # Shapes may depend on values of inputs, which may have changed.
            sources, shapes, size = self._plan
            new_shapes, new_size = self._native.measure(sources, self._symbols)
            if new_shapes != shapes:
                raise ArgumentError("bind(): the inputs now give outputs of another size")
            if new_size > size:
                self._prepare(self._native, self._owned[0], self._owned[2], self._room)
        code = self._run(*self._arguments)
        if code:
            with self._native.growing():
                if self._native.grow(code, self._symbols):
                    # Prepare again, with arrays for the larger capacity.
                    self._prepare(self._native, self._owned[0], self._owned[2], self._room)
                    return self()
            self._native.fail(code, self._symbols, self._arguments)
        if self._shapes:
            self.result = _single(self._native.results(self._owned[1], self._shapes))
        return self.result

    def _change(self, changed: Mapping[str, Any]) -> None:
        """Take other arrays for some inputs."""
        interface, inputs = self._native.interface, self._owned[0]
        known = {spec.name: array for spec, array in zip(interface.inputs, inputs, strict=True)}
        values = order(interface, (), {**known, **changed})
        if any(a is not b for a, b in zip(values, inputs, strict=True)):
            arrays = all_prepared(interface, values, in_place)
            self._prepare(self._native, arrays, self._owned[2], self._room)

    def __reduce__(self) -> NoReturn:
        """Refuse: addresses mean nothing in another process."""
        raise TypeError("a bound call cannot be pickled or copied")

    def __repr__(self) -> str:
        return f"<opc call of {shown(self._native.interface.function)}() over fixed arrays>"


def _outputs(
    interface: Interface, out: Any, shapes: Sequence[Shape], inputs: Sequence[Array]
) -> tuple[list[Array], Any]:
    """The arrays to write, the caller's or new ones, and what the call returns."""
    if out is not None:
        checked = check_outputs(interface, out, shapes)
        for k, number in interface.donated:
            if checked[number].size and pointer(checked[number]).value != pointer(inputs[k]).value:
                names = interface.outputs[number].name, interface.inputs[k].name
                raise ArgumentError(
                    f"out for {names[0]!r}: found another array, expected that of the donated "
                    f"input {names[1]!r}"
                )
        return checked, tuple(cast(list[Array], out)) if isinstance(out, list) else out
    same = {number: k for k, number in interface.donated}
    try:
        arrays = [
            inputs[same[k]] if k in same else new_array(shape, spec.dtype)
            for k, (shape, spec) in enumerate(zip(shapes, interface.outputs, strict=True))
        ]
    except (ValueError, MemoryError) as error:
        wanted = ", ".join(map(described_shape, shapes))
        kind = NoMemoryError if isinstance(error, MemoryError) else ArgumentError
        raise kind(f"cannot make outputs of shape {wanted}: {error}") from None
    return arrays, _single(arrays)


def _single(arrays: Sequence[Array]) -> Any:
    """What a call returns: one array, or a tuple if there is not exactly one."""
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def objects(outputs: Sequence[TensorSpec], result: Any) -> Any:
    """What a call returns for the arrays that C wrote, one or a tuple, as onnxruntime does.

    An output with labels becomes an array of ``str`` with element type object, one with keys a list
    of dictionaries; any other is the array itself.
    """
    if len(outputs) == 1:
        return _object(outputs[0], result)
    return tuple(_object(spec, array) for spec, array in zip(outputs, result, strict=True))


def _object(spec: TensorSpec, array: Array) -> Any:
    if spec.labels is not None:
        # At rank 0, indexing gives the element itself.
        return np.asarray(np.array(spec.labels, object)[array], object)
    if spec.keys is not None:
        rows: Sequence[Sequence[Any]] = array.tolist()
        return [dict(zip(spec.keys, row, strict=True)) for row in rows]
    return array

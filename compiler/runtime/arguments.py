"""Arguments of a compiled function: which are used in place, copied, converted or refused.

An ``ndarray`` of the exact element type is used in place when it is C-contiguous, aligned and of
this machine's byte order, and is copied when it is not.  Every other element type is refused.

Values that are not arrays are converted where that cannot change them:

* NumPy scalars where ``np.can_cast`` calls the conversion safe;
* Python ints, and (nested) lists of them, where the type holds each one exactly;
* Python floats, and lists of them, to a floating-point type, rounded once to nearest; a finite
  value that would become infinite is refused;
* Python bools to every type;
* objects with ``__dlpack__`` (:mod:`opc.support.dlpack`), ``__array__`` or a buffer, by the rules
  for an ``ndarray``.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from opc.errors import ArgumentError, DTypeError, UnsupportedError
from opc.support.interface import Interface, TensorSpec

from . import foreign, limits

Array = NDArray[Any]
Shape = tuple[int, ...]

IN_PLACE = 0x0001 | 0x0100
"""The bits of ``flags.num`` of an array that C can read: C-contiguous and aligned."""

_FOREIGN = 2
"""The value of ``dtype.isbuiltin`` for types from outside of NumPy."""

Origins = dict[str, tuple[int, int]]
"""The input and the axis that give each symbol its value."""


def _slow_pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _fast_pointer(array: Array) -> ctypes.c_void_p:
    return at(id(array) + _HEADER)


def _choose_pointer() -> Callable[[Array], ctypes.c_void_p]:
    """``_fast_pointer`` if it is right in this interpreter, else the slow one."""
    import sys

    if sys.implementation.name != "cpython":
        return _slow_pointer
    probes = (np.empty(3), np.empty((2, 0, 5), np.int8), np.empty(()), np.arange(9)[2:7:2])
    if all(_fast_pointer(probe).value == probe.ctypes.data for probe in probes):
        return _fast_pointer
    return _slow_pointer


# The first field of an array object, after the object header, is the address of its data.  That is
# part of NumPy's binary interface; reading it takes 60 ns where `array.ctypes.data` takes 800.
_HEADER = object.__basicsize__
at = ctypes.c_void_p.from_address

pointer: Callable[[Array], ctypes.c_void_p] = _choose_pointer()
"""The address of an array's first element, valid while the array is alive."""


def pointer_text(name: str) -> str:
    """``pointer`` of the array called ``name``, as an expression over ``at`` and ``pointer``."""
    return f"at(id({name}) + {_HEADER})" if pointer is _fast_pointer else f"pointer({name})"


def check_count(interface: Interface) -> None:
    """UnsupportedError if the C function has more arguments than Python can pass to it."""
    parts = {
        "symbols": len(interface.dims),
        "inputs": len(interface.inputs),
        "weights": int(interface.has_weights),
        "outputs": len(interface.outputs),
        "workspace": 1,
    }
    count = sum(parts.values())
    if count > limits.ARGUMENTS:
        counts = ", ".join(f"{kind}: {n}" for kind, n in parts.items() if n)
        raise UnsupportedError(
            f"{shown(interface.function)}(): found {count} arguments of the C function ({counts}), "
            f"expected at most {limits.ARGUMENTS}, which Python can pass; "
            "opc compile --emit c,h takes more"
        )


def prepare(value: Any, spec: TensorSpec) -> Array:
    """``value`` as an array that C can read as the input ``spec``, in place where possible.

    The shape is not checked.  Raises :class:`DTypeError` for other element types and
    :class:`ArgumentError` for values that cannot be converted.
    """
    dtype = spec.dtype
    if type(value) is np.ndarray and value.dtype is dtype:
        array = value
    elif isinstance(value, np.ndarray):
        array = foreign.plain(cast(Array, value), f"input {spec.name!r}")
    elif isinstance(value, np.generic):
        scalar = np.array(cast(Any, value))
        if not np.can_cast(scalar.dtype, dtype, "safe"):
            raise _wrong_dtype(spec, str(scalar.dtype))
        return scalar.astype(dtype)
    elif isinstance(value, bool | int | float | list | tuple):
        return _from_python(cast(object, value), spec)
    else:
        readable = foreign.readable(value, f"input {spec.name!r}")
        if readable is None:
            raise _wrong_dtype(spec, type(value).__name__)
        array = readable
    if array.dtype == dtype:
        return array if array.flags.num & IN_PLACE == IN_PLACE else np.array(array, order="C")
    if array.dtype.newbyteorder("=") == dtype:
        return array.astype(dtype, order="C")
    raise _wrong_dtype(spec, str(array.dtype))


def in_place(value: Any, spec: TensorSpec, taker: str = "bind()") -> Array:
    """``value`` as an array that C can read as the input ``spec`` now and later, never a copy.

    Messages say what the ``taker`` takes.  Raises :class:`DTypeError` and :class:`ArgumentError`.
    """
    lent = foreign.shared(value, f"input {spec.name!r}")
    array: Array = value if lent is None else lent
    prepared = prepare(array, spec)
    if not isinstance(cast(Any, array), np.ndarray):
        problem = f"found {type(value).__name__}"
    elif not array.dtype.isnative:
        problem = "the array is of the other byte order"
    elif array.flags.num & IN_PLACE != IN_PLACE:
        problem = f"the array is {_layout(array)}"
    else:
        return prepared
    raise ArgumentError(
        f"input {spec.name!r}: {taker} takes an aligned, C-contiguous array of {spec.dtype} in "
        f"native byte order, which later calls can read in place; {problem}"
    )


def donated(value: Any, spec: TensorSpec) -> Array:
    """``value`` as an array that C can read as the input ``spec`` and write as an output.

    Raises :class:`DTypeError` and :class:`ArgumentError`.
    """
    array = in_place(value, spec, "donate")
    if not array.flags.writeable:
        raise ArgumentError(
            f"input {spec.name!r}: donate takes a writable array; the array is read-only"
        )
    return array


def all_prepared(
    interface: Interface, values: Sequence[Any], prepared: Callable[[Any, TensorSpec], Array]
) -> list[Array]:
    """Each input by ``prepared``, but those that are donated by :func:`donated`.

    Raises :class:`ArgumentError` too where one of the latter shares memory with another input.
    """
    given_away = [k for k, _ in interface.donated]
    arrays = [
        (donated if k in given_away else prepared)(value, spec)
        for k, (value, spec) in enumerate(zip(values, interface.inputs, strict=True))
    ]
    for k in given_away:
        for other, array in enumerate(arrays):
            if other != k and overlap(array, arrays[k]):
                names = [interface.inputs[number].name for number in (k, other)]
                raise ArgumentError(
                    f"input {names[0]!r}: it is donated, but shares memory with input {names[1]!r}"
                )
    return arrays


def _layout(array: Array) -> str:
    """Why C cannot use an array in place."""
    return "not aligned" if not array.flags.aligned else "not C-contiguous"


def order(interface: Interface, args: Sequence[object], named: Mapping[str, object]) -> list[Any]:
    """The arguments of a call in the order of the inputs; :class:`ArgumentError` if not one each.

    ``args`` are passed by position, ``named`` by name.  A seed of random numbers may be left out.
    """
    specs = interface.inputs
    if interface.has_seed and len(args) < len(specs) and specs[-1].name not in named:
        named = {**named, specs[-1].name: drawn_seed()}
    if len(args) + len(named) == len(specs):
        try:
            return [*args, *[named[spec.name] for spec in specs[len(args) :]]]
        except KeyError:
            pass
    names = [spec.name for spec in specs]
    expected = ", ".join(map(shown, names)) or "none"
    function = shown(interface.function)
    if len(args) > len(names):
        raise ArgumentError(
            f"{function}() takes {_counted(len(names), 'input')} ({expected}), found {len(args)}"
        )
    for name in named:
        if name not in names:
            raise ArgumentError(f"{function}() has no input {name!r}; its inputs are: {expected}")
        if name in names[: len(args)]:
            raise ArgumentError(f"{function}(): input {name!r} is given by order and by name")
    missing = [repr(name) for name in names[len(args) :] if name not in named]
    if missing:
        noun = "input" if len(missing) == 1 else "inputs"
        raise ArgumentError(f"{function}() is missing {noun} {', '.join(missing)}")
    return [*args, *(named[name] for name in names[len(args) :])]


def drawn_seed() -> Array:
    """An unpredictable seed."""
    return np.array(int.from_bytes(os.urandom(8), "little"), np.uint64)


def origins(interface: Interface) -> Origins:
    """Where each symbol comes from: the first input axis that has it."""
    axes: Origins = {}
    for position, spec in enumerate(interface.inputs):
        for axis, extent in enumerate(spec.shape):
            if isinstance(extent, str):
                axes.setdefault(extent, (position, axis))
    return axes


def described_origin(interface: Interface, origin: tuple[int, int]) -> str:
    """``input 'x' axis 0``."""
    position, axis = origin
    return f"input {interface.inputs[position].name!r} axis {axis}"


def bind_symbols(interface: Interface, sources: Origins, arrays: Sequence[Array]) -> dict[str, int]:
    """The value of every symbol, after checking every rank and extent.

    Raises :class:`ArgumentError` naming the input, the axis, the found and the expected extent.
    """
    symbols: dict[str, int] = {}
    # A strict zip would cost more than all the rest; lengths are compared here.
    for spec, array in zip(interface.inputs, arrays):  # noqa: B905
        shape = array.shape
        if len(shape) != len(spec.shape):
            wanted = [interface.names.get(str(extent), extent) for extent in spec.shape]
            raise ArgumentError(
                f"input {spec.name!r}: found rank {len(shape)} (shape {described_shape(shape)}), "
                f"expected rank {len(wanted)} (shape {described_shape(wanted)})"
            )
        for axis, (size, extent) in enumerate(zip(shape, spec.shape)):  # noqa: B905
            expected = symbols.setdefault(extent, size) if isinstance(extent, str) else extent
            if size != expected:
                origin = ""
                if isinstance(extent, str):
                    source = described_origin(interface, sources[extent])
                    called = shown(interface.names.get(extent, extent))
                    origin = f" ({called}, from {source})"
                raise ArgumentError(
                    f"input {spec.name!r} axis {axis}: found {size}, expected {expected}{origin}"
                )
    return symbols


def check_outputs(interface: Interface, out: object, shapes: Sequence[Shape]) -> list[Array]:
    """The caller's arrays, one for each output, after checking that C can write to them.

    Raises :class:`ArgumentError` unless each is a writable, aligned, C-contiguous array of the
    exact shape and type, and no two share memory.
    """
    specs = interface.outputs
    values = list(cast(Sequence[object], out)) if isinstance(out, tuple | list) else [out]
    if len(values) != len(specs):
        raise ArgumentError(
            f"out: found {_counted(len(values), 'array')}, expected {_counted(len(specs), 'array')}"
        )
    arrays = list(map(_check_output, values, specs, shapes))
    if are_apart(arrays, ()):
        return arrays
    for later in range(1, len(arrays)):
        for earlier in range(later):
            if overlap(arrays[later], arrays[earlier]):
                raise ArgumentError(
                    f"out for {specs[later].name!r}: it shares memory with "
                    f"out for {specs[earlier].name!r}"
                )
    return arrays


def _check_output(value: Any, spec: TensorSpec, shape: Shape) -> Array:
    if (
        type(value) is np.ndarray
        and value.dtype is spec.dtype
        and value.shape == shape
        and value.flags.carray
    ):
        return value
    label = f"out for {spec.name!r}"
    array = foreign.shared(value, label)
    if array is None:
        if not isinstance(value, np.ndarray):
            raise ArgumentError(f"{label}: found {type(value).__name__}, expected an array")
        array = foreign.plain(cast(Array, value), label)
    if array.dtype != spec.dtype:
        raise DTypeError(f"{label}: found {array.dtype}, expected {spec.dtype}")
    if array.shape != shape:
        raise ArgumentError(
            f"{label}: found shape {described_shape(array.shape)}, "
            f"expected {described_shape(shape)}"
        )
    flags = array.flags
    if not flags.carray:
        problem = _layout(array) if flags.writeable else "read-only"
        raise ArgumentError(f"{label}: the array is {problem}")
    return array


def overlap(left: Array, right: Array) -> bool:
    """Whether two C-contiguous arrays have a byte in common."""
    first, second = pointer(left).value or 0, pointer(right).value or 0
    return first < second + right.nbytes and second < first + left.nbytes


def are_apart(written: Sequence[Array], read: Sequence[Array]) -> bool:
    """Whether no C-contiguous array that is written has a byte in common with another one.

    Arrays that are only read may overlap each other.
    """
    ranges = [(pointer(array).value or 0, array.nbytes, True) for array in written]
    ranges += [(pointer(array).value or 0, array.nbytes, False) for array in read]
    written_end = end = 0
    for start, size, is_written in sorted(ranges):
        if start < (end if is_written else written_end):
            return False
        end = max(end, start + size)
        if is_written:
            written_end = end
    return True


def shown(name: str) -> str:
    """``name``, quoted unless it is an identifier."""
    return name if name.isidentifier() else repr(name)


def described_shape(shape: Sequence[int | str]) -> str:
    """``[4096,N]``."""
    extents = (shown(extent) if isinstance(extent, str) else str(extent) for extent in shape)
    return f"[{','.join(extents)}]"


def described_type(spec: TensorSpec) -> str:
    """``f32[4096,N]``."""
    dtype = spec.dtype
    letters = {"f": "f", "i": "i", "u": "ui"}.get(dtype.kind)
    if letters is not None and dtype.isbuiltin != _FOREIGN:
        element = f"{letters}{8 * dtype.itemsize}"
    else:
        element = {"bool": "i1", "bfloat16": "bf16"}.get(dtype.name, dtype.name)
    return element + described_shape(spec.shape)


def _from_python(value: object, spec: TensorSpec) -> Array:
    try:
        array: Array = np.array(value)
    except (ValueError, OverflowError, RecursionError) as error:
        raise ArgumentError(f"input {spec.name!r}: the list is not an array: {error}") from None
    dtype = spec.dtype
    if array.dtype == dtype:
        return array
    if array.size == 0 or (array.dtype.kind == "b" and np.can_cast(array.dtype, dtype, "safe")):
        return array.astype(dtype)
    if array.dtype.kind == "O":
        raise _wrong_dtype(spec, "Python objects or integers beyond 64 bits")
    if array.dtype.kind in "iu":
        limits = _exact_integers(dtype)
        if limits is not None:
            for extreme in (int(array.min()), int(array.max())):
                if not limits[0] <= extreme <= limits[1]:
                    raise ArgumentError(
                        f"input {spec.name!r}: found {extreme}, but {dtype} holds integers "
                        f"exactly only from {limits[0]} to {limits[1]}"
                    )
            return array.astype(dtype)
    if array.dtype.kind == "f" and _precision(dtype) is not None:
        with np.errstate(over="ignore"):
            rounded = _round_once(array, dtype)
        lost = np.isfinite(array) & ~np.isfinite(rounded)
        if lost.any():
            raise ArgumentError(
                f"input {spec.name!r}: found {float(array[lost][0])}, beyond the range of {dtype}"
            )
        return rounded
    raise _wrong_dtype(spec, str(array.dtype))


def _exact_integers(dtype: np.dtype[Any]) -> tuple[int, int] | None:
    """The widest range of integers that ``dtype`` holds exactly; None if there is none."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return int(limits.min), int(limits.max)
    precision = _precision(dtype)
    return None if precision is None else (-(1 << precision), 1 << precision)


def _precision(dtype: np.dtype[Any]) -> int | None:
    """The significant bits of a floating-point type; None for other types."""
    if dtype.kind == "f" and dtype.isbuiltin != _FOREIGN:
        # The spacing above 1 is 2 to the power of minus the bits after the first.
        return 1 - round(float(np.log2(np.finfo(dtype).eps)))
    if dtype.kind == "V":
        import ml_dtypes

        if dtype == np.dtype(ml_dtypes.bfloat16):
            return int(cast(Any, ml_dtypes.finfo(dtype)).nmant) + 1
    return None


def _round_once(array: Array, dtype: np.dtype[Any]) -> Array:
    """``array``, of float64, in ``dtype``; to nearest, ties to even."""
    if dtype.kind == "f":
        return array.astype(dtype)
    # ml_dtypes rounds to float32 first, and rounding twice may be wrong.  So round to odd first:
    # truncate, and set the last bit if anything was lost.
    nearest = np.atleast_1d(array.astype(np.float32))
    exact = np.atleast_1d(array)
    bits = nearest.view(np.uint32)
    bits -= (np.isfinite(exact) & (np.abs(nearest) > np.abs(exact))).astype(np.uint32)
    bits |= (np.isfinite(exact) & (nearest != exact)).astype(np.uint32)
    return bits.view(np.float32).reshape(array.shape).astype(dtype)


def _wrong_dtype(spec: TensorSpec, dtype: str) -> DTypeError:
    return DTypeError(f"input {spec.name!r}: found {dtype}, expected {spec.dtype}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""Arrays of other libraries as NumPy arrays over the same memory, through DLPack.

NumPy's own ``from_dlpack`` knows neither bf16 nor the floats of 8 bits, so the structures that a
capsule holds are read here.  Their layout is that of ``dlpack.h``, versions 0.x and 1.x.

What is handed over must be what the array shows.  PyTorch exports some tensors whose memory says
something else: views that are negated lazily, which are resolved or refused here, and tensors
without memory (zeros of its automatic differentiation, fake ones), whose address is null.
"""

from __future__ import annotations

import contextlib
import ctypes
import struct
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class UnknownTypeError(BufferError):
    """The array has an element type that NumPy has not, or packs several into a byte."""


# DLTensor: address, device type and id, rank, type code, bits, lanes, shape, strides, offset.
_TENSOR = "PiiiBBHPPQ"
_MANAGED = struct.Struct(f"@{_TENSOR}PP")
"""``DLManagedTensor``: the tensor, a context and the deleter."""
_VERSIONED = struct.Struct(f"@IIPPQ{_TENSOR}")
"""``DLManagedTensorVersioned``: version, a context, the deleter, flags and the tensor."""

_VERSION = (1, 0)
_READ_ONLY, _COPIED = 1, 2
_MAX_RANK = 64
"""Of NumPy."""
_INTEGERS = [struct.Struct(f"={rank}q") for rank in range(_MAX_RANK + 1)]

_HOSTS = {1: "CPU", 3: "CUDA host", 11: "ROCm host"}
"""Devices whose memory is the processor's."""
_DEVICES = {2: "CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 13: "CUDA managed"}

_TYPES = {
    **{(0, bits): f"int{bits}" for bits in (8, 16, 32, 64)},
    **{(1, bits): f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{(2, bits): f"float{bits}" for bits in (16, 32, 64)},
    **{(5, bits): f"complex{bits}" for bits in (64, 128)},
    (6, 8): "bool",
}
"""NumPy's types by code and bits."""
_SMALL_TYPES = {
    (4, 16): "bfloat16",
    (7, 8): "float8_e3m4",
    (8, 8): "float8_e4m3",
    (9, 8): "float8_e4m3b11fnuz",
    (10, 8): "float8_e4m3fn",
    (11, 8): "float8_e4m3fnuz",
    (12, 8): "float8_e5m2",
    (13, 8): "float8_e5m2fnuz",
    (14, 8): "float8_e8m0fnu",
}
"""Those of ml_dtypes."""


def _capsule_function(name: str, result: Any, *arguments: Any) -> Any:
    """A function of the interpreter, apart from what others tell ctypes about it."""
    kind = ctypes.PYFUNCTYPE(result, ctypes.py_object, *arguments)
    return kind((f"PyCapsule_{name}", ctypes.pythonapi))


_is_valid = _capsule_function("IsValid", ctypes.c_int, ctypes.c_char_p)
_get_pointer = _capsule_function("GetPointer", ctypes.c_void_p, ctypes.c_char_p)
_set_name = _capsule_function("SetName", ctypes.c_int, ctypes.c_char_p)

# A capsule does not copy its name, so these live as long as the process.
_NAME, _USED = b"dltensor", b"used_dltensor"
_VERSIONED_NAME, _VERSIONED_USED = b"dltensor_versioned", b"used_dltensor_versioned"

# A deleter may need the interpreter lock, which this kind of call keeps.
_DELETER = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class _Owner:
    """Keeps what a capsule held until the last array over it is gone."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface
        self.address = 0
        self.deleter = 0

    def __del__(self) -> None:
        if self.deleter:
            _DELETER(self.deleter)(self.address)


_NOTHING = ctypes.c_uint64()
"""Where arrays without elements lie."""


def has_dlpack(value: object) -> bool:
    """Whether ``value`` is an array of another library that can be read here."""
    return hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray)


def read(value: Any, *, shared: bool = False) -> Array:
    """The elements of ``value`` as an array, over its own memory where they are there.

    ``shared`` refuses where they are not.  The array is read-only where the other library says so,
    or cannot say (DLPack before 1.0).  Raises ``BufferError``, and whatever the library raises.
    """
    try:
        return _read(value, shared)
    except (RuntimeError, UnknownTypeError):
        # Types that DLPack has not, or has packed (int4 of JAX), are asked for in NumPy's way.
        if not shared and hasattr(value, "__array__"):
            with contextlib.suppress(Exception):
                return np.asarray(value)
        raise


def _read(value: Any, shared: bool) -> Array:
    is_negated = getattr(value, "is_neg", None)
    if is_negated is not None and is_negated():
        if shared:
            raise BufferError("its memory holds the negated values; pass .resolve_neg()")
        value = value.resolve_neg()
    device = getattr(value, "__dlpack_device__", None)
    if device is not None:
        _check_device(*device())
    try:
        capsule = value.__dlpack__(max_version=_VERSION)
    except TypeError:
        # Libraries from before DLPack 1.0 do not know the keyword.
        capsule = value.__dlpack__()
    if _is_valid(capsule, _VERSIONED_NAME):
        address = _get_pointer(capsule, _VERSIONED_NAME)
        fields = _VERSIONED.unpack(ctypes.string_at(address, _VERSIONED.size))
        major, minor, _, deleter, flags, *tensor = fields
        if major != _VERSION[0]:
            raise BufferError(f"found DLPack {major}.{minor}, expected 1.x")
        if shared and flags & _COPIED:
            raise BufferError("it hands over a copy")
        used = _VERSIONED_USED
    elif _is_valid(capsule, _NAME):
        address = _get_pointer(capsule, _NAME)
        *tensor, _, deleter = _MANAGED.unpack(ctypes.string_at(address, _MANAGED.size))
        flags, used = _READ_ONLY, _USED
    else:
        raise BufferError(f"__dlpack__ gave {capsule!r}, expected a capsule that nobody has taken")
    owner, dtype = _described(bool(flags & _READ_ONLY), *tensor)
    array = np.asarray(owner)
    # What is refused before this stays in the capsule, which deletes it.
    _set_name(capsule, used)
    owner.address = address
    owner.deleter = deleter
    return array if array.dtype is dtype else array.view(dtype)


def _described(
    read_only: bool,
    start: int | None,
    device: int,
    number: int,
    rank: int,
    code: int,
    bits: int,
    lanes: int,
    shape_at: int | None,
    strides_at: int | None,
    offset: int,
) -> tuple[_Owner, np.dtype[Any]]:
    """The interface of the array that the fields of a ``DLTensor`` describe, and its type."""
    _check_device(device, number)
    dtype, stored = _dtype(code, bits, lanes)
    if not 0 <= rank <= _MAX_RANK or (rank and not shape_at):
        raise BufferError(f"found rank {rank}, expected 0 to {_MAX_RANK} and a shape")
    integers = _INTEGERS[rank]
    shape = integers.unpack(ctypes.string_at(shape_at or 0, 8 * rank))
    if rank and min(shape) < 0:
        raise BufferError(f"found shape {shape}")
    if not start:
        if 0 not in shape:
            raise BufferError("it has no memory: its address is null")
        # NumPy takes null for a wish for memory.
        start, offset = ctypes.addressof(_NOTHING), 0
    strides = None
    if strides_at:
        steps = integers.unpack(ctypes.string_at(strides_at, 8 * rank))
        strides = tuple([step * dtype.itemsize for step in steps])
    interface = {
        "version": 3,
        "data": (start + offset, read_only),
        "shape": shape,
        "strides": strides,
        "typestr": stored,
    }
    return _Owner(interface), dtype


def _check_device(kind: int, number: int) -> None:
    if kind not in _HOSTS:
        name = _DEVICES.get(kind, f"DLPack {int(kind)}")
        raise BufferError(f"it is on {name} device {number}; copy it to the CPU first")


@cache
def _dtype(code: int, bits: int, lanes: int) -> tuple[np.dtype[Any], str]:
    """An element type, and the name of one of that size which NumPy has by itself."""
    name = _TYPES.get((code, bits))
    if lanes == 1 and name is not None:
        dtype = np.dtype(name)
        return dtype, dtype.str
    small = _SMALL_TYPES.get((code, bits))
    if lanes == 1 and small is not None:
        import ml_dtypes

        dtype = np.dtype(getattr(ml_dtypes, small))
        return dtype, np.dtype(f"u{dtype.itemsize}").str
    packed = f", {lanes} together" if lanes != 1 else ""
    raise UnknownTypeError(f"its element type, DLPack {code} of {bits} bits{packed}, is not known")

"""Arrays of other libraries: read, written and kept through DLPack, or refused."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from opc.errors import ArgumentError, DTypeError
from opc.runtime.callable import CompiledFunction
from opc.support import dlpack
from tests.unit.common.runtime_samples import ADD, F32, built_library, refused

_P, _I64 = ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64)
_DELETER = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, _P, ctypes.c_char_p, _P)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(
    ("PyCapsule_GetName", ctypes.pythonapi)
)


class Tensor(ctypes.Structure):
    """``DLTensor``, as its header has it."""

    _fields_ = (
        ("data", _P),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", _I64),
        ("strides", _I64),
        ("offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    """``DLManagedTensor``."""

    _fields_ = (("tensor", Tensor), ("context", _P), ("deleter", _P))


class Versioned(ctypes.Structure):
    """``DLManagedTensorVersioned``."""

    _fields_ = (
        ("version", ctypes.c_uint32 * 2),
        ("context", _P),
        ("deleter", _P),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


LENT: list[Any] = []
"""What is kept alive for those who took it."""


class Foreign:
    """An array of another library, which counts what is taken from it and given back."""

    def __init__(
        self,
        array: Any,
        type: tuple[int, int, int] = (2, 32, 1),
        *,
        flags: int | None = 0,
        version: tuple[int, int] = (1, 0),
        device: tuple[int, int] = (1, 0),
        strides: Sequence[int] | None = None,
        offset: int = 0,
        is_null: bool = False,
    ) -> None:
        """``flags`` of None means a capsule from before version 1."""
        self.array, self.device, self.flags = array, device, flags
        self.taken, self.deleted = 0, 0
        self.capsule: Any = None
        integers = ctypes.c_int64 * array.ndim
        self._shape = integers(*array.shape)
        self._strides = None if strides is None else integers(*strides)
        self._deleter = _DELETER(self._delete)
        self.tensor = Tensor(
            None if is_null else array.ctypes.data - offset,
            device,
            array.ndim,
            *type,
            ctypes.cast(self._shape, _I64),
            None if self._strides is None else ctypes.cast(self._strides, _I64),
            offset,
        )
        deleter = ctypes.cast(self._deleter, _P)
        self.managed: Any = (
            Managed(self.tensor, None, deleter)
            if flags is None
            else Versioned(version, None, deleter, flags, self.tensor)
        )

    def _delete(self, address: int) -> None:
        assert address == ctypes.addressof(self.managed)
        self.deleted += 1
        LENT.remove(self)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        if self.flags is None and options:
            raise TypeError("no such keyword")
        self.taken += 1
        name = b"dltensor" if self.flags is None else b"dltensor_versioned"
        LENT.append(self)
        self.capsule = _new_capsule(ctypes.addressof(self.managed), name, None)
        return self.capsule


@pytest.fixture
def x() -> np.ndarray[Any, Any]:
    """0 to 5 as ``f32[2,3]``."""
    return np.arange(6, dtype=F32).reshape(2, 3)


@pytest.fixture
def add() -> CompiledFunction:
    """``x + b`` of ``f32[2,3]``."""
    return CompiledFunction(ADD, built_library())


# What capsules say


@pytest.mark.parametrize("flags", [0, None])
def test_read_in_place_and_given_back(x: Any, flags: int | None) -> None:
    foreign = Foreign(x, flags=flags)
    array = dlpack.read(foreign)
    assert array.ctypes.data == x.ctypes.data and array.dtype is x.dtype
    assert _name_of(foreign.capsule) == (b"used_dltensor" + b"_versioned" * (flags is not None))
    # Before version 1 nobody can say that it may be written to.
    assert array.flags.writeable == (flags is not None)
    part = array[1:]
    del array
    gc.collect()
    assert (foreign.taken, foreign.deleted) == (1, 0)
    del part
    assert foreign.deleted == 1
    foreign.capsule = None
    assert foreign.deleted == 1


def test_no_deleter(x: Any) -> None:
    foreign = Foreign(x)
    foreign.managed.deleter = None
    assert (dlpack.read(foreign) == x).all()
    assert foreign.deleted == 0


def test_strides_offsets_and_ranks(x: Any) -> None:
    turned = Foreign(x.reshape(3, 2), strides=(1, 3))
    np.testing.assert_array_equal(dlpack.read(turned), x.T)
    back = x.reshape(-1)[::-1]
    np.testing.assert_array_equal(dlpack.read(Foreign(back, strides=(-1,))), back)
    np.testing.assert_array_equal(dlpack.read(Foreign(x, strides=(0, 1))), np.stack([x[0]] * 2))
    np.testing.assert_array_equal(dlpack.read(Foreign(x[1:], offset=12)), x[1:])
    assert dlpack.read(Foreign(np.array(7, F32))).shape == ()
    for null in (False, True):
        empty = Foreign(np.zeros((2, 0), F32), is_null=null)
        assert dlpack.read(empty).shape == (2, 0)
        assert empty.deleted == 1


SMALL = {
    "bfloat16": (4, 16, 1),
    "float8_e4m3fn": (10, 8, 1),
    "float8_e4m3fnuz": (11, 8, 1),
    "float8_e5m2": (12, 8, 1),
    "float8_e5m2fnuz": (13, 8, 1),
    "float8_e8m0fnu": (14, 8, 1),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_floats(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    array = np.array([[1, 2], [4, 8]], F32).astype(dtype)
    found = dlpack.read(Foreign(array.view(f"u{dtype.itemsize}"), SMALL[name]))
    assert found.dtype is dtype and found.flags.writeable
    assert found.ctypes.data == array.ctypes.data
    np.testing.assert_array_equal(found.astype(F32), array.astype(F32))


REFUSED = {
    "it is on CUDA device 1; copy it to the CPU first": {"device": (2, 1)},
    "it is on DLPack 99 device 0; copy it to the CPU first": {"device": (99, 0)},
    "found DLPack 2.1, expected 1.x": {"version": (2, 1)},
    "it has no memory: its address is null": {"is_null": True},
    "its element type, DLPack 17 of 4 bits, 2 together, is not known": {"type": (17, 4, 2)},
    "its element type, DLPack 3 of 64 bits, is not known": {"type": (3, 64, 1)},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message: str, add: CompiledFunction, x: Any) -> None:
    foreign = Foreign(x, **REFUSED[message])
    refused(f"input 'x': Foreign cannot be read: {message}", lambda: add(foreign, x))
    refused(f"input 'x': Foreign cannot be used in place: {message}", lambda: add.bind(foreign, x))
    refused(
        f"out for 'y': Foreign cannot be used in place: {message}",
        lambda: add(x, x, out=foreign),
    )
    # Whoever made the capsule still has it.
    if foreign.taken:
        assert _name_of(foreign.capsule) == b"dltensor_versioned"
    assert foreign.deleted == 0


def test_a_device_that_only_the_capsule_says(x: Any) -> None:
    foreign = Foreign(x, device=(2, 0))
    foreign.device = (1, 0)
    with pytest.raises(BufferError, match="CUDA device 0"):
        dlpack.read(foreign)


@pytest.mark.parametrize("rank", [-1, 65, 1 << 30])
def test_wrong_ranks_and_shapes(x: Any, rank: int) -> None:
    foreign = Foreign(x)
    foreign.managed.tensor.rank = rank
    with pytest.raises(BufferError, match=f"found rank {rank}, expected 0 to 64"):
        dlpack.read(foreign)
    foreign.managed.tensor.rank = 2
    foreign._shape[0] = -2  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(BufferError, match=r"found shape \(-2, 3\)"):
        dlpack.read(foreign)
    foreign.managed.tensor.shape = None
    with pytest.raises(BufferError, match="and a shape"):
        dlpack.read(foreign)


def test_no_capsule(add: CompiledFunction, x: Any) -> None:
    class Wrong:
        def __init__(self, given: Any) -> None:
            self.given = given

        def __dlpack__(self, **options: Any) -> Any:
            if isinstance(self.given, Exception):
                raise self.given
            return self.given

    taken = Foreign(x)
    array = dlpack.read(taken)
    for given in (None, 3, taken.capsule, KeyError("anything"), RuntimeError("at all")):
        with pytest.raises(ArgumentError, match="input 'x': Wrong cannot be read: "):
            add(Wrong(given), x)
    assert (array == x).all() and taken.deleted == 0


# Calls


@pytest.mark.parametrize("flags", [0, None])
def test_inputs(add: CompiledFunction, x: Any, flags: int | None) -> None:
    foreign, double = Foreign(x, flags=flags), Foreign(x.astype(np.float64), (2, 64, 1))
    for k in range(1, 4):
        np.testing.assert_array_equal(add(foreign, b=foreign), 2 * x)
        assert foreign.taken == foreign.deleted == 2 * k
    refused("input 'x': found float64, expected float32", lambda: add(double, x), DTypeError)
    gc.collect()
    assert double.taken == double.deleted == 1


def test_out(add: CompiledFunction, x: Any) -> None:
    y = np.zeros((2, 3), F32)
    foreign = Foreign(y)
    assert add(x, x, out=foreign) is foreign
    np.testing.assert_array_equal(y, 2 * x)
    assert foreign.taken == foreign.deleted == 1
    # Over an input, which C could not do.
    same = Foreign(y)
    assert add(foreign, y, out=same) is same
    np.testing.assert_array_equal(y, 4 * x)
    for problem, given in (
        ("the array is read-only", Foreign(y, flags=1)),
        ("the array is read-only", Foreign(y, flags=None)),
        ("the array is not C-contiguous", Foreign(y, strides=(1, 2))),
        ("found shape [3,2], expected [2,3]", Foreign(y.reshape(3, 2))),
        ("Foreign cannot be used in place: it hands over a copy", Foreign(y, flags=2)),
    ):
        refused(f"out for 'y': {problem}", lambda g=given: add(x, x, out=g))


def test_bind(add: CompiledFunction, x: Any) -> None:
    y = np.zeros((2, 3), F32)
    foreign, out = Foreign(x, flags=1), Foreign(y)
    bound = add.bind(foreign, Foreign(x, flags=None), out=out)
    for value in (1, 2):
        x[...] = value
        assert bound() is out
        assert (y == 2 * value).all()
    assert (foreign.taken, foreign.deleted) == (out.taken, out.deleted) == (1, 0)
    del bound
    assert foreign.deleted == out.deleted == 1
    refused(
        "input 'x': Foreign cannot be used in place: it hands over a copy",
        lambda: add.bind(Foreign(x, flags=2), x),
    )
    refused(
        "input 'x': bind() takes an aligned, C-contiguous array of float32 in native byte order, "
        "which later calls can read in place; the array is not C-contiguous",
        lambda: add.bind(Foreign(x, strides=(1, 2)), x),
    )
    refused("out for 'y': it shares memory with an input", lambda: add.bind(x, x, out=Foreign(x)))


def test_what_is_shown_counts(add: CompiledFunction, x: Any) -> None:
    """A view that is negated lazily, as torch has it: the memory holds the other sign."""

    class Negated(Foreign):
        def is_neg(self) -> bool:
            return True

        def resolve_neg(self) -> Any:
            return Foreign(-self.array)

    negated = Negated(x)
    np.testing.assert_array_equal(add(negated, x), np.zeros((2, 3), F32))
    for call in (lambda: add.bind(negated, x), lambda: add(x, x, out=negated)):
        with pytest.raises(ArgumentError, match=r"the negated values; pass .resolve_neg\(\)"):
            call()

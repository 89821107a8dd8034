"""What a compiled function takes, copies and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opc.errors import ArgumentError, DTypeError
from opc.runtime import arguments
from opc.runtime.callable import CompiledFunction
from opc.support.interface import TensorSpec
from tests.unit.common.runtime_samples import (
    BF16,
    F32,
    I32,
    interface,
    layouts,
    one,
    refused,
)


def test_by_order_and_by_name(add: CompiledFunction, x: Any, b: Any) -> None:
    for y in (add(x, b), add(x=x, b=b), add(b=b, x=x), add(x, b=b)):
        assert type(y) is np.ndarray
        assert y.dtype == F32
        np.testing.assert_array_equal(y, x + b)


def test_wrong_names(add: CompiledFunction, x: Any, b: Any) -> None:
    refused("main() has no input 'z'; its inputs are: x, b", lambda: add(x, z=b))
    refused("main(): input 'x' is given by order and by name", lambda: add(x, x=x))
    refused("main() is missing input 'b'", lambda: add(x))
    refused("main() is missing inputs 'x', 'b'", lambda: add())
    refused("main() takes 2 inputs (x, b), found 3", lambda: add(x, b, b))


def test_names_that_python_uses(library: Path) -> None:
    given = {"self": (I32, ()), "args": (I32, ())}
    function = CompiledFunction(interface("two", given, {"s": (I32, ()), "d": (I32, ())}), library)
    assert function(self=3, args=2) == (5, 1)


def test_many_outputs_are_a_tuple(two: CompiledFunction) -> None:
    result = two(7, 5)
    assert result == (12, 2)
    assert type(result) is tuple
    for y in two(7, 5):
        assert (type(y), y.shape, y.dtype) == (np.ndarray, (), I32)


def test_no_outputs_and_no_inputs(library: Path) -> None:
    none = CompiledFunction(interface("none", {"x": (F32, ())}, {}), library)
    assert none(np.array(1, F32)) == ()
    assert none(1, out=()) == ()
    assert none.bind(np.array(1, F32))() == ()
    source = CompiledFunction(interface("source", {}, {"y": (F32, (2,))}), library)
    assert source().tolist() == [1, 2]


@pytest.mark.parametrize("layout", layouts(np.ones((2, 3), F32)))
def test_layouts(layout: str, add: CompiledFunction, x: Any, b: Any) -> None:
    given = layouts(x)[layout]
    before = given.copy()
    np.testing.assert_array_equal(add(given, b), x + b)
    np.testing.assert_array_equal(add(b, given), x + b)
    np.testing.assert_array_equal(given, before)


def test_no_copy_where_none_is_needed(library: Path, x: Any) -> None:
    for spec_dtype, array in ((F32, x), (F32, x.view(np.memmap)), (np.bool_, np.array([True]))):
        spec = TensorSpec("x", np.dtype(spec_dtype), array.shape)
        prepared = arguments.prepare(array, spec)
        assert np.shares_memory(prepared, array)
        assert type(prepared) is np.ndarray


@pytest.mark.parametrize("found", [np.float64, np.float16, np.int32, np.bool_, object, "S4", BF16])
def test_other_element_types_are_refused(found: Any, add: CompiledFunction, x: Any) -> None:
    array = np.zeros((2, 3), found)
    refused(f"input 'b': found {array.dtype}, expected float32", lambda: add(x, array), DTypeError)


def test_dtype_error_is_a_type_error(add: CompiledFunction, x: Any) -> None:
    with pytest.raises(TypeError):
        add(x, x.astype(np.int32))
    with pytest.raises(ValueError, match="float64"):
        add(x, x.astype(np.float64))


def test_equal_type_that_is_another_object(library: Path) -> None:
    function = CompiledFunction(one("u64", np.dtype("q")), library)
    assert function(np.array(5, "l")) == 5


def test_bool(library: Path) -> None:
    function = CompiledFunction(one("u8", np.bool_), library)
    assert function(np.array(True)).dtype == np.bool_
    assert function(True) and function(np.True_) and not function(False)
    assert function(np.array(7, np.uint8).view(np.bool_)).view(np.uint8) == 1
    refused(
        "input 'x': found uint8, expected bool",
        lambda: function(np.array(1, np.uint8)),
        DTypeError,
    )
    for value in (1, 1.0, np.uint8(1), [1]):
        with pytest.raises(DTypeError):
            function(value)


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), BF16])
def test_small_floats(dtype: Any, library: Path) -> None:
    function = CompiledFunction(one("u16", dtype), library)
    for value in (np.array(1.5, dtype), dtype.type(1.5), 1.5):
        result = function(value)
        assert result.dtype == dtype
        assert result == 1.5
    for value in (np.array(1, np.uint16), np.float32(1)):
        with pytest.raises(DTypeError):
            function(value)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (np.float32, 0.1),
        (np.float32, 1 << 24),
        (np.float32, -3),
        (np.float32, True),
        (np.float32, float("nan")),
        (np.float32, float("-inf")),
        (np.float32, np.float16(0.1)),
        (np.float32, np.int16(-5)),
        (np.int32, -(1 << 31)),
        (np.int32, np.int8(-5)),
        (np.uint32, (1 << 32) - 1),
        (np.uint32, np.uint8(255)),
    ],
)
def test_scalars_that_fit(dtype: Any, value: Any, library: Path) -> None:
    function = CompiledFunction(one("u32", dtype), library)
    np.testing.assert_array_equal(function(value), np.array(value, dtype))


@pytest.mark.parametrize(
    ("dtype", "value", "kind"),
    [
        (np.float32, (1 << 24) + 1, ArgumentError),
        (np.float32, 1e39, ArgumentError),
        (np.float32, -1e300, ArgumentError),
        (np.float32, 1 << 70, DTypeError),
        (np.float32, np.float64(0.5), DTypeError),
        (np.float32, np.int32(1), DTypeError),
        (np.float32, 1j, DTypeError),
        (np.float32, "1", DTypeError),
        (np.float32, b"1234", DTypeError),
        (np.float32, None, DTypeError),
        (np.float32, {}, DTypeError),
        (np.int32, 1.0, DTypeError),
        (np.int32, 1 << 31, ArgumentError),
        (np.int32, np.uint32(1), DTypeError),
        (np.uint32, -1, ArgumentError),
        (np.uint32, np.int8(1), DTypeError),
    ],
)
def test_scalars_that_do_not_fit(
    dtype: Any, value: Any, kind: type[Exception], library: Path
) -> None:
    function = CompiledFunction(one("u32", dtype), library)
    with pytest.raises(kind, match="input 'x': found ") as caught:
        function(value)
    assert type(caught.value) is kind


def test_texts_about_values(library: Path) -> None:
    function = CompiledFunction(one("u32", np.int32), library)
    refused(
        "input 'x': found 2147483648, but int32 holds integers exactly only from -2147483648 to "
        "2147483647",
        lambda: function(1 << 31),
    )
    refused("input 'x': found NoneType, expected int32", lambda: function(None), DTypeError)
    function = CompiledFunction(one("u32", np.float32), library)
    refused("input 'x': found 1e+39, beyond the range of float32", lambda: function(1e39))


def test_python_float_is_rounded_once(library: Path) -> None:
    function = CompiledFunction(one("u16", BF16), library)
    above = 1 + 2.0**-8 + 2.0**-40
    assert function(above) == 1 + 2.0**-7  # by way of float32 it would be 1
    assert function(-above) == -1 - 2.0**-7
    assert function(1 + 2.0**-8) == 1
    assert function(1 + 3 * 2.0**-8 - 2.0**-40) == 1 + 2.0**-7
    assert np.isnan(function(float("nan")))
    assert function(float("inf")) == float("inf")
    assert np.signbit(function(-0.0)) and np.signbit(function(-1e-320))
    with pytest.raises(ArgumentError, match="beyond the range of bfloat16"):
        function(3.4e38)


def test_lists(add: CompiledFunction, x: Any, b: Any) -> None:
    np.testing.assert_array_equal(add(x.tolist(), b), x + b)
    np.testing.assert_array_equal(add([[0, 1, 2], [3, 4, 5]], b), x + b)
    np.testing.assert_array_equal(add((list(x[0]), list(x[1])), b), x + b)
    with pytest.raises(ArgumentError, match="input 'x': the list is not an array"):
        add([[1, 2], [3]], b)
    with pytest.raises(ArgumentError, match="input 'x': found rank 1"):
        add([], b)
    with pytest.raises(DTypeError):
        add([["1", "2", "3"]] * 2, b)


def test_foreign_arrays(add: CompiledFunction, x: Any, b: Any) -> None:
    class Dlpack:
        def __init__(self, array: Any) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    class Elsewhere(Dlpack):
        def __dlpack_device__(self) -> Any:
            return (2, 0)

        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("on another device")

    class Interfaced:
        __array_interface__ = x.__array_interface__

    np.testing.assert_array_equal(add(Dlpack(x), b), x + b)
    np.testing.assert_array_equal(add(Dlpack(np.asfortranarray(x)), b), x + b)
    np.testing.assert_array_equal(add(Interfaced(), b), x + b)
    np.testing.assert_array_equal(add(memoryview(x), b), x + b)
    with pytest.raises(DTypeError, match="input 'x': found float64"):
        add(Dlpack(x.astype(np.float64)), b)
    with pytest.raises(ArgumentError, match="input 'x': Elsewhere cannot be read"):
        add(Elsewhere(x), b)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses(add: CompiledFunction, x: Any, b: Any) -> None:
    assert type(add(np.asmatrix(x), b)) is np.ndarray
    with pytest.raises(ArgumentError, match="input 'x': masked arrays"):
        add(np.ma.masked_array(x, x > 1), b)
    with pytest.raises(ArgumentError, match="out for 'y': masked arrays"):
        add(x, b, out=np.ma.masked_array(x))

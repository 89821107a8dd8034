"""Arrays of PyTorch and JAX, which come through DLPack."""

from __future__ import annotations

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import opc
from opc.errors import ArgumentError, InputError
from opc.runtime.callable import CompiledFunction
from opc.support import dlpack
from tests.unit.common.runtime_samples import ADD, BF16, F32, built_library, interface, one, refused

SMALL = (
    *("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
)


@pytest.fixture
def x() -> np.ndarray[Any, Any]:
    """0 to 5 as ``f32[2,3]``."""
    return np.arange(6, dtype=F32).reshape(2, 3)


@pytest.fixture
def add() -> CompiledFunction:
    """``x + b`` of ``f32[2,3]``."""
    return CompiledFunction(ADD, built_library())


def torch() -> Any:
    """The package, if it is there."""
    return pytest.importorskip("torch")


def test_torch_lazily_negated(add: CompiledFunction) -> None:
    z = torch().complex(torch().ones(2, 3), torch().arange(6.0).reshape(2, 3))
    view = z.conj().imag
    assert view.is_neg()
    found = add(view, np.zeros((2, 3), F32))
    np.testing.assert_array_equal(found, -np.arange(6, dtype=F32).reshape(2, 3))
    with pytest.raises(ArgumentError, match="resolve_neg"):
        add.bind(view.contiguous() if view.is_contiguous() else view, np.zeros((2, 3), F32))
    with pytest.raises(ArgumentError, match="resolve_neg"):
        add(view, view, out=view)


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
def test_torch_tensors_without_memory(add: CompiledFunction, x: Any) -> None:
    torch()
    from torch._subclasses.fake_tensor import FakeTensorMode  # pyright: ignore

    with FakeTensorMode():
        fake = torch().empty(2, 3)
    zero, functional = torch()._efficientzerotensor(2, 3), torch()._to_functional_tensor
    for tensor in (fake, zero, functional(torch().ones(2, 3))):
        for call in (
            lambda t=tensor: add(t, x),
            lambda t=tensor: add.bind(t, x),
            lambda t=tensor: add(x, x, out=t),
        ):
            with pytest.raises(ArgumentError, match="it has no memory"):
                call()


def test_torch_refusals(add: CompiledFunction, x: Any) -> None:
    for tensor, message in (
        (torch().ones(2, 3, requires_grad=True), r"\.detach\(\)"),
        (torch().nn.Parameter(torch().ones(2, 3)), r"\.detach\(\)"),
        (torch().empty(2, 3, device="meta"), "meta"),
        (torch().ones(2, 3).to_sparse(), "strided"),
    ):
        for call in (
            lambda t=tensor: add(t, x),
            lambda t=tensor: add.bind(t, x),
            lambda t=tensor: add(x, x, out=t),
        ):
            with pytest.raises(ArgumentError, match=message):
                call()


def test_torch_calls(add: CompiledFunction) -> None:
    x, y = torch().arange(6.0).reshape(2, 3), torch().zeros(2, 3)
    assert add(x, x, out=y) is y
    assert torch().equal(y, 2 * x)
    assert torch().equal(torch().from_numpy(add(x.T.contiguous().T, x)), 2 * x)
    bound = add.bind(x, b=x, out=y)
    x += 1
    assert bound() is y
    assert torch().equal(y, 2 * x)
    with pytest.raises(ArgumentError, match="not C-contiguous"):
        add.bind(x.T.contiguous().T, x)


@pytest.mark.parametrize("name", SMALL)
def test_torch_small_floats(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    prefix = "u16" if dtype.itemsize == 2 else "u8"
    # What u8 writes is 1 where its input is not 0.
    described = one(prefix, dtype)
    function = CompiledFunction(described, built_library())
    kind = getattr(torch(), name)
    x, y = torch().tensor(4.0).to(kind), torch().tensor(0.0).to(kind)
    assert function(x, out=y) is y
    bits = torch().uint16 if prefix == "u16" else torch().uint8
    assert y.view(bits).item() == (x.view(bits).item() if prefix == "u16" else 1)
    assert dlpack.read(x).dtype is dtype


def test_torch_is_kept_alive() -> None:
    import sys

    x = torch().arange(1000.0)
    before = sys.getrefcount(x)
    array = dlpack.read(x)
    address = x.data_ptr()
    del x
    gc.collect()
    noise = [torch().zeros(1000) for _ in range(20)]
    assert array.ctypes.data == address and (array == np.arange(1000)).all()
    assert before >= 2 and all((n == 0).all() for n in noise)


def test_torch_does_not_leak(add: CompiledFunction) -> None:
    x, y = torch().ones(2, 3), torch().zeros(2, 3)
    uses = x._use_count
    before = uses()
    held = dlpack.read(x)
    assert uses() == before + 1
    del held
    for _ in range(100):
        add(x, x, out=y)
        add.bind(x, x, out=y)()
    gc.collect()
    assert uses() == before
    # A call and a mistake at once.
    for _ in range(10):
        with pytest.raises(ArgumentError):
            add(x, x, out=x.T)
    gc.collect()
    assert uses() == before


@pytest.mark.parametrize("name", ["float32", *SMALL])
def test_jax(name: str) -> None:
    jax = pytest.importorskip("jax")
    x = jax.numpy.array([[1, 2], [4, 8]], name)
    array = dlpack.read(x)
    assert array.dtype is np.dtype(getattr(ml_dtypes, name, name))
    np.testing.assert_array_equal(array.astype(F32), np.array([[1, 2], [4, 8]], F32))
    # Its arrays cannot change.
    assert not array.flags.writeable
    function = CompiledFunction(
        interface("none", {"x": (array.dtype, (2, 2))}, {}), built_library()
    )
    assert function(x) == function.bind(x)() == ()


def test_jax_packed_types() -> None:
    jax = pytest.importorskip("jax")
    for name in ("int4", "float4_e2m1fn"):
        dtype = np.dtype(getattr(ml_dtypes, name))
        described = interface("none", {"x": (dtype, (3,))}, {})
        function = CompiledFunction(described, built_library())
        assert function(jax.numpy.ones(3, name)) == ()
        with pytest.raises(ArgumentError, match="cannot be used in place"):
            function.bind(jax.numpy.ones(3, name))


def test_jax_out(add: CompiledFunction, x: Any) -> None:
    jax = pytest.importorskip("jax")
    y = jax.numpy.zeros((2, 3))
    np.testing.assert_array_equal(add(y, x), x)
    refused("out for 'y': the array is read-only", lambda: add(x, x, out=y))


def test_constants_of_torch() -> None:
    """A tensor from outside a function that is traced."""
    one = torch().ones(3, dtype=torch().bfloat16)
    z = torch().complex(torch().ones(3), torch().arange(3.0)).conj().imag
    x = np.zeros(3, F32)
    assert opc.function(lambda x: x + z)(x).tolist() == [0, -1, -2]
    assert opc.function(lambda x: x + one)(x.astype(BF16)).dtype is BF16
    with pytest.raises(InputError, match=r"detach\(\)"):
        opc.function(lambda x: x + torch().ones(3, requires_grad=True))(x)


def test_functions_over_torch() -> None:
    """Whole functions, bf16 among them, and the type that `opc.function` takes from a tensor."""
    bf16 = torch().bfloat16
    text = """
    func.func @main(%x: tensor<4xbf16>) -> tensor<4xbf16> {
      %y = opc.add %x, %x
      return %y : tensor<4xbf16>
    }"""
    x, y = torch().arange(4.0).to(bf16), torch().zeros(4, dtype=bf16)
    double = opc.compile(text)
    double.bind(x, out=y)()
    assert torch().equal(y, x + x)
    traced = opc.function(lambda x: x + x)
    found = traced(x)
    assert found.dtype is BF16 and (found.astype(F32) == [0, 2, 4, 6]).all()
    y.zero_()
    traced.bind(x, out=y)()
    assert torch().equal(y, x + x)
    y.zero_()
    assert traced(x, out=y) is y and torch().equal(y, x + x)

"""Einsum, joining, indices and extents in traced functions, beside the same in NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc
import opc.numpy as onp
from opc.errors import ArgumentError, UnsupportedError
from opc.frontend.python.builder import trace
from opc.interpret.graph import evaluate

pytestmark = pytest.mark.level("-O0")

Array = np.ndarray[Any, np.dtype[Any]]


def sample(*shape: int, dtype: Any = np.float32) -> Array:
    values = np.random.default_rng(sum(shape)).normal(0, 3, shape)
    return (values > 0) if np.dtype(dtype) == bool else values.astype(dtype)


def run(fn: Callable[..., Any], *arrays: Array, letters: bool = False) -> list[Array]:
    """What the interpreter makes of the trace; with letters for all extents above 1."""
    shapes = [[f"n{e}" if letters and e > 1 else e for e in a.shape] for a in arrays]
    specs = [opc.spec(a.dtype, shape) for a, shape in zip(arrays, shapes, strict=True)]
    module = trace(fn, specs)
    module.verify()
    func = next(op for op in module.ops if isinstance(op, FuncOp))
    return evaluate(func, list(arrays))


def check(fn: Callable[..., Any], *arrays: Array) -> None:
    expected = fn(*arrays)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for letters in (False, True):
        for found, wanted in zip(run(fn, *arrays, letters=letters), expected, strict=True):
            assert found.dtype == np.asarray(wanted).dtype
            if found.dtype.kind == "f":
                np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5, strict=True)
            else:
                np.testing.assert_array_equal(found, wanted, strict=True)


EINSUMS = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,kj->ik", (2, 3), (4, 3)),
    ("ij,jk->ki", (2, 3), (3, 4)),
    ("ba,cb", (2, 3), (4, 2)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
    ("bqhd,bkhd->bhqk", (2, 4, 3, 5), (2, 6, 3, 5)),
    ("bhqk,bkhd->bqhd", (2, 3, 4, 6), (2, 6, 3, 5)),
    ("i,i->", (4,), (4,)),
    ("i,i", (4,), (4,)),
    ("i,j->ij", (4,), (3,)),
    ("i,j->ji", (4,), (3,)),
    ("ij,ij->ij", (2, 3), (2, 3)),
    ("ij,ij->i", (2, 3), (2, 3)),
    ("ij,j->i", (2, 3), (3,)),
    ("j,ij->i", (3,), (2, 3)),
    ("ijk,kjl->il", (2, 3, 4), (4, 3, 5)),
    ("ij,kl->il", (2, 3), (4, 5)),
    ("ij->ji", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ji", (2, 3)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("ij,jk,ik->ik", (2, 3), (3, 4), (2, 4)),
    ("ij,j,kj->ik", (2, 3), (3,), (4, 3)),
    ("...ij,...jk->...ik", (5, 2, 3), (5, 3, 4)),
    ("...ij,jk->...ik", (6, 5, 2, 3), (3, 4)),
    ("...ij,...jk", (5, 2, 3), (3, 4)),
    ("i...->...i", (2, 3, 4)),
    ("...i->...", (2, 3, 4)),
    (" i j , j k -> i k ", (2, 3), (3, 4)),
    ("ij,ij->ij", (1, 3), (2, 3)),
    ("ij,jk->ik", (2, 1), (3, 4)),
    ("...i,...i->...", (5, 1, 3), (2, 3)),
]


@pytest.mark.parametrize(("subscripts", "shapes"), [(e[0], e[1:]) for e in EINSUMS], ids=str)
def test_einsum(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    for dtype in (np.float32, np.int8, bool):
        arrays = [sample(*shape, dtype=dtype) for shape in shapes]
        check(of_number(len(shapes), lambda *xs: np.einsum(subscripts, *xs)), *arrays)


def of_number(count: int, fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function of so many arrays: only such can be traced."""
    return [lambda x: fn(x), lambda x, y: fn(x, y), lambda x, y, z: fn(x, y, z)][count - 1]


def test_einsum_promotes_and_takes_a_type() -> None:
    x, y = sample(2, 3), sample(3, 4, dtype=np.float64)
    check(lambda x, y: np.einsum("ij,jk", x, y, optimize=True), x, y)
    (found,) = run(lambda x: onp.einsum("ij->", x, dtype="f64"), x)
    assert found.dtype == np.float64


def test_products() -> None:
    x, y, z = sample(2, 3, 4), sample(4, 3, 5), sample(6, 4)
    check(lambda x, y: np.tensordot(x, y, ([1, 2], [1, 0])), x, y)
    check(lambda x, y: np.tensordot(x, y, 1), x, y)
    check(lambda x, y: np.tensordot(x, y, axes=(2, 0)), x, y)
    check(lambda x, y: (np.inner(x, y), np.outer(x, y)), x, z)
    check(lambda x, y: (np.inner(x, y), np.outer(y, x)), x, sample())


def test_joining() -> None:
    x, y = sample(2, 3), sample(2, 3, dtype=np.float64)
    check(lambda x, y: (np.stack([x, y]), np.stack((x, y, x), axis=-1), np.stack([x], 1)), x, y)
    check(lambda x, y: (np.concatenate([x, y, x]), np.concatenate((x, y), axis=-1)), x, y)
    check(lambda x, y: np.concatenate([x, y], axis=None), x, y)
    check(lambda x: (np.tile(x, 2), np.tile(x, (3, 1, 2)), np.tile(x, (2, 1))), x)
    check(lambda x: (np.repeat(x, 2), np.repeat(x, 3, axis=1), np.repeat(x, 2, 0)), x)
    special = np.array([0.0, -0.0, np.nan, np.inf], np.float32)
    (found,) = run(lambda x: onp.stack([x, -x]), special)
    np.testing.assert_array_equal(np.signbit(found[0]), np.signbit(special))


def test_stacked_shapes_must_be_equal() -> None:
    f = opc.function(lambda x, y: onp.stack([x, y]), "f32[N]", "f32[M]")
    assert f(sample(3), sample(3)).shape == (2, 3)
    with pytest.raises(ArgumentError, match="stack: extents of arrays differ"):
        f(sample(3), sample(1))
    f = opc.function(lambda x, y: onp.concatenate([x, y]), "f32[N]", "f32[M]")
    x, y = sample(3), sample(1)
    np.testing.assert_array_equal(f(x, y), np.concatenate([x, y]))


def test_indices() -> None:
    x = sample(2, 1, 3)
    check(
        lambda x: (x[:, 0], x[..., -1, :], x[:, 0, None], x[:, :, :], x[0:], x[None, :, :, 0::1]), x
    )
    check(lambda x: (x[:, 0:1:7], x[:, 0::-1], x[:, np.int64(0)], x[:, 0, ..., None]), x)
    check(lambda x: x[: x.shape[0], :, 0 : x.shape[2] : 1], x)
    check(lambda x: x.sum()[()], x)
    for found in run(lambda x: (x[0:2], x[-2:9], x[:, :, -3:3:1], x[:, 0:4]), x):
        np.testing.assert_array_equal(found, x)
    x = sample(5)
    for index in (lambda x: x[0], lambda x: x[: x.shape[0] // 2]):
        np.testing.assert_array_equal(opc.function(index, "f32[N]")(x), index(x))


def test_constants_of_numpy() -> None:
    x = sample(2, 3)
    check(lambda x: x + onp.arange(3, dtype=np.float32) * onp.float32(onp.pi), x)
    check(lambda x: (x + onp.arange(1, 7, 2), x @ onp.eye(3), x + onp.linspace(0, 1, 3)), x)
    (found,) = run(lambda x: onp.where(onp.arange(3) > 0, x, -onp.inf), x)
    np.testing.assert_array_equal(found, np.where(np.arange(3) > 0, x, -np.inf))
    assert isinstance(onp.arange(3), np.ndarray) and onp.newaxis is None
    assert onp.arange(3, dtype="f32").dtype == np.float32
    assert onp.array([1, 2]).dtype == np.int64
    with pytest.raises(UnsupportedError, match=r"arange of N: .* only constants"):
        trace(lambda x: x + onp.arange(x.shape[0]), ["f32[N]"])


def test_every_function_of_numpy_is_there_or_says_that_it_is_not() -> None:
    for name in dir(np):
        if name.startswith("_"):
            continue
        try:
            found = getattr(onp, name)
        except UnsupportedError as error:
            assert f"numpy.{name} cannot be traced" in str(error)
        else:
            assert name in onp.__all__ or found is getattr(np, name)
    assert not hasattr(onp, "median") and not hasattr(onp, "nothing")
    assert {name for name in onp.__all__ if not callable(getattr(onp, name))} == {
        *("e", "inf", "nan", "newaxis", "pi")
    }


def test_isfinite() -> None:
    x = np.array([1, np.inf, -np.inf, np.nan, 0], np.float32)
    check(lambda x: np.isfinite(x), x)
    check(lambda x: np.isfinite(x), np.arange(3))


def test_extents_with_numbers_of_numpy() -> None:
    def fn(x: Any) -> Any:
        n, m = x.shape
        two, count = np.int64(2), np.prod(x.shape)
        shapes: list[Any] = [(n * two, -1), (two * n, m // two), count, (math.prod(x.shape),)]
        shapes += [(n + np.int32(0), np.uint8(0) + m), (n * m // np.int64(4), 4), (m - (m - n), m)]
        shapes += [(np.int64(7) + n - np.int16(7), m), (n, m % np.int64(4) + m), (1, -1)]
        return tuple(x.reshape(shape) for shape in shapes)

    check(fn, sample(2, 4))
    check(fn, sample(3, 8))
    assert "#opc.dims<M*N>" in str(trace(lambda x: fn(x)[2], ["f32[N, M]"]))
    with pytest.raises(UnsupportedError, match="only known when"):
        trace(lambda x: x.reshape(int(x.shape[0] * np.int64(2)), -1), ["f32[N, M]"])
    kept = np.array([1, 2], np.float32)
    check(lambda x: (x / (np.float32(2) * x.shape[0]), np.float64(2) / x.shape[0] + x), kept)


def test_compiled() -> None:
    @opc.function
    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = onp.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        return onp.einsum("bhqk,bkhd->bqhd", onp.softmax(scores), v)

    for n, m in ((3, 5), (4, 7)):
        q, k, v = sample(2, n, 3, 8), sample(2, m, 3, 8), sample(2, m, 3, 6)
        scores = np.einsum("bqhd,bkhd->bhqk", q, k) / 8**0.5
        p = np.exp(scores - scores.max(-1, keepdims=True))
        wanted = np.einsum("bhqk,bkhd->bqhd", p / p.sum(-1, keepdims=True), v)
        np.testing.assert_allclose(attention(q, k, v), wanted, rtol=1e-4, atol=1e-5)
    assert len(attention.versions) == 1

    f = opc.function(lambda x: onp.concatenate([x, x * 2, onp.tile(x, 1)], axis=1))
    for n in (3, 70):
        x = sample(n, 33)
        np.testing.assert_array_equal(f(x), np.concatenate([x, x * 2, x], axis=1))

"""Traced functions give what the same Python gives in NumPy."""

import copy
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import opc
import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects.opc import OPERATORS
from opc.errors import InputError
from opc.frontend.python.builder import trace
from opc.frontend.python.spec import element_like
from opc.interpret.graph import evaluate

RNG = np.random.default_rng(7)
BF16 = np.dtype(ml_dtypes.bfloat16)


def graph(fn: Any, *specs: str) -> FuncOp:
    module = trace(fn, specs or None)
    module.verify()
    return next(op for op in module.ops if isinstance(op, FuncOp))


def run(fn: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    specs = [f"{element_like(a.dtype)}{list(a.shape)}" for a in arrays]
    return evaluate(graph(fn, *specs), list(arrays))


def check(fn: Any, *arrays: np.ndarray, ulps: int = 4, largest: float = 1) -> None:
    """The same Python function gives the same through tracing as in NumPy.

    ``largest`` bounds the values that are added up, which may cancel.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = fn(*arrays)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for found, wanted in zip(run(fn, *arrays), expected, strict=True):
        wanted = np.asarray(wanted)
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        if wanted.dtype.kind in "iub":
            np.testing.assert_array_equal(found, wanted)
        else:
            eps = float(ml_dtypes.finfo(wanted.dtype).eps)
            np.testing.assert_allclose(
                found.astype(np.float64),
                wanted.astype(np.float64),
                rtol=ulps * eps,
                atol=eps * max(1, largest),
            )


def sample(dtype: Any, *shape: int) -> np.ndarray:
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return RNG.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -9
        return RNG.integers(low, 10, shape).astype(dtype)
    return RNG.normal(0, 3, shape).astype(dtype)


ARITHMETIC = [
    lambda x, y: x + y,
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, y: x // y,
    lambda x, y: x % y,
    lambda x, y: np.fmod(x, y),
    lambda x, y: np.maximum(x, y) + np.minimum(x, 1),
    lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y),
    lambda x, y: np.where(x > 0, x, y),
    lambda x, y: np.logical_and(x, y) ^ np.logical_or(x, y) | ~np.logical_xor(x, y),
    lambda x, y: (x @ y.T, np.dot(x, y.T)),
    lambda x, y: np.abs(x),
    lambda x, y: np.clip(x, y, 5) if x.dtype != bool else x,
]


@pytest.mark.parametrize("dtype", [e.dtype for e in el.ELEMENTS if e is not el.BF16], ids=str)
@pytest.mark.parametrize("fn", ARITHMETIC, ids=range(len(ARITHMETIC)))
def test_arithmetic_follows_numpy(fn: Any, dtype: Any) -> None:
    check(fn, sample(dtype, 5, 4), sample(dtype, 5, 4), ulps=16)


@pytest.mark.parametrize("left", ["bool", "int8", "uint8", "int32", "uint64", "float16", "float32"])
@pytest.mark.parametrize("right", ["bool", "uint16", "int64", "uint32", "float16", "float64"])
def test_mixed_types_promote(left: str, right: str) -> None:
    check(lambda x, y: (x + y, x * y, x < y, x == y), sample(left, 3, 4), sample(right, 4))
    check(lambda x, y: np.divide(x, y), sample(left, 3, 4), sample(right, 4))


def test_comparison_across_signs_is_exact() -> None:
    big = np.array([2**63 + 1, 2**63, 5, 0], np.uint64)
    small = np.array([2**63 - 1, -1, 5, -5])
    check(lambda a, b: (a < b, b < a, a == b, b != a, a >= b, b >= a, a <= b), big, small)


SCALARS = [
    lambda x: x + 1,
    lambda x: 2 - x if x.dtype != bool else x,
    lambda x: x * 2.5,
    lambda x: x / 2,
    lambda x: 7 // (x + 20) if x.dtype != bool else x,
    lambda x: x + True,
    lambda x: (x == 0, x < 3),
    lambda x: x * np.float32(1.5),
    lambda x: np.array([1, 2, 3], np.int16) + x,
    lambda x: x * [1.0, 2.0, 3.0],
]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32"])
@pytest.mark.parametrize("fn", SCALARS, ids=range(len(SCALARS)))
def test_scalars_and_constants(fn: Any, dtype: str) -> None:
    check(fn, sample(dtype, 2, 3))


FLOAT_FUNCTIONS = [
    "sqrt",
    "exp",
    "expm1",
    "log",
    "log1p",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "rint",
    "isnan",
    "isinf",
    "reciprocal",
    "negative",
    "sign",
    "square",
    "ceil",
    "floor",
    "trunc",
    "positive",
]


@pytest.mark.parametrize("name", FLOAT_FUNCTIONS)
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "float16", "float32", "float64"])
def test_functions_of_numpy(name: str, dtype: str) -> None:
    if name == "reciprocal" and dtype[0] in "ui":
        pytest.skip("NumPy has no defined result for 0")
    x = (sample(dtype, 3, 4) / 4).astype(dtype)
    check(getattr(np, name), x, ulps=8)


@pytest.mark.parametrize(
    "name", sorted(n for n in onp.__all__ if n in {op.name.partition(".")[2] for op in OPERATORS})
)
def test_one_float_is_enough_for_functions_without_numpy(name: str) -> None:
    call = getattr(onp, name)
    if inspect.signature(call).parameters.keys() != {"x", "args", "named"}:
        return
    x = sample("float32", 3)
    assert run(lambda x: call(x), x)[0].shape == (3,)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_take(axis: int | None) -> None:
    x, at = sample("float32", 4, 5, 3), RNG.integers(-3, 3, (2, 2))
    check(lambda x, at: np.take(x, at, axis), x, at)
    # NumPy asks only the array whether it is one of ours.
    check(lambda at: (np if isinstance(at, np.ndarray) else onp).take(x, at, axis), at)
    check(lambda x: np.take(x, at.tolist(), axis), x)
    check(lambda x, at: x.take(at, axis), x, at)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_take_along_axis(axis: int) -> None:
    x = sample("float16", 3, 4, 2)
    at = RNG.integers(-2, 2, [1 if k == axis % 3 else e for k, e in enumerate(x.shape)])
    check(lambda x, at: np.take_along_axis(x, at, axis), x, at)


def test_indices_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="expected integers"):
        graph(lambda x: onp.take(x, x, 0), "f32[3, 4]")
    with pytest.raises(InputError, match="differ in rank"):
        graph(lambda x, at: onp.take_along_axis(x, at, 0), "f32[3, 4]", "i64[3]")
    with pytest.raises(InputError, match="extents of indices differ"):
        graph(lambda x, at: onp.take_along_axis(x, at, 0), "f32[3, 4]", "i64[1, 3]")


def test_every_operator_is_reachable() -> None:
    """All but those that only other functions or passes need, and what NumPy has not."""
    text = "".join(
        (Path(inspect.getfile(onp)).parent / f).read_text()
        for f in (
            "numpy.py",
            "frontend/python/elementwise.py",
            "frontend/python/reductions.py",
            "frontend/python/shaping.py",
            "frontend/python/promotion.py",
            "frontend/python/array.py",
            "frontend/python/joining.py",
            "frontend/python/contractions.py",
        )
    )
    used = set(re.findall(r"\b(\w+Op)\b", text))
    missing = {op.__name__ for op in OPERATORS} - used
    traced = {"IdentityOp", "SumOp", "MeanOp", "ApplyOp", "WindowsOp", "IotaOp"}
    # NumPy has no scatter, and no walk through a table: frontends of trees alone build one.
    assert missing <= traced | {"ScatterOp", "ScatterElementsOp", "WalkOp"}


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float32"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), ()], ids=str)
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(dtype: str, axis: Any, keepdims: bool) -> None:
    x = sample(dtype, 3, 4, 5)
    named = {"axis": axis, "keepdims": keepdims}
    largest = float(np.abs(x.astype(np.float64)).sum())
    check(lambda x: (x.sum(**named), x.mean(**named)), x, ulps=64, largest=largest)
    check(lambda x: (x.min(**named), np.max(x, **named), x.any(**named), np.all(x, **named)), x)
    check(lambda x: (np.var(x, **named), x.std(**named, ddof=1) if axis != () else x), x, ulps=64)
    if not isinstance(axis, tuple):
        check(lambda x: (x.argmax(**named), np.argmin(x, **named)), x)


def test_prod_and_dtype() -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.int8)
    check(lambda x: (x.prod(), np.prod(x, axis=1), np.sum(x, dtype=np.float32)), x)


@pytest.mark.parametrize("type", el.ELEMENTS, ids=str)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, -3])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_totals_up_to_each_element(name: str, axis: int | None, type: el.ElementType) -> None:
    x, function = sample(type.dtype, 3, 4, 5), getattr(np, name)
    # Halves are rounded once here, in NumPy at each element.
    wide = np.float32 if type.is_small_float else None
    with np.errstate(all="ignore"):
        expected = function(x, axis, dtype=wide).astype(function(x, axis).dtype)

    def by_all_names(x: Any) -> Any:
        return getattr(x, name)(axis), function(x, axis=axis), getattr(onp, name)(x, axis)

    for found in run(by_all_names, x):
        np.testing.assert_array_equal(found, expected, strict=True)


def test_totals_of_any_rank_and_dtype() -> None:
    check(lambda x: (x.cumsum(), np.cumprod(x)), sample("float32"), ulps=0)
    check(lambda x: (x.cumsum(), x.cumsum(0), np.cumprod(x, 1)), sample("int8", 0, 3))
    x = sample("int16", 3, 4)
    check(lambda x: (x.cumsum(1, np.float32), np.cumsum(x, dtype="int16")), x)
    check(lambda x: x.cumsum(0, "uint8"), x)
    compiled = opc.function(lambda x: x.cumsum(), "i16[M, N]")
    np.testing.assert_array_equal(compiled(x), x.cumsum(), strict=True)


def test_reduction_of_axes_in_a_tensor() -> None:
    x = sample("float32", 3, 4)
    found = run(lambda x, axes: x.sum(axis=axes, keepdims=True), x, np.array([1]))
    np.testing.assert_allclose(found[0], x.sum(axis=1, keepdims=True), rtol=1e-5)


def test_softmax_and_logsumexp() -> None:
    x = sample("float32", 3, 5)
    e = np.exp(x - x.max(-1, keepdims=True))
    soft, log_soft, total = run(
        lambda x: (onp.softmax(x), onp.log_softmax(x), onp.logsumexp(x, axis=0)), x
    )
    np.testing.assert_allclose(soft, e / e.sum(-1, keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(log_soft, np.log(soft), rtol=1e-5)
    np.testing.assert_allclose(total, np.log(np.exp(x).sum(0)), rtol=1e-5)


def test_shapes() -> None:
    x = sample("float32", 2, 1, 6)
    check(lambda x: (x.T, x.transpose(2, 0, 1), np.transpose(x, (1, 0, 2)), x.swapaxes(0, -1)), x)
    check(lambda x: (x.reshape(3, 4), x.reshape((-1, 2)), x.reshape(-1), np.reshape(x, (12, 1))), x)
    check(lambda x: (x.squeeze(), x.squeeze(1), np.expand_dims(x, (0, -1)), x.ravel()), x)
    check(lambda x: (x[None], x[..., None], x[:, None, ..., None], x[:, :], x[...]), x)
    check(lambda x: (np.broadcast_to(x, (3, 2, 4, 6)), np.moveaxis(x, 0, -1), x.flatten()), x)
    check(lambda x: (np.zeros_like(x), np.ones_like(x, dtype=np.int8), np.full_like(x, 3)), x)


def test_casts() -> None:
    x = sample("float32", 4)
    check(lambda x: (x.astype(np.int16), x.astype(float), x.astype("float16"), x.astype(bool)), x)
    check(lambda x: x.view(np.int32), x)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floor_division_of_floats(dtype: str) -> None:
    values = np.array([0, -0.0, 1, -1, 0.1, 2.5, -7, np.inf, -np.inf, np.nan, 1e-3], dtype)
    x, y = values[:, None], values[None, :]
    with np.errstate(all="ignore"):
        expected = x // y
    (found,) = run(lambda x, y: x // y, x, y)
    np.testing.assert_array_equal(found, expected)
    zeros = expected == 0
    np.testing.assert_array_equal(np.signbit(found)[zeros], np.signbit(expected)[zeros])


def test_floor_division_of_integers() -> None:
    x = np.array([-128, -7, -1, 0, 1, 7, 127], np.int8)
    y = np.array([-128, -3, -1, 1, 2, 3, 127], np.int8)
    check(lambda x, y: (x // y, x % y), x[:, None], y)


def test_powers() -> None:
    x = np.array([0.5, 2.0, 3.0], np.float32)
    check(lambda x: (x**2, x**0.5, x**-1, x**3, 2**x, x ** np.float32(1.5), x**0), x)
    check(lambda x: (x**2, x**3, 2**x), np.array([1, 2, 3], np.int16))
    with pytest.raises(InputError, match="negative powers"):
        trace(lambda x: x**-1, ["i32[3]"])


def test_bits() -> None:
    x, y = np.array([5, 12, 0], np.uint8), np.array([1, 2, 9], np.uint8)
    check(lambda x, y: (x & y, x | y, x ^ y, ~x, x << y, x >> y, 1 << y, x & 3), x, y)
    check(lambda x, y: (x & y, x | y, x ^ y, ~x), x > 4, y > 4)
    with pytest.raises(InputError, match="bitwise_and"):
        trace(lambda x: x & x, ["f32[3]"])


def test_bf16() -> None:
    x = np.array([1.5, -2.25], BF16)
    check(lambda x: (x + 1, x * x, np.exp(x), x / 3), x)
    assert run(lambda x: x * 2.5, x)[0].dtype == BF16
    with pytest.raises(InputError, match="bf16 and i32 have no common"):
        trace(lambda x, y: x + y, ["bf16[3]", "i32[3]"])


def test_rounding() -> None:
    x = np.array([0.5, 1.5, -2.5, 12.345, -0.051])
    check(lambda x: (x.round(), np.round(x, 1), x.round(-1), np.rint(x), 1), x)
    check(lambda x: (x.round(), np.floor(x), np.trunc(x)), np.array([1, 2], np.int32))


UFUNC_METHODS: list[Callable[..., Any]] = [
    lambda m, x, y: m.add.reduce(x),
    lambda m, x, y: m.add.reduce(x > 1, axis=1, keepdims=True),
    lambda m, x, y: m.multiply.reduce(x, axis=(0, 1), dtype="float64"),
    lambda m, x, y: m.maximum.reduce(x, -1),
    lambda m, x, y: m.minimum.reduce(x, axis=None),
    lambda m, x, y: m.logical_and.reduce(x > 0),
    lambda m, x, y: m.logical_or.reduce(x, axis=1),
    lambda m, x, y: m.subtract.outer(x, y),
    lambda m, x, y: m.less.outer(y, x[None]),
    lambda m, x, y: m.add.outer(x, np.float32([1, 2])),
    lambda m, x, y: m.multiply.outer(2, y),
    lambda m, x, y: m.divmod(x, 0.75)[0],
    lambda m, x, y: divmod(x, y)[1],
    lambda m, x, y: divmod(7, y)[0] + divmod(x.shape[0], 2)[1],
    lambda m, x, y: m.matmul(x, x.mT) + m.matrix_transpose(x @ x.T),
    lambda m, x, y: x.repeat(2, axis=1),
    lambda m, x, y: copy.copy(x) + copy.deepcopy([x, y])[1],
]


@pytest.mark.parametrize("module", [np, onp], ids=["numpy", "opc"])
@pytest.mark.parametrize("fn", UFUNC_METHODS)
def test_methods_of_ufuncs_and_arrays(fn: Callable[..., Any], module: Any) -> None:
    x, y = sample("float32", 2, 3), np.float32([1.5, -2, 0.25])
    expected = fn(np, x, y)
    (found,) = run(lambda x, y: fn(module, x, y), x, y)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)

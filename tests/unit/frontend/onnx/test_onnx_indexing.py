"""ONNX operators whose indices are data, against the ONNX reference and onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)

RNG = np.random.default_rng(3)
X = RNG.standard_normal((4, 5, 6)).astype(np.float32)
I64, F32 = np.int64, np.float32


def indices(low: int, high: int, *shape: int) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(I64)


def check(
    made: Any, opset: int, unknown: bool = False, reference: bool = True, **arrays: np.ndarray
) -> None:
    """Compare what a node gives with the reference and with onnxruntime."""
    types = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "int8": "i8"}
    shapes = {
        name: [f"{name}{k}" for k in range(x.ndim)] if unknown else x.shape
        for name, x in arrays.items()
    }
    if unknown and "i" in shapes:
        shapes["i"] = [*shapes["i"][:-1], arrays["i"].shape[-1]]
    inputs = [info(n, types[x.dtype.name], shapes[n]) for n, x in arrays.items()]
    proto = model(made, inputs, opset, outputs=[info("y", types[arrays["x"].dtype.name], None)])
    found = function(proto)(*arrays.values())
    if reference:
        (wanted,) = ReferenceEvaluator(proto).run(None, arrays)
        assert found.dtype == wanted.dtype and np.array_equal(found, wanted)
    ort = pytest.importorskip("onnxruntime")
    session = ort.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    (theirs,) = session.run(None, arrays)
    assert np.array_equal(found, theirs)


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("opset", [1, 11, 13])
def test_gather(opset: int, unknown: bool) -> None:
    low = -5 if opset >= 11 else 0
    check(node("Gather", "x i", axis=1), opset, unknown, x=X, i=indices(low, 5, 2, 3))
    check(node("Gather", "x i"), opset, x=X, i=indices(max(low, -4), 4, 7).astype(np.int32))


def test_gather_at_a_scalar() -> None:
    check(node("Gather", "x i", axis=2), 13, x=X, i=np.array(-2, I64))


def test_gather_of_constants_that_are_not_evenly_spaced() -> None:
    listed = onnx.numpy_helper.from_array(I64([0, -1, 2, 2]), "i")
    made = node("Gather", "x i", axis=1)
    proto = model(made, [info("x", shape=X.shape)], 13, initializers=[listed])
    assert np.array_equal(function(proto)(X), X[:, [0, -1, 2, 2]])
    unknown = model(made, [info("x", shape=("A", "B", "C"))], 13, initializers=[listed])
    assert np.array_equal(function(unknown)(X), X[:, [0, -1, 2, 2]])
    with pytest.raises(ArgumentError, match="fewer than 3"):
        function(unknown)(X[:, :2])


@pytest.mark.parametrize("opset", [1, 13])
def test_what_is_outside(opset: int) -> None:
    inputs = [info("x", shape=X.shape), info("i", "i64", (2,))]
    found = function(model(node("Gather", "x i", axis=1), inputs, opset))
    for bad in ([0, 5], [-6, 0]):
        with pytest.raises(ArgumentError, match="an index is outside of axis 1"):
            found(X, I64(bad))


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_elements(opset: int, axis: int) -> None:
    n = X.shape[axis]
    made, places = node("GatherElements", "x i", axis=axis), indices(-n, n, 4, 5, 6)
    check(made, opset, x=X, i=places)
    # The reference wants all of the other axes.
    check(made, opset, reference=False, x=X, i=places[:, :3])


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("opset", [11, 12, 13])
def test_gather_nd(opset: int, unknown: bool) -> None:
    for depth in (1, 2, 3):
        i = indices(-4, 4, 3, 2, depth)
        check(node("GatherND", "x i"), opset, unknown, x=X, i=i)
    if opset >= 12:
        made = node("GatherND", "x i", batch_dims=1)
        check(made, opset, x=X, i=indices(-5, 5, 4, 7, 2))
        check(node("GatherND", "x i", batch_dims=2), opset, x=X, i=indices(-6, 6, 4, 5, 1))


def test_gather_nd_of_an_unknown_depth() -> None:
    inputs = [info("x", shape=X.shape), info("i", "i64", ("A", "B"))]
    with pytest.raises(UnsupportedError, match="how many axes are indexed"):
        function(model(node("GatherND", "x i"), inputs, 13))
    inputs[1] = info("i", "i64", (2, 4))
    with pytest.raises(InputError, match="indices of 4 axes for rank 3"):
        function(model(node("GatherND", "x i"), inputs, 13))


@pytest.mark.parametrize(
    "name, opset", [("Scatter", 9), *(("ScatterElements", v) for v in (11, 13, 16, 18))]
)
@pytest.mark.parametrize("unknown", [False, True])
def test_scatter_elements(name: str, opset: int, unknown: bool) -> None:
    for axis in (0, 1, 2):
        places = np.argsort(RNG.random(X.shape), axis)[:4, :3, :2].astype(I64)
        updates = RNG.standard_normal(places.shape).astype(F32)
        made = node(name, "x i u", axis=axis)
        if not unknown:
            check(made, opset, reference=name != "Scatter", x=X, i=places, u=updates)
            continue
        inputs = [info("x", shape="ABC"), info("i", "i64", "DEF"), info("u", shape="DEF")]
        found = function(model(made, inputs, opset))(X, places, updates)
        wanted = X.copy()
        for at in np.ndindex(*places.shape):
            wanted[tuple(places[at] if k == axis else at[k] for k in range(3))] = updates[at]
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("opset", [16, 18])
@pytest.mark.parametrize("reduction", ["add", "mul", "max", "min"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.float64])
def test_reductions(opset: int, reduction: str, dtype: Any) -> None:
    x = RNG.integers(-9, 9, (4, 5)).astype(dtype)
    u, i = RNG.integers(-3, 4, (4, 7)).astype(dtype), indices(-5, 5, 4, 7)
    nd, values = indices(-4, 4, 6, 1), RNG.integers(-3, 4, (6, 5)).astype(dtype)
    check(node("ScatterElements", "x i u", axis=1, reduction=reduction), opset, x=x, i=i, u=u)
    check(node("ScatterND", "x i u", reduction=reduction), opset, x=x, i=nd, u=values)
    inputs = [info("x", shape=(4, 5)), info("i", "i64", (4, 7)), info("u", shape=(4, 7))]
    with pytest.raises(InputError, match='attribute reduction is "mean", expected "none", "add"'):
        function(model(node("ScatterElements", "x i u", reduction="mean"), inputs, opset))


@pytest.mark.parametrize("opset", [11, 13, 16, 18])
def test_scatter_nd(opset: int) -> None:
    for depth in (1, 2, 3):
        places = RNG.permutation(int(np.prod(X.shape[:depth])))[:4]
        i = np.stack(np.unravel_index(places, X.shape[:depth]), -1).astype(I64)
        u = RNG.standard_normal((4, *X.shape[depth:])).astype(F32)
        check(node("ScatterND", "x i u"), opset, x=X, i=i, u=u)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_tensor_scatter(mode: str) -> None:
    past = RNG.standard_normal((2, 3, 5, 4)).astype(F32)
    update = RNG.standard_normal((2, 3, 2, 4)).astype(F32)
    at = I64([3, 1]) if mode == "linear" else I64([4, 0])
    made = node("TensorScatter", "x u w", mode=mode)
    inputs = [info("x", shape="AbCd"), info("u", shape="AbTd"), info("w", "i64", ("A",))]
    found = function(model(made, inputs, 24, outputs=[info("y")]))
    wanted = past.copy()
    for b in range(2):
        for t in range(2):
            wanted[b, :, (at[b] + t) % 5] = update[b, :, t]
    assert np.array_equal(found(past, update, at), wanted)
    if mode == "linear":
        with pytest.raises(ArgumentError, match="an index is outside"):
            found(past, update, I64([4, 0]))

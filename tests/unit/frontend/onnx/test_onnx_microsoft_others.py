"""Operators of com.microsoft that ONNX has in another form, and some of one formula."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import OpcError  # noqa: E402
from tests.unit.common.onnx_models import info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft import computed, floats, near, sigmoid  # noqa: E402

RNG = np.random.default_rng(11)


def same(found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype and np.array_equal(found, wanted)


def test_of_the_same_name() -> None:
    x = floats(3, 4)
    same(computed("Trilu", [x, np.array(1)]), np.triu(x, 1))
    same(computed("Trilu", [x], upper=0), np.tril(x))
    pads = np.array([[1, 0, 0, 2]])
    wanted = np.pad(x, ((1, 0), (0, 2)), constant_values=7)
    same(computed("Pad", [x, pads, np.float32(7)]), wanted)
    same(computed("Pad", [x, pads[0]], mode="edge"), np.pad(x, ((1, 0), (0, 2)), mode="edge"))
    indices = np.array([[0, 1], [2, 3]], np.int32)
    same(computed("GatherND", [x, indices]), x[[0, 2], [1, 3]])
    same(computed("Range", [np.float32(1), np.float32(6)]), np.arange(1, 6, dtype=np.float32))
    given = [np.array([1]), np.array([9]), np.array([3])]
    same(computed("Range", given), np.array([1, 4, 7]))
    y, inverse, counts = computed("Unique", [np.float32([2, 1, 1, 3, 4, 3])], "y i c")
    assert y.tolist() == [2, 1, 3, 4] and counts.tolist() == [1, 2, 2, 1]
    assert inverse.tolist() == [0, 1, 1, 2, 3, 2]
    same(computed("TorchEmbedding", [x, np.array([[2, 0]])]), x[[[2, 0]]])


@pytest.mark.parametrize("axis", [0, 2, -1])
def test_expand_dims(axis: int) -> None:
    from onnx import numpy_helper

    from tests.unit.common.onnx_models import run

    x = floats(3, 4)
    axes = [numpy_helper.from_array(np.array(axis, np.int32), "a")]
    made = node("ExpandDims", "x a", domain="com.microsoft")
    found = run(model(made, [info("x", shape=(3, 4))], 17, initializers=axes), x)
    same(found, np.expand_dims(x, axis))


def test_distances() -> None:
    a, b = floats(5, 4), floats(3, 4)
    squares = ((a[:, None].astype(np.float64) - b) ** 2).sum(-1)
    near(computed("CDist", [a, b]), squares)
    near(computed("CDist", [a, b], metric="euclidean"), np.sqrt(squares))
    with pytest.raises(OpcError, match='metric is "cosine"'):
        computed("CDist", [a, b], metric="cosine")


def test_complex_numbers() -> None:
    a, b = floats(3, 4, 2), floats(3, 4, 2)
    x, y = (v[..., 0] + 1j * v[..., 1] for v in (a, b))
    for operator, z in (("ComplexMul", x * y), ("ComplexMulConj", x * y.conj())):
        near(computed(operator, [a, b]), np.stack([z.real, z.imag], axis=-1))


def test_all_finite() -> None:
    x, infinite, nan = floats(3), np.float32([1, -np.inf]), np.float32([np.nan])
    for how, cases in (
        ({}, [True, False, False]),
        ({"isinf_only": 1}, [True, False, True]),
        ({"isnan_only": 1}, [True, True, False]),
    ):
        found = [computed("IsAllFinite", [x, y], **how) for y in (x, infinite, nan)]
        assert [bool(f) for f in found] == cases and found[0].shape == ()


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_inverse(n: int) -> None:
    # Far from a matrix that has no inverse, whichever numbers are drawn.
    x = floats(2, 3, n, n) + (n + 3) * np.eye(n, dtype=np.float32)
    near(computed("Inverse", [x]), np.linalg.inv(x.astype(np.float64)), 1e-5)


def test_inverse_by_its_pivots() -> None:
    x = np.float32([[0, 2, 0], [0, 0, 4], [8, 0, 0]])
    same(computed("Inverse", [x]), np.linalg.inv(x))


@pytest.mark.parametrize("dilation", [1, 2])
def test_causal_conv(dilation: int) -> None:
    """A sequence in two parts gives what it gives at once."""
    x, w, b = floats(2, 4, 7), floats(4, 1, 3), floats(4)
    reach = 2 * dilation
    past = floats(2, 4, reach)
    whole = np.concatenate([past, x], axis=2)
    y = sum(whole[:, :, k * dilation : k * dilation + 7] * w[:, 0, k, None] for k in range(3))
    y = y + b[:, None]
    how = {"activation": "silu", "dilation": dilation}
    found, state = computed("CausalConvWithState", [x, w, b, past], "y s", **how)
    near(found, y * sigmoid(y))
    same(state, whole[:, :, 7:])
    first, state = computed("CausalConvWithState", [x[:, :, :3], w, b, past], "y s", **how)
    second, _ = computed("CausalConvWithState", [x[:, :, 3:], w, b, state], "y s", **how)
    near(np.concatenate([first, second], axis=2), y * sigmoid(y))


def test_convolutions_with_channels_last() -> None:
    x, w, b, z = floats(2, 7, 6, 4), floats(6, 4, 3, 3), floats(6), floats(2, 7, 6, 6)
    how: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    first = np.moveaxis(x, -1, 1)
    infos = [info(n, shape=a.shape) for n, a in (("x", first), ("w", w), ("b", b))]
    plain = ReferenceEvaluator(model(node("Conv", "x w b", **how), infos, 17))
    y = np.moveaxis(plain.run(None, {"x": first, "w": w, "b": b})[0], 1, -1)
    near(computed("NhwcConv", [x, np.moveaxis(w, 1, -1), b], **how), y, 4e-6)
    found = computed("NhwcFusedConv", [x, w, b, z], activation="Relu", **how)
    near(found, np.maximum(y + z, 0), 4e-6)

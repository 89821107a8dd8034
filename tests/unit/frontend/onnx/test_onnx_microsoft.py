"""Operators of com.microsoft that take the place of several nodes, against formulas in NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import OpcError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, info, model, node, run  # noqa: E402

RNG = np.random.default_rng(7)


def floats(*shape: int, type: Any = np.float32) -> Any:
    return RNG.standard_normal(shape).astype(type)


def made(
    operator: str, arrays: list[Any], outputs: str = "y", **attributes: Any
) -> tuple[Any, dict[str, Any]]:
    """A model of one node, and its inputs by name; one that is None is absent."""
    names = [f"x{k}" if a is not None else "_" for k, a in enumerate(arrays)]
    given = {n: np.asarray(a) for n, a in zip(names, arrays, strict=True) if a is not None}
    types = {np.dtype(onnx.helper.tensor_dtype_to_np_dtype(t)): k for k, t in TYPES.items()}
    infos = [info(n, types[a.dtype], a.shape) for n, a in given.items()]
    domain = attributes.pop("domain", "com.microsoft")
    opset = attributes.pop("version", 17)
    only = node(operator, " ".join(names), outputs, domain=domain, **attributes)
    return model(only, infos, opset), given


def computed(operator: str, arrays: list[Any], outputs: str = "y", **attributes: Any) -> Any:
    """What opc computes; an input that is None is absent."""
    proto, given = made(operator, arrays, outputs, **attributes)
    return run(proto, *given.values())


def in_onnxruntime(operator: str, arrays: list[Any], outputs: str = "y", **attributes: Any) -> Any:
    """What onnxruntime computes, if it is installed: an array, or a list of several."""
    onnxruntime = pytest.importorskip("onnxruntime")
    proto, given = made(operator, arrays, outputs, **attributes)
    proto.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(proto.SerializeToString(), options)
    found = session.run(None, given)
    return found[0] if len(found) == 1 else found


def near(found: Any, wanted: Any, tolerance: float = 2e-6) -> None:
    assert found.shape == wanted.shape
    top = max(np.abs(wanted).max(), 1e-30)
    assert np.abs(found.astype(np.float64) - wanted).max() <= tolerance * top


def erf(x: Any) -> Any:
    return np.vectorize(math.erf)(x.astype(np.float64))


def gelu(x: Any) -> Any:
    return x * (1 + erf(x / math.sqrt(2))) / 2


def tanh_gelu(x: Any) -> Any:
    return x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))) / 2


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x.astype(np.float64)))


@pytest.mark.parametrize("turned", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("batches", [0, 1])
def test_fused_matmul(turned: tuple[int, int], batches: int) -> None:
    a, b = floats(2, 3, 5, 7), floats(2, 3, 7, 4)
    given = [np.swapaxes(x, -1, -2) if t else x for x, t in zip((a, b), turned, strict=True)]
    if batches:
        # The first axis of the batch stands behind the others, in front of the columns.
        given = [np.moveaxis(x, -2, 0) for x in given]
    how = {"transA": turned[0], "transB": turned[1], "alpha": 0.5}
    found = computed("FusedMatMul", given, transBatchA=batches, transBatchB=batches, **how)
    near(found, 0.5 * (a.astype(np.float64) @ b))


ACTIVATIONS: dict[str, tuple[list[float], Any]] = {
    "": ([], lambda x: x),
    "Relu": ([], lambda x: np.maximum(x, 0)),
    "Sigmoid": ([], sigmoid),
    "Tanh": ([], np.tanh),
    "LeakyRelu": ([0.3], lambda x: np.where(x < 0, 0.3 * x, x)),
    "Clip": ([-0.5, 0.75], lambda x: np.clip(x, -0.5, 0.75)),
    "HardSigmoid": ([0.25, 0.5], lambda x: np.clip(0.25 * x + 0.5, 0, 1)),
    "HardSwish": ([], lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_fused_conv(name: str) -> None:
    parameters, function = ACTIVATIONS[name]
    x, w, b, z = floats(2, 4, 7, 6), floats(6, 2, 3, 3), floats(6), floats(2, 6, 7, 6)
    how: dict[str, Any] = {"pads": [1, 1, 1, 1], "group": 2}
    names = [info(n, shape=a.shape) for n, a in (("x", x), ("w", w), ("b", b))]
    plain = ReferenceEvaluator(model(node("Conv", "x w b", **how), names, 17))
    y = plain.run(None, {"x": x, "w": w, "b": b})[0] + z
    if name:
        how |= {"activation": name}
    if parameters:
        how |= {"activation_params": parameters}
    near(computed("FusedConv", [x, w, b, z], **how), function(y), 4e-6)


@pytest.mark.parametrize("name", ["Relu", "LeakyRelu", "HardSigmoid"])
def test_fused_gemm(name: str) -> None:
    parameters, function = ACTIVATIONS[name]
    a, b, c = floats(7, 5), floats(7, 4), floats(4)
    how: dict[str, Any] = {"activation": name, "transA": 1, "alpha": 0.5, "beta": 2.0}
    how |= dict(zip(("activation_alpha", "activation_beta"), parameters, strict=False))
    near(computed("FusedGemm", [a, b, c], **how), function(0.5 * (a.T @ b) + 2 * c))


def test_an_activation_that_nobody_knows() -> None:
    with pytest.raises(OpcError, match='activation "Wave"'):
        computed("FusedGemm", [floats(2, 3), floats(3, 4)], activation="Wave")


def test_gelus() -> None:
    x, bias, scores = floats(2, 3, 6), floats(6), 3 * floats(2, 3, 6)
    near(computed("Gelu", [x]), gelu(x))
    near(computed("BiasGelu", [x, bias]), gelu(x + bias))
    near(computed("FastGelu", [x]), tanh_gelu(x))
    near(computed("FastGelu", [x, bias]), tanh_gelu(x + bias))
    near(computed("QuickGelu", [x]), x * sigmoid(np.float32(1.702) * x))
    near(computed("QuickGelu", [scores], alpha=0.5), scores * sigmoid(0.5 * scores))
    both = x + bias
    near(computed("BiasSplitGelu", [x, bias]), both[..., :3] * gelu(both[..., 3:]))
    w = floats(6, 4)
    near(computed("GemmFastGelu", [x, w, floats(4) * 0]), tanh_gelu(x @ w))
    half = x.astype(np.float16)
    assert computed("Gelu", [half]).dtype == np.float16
    near(computed("Gelu", [half]), gelu(half.astype(np.float32)), 1e-3)


def test_sums_and_gates() -> None:
    x, bias, skip = floats(2, 3, 4), floats(4), floats(2, 3, 4)
    near(computed("BiasAdd", [x, bias, skip]), x + bias + skip)
    gate = floats(2, 3, 1)
    near(computed("GatedAdd", [x, skip, gate]), x + skip * gate)
    near(computed("ScaledSiLU", [x], alpha=0.5), x / 2 * sigmoid(x / 2))
    limited, up = np.minimum(3 * x, 1.5), np.clip(skip, -1.5, 1.5)
    how = {"limit": 1.5, "activation_alpha": 1.25, "activation_beta": 1.0}
    wanted = limited * sigmoid(1.25 * limited) * (up + 1)
    near(computed("SwiGLU", [3 * x, skip], **how), wanted)
    near(computed("SwiGLU", [x]), x[..., :2] * sigmoid(x[..., :2]) * x[..., 2:])


def test_softmax_of_a_sum() -> None:
    x, bias = floats(2, 3, 4, 5), floats(2, 1, 1, 5)
    power = np.exp(x + bias)
    wanted = power / power.sum(-1, keepdims=True)
    near(computed("BiasSoftmax", [x, bias], axis=3, is_inner_broadcast=1), wanted)
    wanted = power / power.sum((2, 3), keepdims=True)
    near(computed("BiasSoftmax", [x, bias], axis=2, is_inner_broadcast=1), wanted)


def normalized(x: Any, epsilon: float, centred: bool = True) -> Any:
    x = x.astype(np.float64)
    x = x - x.mean(-1, keepdims=True) if centred else x
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)


@pytest.mark.parametrize("shape", [(2, 3, 8), (1, 3, 8), (3, 8)])
def test_skip_layer_normalization(shape: tuple[int, ...]) -> None:
    x, skip, gamma, beta, bias = floats(2, 3, 8), floats(*shape), *floats(3, 8)
    y, total = computed("SkipLayerNormalization", [x, skip, gamma, beta, bias], "y _ _ s")
    near(total, x + skip + bias)
    near(y, normalized(x + skip + bias, 1e-12) * gamma + beta)
    y = computed("SkipLayerNormalization", [x, skip, gamma], epsilon=0.5)
    near(y, normalized(x + skip, 0.5) * gamma)
    y, total = computed("SkipSimplifiedLayerNormalization", [x, skip, gamma, bias], "y _ _ s")
    near(total, x + skip + bias)
    near(y, normalized(x + skip + bias, 1e-12, False) * gamma)


def test_layer_normalization_of_onnxruntime() -> None:
    """Two of the domain of ONNX, which onnxruntime writes at any opset."""
    x, scale, bias = floats(2, 3, 8), floats(8), floats(8)
    y, inverse = computed("SimplifiedLayerNormalization", [x, scale], "y s", domain="")
    near(y, normalized(x, 1e-5, False) * scale)
    near(inverse, 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5))
    y = computed("LayerNormalization", [x, scale, bias], domain="", version=12)
    near(y, normalized(x, 1e-5) * scale + bias)


def test_embeddings() -> None:
    ids = RNG.integers(0, 9, (2, 5), np.int32)
    kinds = RNG.integers(0, 2, (2, 5), np.int32)
    places = RNG.integers(0, 6, (2, 5), np.int32)
    words, positions, segments = floats(9, 8), floats(6, 8), floats(2, 8)
    gamma, beta = floats(8), floats(8)
    mask = (np.arange(5) < np.array([[3], [5]])).astype(np.int32)
    given = [ids, kinds, words, positions, segments, gamma, beta, mask]
    y, index, total = computed("EmbedLayerNormalization", given, "y m s")
    wanted = words[ids] + positions[:5] + segments[kinds]
    near(total, wanted)
    near(y, normalized(wanted, 1e-12) * gamma + beta)
    assert index.dtype == np.int32 and index.tolist() == [3, 5]
    given = [ids, None, words, positions, None, gamma, beta, None, places]
    y, index = computed("EmbedLayerNormalization", given, "y m")
    near(y, normalized(words[ids] + positions[places], 1e-12) * gamma + beta)
    assert index.tolist() == [0, 0]


@pytest.mark.parametrize("last", [0, 1])
def test_group_norm(last: int) -> None:
    shape = (2, 3, 4, 8) if last else (2, 8, 3, 4)
    x, skip, gamma, beta, bias = floats(*shape), floats(2, 8), *floats(3, 8)

    def wanted(x: Any) -> Any:
        y = x if last else np.moveaxis(x, 1, -1)
        split = y.reshape(2, 12, 4, 2).transpose(0, 2, 1, 3).reshape(2, 4, 24)
        split = normalized(split, 1e-5).reshape(2, 4, 12, 2).transpose(0, 2, 1, 3)
        y = split.reshape(y.shape) * gamma + beta
        return y if last else np.moveaxis(y, -1, 1)

    how = {"groups": 4, "channels_last": last}
    near(computed("GroupNorm", [x, gamma, beta], activation=0, **how), wanted(x))
    shaped = skip[:, None, None] if last else skip[:, :, None, None]
    total = x + shaped + (bias if last else bias[:, None, None])
    y, found = computed("SkipGroupNorm", [x, gamma, beta, skip, bias], "y s", activation=1, **how)
    near(found, total)
    near(y, wanted(total) * sigmoid(wanted(total)))


def preferred(scores: Any, count: int, scaled: bool) -> Any:
    """The weights of the first few experts of each row."""
    power = np.exp(scores.astype(np.float64))
    order = np.argsort(-scores, axis=1, kind="stable")
    chosen = np.zeros(scores.shape, bool)
    np.put_along_axis(chosen, order[:, :count], True, axis=1)
    kept = np.where(chosen, power, 0)
    return kept / (kept if scaled else power).sum(1, keepdims=True)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("scaled", [0, 1])
def test_experts(count: int, scaled: int) -> None:
    x, scores = floats(2, 3, 8), floats(6, 4)
    scores[0] = 0.5
    w1, b1, w2, b2 = floats(4, 6, 8), floats(4, 6), floats(4, 8, 6), floats(4, 8)
    rows, weights = x.reshape(1, 6, 8).astype(np.float64), preferred(scores, count, bool(scaled))
    how: dict[str, Any] = {"k": count, "normalize_routing_weights": scaled}

    def mixed(y: Any, w2: Any = w2) -> Any:
        each = y @ w2.swapaxes(1, 2) + b2[:, None]
        return (each * weights.T[..., None]).sum(0).reshape(x.shape)

    first = rows @ w1.swapaxes(1, 2) + b1[:, None]
    given = [x, scores, w1, b1, w2, b2]
    near(computed("MoE", given, **how), mixed(np.maximum(first, 0)), 1e-5)
    found = computed("MoE", given, activation_type="gelu", **how)
    near(found, mixed(tanh_gelu(first)), 1e-5)
    how |= {"activation_type": "swiglu", "activation_alpha": 1.5, "activation_beta": 1.0}
    how |= {"swiglu_limit": 1.0}
    half = w2[:, :, :3]
    for fusion, gate, up in (
        (1, first[..., ::2], first[..., 1::2]),
        (2, first[..., :3], first[..., 3:]),
    ):
        gate, up = np.minimum(gate, 1), np.clip(up, -1, 1)
        given = [x, scores, w1, b1, half, b2]
        found = computed("MoE", given, swiglu_fusion=fusion, **how)
        near(found, mixed(gate * sigmoid(1.5 * gate) * (up + 1), half), 1e-5)

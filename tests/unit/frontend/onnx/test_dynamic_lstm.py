"""com.microsoft::DynamicQuantizeLSTM, bit for bit as integers and f32 in NumPy have it.

Activation functions are products and sums here, so that nothing but rounding of f32 is in them.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402

import opc  # noqa: E402
from tests.unit.common.onnx_models import info, model, node  # noqa: E402
from tests.unit.frontend.onnx.test_onnx_microsoft import (  # noqa: E402
    computed,
    floats,
    in_onnxruntime,
    near,
    sigmoid,
)
from tests.unit.frontend.onnx.test_onnx_microsoft_quantized import BYTES, F32, integers  # noqa: E402

STEPS, BATCH, INPUTS, HIDDEN = 4, 3, 7, 8
WAYS = {"forward": [1], "reverse": [-1], "bidirectional": [1, -1]}
EXACT = {
    "activations": ["Relu", "Affine", "Relu"],
    "activation_alpha": [0.375],
    "activation_beta": [0.25],
}


def quantized(x: Any) -> tuple[Any, Any, int]:
    """x in i32, without its zero point, and the scale: DynamicQuantizeLinear."""
    high, low = max(x.max(), F32(0)), min(x.min(), F32(0))
    scale = (high - low) / F32(255)
    if not scale:
        return np.zeros(x.shape, np.int32), scale, 0
    zero = np.rint(np.clip(-low / scale, F32(0), F32(255)))
    return np.clip(np.rint(x / scale) + zero, 0, 255).astype(np.int32), scale, int(zero)


def product(x: Any, w: Any, scale: Any, zero: Any) -> Any:
    """The exact sum, times the product of the scales."""
    y, own, own_zero = quantized(x)
    total = (y - own_zero) @ (w.astype(np.int32) - zero.astype(np.int32))
    return total.astype(F32) * (own * scale)


def relu(x: Any) -> Any:
    return np.maximum(x, F32(0))


def affine(x: Any) -> Any:
    return x * F32(0.375) + F32(0.25)


def reference(arrays: list[Any], way: int, k: int, functions: Any) -> tuple[Any, Any, Any]:
    """y, h and c of one direction."""
    x, w, r, b, lengths, h0, c0, peepholes, ws, wz, rs, rz = arrays
    first, last, hidden = functions[0], functions[1], r.shape[1]
    steps, batch, _ = x.shape
    gates = product(x.reshape(steps * batch, -1), w[k], ws[k], wz[k])
    if b is not None:
        gates = gates + b[k, : 4 * hidden] + b[k, 4 * hidden :]
    gates = gates.reshape(steps, batch, -1)
    h, c = (np.zeros((batch, hidden), F32) if s is None else s[k] for s in (h0, c0))
    y = np.zeros((steps, batch, hidden), F32)
    for step in range(steps)[::way]:
        i, o, f, g = np.split(gates[step] + product(h, r[k], rs[k], rz[k]), 4, axis=1)
        p = None if peepholes is None else np.split(peepholes[k], 3)
        if p is not None:
            i, f = i + p[0] * c, f + p[2] * c
        new = first(f) * c + first(i) * last(g)
        if p is not None:
            o = o + p[1] * new
        there = np.full(batch, True) if lengths is None else step < lengths
        there = there[:, None]
        c, h = np.where(there, new, c), np.where(there, first(o) * functions[2](new), h)
        y[step] = np.where(there, h, F32(0))
    return y, h, c


def operands(type: Any, directions: int, gates: bool) -> list[Any]:
    """All inputs; a scale and a zero point for each gate or for each direction."""
    shape = (directions, 4 * HIDDEN) if gates else (directions,)
    arrays = [floats(STEPS, BATCH, INPUTS)]
    arrays += [integers(type, directions, n, 4 * HIDDEN) for n in (INPUTS, HIDDEN)]
    arrays += [floats(directions, 8 * HIDDEN), None]
    arrays += [floats(directions, BATCH, HIDDEN) for _ in range(2)]
    arrays += [None]
    for _ in range(2):
        arrays += [(floats(*shape) ** 2 + F32(0.1)) * F32(0.002), integers(type, *shape)]
    return arrays


def same(found: Any, wanted: list[tuple[Any, Any, Any]]) -> None:
    y, h, c = zip(*wanted, strict=True)
    for a, b in zip(found, (np.stack(y, 1), np.stack(h), np.stack(c)), strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("type", BYTES)
@pytest.mark.parametrize("gates", [False, True])
@pytest.mark.parametrize("direction", WAYS)
def test_bits(type: Any, gates: bool, direction: str) -> None:
    ways = WAYS[direction]
    arrays = operands(type, len(ways), gates)
    how = EXACT | {key: EXACT[key] * len(ways) for key in EXACT}
    found = computed(
        "DynamicQuantizeLSTM", arrays, "y h c", direction=direction, hidden_size=HIDDEN, **how
    )
    functions = relu, affine, relu
    same(found, [reference(arrays, way, k, functions) for k, way in enumerate(ways)])


def test_optional_inputs() -> None:
    """Lengths and peepholes; without states, the first one is zeros, whose scale is 0."""
    arrays = operands(np.int8, 1, False)
    arrays[4] = np.array([4, 1, 3], np.int32)
    arrays[7] = floats(1, 3 * HIDDEN)
    for absent in ([], [3, 5, 6]):
        for position in absent:
            arrays[position] = None
        found = computed("DynamicQuantizeLSTM", arrays, "y h c", hidden_size=HIDDEN, **EXACT)
        same(found, [reference(arrays, 1, 0, (relu, affine, relu))])


def with_weights(arrays: list[Any], **attributes: Any) -> Any:
    """A model whose inputs but the first are constants."""
    names = [f"x{k}" if a is not None else "_" for k, a in enumerate(arrays)]
    only = node(
        "DynamicQuantizeLSTM", " ".join(names), "y h c", domain="com.microsoft", **attributes
    )
    constants = [
        numpy_helper.from_array(a, n)
        for a, n in list(zip(arrays, names, strict=True))[1:]
        if a is not None
    ]
    return model(only, [info("x0", shape=arrays[0].shape)], 17, initializers=constants)


@pytest.mark.parametrize("type", BYTES)
@pytest.mark.parametrize("direction", WAYS)
def test_constant_weights(type: Any, direction: str) -> None:
    """Bits are equal on targets and threads, and contractions are of bytes alone."""
    ways = WAYS[direction]
    arrays = operands(type, len(ways), True)
    how = EXACT | {key: EXACT[key] * len(ways) for key in EXACT}
    proto = with_weights(arrays, direction=direction, hidden_size=HIDDEN, **how)
    wanted = [reference(arrays, way, k, (relu, affine, relu)) for k, way in enumerate(ways)]
    for target, threads in (("baseline", 1), ("native", 1), ("native", 3)):
        same(opc.compile(proto, target=target, threads=threads)(arrays[0]), wanted)


@pytest.mark.parametrize("type", BYTES)
def test_products_of_bytes(type: Any) -> None:
    """Weights lie in the file as bytes, and no product is one of floats, in the loop or before."""
    hidden, inputs = 64, 32
    w, r = (integers(type, 2, n, 4 * hidden) for n in (inputs, hidden))
    scale, zero = np.full(2, F32(0.01)), np.full(2, 128 if type is np.uint8 else 0, type)
    arrays = [floats(5, 1, inputs), w, r, *[None] * 5, scale, zero, scale, zero]
    proto = with_weights(arrays, direction="bidirectional", hidden_size=hidden)
    emitted = opc.lower(proto, target="avx512")
    assert re.search(r"opc_dot_\w+_i8_i32v16\(&sums", emitted.c_source)
    assert "fma_f32v16(&sums" not in emitted.c_source
    sums = 4 * 4 * 4 * hidden
    assert emitted.weights is not None
    assert emitted.weights.nbytes <= w.nbytes + r.nbytes + sums + 1024


def test_as_in_onnxruntime() -> None:
    """The usual activation functions, of which onnxruntime's are approximations.

    Each of its threads quantizes the states of its own share of a batch, so the batch is one.
    """
    arrays = operands(np.int8, 2, True)
    arrays[0], arrays[5], arrays[6] = arrays[0][:, :1], arrays[5][:, :1], arrays[6][:, :1]
    arrays[9] = arrays[11] = np.zeros((2, 4 * HIDDEN), np.int8)
    # Two products of 7 bits stay within 16, beyond which onnxruntime saturates on AVX2.
    arrays[1], arrays[2] = arrays[1] // 2, arrays[2] // 2
    how = {"direction": "bidirectional", "hidden_size": HIDDEN}
    wanted = in_onnxruntime("DynamicQuantizeLSTM", arrays, "y h c", **how)
    results = computed("DynamicQuantizeLSTM", arrays, "y h c", **how)
    for result, other in zip(results, wanted, strict=True):
        near(result, other, 1e-5)


def test_usual_functions() -> None:
    """Sigmoid and tanh, whose last bits are not those of NumPy."""
    arrays = operands(np.uint8, 1, False)

    def logistic(x: Any) -> Any:
        return sigmoid(x).astype(F32)

    results = computed("DynamicQuantizeLSTM", arrays, "y h c", hidden_size=HIDDEN)
    (y, h, c) = reference(arrays, 1, 0, (logistic, np.tanh, np.tanh))
    for result, wanted in zip(results, (y[:, None], h[None], c[None]), strict=True):
        near(result, wanted, 1e-5)

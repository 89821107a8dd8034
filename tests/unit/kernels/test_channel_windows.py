"""Depthwise layers of bytes go along channels, with the same bits, and their neighbours, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper

import opc
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from tests.unit.common.onnx_models import info, model, node

Array = np.ndarray[Any, Any]


def quantized(x: str, y: str, zero: str) -> list[Any]:
    return [node("QuantizeLinear", f"{x} s {zero}", f"{y}q"), dequantized(f"{y}q", y, zero)]


def dequantized(x: str, y: str, zero: str) -> Any:
    return node("DequantizeLinear", f"{x} s {zero}", y)


def network(channels: int, window: dict[str, Any], zero: int, size: int = 9) -> tuple[Any, Array]:
    """Pointwise, depthwise and pointwise layers, between bytes."""
    rng, kernel = np.random.default_rng(channels), window["kernel_shape"]
    shapes = {"a": (channels, 5, 1, 1), "b": (channels, 1, *kernel), "c": (7, channels, 1, 1)}
    constants: dict[str, Any] = {
        name: rng.integers(-128, 128, shape).astype(np.int8) for name, shape in shapes.items()
    }
    constants |= {"s": np.float32(0.03), "z": np.uint8(zero), "k": np.int8(0)}
    nodes = [dequantized("x", "d", "z")]
    for weight, (x, y, how) in zip(
        "abc",
        (("d", "e", {}), ("e", "f", {**window, "group": channels}), ("f", "g", {})),
        strict=True,
    ):
        nodes.append(dequantized(weight, f"{weight}d", "k"))
        nodes.append(node("Conv", f"{x} {weight}d", f"{y}c", **how))
        nodes += quantized(f"{y}c", y, "z")
    nodes.append(node("Identity", "gq"))
    initializers = [numpy_helper.from_array(np.asarray(v), n) for n, v in constants.items()]
    x = rng.integers(0, 256, (2, 5, size, size + 2)).astype(np.uint8)
    return model(nodes, [info("x", "ui8", x.shape)], initializers=initializers), x


@pytest.mark.parametrize("zero", [0, 114])
@pytest.mark.parametrize("channels", [16, 24, 72])
@pytest.mark.parametrize(
    "window",
    [
        {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]},
        {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]},
        {"kernel_shape": [3, 3]},
        {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2], "strides": [2, 1]},
        {"kernel_shape": [3, 3], "pads": [0, 3, 2, 0], "dilations": [2, 1]},
        {"kernel_shape": [1, 3], "pads": [0, 5, 0, 5]},
    ],
    ids=str,
)
def test_bits_are_those_of_rows(window: dict[str, Any], channels: int, zero: int) -> None:
    """All windows, with padding on some sides, on all and on none, and zero points."""
    proto, x = network(channels, window, zero)
    lowered = opc.lower(proto, target="avx512", cache=None)
    sweeps = [line for line in lowered.ir("kernels").splitlines() if "(dot)" in line]
    assert len(sweeps) == 2, "only the pointwise layers are contractions"
    emitted = lowered.emitted
    library = caching.build(emitted.source, cc=None, target="native", threads=2, cache=None)
    function = CompiledFunction(emitted.interface, library, emitted.weights, 2)
    np.testing.assert_array_equal(function(x), opc.compile(proto, target="baseline")(x))


def test_the_number_of_images_may_be_unknown() -> None:
    """Also with extents that only a run knows."""
    proto, x = network(24, {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2]}, 114)
    dims = proto.graph.input[0].type.tensor_type.shape.dim
    dims[0].dim_param = "N"
    kernels = opc.lower(proto, target="avx512", cache=None).ir("kernels")
    assert "kernel.sweep [3, 3, 1] (dot)" not in kernels
    function, rows = opc.compile(proto), opc.compile(proto, target="baseline")
    for images in (x[:0], x, np.concatenate([x, x[::-1]])):
        np.testing.assert_array_equal(function(images), rows(images))


def test_what_no_cache_holds_keeps_its_rows() -> None:
    """Floats of 16 channels and 300 by 302 points are 5.8 MB."""
    proto, _ = network(16, {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}, 0, 300)
    kernels = opc.lower(proto, target="avx512", cache=None).ir("kernels")
    assert "kernel.sweep [3, 3, 1] (dot)" in kernels

"""Matrix products whose weights are stored in few bits, and the weights that they stand for."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper

from opc.frontend.onnx.ops.microsoft.packed_weights import FP4, NF4
from tests.unit.common.onnx_models import info, model, node

Array = np.ndarray[Any, Any]
Weighted = tuple[Any, Array]
"""A model, and the matrix in f32 that its input is multiplied by."""
NUMBERS = {
    **{"i4": TensorProto.INT4, "ui4": TensorProto.UINT4, "i8": TensorProto.INT8},
    **{"i2": TensorProto.INT2, "ui2": TensorProto.UINT2, "ui8": TensorProto.UINT8},
    **{"f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16, "f32": TensorProto.FLOAT},
}
"""The element types of ONNX by name."""
FLOATS = {
    "f8E4M3FN": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
    "f8E4M3FNUZ": (TensorProto.FLOAT8E4M3FNUZ, ml_dtypes.float8_e4m3fnuz),
    "f8E5M2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2),
    "f8E5M2FNUZ": (TensorProto.FLOAT8E5M2FNUZ, ml_dtypes.float8_e5m2fnuz),
    "f4E2M1FN": (TensorProto.FLOAT4E2M1, ml_dtypes.float4_e2m1fn),
}
"""Floats of 8 and 4 bits: in ONNX, and in NumPy."""
DTYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def packed(values: Array, bits: int) -> Array:
    """Values of so many bits in the bytes of the last axis, the first in the lowest bits."""
    per = 8 // bits
    padded = np.pad(values, [*[(0, 0)] * (values.ndim - 1), (0, -values.shape[-1] % per)])
    parts = padded.reshape(*padded.shape[:-1], -1, per) & ((1 << bits) - 1)
    return (parts << np.arange(0, 8, bits)).sum(-1).astype(np.uint8)


def tensor(name: str, values: Array, type: str) -> Any:
    """An initializer; whole numbers are packed in it."""
    dtype = DTYPES.get(type)
    data = packed(values.reshape(-1), int(type.lstrip("ui"))) if dtype is None else values
    data = data if dtype is None else data.astype(dtype)
    return onnx.TensorProto(
        name=name, data_type=NUMBERS[type], dims=values.shape, raw_data=data.tobytes()
    )


def _scales(rng: np.random.Generator, shape: Any, type: str) -> Array:
    return (rng.random(shape) * 0.02 + 0.001).astype(DTYPES[type])


def in_blocks(
    inner: int,
    columns: int,
    bits: int,
    block: int,
    has_zeros: bool,
    rows: int | str,
    type: str = "f32",
) -> Weighted:
    """MatMulNBits of [rows, inner] and weights for ``columns``."""
    rng, blocks = np.random.default_rng(inner + columns + bits), -(-inner // block)
    values = rng.integers(0, 1 << bits, (columns, blocks, block))
    scales = _scales(rng, (columns, blocks), type)
    zeros = rng.integers(0, 1 << bits, scales.shape)
    w = packed(values, bits).astype(np.int64)
    initializers = [tensor("w", w, "ui8"), tensor("s", scales, type)]
    if has_zeros:
        initializers.append(tensor("z", packed(zeros, bits).astype(np.int64), "ui8"))
    how: dict[str, Any] = {"N": columns, "K": inner, "block_size": block, "bits": bits}
    names = " ".join(["x", *(t.name for t in initializers)])
    product = node("MatMulNBits", names, domain="com.microsoft", **how)
    x, y = info("x", type, [rows, inner]), info("y", type, [rows, columns])
    proto = model(product, [x], outputs=[y], initializers=initializers)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    offsets = zeros if has_zeros else np.full_like(zeros, 1 << (bits - 1))
    real = (values - offsets[..., None]).astype(np.float32) * scales[..., None].astype(np.float32)
    return proto, np.ascontiguousarray(real.reshape(columns, -1)[:, :inner].T)


def dequantized(
    type: str,
    rows: int | str,
    axis: int | None = None,
    block: int = 0,
    has_zeros: bool = False,
    scale: str = "f32",
    is_transposed: bool = False,
) -> Weighted:
    """DequantizeLinear in front of MatMul, or of Gemm with transposed weights."""
    rng = np.random.default_rng(7)
    shape = (200, 320) if is_transposed else (320, 200)
    bits = int(type.lstrip("ui"))
    low = 0 if type[0] == "u" else -(1 << (bits - 1))
    values = rng.integers(low, low + (1 << bits), shape)
    own = [] if axis is None else [shape[axis]]
    if axis is not None and block:
        own = [-(-n // block) if k == axis else n for k, n in enumerate(shape)]
    scales, zeros = _scales(rng, own, scale), rng.integers(low, low + (1 << bits), own)
    initializers = [tensor("q", values, type), tensor("s", scales, scale)]
    initializers += [tensor("z", zeros, type)] if has_zeros else []
    how: dict[str, Any] = (
        {} if axis is None else {"axis": axis} | ({"block_size": block} if block else {})
    )
    nodes = [node("DequantizeLinear", " ".join(t.name for t in initializers), "w", **how)]
    product: dict[str, Any] = {"transB": 1} if is_transposed else {}
    nodes.append(node("Gemm" if is_transposed else "MatMul", "x w", **product))
    x, y = info("x", scale, [rows, 320]), info("y", scale, [rows, 200])
    opset, version = (25, 13) if bits == 2 else (21, 10)
    how = {"outputs": [y], "initializers": initializers, "ir_version": version}
    proto = model(nodes, [x], opset, **how)

    def spread(v: Array) -> Array:
        if axis is None or not block:
            return v if axis is None else v.reshape([-1 if k == axis else 1 for k in range(2)])
        return np.repeat(v, block, axis).take(range(shape[axis]), axis)

    whole = (values - (spread(zeros) if has_zeros else 0)).astype(np.float32)
    real = (whole * spread(scales).astype(np.float32)).astype(DTYPES[scale]).astype(np.float32)
    return proto, np.ascontiguousarray(real.T if is_transposed else real)


def cast_halves(type: str, rows: int | str) -> Weighted:
    """A cast of f16 or bf16 in front of MatMul."""
    values = np.random.default_rng(9).standard_normal((700, 200)).astype(np.float32)
    values[0, :3] = [1e-6, -0.0, 1e-40]
    nodes = [node("Cast", "h", "w", to=TensorProto.FLOAT), node("MatMul", "x w")]
    x, y = info("x", shape=[rows, 700]), info("y", shape=[rows, 200])
    proto = model(nodes, [x], outputs=[y], initializers=[tensor("h", values, type)])
    return proto, values.astype(DTYPES[type]).astype(np.float32)


def small_floats(type: str, rows: int | str, columns: int = 200) -> Weighted:
    """DequantizeLinear of all finite floats of few bits, in blocks, in front of MatMul."""
    rng, (number, dtype), bits = np.random.default_rng(4), FLOATS[type], int(type[1])
    codes = rng.integers(0, 1 << bits, (320, columns)).astype(np.uint8)
    codes = np.where(np.isfinite(codes.view(dtype).astype(np.float32)), codes, 1).astype(np.uint8)
    raw = packed(codes.reshape(-1).astype(np.int64), bits).tobytes()
    q = onnx.TensorProto(name="q", data_type=number, dims=codes.shape, raw_data=raw)
    scales = _scales(rng, (10, columns), "f32")
    how: dict[str, Any] = {"axis": 0, "block_size": 32}
    nodes = [node("DequantizeLinear", "q s", "w", **how), node("MatMul", "x w")]
    x, y = info("x", shape=[rows, 320]), info("y", shape=[rows, columns])
    initializers = [q, tensor("s", scales, "f32")]
    proto = model(nodes, [x], 23, outputs=[y], initializers=initializers, ir_version=11)
    return proto, codes.view(dtype).astype(np.float32) * np.repeat(scales, 32, 0)


def chosen(kind: int, rows: int | str, columns: int = 200) -> Weighted:
    """MatMulBnb4: codes of four bits, the first in the high ones, choose one of 16 numbers."""
    rng, size, block = np.random.default_rng(kind), 320, 64
    codes = rng.integers(0, 16, columns * size)
    w = (codes[::2] << 4 | codes[1::2]).astype(np.int64)
    scales = _scales(rng, columns * size // block, "f32")
    initializers = [tensor("w", w, "ui8"), tensor("s", scales, "f32")]
    how: dict[str, Any] = {"N": columns, "K": size, "block_size": block, "quant_type": kind}
    product = node("MatMulBnb4", "x w s", domain="com.microsoft", **how)
    x, y = info("x", shape=[rows, size]), info("y", shape=[rows, columns])
    proto = model(product, [x], outputs=[y], initializers=initializers)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    numbers = np.array(NF4 if kind else (*FP4, *(-v for v in FP4)), np.float32)
    real = numbers[codes] * np.repeat(scales, block)
    return proto, np.ascontiguousarray(real.reshape(columns, size).T)


def codebook(type: str, rows: int | str) -> Weighted:
    """A Gather of 16 numbers by codes of four bits, as weights that are clustered have it."""
    rng = np.random.default_rng(6)
    codes, numbers = rng.integers(0, 16, (320, 200)), rng.standard_normal(16).astype(np.float32)
    scales = _scales(rng, (200,), "f32")
    initializers = [tensor("q", codes, "ui4"), tensor("t", numbers, type)]
    initializers.append(tensor("s", scales, "f32"))
    nodes = [
        node("Cast", "q", "i", to=TensorProto.INT32),
        node("Gather", "t i", "h"),
        node("Cast", "h", "f", to=TensorProto.FLOAT),
        node("Mul", "f s", "w"),
        node("MatMul", "x w"),
    ]
    x, y = info("x", shape=[rows, 320]), info("y", shape=[rows, 200])
    proto = model(nodes, [x], 21, outputs=[y], initializers=initializers, ir_version=10)
    return proto, numbers.astype(DTYPES[type]).astype(np.float32)[codes] * scales

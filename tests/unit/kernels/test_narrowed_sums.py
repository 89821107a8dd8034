"""Sums of a contraction that end in fewer bits are written in these, not as they are summed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from onnx import numpy_helper

import opc
from tests.unit.common.onnx_models import info, model, node

pytestmark = pytest.mark.sample(2)


def block(first: float, second: float) -> tuple[object, np.ndarray]:
    """A quantized residual block with a projection: y = q(dq(q(x v)) + dq(q(x w)))."""
    rng = np.random.default_rng(3)
    constants = {
        **{name: rng.integers(-127, 128, (64, 48)).astype(np.int8) for name in ("v", "w")},
        **{"s": np.float32(0.02), "a": np.float32(first), "b": np.float32(second)},
        **{"t": np.float32(0.7), "z": np.uint8(0), "k": np.int8(0)},
    }
    nodes = [node("DequantizeLinear", "x s z", "d")]
    for weight, scale in (("v", "a"), ("w", "b")):
        nodes += [
            node("DequantizeLinear", f"{weight} s k", f"{weight}d"),
            node("MatMul", f"d {weight}d", f"{weight}m"),
            node("QuantizeLinear", f"{weight}m {scale} k", f"{weight}q"),
            node("DequantizeLinear", f"{weight}q {scale} k", f"{weight}r"),
        ]
    nodes += [node("Add", "vr wr", "r"), node("QuantizeLinear", "r t k")]
    initializers = [numpy_helper.from_array(np.asarray(v), n) for n, v in constants.items()]
    x = rng.integers(0, 256, (33, 64)).astype(np.uint8)
    return model(nodes, [info("x", "ui8", x.shape)], initializers=initializers), x


def test_both_branches_of_a_residual_block_write_bytes() -> None:
    proto, x = block(0.5, 0.3)
    lowered = opc.lower(proto, target="avx512")
    nest = r"kernel.nest \[33, 48\].*?\n  *\} : (tensor<[^>]*>)"
    written = re.findall(nest, lowered.ir("kernels"), re.DOTALL)
    assert written == ["tensor<33x48xi8>"] * 2
    fused, apart = opc.compile(proto), opc.compile(proto, fuse=False)
    np.testing.assert_array_equal(fused(x), apart(x))

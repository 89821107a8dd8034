"""Attacks by ONNX models of one node that imply large tables: what 2^40 elements would be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import onnx
from onnx import TensorProto, helper

from . import INPUT, LOWERED, UNSUPPORTED, Attack

N = 1 << 40
IMAGE = (1, 1, N, 2)


def implying(
    operator: str,
    shapes: Sequence[Sequence[int]],
    *known: Any,
    opset: int = 22,
    inputs: str = "",
    outputs: str = "y",
    **attributes: Any,
) -> bytes:
    """A node over floats of these shapes, then constants; ``inputs`` says another order.

    Floats are ``a``, ``b``, ..., constants ``0``, ``1``, ...; ``_`` is an input that is not there.
    """
    names = [chr(ord("a") + k) for k in range(len(shapes))]
    given = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, s)
        for n, s in zip(names, shapes, strict=True)
    ]
    tensors = [helper.make_tensor(str(k), *_tensor(v)) for k, v in enumerate(known)]
    listed = inputs.split() or [*names, *(t.name for t in tensors)]
    node = helper.make_node(
        operator, ["" if n == "_" else n for n in listed], outputs.split(), **attributes
    )
    results = [onnx.ValueInfoProto(name=n) for n in node.output]
    graph = helper.make_graph([node], "g", given, results, tensors)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def _tensor(value: Any) -> tuple[int, list[int], list[Any]]:
    listed = value if isinstance(value, list) else [value]
    kind = TensorProto.FLOAT if isinstance(listed[0], float) else TensorProto.INT64
    return kind, [len(listed)] if isinstance(value, list) else [], listed


TABLE = "(--budget table=N"
MODELS: dict[str, tuple[bytes, str, str]] = {
    "window": (implying("HannWindow", [], N), LOWERED, ""),
    "mel scale": (implying("MelWeightMatrix", [], N, 16, 8000, 0.0, 4000.0), LOWERED, ""),
    "spectrum": (implying("MelWeightMatrix", [], 8, N, 8000, 0.0, 4000.0), LOWERED, ""),
    "transform": (implying("DFT", [(1, N, 1)], opset=17), UNSUPPORTED, TABLE),
    "transform to a length": (implying("DFT", [(1, 4, 1)], N, 1), UNSUPPORTED, TABLE),
    "transform of a prime": (implying("DFT", [(1, 10**6 + 3, 1)], opset=17), UNSUPPORTED, TABLE),
    "frames": (
        implying("STFT", [(1, N, 1)], 1, 1 << 20, inputs="a 0 _ 1"),
        UNSUPPORTED,
        TABLE,
    ),
    "sizes": (
        implying("Resize", [(1, 1, 2, 2)], [1, 1, 2, N], inputs="a _ _ 0"),
        UNSUPPORTED,
        TABLE,
    ),
    "scales": (
        implying("Resize", [(1, 1, 2, 2)], [1.0, 1.0, 1.0, 1e12], inputs="a _ 0", mode="linear"),
        UNSUPPORTED,
        TABLE,
    ),
    "grid": (implying("AffineGrid", [(1, 2, 3)], [1, 1, N, 2]), LOWERED, ""),
    "places in a grid": (
        implying("GridSample", [IMAGE, (1, N, 2, 2)], opset=20, mode="cubic"),
        LOWERED,
        "",
    ),
    "indices of a pooling": (
        implying("MaxPool", [IMAGE], outputs="y i", kernel_shape=[2, 2]),
        LOWERED,
        "",
    ),
    "windows of 2^62": (
        implying(
            "MaxPool", [(1, 2, 5, 3)], outputs="y i", kernel_shape=[1 << 31] * 2, pads=[1 << 31] * 4
        ),
        INPUT,
        "needs more than 2^48 bytes",
    ),
    "counts of a pooling": (
        implying("AveragePool", [IMAGE], kernel_shape=[2, 2], pads=[1] * 4),
        LOWERED,
        "",
    ),
    "bins": (implying("MaxRoiPool", [(1, 1, 4, 4), (3, 5)], pooled_shape=[N, 2]), LOWERED, ""),
    "regions": (implying("MaxRoiPool", [IMAGE, (3, 5)], pooled_shape=[2, 2]), LOWERED, ""),
    "samples": (
        implying(
            "RoiAlign", [(1, 1, 4, 4), (3, 4)], [0, 0, 0],
            output_height=2, output_width=2, sampling_ratio=1 << 20,
        ),
        LOWERED,
        "",
    ),
    "offsets": (
        implying("DeformConv", [IMAGE, (1, 1, 1, 1), (1, 2, N, 2)], opset=19),
        LOWERED,
        "",
    ),
    "lengths": (implying("ReverseSequence", [(N, 2)], [1, 2]), LOWERED, ""),
    "phases": (
        implying("ConvTranspose", [(1, 1, 4), (1, 1, 4)], strides=[(1 << 31) - 1]),
        UNSUPPORTED,
        "the phases of a stride: found 2147483647",
    ),
    "sequence": (
        implying("SplitToSequence", [(N,)], opset=11),
        UNSUPPORTED,
        "(--budget parts=N",
    ),
    "short sequence": (
        implying("SplitToSequence", [(5000,)], opset=11),
        UNSUPPORTED,
        "a sequence: found 5000 parts",
    ),
    "a resized axis": (
        implying("Resize", [(1, 1, 2, 4)], [1.0, 1.0, 1.0, 1e5], inputs="a _ 0", mode="linear"),
        LOWERED,
        "",
    ),
    "random numbers": (
        implying("RandomNormal", [], opset=1, shape=[N], seed=1.0),
        LOWERED,
        "",
    ),
    "wrapping": (
        implying("Pad", [(4,)], [N, N], mode="wrap"),
        LOWERED,
        "",
    ),
    "reflecting at the end of integers": (
        implying("Pad", [("n",)], [0, (1 << 63) - 1], mode="reflect"),
        INPUT,
        "mode reflect pads axis 0 by 9223372036854775807, which exceeds 2^48",
    ),
    "repetitions": (implying("Tile", [(2,)], [N]), LOWERED, ""),
    "order": (
        implying("TopK", [(N,)], [1 << 20], outputs="y i"),
        LOWERED,
        "",
    ),
    "loop": (
        implying("LSTM", [(N, 1, 2), (1, 4, 2), (1, 4, 1)], hidden_size=1),
        LOWERED,
        "",
    ),
}  # fmt: skip

ATTACKS = {n: Attack({"g.onnx": m}, kind, part) for n, (m, kind, part) in MODELS.items()}

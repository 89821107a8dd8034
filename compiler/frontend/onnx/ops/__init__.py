"""The registry of ONNX operators: a schema and a legalization for each version."""

from __future__ import annotations

from importlib import import_module

from .schema import SCHEMAS, Schema, element_named, find, qualified

NEWEST = 28
"""The newest opset that the schemas were compared with."""

NEWEST_OF = {
    "ai.onnx.ml": 5,
    "ai.onnx.preview": 1,
    "ai.onnx.preview.training": 1,
    "com.microsoft": 1,
}
"""The newest opset of each other domain."""

__all__ = ["NEWEST", "NEWEST_OF", "SCHEMAS", "Schema", "element_named", "find", "qualified"]

MODULES = (
    "attention",
    "binary",
    "classifiers",
    "contraction",
    "control",
    "conversion",
    "determinant",
    "einsum",
    "grams",
    "indexing",
    "integer",
    "layout",
    "loops",
    "loss",
    "microsoft",
    "ml_linear",
    "nms",
    "normalization",
    "optimizer",
    "padding",
    "parts",
    "pooling",
    "prefix",
    "quantization",
    "random",
    "recurrent",
    "reduction",
    "resize",
    "roi",
    "sampling",
    "scatter",
    "sequence",
    "shapes",
    "softmax",
    "spectral",
    "splitting",
    "strings",
    "top_k",
    "transposed",
    "trees",
    "unary",
    "window",
)
"""Modules with schemas; importing one registers them."""
for _module in MODULES:
    import_module(f".{_module}", __name__)

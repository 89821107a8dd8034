"""The registry of ONNX operators: a schema and a function that legalizes it for each version."""

from __future__ import annotations

from importlib import import_module

from .schema import SCHEMAS, Schema, element_named, find, qualified
from .signatures import newest

__all__ = ["SCHEMAS", "Schema", "element_named", "find", "newest", "qualified"]

MODULES = (
    "attention",
    "binary",
    "classifiers",
    "contraction",
    "control",
    "conversion",
    "determinant",
    "einsum",
    "functions",
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

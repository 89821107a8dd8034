"""The registry of OpenVINO operators: one row for each version, with its legalizing function."""

from __future__ import annotations

from importlib import import_module

from .schema import SCHEMAS, Schema, canonical, find

__all__ = ["SCHEMAS", "Schema", "canonical", "find"]

MODULES = (
    "activation",
    "adaptive",
    "arithmetic",
    "as_onnx",
    "attention",
    "bins",
    "colors",
    "contraction",
    "control",
    "conversion",
    "ctc_loss",
    "detection",
    "detectron",
    "embedding",
    "generate",
    "greedy",
    "indexing",
    "interpolate",
    "inverse",
    "layout",
    "logic",
    "matrix_nms",
    "multiclass",
    "nms",
    "normalization",
    "parts",
    "priors",
    "proposals",
    "quantization",
    "random",
    "recurrent",
    "reduction",
    "roi",
    "scatter",
    "search_sorted",
    "shape",
    "sparse",
    "spectral",
    "transposed",
    "window",
)
"""All that have rows: importing one adds them."""
for _module in MODULES:
    import_module(f".{_module}", __name__)

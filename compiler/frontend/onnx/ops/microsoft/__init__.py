"""Operators of the domain ``com.microsoft``, which onnxruntime's tools write.

Its graph optimizers write fused nodes, its quantizer nodes of 8-bit integers, and its builders of
language models attention with a cache and weights of few bits.  Their meaning is defined by
docs/ContribOperators.md of onnxruntime and, where that is silent, by its kernels.
"""

from __future__ import annotations

from . import (
    attention,
    causal,
    decoder,
    experts,
    fused,
    grouped,
    linear,
    misc,
    norms,
    packed_weights,
    quantized,
    quantized_products,
)

__all__ = [
    "attention",
    "causal",
    "decoder",
    "experts",
    "fused",
    "grouped",
    "linear",
    "misc",
    "norms",
    "packed_weights",
    "quantized",
    "quantized_products",
]

"""Operators of the domain ``com.microsoft``, which onnxruntime's tools write.

Its graph optimizer and the one for transformers put several nodes into one, its quantizer makes
nodes of 8-bit integers, and the builders of language models write attention with a cache and
weights of few bits.  What they mean is said in docs/ContribOperators.md of onnxruntime, and by its
kernels where that leaves something open.
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

"""Operators of the domain ``com.microsoft``, which onnxruntime's tools write.

Its graph optimizers write fused nodes, its quantizer nodes of 8-bit integers, and its builders of
language models attention with a cache and weights of few bits.  Their meaning is defined by
docs/ContribOperators.md of onnxruntime and, where that is silent, by its kernels.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)

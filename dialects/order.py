"""The order in which values are combined: what makes a sum of floats one result and no other.

A contraction is a chain of fused multiply-adds from +0 along the contracted axes, in the order in
which the operator names them and in blocks of ``BLOCK``; the blocks are added to +0 one after the
other.  So rows, columns, tiles, packing and threads change no bit: none of them is in the chain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import scalar

BLOCK = 4096
"""Products in one chain.

The error of a chain grows with its length n, in the worst case as n u.  Of 2^24 products in blocks
it stays below 8192 u, and the usual 4 sqrt(n) u holds.
"""


def chain(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The sum of products along the last axis, in order; a and b are f32 or f64 and broadcast."""
    shape = np.broadcast_shapes(a.shape, b.shape)[:-1]
    fma = scalar.SCALARS["fma"].numpy
    total = np.zeros(shape, a.dtype)
    for start in range(0, a.shape[-1], BLOCK):
        block = np.zeros(shape, a.dtype)
        for k in range(start, min(start + BLOCK, a.shape[-1])):
            block = fma(a[..., k], b[..., k], block)
        total = total + block
    return total

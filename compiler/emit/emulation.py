"""Fused multiply-adds of f32 in vectors, for processors that have vectors and no such instruction.

Numbers go by way of f64, which holds each product.  A sum that is rounded to f64 and then to f32
may be wrong only if it lies between two floats, or is subnormal as a float: if one of four is so,
all are computed one by one, which is rare.
"""

from __future__ import annotations

from .texts import c_text

FOUR = "OPC_FOUR"
FOUR_TEXT = c_text("emulation.four")

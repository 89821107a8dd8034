"""Caches of quantized keys and values, as GroupQueryAttention has them.

A value is ``q * scale``, with one scale or one for each channel of a head.  Integers of 4 bits lie
two in a byte, the first in the low bits, each plus 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.quantization import quantize

from ..node import Node
from .packed_weights import UI8, unpacked

KINDS = ("NONE", "PER_TENSOR", "PER_CHANNEL")
HALF = 8
"""What is added to an integer of 4 bits."""


@dataclass(frozen=True)
class Stored:
    """How a cache stores its values."""

    type: el.ElementType
    scale: Any
    """[1, 1, 1, 1] or [1, groups, 1, size], f32; None if values are not quantized."""
    is_packed: bool = False

    @classmethod
    def of(cls, node: Node, letter: str, past: int, scale: int, sizes: tuple[Any, Any]) -> Stored:
        """That of keys or values (``k`` or ``v``), of so many groups and channels."""
        name = f"{letter}_quant_type"
        kind, bits = node.attr(name), node.attr("kv_cache_bit_width")
        if kind not in KINDS:
            raise node.error(f'{name} is "{kind}", expected {", ".join(KINDS)}')
        if kind == "NONE":
            if node.has(scale) or bits:
                raise node.error(f"a scale or a width of quantized values, and {name} is NONE")
            return cls(node.element(), None)
        if not node.has(past) or not node.has(scale):
            raise node.error(f"{name} is {kind}, and there is no cache or no scale")
        if (held := node.element(past)) is UI8 and bits != 4:
            raise node.error(f"kv_cache_bit_width is {bits} for a cache of ui8, expected 4")
        groups, size = sizes
        shape = (1, groups, 1, size) if kind == "PER_CHANNEL" else (1, 1, 1, 1)
        count = ex.product(node.shape(scale))
        wanted = ex.product(map(ex.Expr.of, shape))
        node.require("equal", count, wanted, f"{letter}_scale has another number of scales")
        return cls(held, node.traced(scale, el.F32).reshape(shape), held is UI8)

    def encoded(self, x: Any) -> Any:
        """Values [batch, groups, count, size] as they are stored."""
        if self.scale is None:
            return x.astype(self.type)
        if not self.is_packed:
            return quantize(x, self.scale, None, self.type, el.F32)
        codes = onp.clip(onp.rint(x.astype(el.F32) / self.scale), -HALF, HALF - 1) + HALF
        codes = codes.astype(UI8).reshape(*x.shape[:-1], x.shape[-1] // 2, 2)
        return codes[..., 0] | codes[..., 1] << 4

    def whole(self, cache: Any, type: el.ElementType) -> Any:
        """The values of a cache, without their scale."""
        if not self.is_packed:
            return cache.astype(type)
        return unpacked(cache, 4).astype(type) - HALF

    def scaled(self, x: Any) -> Any:
        """Values [batch, heads, count, size] of heads that share groups, times the scale."""
        if self.scale is None:
            return x
        groups = self.scale.shape[1]
        scale = self.scale if groups == 1 else onp.repeat(self.scale, x.shape[1] // groups, 1)
        return x * scale.astype(x.element)

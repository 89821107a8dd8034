"""Rows of windows: layers of ResNet, MobileNet, EfficientNet, ConvNeXt and ViT.

Convolutions have a bias and relu.
"""

from __future__ import annotations

from typing import Any

from benchmarks.inputs import parse
from benchmarks.rows import Row


def _row(name: str, x: str, w: str, stride: int = 1, pad: int = 0) -> Row:
    def layer(xp: Any, x: Any, w: Any, bias: Any) -> Any:
        return xp.relu(xp.conv(x, w, stride, pad) + bias)

    filters = w.partition(",")[0]
    return Row(name, parse(f"x f32[{x}], w f32[{w}], b f32[{filters},1,1]"), layer, "compute")


def _max_pool(xp: Any, x: Any) -> Any:
    return xp.max_pool(x, 3, 2, 1)


CONVOLUTIONS = (
    _row("3x3, 64 of 56x56", "1,64,56,56", "64,64,3,3", pad=1),
    _row("3x3, 128 of 28x28", "1,128,28,28", "128,128,3,3", pad=1),
    _row("3x3, 256 of 14x14", "1,256,14,14", "256,256,3,3", pad=1),
    _row("3x3, 512 of 7x7", "1,512,7,7", "512,512,3,3", pad=1),
    _row("3x3 by 2, 64 of 56x56", "1,64,56,56", "128,64,3,3", stride=2, pad=1),
    _row("7x7 by 2, 3 of 224x224", "1,3,224,224", "64,3,7,7", stride=2, pad=3),
    _row("1x1, 256 of 56x56", "1,256,56,56", "64,256,1,1"),
    _row("1x1 by 2, 256 of 56x56", "1,256,56,56", "512,256,1,1", stride=2),
    _row("3x3 each, 96 of 112x112", "1,96,112,112", "96,1,3,3", pad=1),
    _row("3x3 each by 2, 96 of 112x112", "1,96,112,112", "96,1,3,3", stride=2, pad=1),
    _row("3x3 each, 384 of 14x14", "1,384,14,14", "384,1,3,3", pad=1),
    _row("5x5 each, 672 of 14x14", "1,672,14,14", "672,1,5,5", pad=2),
    _row("7x7 each, 96 of 56x56", "1,96,56,56", "96,1,7,7", pad=3),
    Row("max pool 3x3 by 2", parse("x f32[1,64,112,112]"), _max_pool, "memory"),
    _row("patches of 16x16", "1,3,224,224", "192,3,16,16", stride=16),
)
"""All operands are inputs, so no weights can be laid out before a call."""

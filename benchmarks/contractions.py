"""Rows of matrix products: square, tall, wide, one row, batches, odd sizes, layers of networks."""

from __future__ import annotations

from typing import Any

from benchmarks.inputs import parse
from benchmarks.rows import Row


def _product(xp: Any, x: Any, y: Any) -> Any:
    return xp.matmul(x, y)


def _integers(xp: Any, x: Any, y: Any) -> Any:
    return xp.matmul_integer(x, y)


def _linear(xp: Any, x: Any, weight: Any, bias: Any) -> Any:
    return xp.matmul(x, weight) + bias


def _feed_forward(xp: Any, x: Any, weight: Any, bias: Any) -> Any:
    return xp.gelu(xp.matmul(x, weight) + bias)


def _scores(xp: Any, q: Any, k: Any) -> Any:
    return xp.matmul(q, xp.permute(k, (0, 1, 3, 2))) * 0.125


def _attention(xp: Any, q: Any, k: Any, v: Any) -> Any:
    return xp.matmul(xp.softmax(_scores(xp, q, k), -1), v)


def _masked_attention(xp: Any, q: Any, k: Any, v: Any, mask: Any) -> Any:
    return xp.matmul(xp.softmax(_scores(xp, q, k) + mask, -1), v)


def _heads(positions: int, keys: int = 0, heads: int = 12) -> str:
    """Inputs of attention: queries, and keys and values of as many positions or of others."""
    k = f"f32[1,{heads},{keys or positions},64]"
    return f"q f32[1,{heads},{positions},64], k {k}, v {k}"


def _row(name: str, m: int, k: int, n: int, type: str = "f32") -> Row:
    return Row(name, parse(f"x {type}[{m},{k}], y {type}[{k},{n}]"), _product, "compute")


CONTRACTIONS = (
    _row("matmul 64", 64, 64, 64),
    _row("matmul 256", 256, 256, 256),
    _row("matmul 512", 512, 512, 512),
    _row("matmul 1024", 1024, 1024, 1024),
    _row("matmul 1000", 1000, 1000, 1000),
    _row("matmul odd", 255, 257, 333),
    _row("matmul tall", 4096, 64, 64),
    _row("matmul tall and narrow", 10000, 128, 10),
    _row("matmul wide", 64, 64, 4096),
    _row("matmul deep", 64, 8192, 64),
    _row("matmul one row", 1, 1024, 4096),
    _row("matmul four rows", 4, 1024, 4096),
    _row("matmul one column", 4096, 1024, 1),
    _row("matmul five columns", 1000, 512, 5),
    _row("matmul narrow", 1000, 1024, 16),
    _row("matmul flat", 4000, 16, 4000),
    _row("outer product", 1000, 1, 1000),
    _row("matmul f64", 512, 512, 512, "f64"),
    _row("matmul f16", 512, 512, 512, "f16"),
    Row("matmul i8", parse("x i8[256,512], y i8[512,512]"), _integers, "compute"),
    Row("matmul in batches", parse("x f32[64,32,32], y f32[64,32,32]"), _product, "compute"),
    Row(
        "BERT projection",
        parse("x f32[1,128,768], w f32[768,768], b f32[768]"),
        _linear,
        "compute",
    ),
    Row(
        "BERT feed forward",
        parse("x f32[1,128,768], w f32[768,3072], b f32[3072]"),
        _feed_forward,
        "compute",
    ),
    Row(
        "GPT-2 projection, one row",
        parse("x f32[1,768], w f32[768,2304], b f32[2304]"),
        _linear,
        "compute",
    ),
    Row(
        "ConvNeXt feed forward",
        parse("x f32[1,3136,96], w f32[96,384], b f32[384]"),
        _feed_forward,
        "compute",
    ),
    Row("BERT scores", parse("q f32[1,12,128,64], k f32[1,12,128,64]"), _scores, "compute"),
    Row("BERT values", parse("p f32[1,12,128,128], v f32[1,12,128,64]"), _product, "compute"),
    Row(
        "ViT feed forward",
        parse("x f32[197,768], w f32[768,3072], b f32[3072]"),
        _feed_forward,
        "compute",
    ),
    *(
        Row(f"attention {n}", parse(_heads(n)), _attention, "compute")
        for n in (49, 128, 197, 256, 512, 1024)
    ),
    Row(
        "attention 512, mask",
        parse(f"{_heads(512)}, mask f32[1,1,512,512]"),
        _masked_attention,
        "compute",
    ),
    Row("attention, one row", parse(_heads(1, 1024)), _attention, "compute"),
)
"""Both operands are inputs, so nothing can be laid out before a call."""

"""Fused products, convolutions, activations and normalizations of onnxruntime's optimizers.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.frontend.models.activations import ACTIVATIONS, Function
from opc.frontend.models.norms import by_groups, by_root_mean_square, moments, vector
from opc.frontend.models.traced import gathered, traced, value

from ..contraction import product
from ..node import Node
from ..normalization import layer
from ..schema import Legalize, Result, onnx
from ..window import biased, convolved

MS = "com.microsoft::"


def activated(node: Node, x: Any, parameters: Sequence[float | None]) -> Any:
    """x after the function that attribute ``activation`` names."""
    name = node.attr("activation")
    if not name:
        return x
    if name not in ACTIVATIONS:
        raise node.unsupported(f'activation "{name}", expected one of {", ".join(ACTIVATIONS)}')
    usual, function = ACTIVATIONS[name]
    if len(parameters) > len(usual) and any(v is not None for v in parameters[len(usual) :]):
        raise node.error(f"{len(parameters)} parameters of {name}, which has {len(usual)}")
    filled = [*parameters, *[None] * len(usual)]
    numbers = [u if v is None else v for u, v in zip(usual, filled, strict=False)]
    return function(x, *numbers)


@onnx(f"{MS}FusedConv", 1)
def fused_conv(node: Node) -> Any:
    """FusedConv(x, w, b, z) --> activation(opc.conv(x, w) + b + z)."""
    x, w, _, z = traced(node, node.wide())
    y = biased(node, convolved(node, x, w), 2)
    y = y if z is None else y + z
    return value(node, activated(node, y, node.attr("activation_params") or ()))


_NUMBERS = ("activation_alpha", "activation_beta", "activation_gamma")


def _numbers(node: Node) -> list[float | None]:
    """The parameters of an activation: alpha, beta, gamma; Selu takes alpha and gamma."""
    numbers: list[float | None] = [node.attr(name) for name in _NUMBERS]
    if node.attr("activation") == "Selu":
        return [numbers[0], numbers[2]]
    return numbers


@onnx(f"{MS}FusedGemm", 1)
def fused_gemm(node: Node) -> Result:
    """FusedGemm(a, b, c) --> activation(alpha * opc.matmul(a, b) + beta * c)."""
    return value(node, activated(node, product(node), _numbers(node)))


def _turned(node: Node, position: int, side: str) -> Any:
    """A factor, with its first axis moved behind the other batch axes, and transposed."""
    x = node.traced(position, node.wide())
    order = list(range(x.ndim))
    batch = f"transBatch{side}"
    if node.schema.signature.has(batch) and node.attr(batch) and len(order) > 2:
        order = [*order[1:-1], 0, order[-1]]
    if node.attr(f"trans{side}") and len(order) > 1:
        order[-2:] = order[-1], order[-2]
    return x.transpose(order)


@onnx(f"{MS}TransposeMatMul", 1)
@onnx(f"{MS}FusedMatMul", 1)
@onnx(f"{MS}FusedMatMulActivation", 1)
def fused_matmul(node: Node) -> Result:
    """FusedMatMul(a, b) --> alpha * opc.matmul(a, b), of transposed factors."""
    y = node.trace.emit(MatmulOp, _turned(node, 0, "A"), _turned(node, 1, "B"))
    if node.attr("alpha") != 1:
        y = y * node.attr("alpha")
    if node.schema.signature.has("activation"):
        y = activated(node, y, _numbers(node))
    return value(node, y)


def plus(node: Node, x: Any, bias: Any) -> Any:
    """x plus a 1-D bias along its last axis, or x without one."""
    if bias is None:
        return x
    if bias.ndim != 1 or not x.ndim:
        raise node.error(f"the bias has {bias.ndim} axes, for an input of {x.ndim}")
    node.require("equal", bias.extents[0], x.extents[-1], "a bias for each of the last axis")
    return x + bias


def tanh_gelu(x: Any) -> Any:
    """gelu(x) by its tanh approximation."""
    return onp.gelu(x, approximate="tanh")


def _of_sum(function: Function) -> Legalize:
    """F(x, bias) --> function(x + bias)."""

    def legalize(node: Node) -> Result:
        x, bias, *_ = [*traced(node), None]
        return value(node, function(plus(node, x, bias)))

    return legalize


@onnx(f"{MS}QuickGelu", 1)
def quick_gelu(node: Node) -> Result:
    """QuickGelu(x) --> x * sigmoid(alpha * x)."""
    return value(node, onp.silu(traced(node)[0], alpha=node.attr("alpha")))


def halves(node: Node, x: Any) -> tuple[Any, Any]:
    """The two halves of the last axis."""
    extent = x.extents[-1]
    node.require("divides", extent, ex.const(2), "the last axis has no two halves")
    half = ex.floordiv(extent, ex.const(2))
    split = x.reshape(*x.shape[:-1], 2, x.trace.size(half))
    return split[..., 0, :], split[..., 1, :]


@onnx(f"{MS}BiasSplitGelu", 1)
def split_gelu(node: Node) -> Result:
    """BiasSplitGelu(x, bias) --> left * gelu(right), of the halves of x + bias."""
    left, right = halves(node, plus(node, *traced(node)))
    return value(node, left * onp.gelu(right))


@onnx(f"{MS}SwiGLU", 1)
def swiglu(node: Node) -> Result:
    """SwiGLU(gate, up) --> gate * sigmoid(alpha * gate) * (up + beta), both clipped first."""
    gate, up = traced(node)
    if up is None:
        gate, up = halves(node, gate)
    limit = node.attr("limit")
    if limit > 0:
        gate, up = onp.minimum(gate, limit), onp.clip(up, -limit, limit)
    gate = onp.silu(gate, alpha=node.attr("activation_alpha"))
    if node.attr("round_activation") and node.element().is_small_float:
        gate = gate.astype(node.element().name).astype(gate.dtype)
    if node.attr("activation_beta"):
        up = up + node.attr("activation_beta")
    return value(node, gate * up)


@onnx(f"{MS}GemmFastGelu", 1)
def gemm_gelu(node: Node) -> Result:
    """GemmFastGelu(x, w, bias) --> tanh_gelu(opc.matmul(x, w) + bias)."""
    x, w, bias = traced(node)
    return value(node, tanh_gelu(plus(node, x @ w, bias)))


@onnx(f"{MS}BiasAdd", 1)
def bias_add(node: Node) -> Result:
    """BiasAdd(x, bias, skip) --> x + bias + skip."""
    x, bias, skip = traced(node)
    return value(node, plus(node, x, bias) + skip)


@onnx(f"{MS}BiasSoftmax", 1)
def bias_softmax(node: Node) -> Result:
    """BiasSoftmax(x, bias) --> softmax(x + bias) over ``axis`` and all later axes."""
    x, bias = traced(node)
    axis = node.axis(node.attr("axis"), x.ndim)
    flat = (x + bias).reshape(*x.shape[:axis], x.trace.size(ex.product(x.extents[axis:])))
    return value(node, onp.softmax(flat, axis=-1).reshape(*x.shape))


@onnx(f"{MS}ScaledSiLU", 1)
def scaled_silu(node: Node) -> Result:
    """ScaledSiLU(x, scale) --> z * sigmoid(z) with z = scale * x; each step is rounded."""
    (x, scale), type = traced(node), node.element()
    scale = node.attr("alpha") if scale is None else scale.reshape(())
    wider = x.dtype

    def rounded(v: Any) -> Any:
        return v.astype(type.name).astype(wider) if type.is_small_float else v

    z = rounded(x * scale)
    return value(node, z * rounded(onp.sigmoid(z)))


@onnx(f"{MS}GatedAdd", 1)
def gated_add(node: Node) -> Result:
    """GatedAdd(x, y, gate) --> x + y * gate, the product rounded."""
    x, y, gate, weight = traced(node)
    if weight is not None:
        raise node.unsupported("a gate that is projected")
    return value(node, x + (y * gate).astype(node.element()).astype(x.element))


onnx(f"{MS}Gelu", 1)(_of_sum(onp.gelu))
onnx(f"{MS}FastGelu", 1)(_of_sum(tanh_gelu))
onnx(f"{MS}BiasGelu", 1)(_of_sum(onp.gelu))


def _skip(node: Node, parts: Sequence[Any], beta: Any, has_mean: bool) -> tuple[Result | None, ...]:
    """(input + skip + bias) normalized over its last axis, and intermediate results."""
    x, skip, gamma, bias = parts
    node.ranked(0, 2, 3)
    total, epsilon, middle = plus(node, x + skip, bias), node.attr("epsilon"), None
    if has_mean:
        centred, middle, deviation = moments(total, -1, epsilon)
        y = centred / deviation
    else:
        y, deviation = by_root_mean_square(total, -1, epsilon)
    y = plus(node, y * vector(node, gamma, x.extents[-1]), beta)
    return value(node, y), middle, onp.reciprocal(deviation), value(node, total)


@onnx(f"{MS}SkipLayerNormalization", 1)
def skip_layer(node: Node) -> tuple[Result | None, ...]:
    """SkipLayerNormalization(x, skip, gamma, beta, bias) --> LayerNormalization of the sum."""
    x, skip, gamma, beta, bias = traced(node)
    return _skip(node, (x, skip, gamma, bias), beta, True)


@onnx(f"{MS}SkipSimplifiedLayerNormalization", 1)
def skip_simplified(node: Node) -> tuple[Result | None, ...]:
    """SkipSimplifiedLayerNormalization(x, skip, gamma, bias) --> RMS norm of the sum."""
    return _skip(node, traced(node), None, False)


@onnx(f"{MS}EmbedLayerNormalization", 1)
def embedding(node: Node) -> tuple[Result | None, ...]:
    """EmbedLayerNormalization(ids, ...) --> normalized sum of word, position and segment rows."""
    ids, segments, words, positions, kinds, gamma, beta, mask, numbers = traced(node)
    node.ranked(0, 2)
    if numbers is None:
        numbers = ids.trace.given(ids.trace.numbers(ids.extents[1]), el.I64)
    total = gathered(words, (0,), ids) + gathered(positions, (0,), numbers)
    if kinds is not None:
        total = total + (kinds[0] if segments is None else gathered(kinds, (0,), segments))
    centred, _, deviation = moments(total, -1, node.attr("epsilon"))
    y = plus(node, centred / deviation * vector(node, gamma, total.extents[-1]), beta)
    # The number of unmasked words of each row.
    is_word: Any = ids != ids if mask is None else mask == 1
    index = onp.sum(is_word.astype("int64"), axis=1)
    type = node.element(2)
    return (
        node.cast(y.value, type),
        ids.trace.given(index, el.BY_NAME["i32"]).value,
        node.cast(total.value, type),
    )


@onnx(f"{MS}GroupNorm", 1)
@onnx(f"{MS}SkipGroupNorm", 1)
def group(node: Node) -> tuple[Result | None, ...]:
    """GroupNorm(x, gamma, beta) --> GroupNormalization, channels last or second, then SiLU.

    SkipGroupNorm adds ``skip`` and ``bias`` to x first.
    """
    (x, gamma, beta, *more), type = traced(node), node.element()
    last = bool(node.attr("channels_last"))
    node.ranked(0, 4)
    channels = x.extents[3 if last else 1]

    def along(v: Any) -> Any:
        """Values per channel, shaped to broadcast."""
        v = vector(node, v, channels)
        return v if last else v.reshape(*v.shape, 1, 1)

    if more:
        skip, bias = more
        if skip.ndim == 2:
            skip = skip.reshape(*skip.shape[:1], *((1, 1, -1) if last else (-1, 1, 1)))
        x = x + skip
        x = x if bias is None else x + along(bias)
    y = by_groups(node, x, 3 if last else 1, node.attr("groups"), node.attr("epsilon"))
    y = y.reshape(*x.shape) * along(gamma) + along(beta)
    if node.attr("activation"):
        y = onp.silu(y)
    return value(node, y, type), value(node, x, type)


onnx("LayerNormalization", 1)(layer)

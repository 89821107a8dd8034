"""Layers that PyTorch computes in one operator on processors, in core operators.

A layer of a transformer and a recurrence become these in inference; ATen's own table has no
decompositions of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

LSTM = 2
"""The number of LSTM among recurrences; PyTorch makes no other."""


def flash_attention(
    query: Any,
    key: Any,
    value: Any,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    attn_mask: Any = None,
    scale: float | None = None,
) -> tuple[Any, Any]:
    """Attention of each head, and the logarithms of the sums of exponentials.

    PyTorch's gradient takes both; ATen's own decomposition gives weights for the second.
    """
    torch: Any = import_module("torch")
    key, value = shared_heads(query, key), shared_heads(query, value)
    scores = scores_of(query, key, is_causal, attn_mask, scale)
    y = torch.matmul(torch.softmax(scores, -1), value.to(scores.dtype)).to(query.dtype)
    # In memory the heads of a position lie side by side.
    y = y.permute(0, 2, 1, 3).contiguous().permute(0, 2, 1, 3)
    return y, torch.logsumexp(scores, -1)


def shared_heads(query: Any, key: Any) -> Any:
    """Keys or values for each head of queries, of which neighbours share one."""
    times = query.shape[1] // key.shape[1]
    return key.repeat_interleave(times, 1) if times > 1 else key


def scores_of(query: Any, key: Any, is_causal: bool, mask: Any, scale: float | None) -> Any:
    """The products of queries and keys in f32 or f64, -inf where nothing is looked at."""
    torch: Any = import_module("torch")
    wide = torch.float64 if query.dtype is torch.float64 else torch.float32
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.matmul(query.to(wide) * factor, key.to(wide).transpose(-2, -1))
    if is_causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(seen.logical_not(), -torch.inf)
    if mask is None:
        return scores
    is_truth = mask.dtype is torch.bool
    return scores.masked_fill(mask.logical_not(), -torch.inf) if is_truth else scores + mask


def attention_gradient(
    gradient: Any,
    query: Any,
    key: Any,
    value: Any,
    out: Any,
    logsumexp: Any,
    dropout_p: float,
    is_causal: bool,
    *,
    attn_mask: Any = None,
    scale: float | None = None,
) -> tuple[Any, Any, Any]:
    """The gradients of queries, keys and values of :func:`flash_attention`."""
    torch: Any = import_module("torch")
    heads = key.shape[1]
    keys, values = shared_heads(query, key), shared_heads(query, value)
    scores = scores_of(query, keys, is_causal, attn_mask, scale)
    wide = scores.dtype
    weights = torch.exp(scores - logsumexp.to(wide).unsqueeze(-1))
    gradient = gradient.to(wide)
    of_weights = torch.matmul(gradient, values.to(wide).transpose(-2, -1))
    total = (gradient * out.to(wide)).sum(-1, keepdim=True)
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    of_scores = weights * (of_weights - total) * factor
    of_query = torch.matmul(of_scores, keys.to(wide)).to(query.dtype)
    of_key = torch.matmul(of_scores.transpose(-2, -1), query.to(wide))
    of_value = torch.matmul(weights.transpose(-2, -1), gradient)
    summed = [v.unflatten(1, (heads, -1)).sum(2).to(key.dtype) for v in (of_key, of_value)]
    return of_query, *summed


def attention(
    query: Any,
    key: Any,
    value: Any,
    embed_dim: int,
    num_head: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    mask: Any = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[Any, Any]:
    """Attention of several heads of ``query``, ``[batch, length, embed_dim]``, to ``key``.

    ``mask`` is true where nothing is looked at: ``[length, length]`` for type 0,
    ``[batch, length]`` for 1, and of each head for 2.  The weights, of each head or their mean,
    are the second result, or an empty tensor.
    """
    torch: Any = import_module("torch")
    linear = torch.nn.functional.linear
    batch, extent = query.shape[0], embed_dim // num_head
    projected = [
        linear(x, weight, bias).view(batch, x.shape[1], num_head, extent).transpose(1, 2)
        for x, weight, bias in zip(
            (query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3), strict=True
        )
    ]
    q, k, v = projected
    scores = (q * extent**-0.5) @ k.transpose(-2, -1)
    if mask is not None:
        shapes = {0: (1, 1, *mask.shape), 1: (batch, 1, 1, mask.shape[-1]), 2: mask.shape}
        hidden = mask.to(torch.bool).view(shapes[2 if mask_type is None else mask_type])
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = scores.softmax(-1)
    mixed = (weights @ v).transpose(1, 2).reshape(batch, query.shape[1], embed_dim)
    shown = (weights.mean(1) if average_attn_weights else weights) if need_weights else None
    return linear(mixed, proj_weight, proj_bias), query.new_empty(0) if shown is None else shown


def encoder_layer(
    src: Any,
    embed_dim: int,
    num_heads: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Any,
    norm_bias_1: Any,
    norm_weight_2: Any,
    norm_bias_2: Any,
    ffn_weight_1: Any,
    ffn_bias_1: Any,
    ffn_weight_2: Any,
    ffn_bias_2: Any,
    mask: Any = None,
    mask_type: int | None = None,
) -> Any:
    """A layer of ``torch.nn.TransformerEncoder`` over ``src``, ``[batch, length, embed_dim]``."""
    functional: Any = import_module("torch.nn.functional")

    def mixed(x: Any) -> Any:
        projections = (qkv_weight, qkv_bias, proj_weight, proj_bias)
        return attention(x, x, x, embed_dim, num_heads, *projections, mask, False, True, mask_type)[
            0
        ]

    def fed(x: Any) -> Any:
        hidden = functional.linear(x, ffn_weight_1, ffn_bias_1)
        hidden = functional.gelu(hidden) if use_gelu else hidden.relu()
        return functional.linear(hidden, ffn_weight_2, ffn_bias_2)

    def first(x: Any) -> Any:
        return functional.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def second(x: Any) -> Any:
        return functional.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    if norm_first:
        x = src + mixed(first(src))
        return x + fed(second(x))
    x = first(src + mixed(src))
    return second(x + fed(x))


def lstm_layer(
    input: Any,
    weight0: Any,
    weight1: Any,
    weight2: Any,
    weight3: Any,
    hx_: Any,
    cx_: Any,
    reverse: bool,
    batch_sizes: list[int],
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    bidirectional: bool,
    batch_first: bool,
    train: bool,
) -> Any:
    """One direction of a layer of LSTM over ``input``, ``[length, batch, features]``.

    The states of all steps, the last one, what it remembers, and a workspace of no elements.
    """
    torch: Any = import_module("torch")
    own: Any = import_module("torch._decomp.decompositions")
    if mode != LSTM or num_layers != 1 or bidirectional or batch_first or batch_sizes:
        return NotImplemented
    weights = (weight0, weight1, *((weight2, weight3) if has_biases else ()))
    states, (last, kept) = own.one_layer_lstm(
        input, (hx_.squeeze(0), cx_.squeeze(0)), weights, has_biases, reverse
    )
    return states, last.unsqueeze(0), kept.unsqueeze(0), torch.empty(0, dtype=torch.uint8)


def lstm_layer_gradient(
    input: Any,
    weight0: Any,
    weight1: Any,
    weight2: Any,
    weight3: Any,
    hx_: Any,
    cx_: Any,
    output: Any,
    hy_: Any,
    cy_: Any,
    grad_output: Any,
    grad_hy: Any,
    grad_cy: Any,
    reverse: bool,
    *options: Any,
) -> Any:
    """The gradients of :func:`lstm_layer` of its input, four weights and two states.

    The steps are computed once more.
    """
    torch: Any = import_module("torch")
    places = list(range(input.shape[0]))
    places = places[::-1] if reverse else places
    state, kept = hx_.squeeze(0), cx_.squeeze(0)
    sums = input @ weight0.t() + (weight2 + weight3)
    steps: list[Any] = []
    for t in places:
        gates = (sums[t] + state @ weight1.t()).chunk(4, 1)
        i, f, o = (gates[k].sigmoid() for k in (0, 1, 3))
        new, before = gates[2].tanh(), (state, kept)
        kept = f * kept + i * new
        steps.append((t, i, f, new, o, kept.tanh(), *before))
        state = o * steps[-1][5]
    of_state = torch.zeros_like(state) if grad_hy is None else grad_hy.squeeze(0)
    of_kept = torch.zeros_like(kept) if grad_cy is None else grad_cy.squeeze(0)
    of_sums: list[Any] = [None] * len(places)
    states: list[Any] = [None] * len(places)
    for t, i, f, new, o, bent, before, kept in reversed(steps):
        of_state = of_state if grad_output is None else of_state + grad_output[t]
        of_kept = of_kept + of_state * o * (1 - bent * bent)
        parts = (
            of_kept * new * i * (1 - i),
            of_kept * kept * f * (1 - f),
            of_kept * i * (1 - new * new),
            of_state * bent * o * (1 - o),
        )
        of_sums[t], states[t] = torch.cat(parts, 1), before
        of_state, of_kept = of_sums[t] @ weight1, of_kept * f
    of_all = torch.stack(of_sums)
    rows, fed = of_all.flatten(0, 1).t(), (input.flatten(0, 1), torch.stack(states).flatten(0, 1))
    of_bias = of_all.sum((0, 1))
    of_states = (of_state.reshape(hx_.shape), of_kept.reshape(cx_.shape))
    return of_all @ weight0, rows @ fed[0], rows @ fed[1], of_bias, of_bias.clone(), *of_states

"""Decompositions of the layers that PyTorch fuses on processors give what the layers give."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from opc.frontend.torch.decompositions import decompositions  # noqa: E402
from opc.frontend.torch.fused_layers import (  # noqa: E402
    attention,
    encoder_layer,
    lstm_layer,
    lstm_layer_gradient,
)

BATCH, LENGTH, CHANNELS, HEADS = 2, 5, 8, 2


def randn(*shape: int) -> Any:
    return torch.randn(*shape)


def mask_of(kind: int | None) -> Any:
    """A mask of a kind that hides nothing from itself."""
    if kind is None:
        return None
    shape = {0: (LENGTH, LENGTH), 1: (BATCH, LENGTH), 2: (BATCH, HEADS, LENGTH, LENGTH)}[kind]
    mask = torch.rand(shape) > 0.6
    mask[..., 0] = False
    return mask


MASKS = (None, 0, 1, 2)
BOTH = (False, True)


@pytest.mark.parametrize("kind, shows, averages", list(product(MASKS, BOTH, BOTH)))
def test_attention(kind: int | None, shows: bool, averages: bool) -> None:
    x = randn(BATCH, LENGTH, CHANNELS)
    weights = (randn(3 * CHANNELS, CHANNELS), randn(3 * CHANNELS))
    weights += (randn(CHANNELS, CHANNELS), randn(CHANNELS))
    args = (x, x, x, CHANNELS, HEADS, *weights, mask_of(kind), shows, averages, kind)
    expected = torch.ops.aten._native_multi_head_attention(*args)
    result = attention(*args)
    torch.testing.assert_close(result[0], expected[0], rtol=1e-4, atol=1e-5)
    if shows:
        torch.testing.assert_close(result[1], expected[1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind, gelu, first", list(product(MASKS, BOTH, BOTH)))
def test_encoder_layer(kind: int | None, gelu: bool, first: bool) -> None:
    narrow, wide = CHANNELS, 4 * CHANNELS
    weights = (randn(3 * narrow, narrow), randn(3 * narrow), randn(narrow, narrow), randn(narrow))
    norms = [randn(narrow) for _ in range(4)]
    fed = (randn(wide, narrow), randn(wide), randn(narrow, wide), randn(narrow))
    x = randn(BATCH, LENGTH, CHANNELS)
    args = (x, CHANNELS, HEADS, *weights, gelu, first, 1e-5, *norms, *fed, mask_of(kind), kind)
    expected = torch.ops.aten._transformer_encoder_layer_fwd(*args)
    torch.testing.assert_close(encoder_layer(*args), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("reverse, has_biases", list(product(BOTH, BOTH)))
def test_lstm_layer(reverse: bool, has_biases: bool) -> None:
    hidden = 6
    weights = [randn(4 * hidden, CHANNELS), randn(4 * hidden, hidden)]
    weights += [randn(4 * hidden) if has_biases else torch.zeros(4 * hidden) for _ in range(2)]
    states = [randn(1, BATCH, hidden) for _ in range(2)]
    rest = (reverse, [], 2, hidden, 1, has_biases, False, False, False)
    args = (randn(LENGTH, BATCH, CHANNELS), *weights, *states, *rest)
    expected = torch.ops.aten.mkldnn_rnn_layer(*args)
    for own, other in zip(lstm_layer(*args)[:3], expected[:3], strict=True):
        torch.testing.assert_close(own, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("reverse, of_last", list(product(BOTH, BOTH)))
def test_gradient_of_lstm_layer(reverse: bool, of_last: bool) -> None:
    hidden = 6
    weights = [randn(4 * hidden, CHANNELS), randn(4 * hidden, hidden)]
    weights += [randn(4 * hidden) for _ in range(2)]
    states = [randn(1, BATCH, hidden) for _ in range(2)]
    inputs = [randn(LENGTH, BATCH, CHANNELS), *weights, *states]
    inputs = [x.requires_grad_() for x in inputs]
    rest = (reverse, [], 2, hidden, 1, True, False, False, True)
    results = lstm_layer(*inputs, *rest)[:3]
    gradients = [randn(*y.shape) if k == 0 or of_last else None for k, y in enumerate(results)]
    pairs = [(y, g) for y, g in zip(results, gradients, strict=True) if g is not None]
    expected = torch.autograd.grad([y for y, _ in pairs], inputs, [g for _, g in pairs])
    own_gradients = lstm_layer_gradient(*inputs, *results, *gradients, reverse, 2, hidden)
    for own, other in zip(own_gradients, expected, strict=True):
        torch.testing.assert_close(own, other, rtol=1e-4, atol=1e-5)


def test_training_an_lstm() -> None:
    layer = torch.nn.LSTM(5, 6, bidirectional=True)
    x = randn(4, 3, 5)
    with torch._dynamo.config.patch(allow_rnn=True):
        y, _ = torch.compile(layer, backend="opc", dynamic=False)(x)
    gradients = [
        torch.autograd.grad(v.square().sum(), [*layer.parameters()]) for v in (y, layer(x)[0])
    ]
    for own, other in zip(*gradients, strict=True):
        torch.testing.assert_close(own, other, rtol=1e-4, atol=1e-5)


def test_the_table_has_core_operators_and_layers() -> None:
    table = decompositions()
    aten = torch.ops.aten
    assert aten.mkldnn_rnn_layer.default in table and aten.addcmul.default in table

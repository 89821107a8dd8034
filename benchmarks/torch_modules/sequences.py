"""Modules over sequences: transformers and recurrences."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

WORDS = 8192
"""The size of a vocabulary."""

GPT_SMALL = WORDS, 128, 512, 8, 4
"""Words, the longest text, channels, heads and layers."""


class Attention(nn.Module):
    """Attention of several heads over the sequence itself."""

    def __init__(self, channels: int, heads: int, is_causal: bool = False) -> None:
        super().__init__()
        self.inside, self.outside = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.heads, self.is_causal = heads, is_causal

    def forward(self, x: Tensor) -> Tensor:
        """The shape, ``[batch, length, channels]``, stays."""
        batch, length, channels = x.shape
        split = self.inside(x).view(batch, length, 3, self.heads, channels // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal)
        return self.outside(y.transpose(1, 2).reshape(batch, length, channels))


class Block(nn.Module):
    """Attention and two dense layers, each normalized first."""

    def __init__(self, channels: int, heads: int, is_causal: bool = False) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.attention = Attention(channels, heads, is_causal)
        self.wide, self.narrow = (
            nn.Linear(channels, 4 * channels),
            nn.Linear(4 * channels, channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """The shape, ``[batch, length, channels]``, stays."""
        x = x + self.attention(self.norm1(x))
        return x + self.narrow(F.gelu(self.wide(self.norm2(x)), approximate="tanh"))


def bert(channels: int, heads: int, layers: int) -> nn.Module:
    """Encoder layers of BERT (Devlin et al. 2018), as PyTorch has them."""
    layer = nn.TransformerEncoderLayer(
        channels, heads, 4 * channels, dropout=0.1, activation="gelu", batch_first=True
    )
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


class GPT(nn.Module):
    """A decoder of text (Radford et al. 2019): the scores of the next word at each place."""

    def __init__(self, words: int, length: int, channels: int, heads: int, layers: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, channels), nn.Embedding(length, channels)
        self.blocks = nn.Sequential(*(Block(channels, heads, True) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(channels), nn.Linear(channels, words, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """``[batch, length]`` to ``[batch, length, words]``."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.words(tokens) + self.places(places)
        return self.head(self.norm(self.blocks(x)))


class ViT(nn.Module):
    """A vision transformer (Dosovitskiy et al. 2020)."""

    def __init__(self, size: int, patch: int, channels: int, heads: int, layers: int) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, channels, patch, patch)
        self.token = nn.Parameter(torch.randn(1, 1, channels))
        self.places = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, channels) / 10)
        self.blocks = nn.Sequential(*(Block(channels, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(channels), nn.Linear(channels, 100)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, 3, size, size]`` to scores of classes."""
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.head(self.norm(self.blocks(x))[:, 0])


class WindowBlock(nn.Module):
    """Attention in windows of a rolled image, with a bias for each distance (Liu et al. 2021)."""

    def __init__(self, channels: int, heads: int, window: int, shift: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.inside, self.outside = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.wide, self.narrow = (
            nn.Linear(channels, 2 * channels),
            nn.Linear(2 * channels, channels),
        )
        self.heads, self.window, self.shift = heads, window, shift
        self.biases = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads) / 10)
        places = torch.stack(
            torch.meshgrid(torch.arange(window), torch.arange(window), indexing="ij")
        ).flatten(1)
        distances = places[:, :, None] - places[:, None, :] + window - 1
        self.register_buffer("distances", distances[0] * (2 * window - 1) + distances[1])

    def forward(self, x: Tensor) -> Tensor:
        """The shape, ``[batch, h, w, channels]``, stays."""
        batch, height, width, channels = x.shape
        window = self.window
        y = torch.roll(self.norm1(x), (-self.shift, -self.shift), (1, 2))
        y = y.view(batch, height // window, window, width // window, window, channels)
        y = y.permute(0, 1, 3, 2, 4, 5).reshape(-1, window * window, channels)
        split = self.inside(y).view(-1, window * window, 3, self.heads, channels // self.heads)
        q, k, v = split.permute(2, 0, 3, 1, 4)
        bias = self.biases[self.distances.view(-1)].view(window**2, window**2, self.heads)
        scores = (q * (channels // self.heads) ** -0.5) @ k.transpose(-2, -1)
        scores = (scores + bias.permute(2, 0, 1)).softmax(-1)
        y = self.outside((scores @ v).transpose(1, 2).reshape(-1, window * window, channels))
        y = y.view(batch, height // window, width // window, window, window, channels)
        y = y.permute(0, 1, 3, 2, 4, 5).reshape(batch, height, width, channels)
        x = x + torch.roll(y, (self.shift, self.shift), (1, 2))
        return x + self.narrow(F.gelu(self.wide(self.norm2(x))))


class Swin(nn.Module):
    """The first stage of a Swin transformer, of two blocks."""

    def __init__(self, size: int, patch: int, channels: int, heads: int, window: int) -> None:
        super().__init__()
        window = min(window, size // patch)
        self.patches = nn.Conv2d(3, channels, patch, patch)
        self.first = WindowBlock(channels, heads, window, 0)
        self.second = WindowBlock(channels, heads, window, window // 2)
        self.head = nn.Linear(channels, 10)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, 3, size, size]`` to scores of classes."""
        x = self.second(self.first(self.patches(x).permute(0, 2, 3, 1)))
        return self.head(x.mean((1, 2)))


class Recurrent(nn.Module):
    """A recurrence of two layers, and a dense layer over its last state."""

    def __init__(self, kind: type[nn.LSTM] | type[nn.GRU], inside: int, hidden: int) -> None:
        super().__init__()
        self.recurrence = kind(inside, hidden, num_layers=2, batch_first=True)
        self.head = nn.Linear(hidden, 10)

    def forward(self, x: Tensor) -> Tensor:
        """``[batch, length, inside]`` to scores of classes."""
        return self.head(self.recurrence(x)[0][:, -1])

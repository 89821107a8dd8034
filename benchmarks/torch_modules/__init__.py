"""Modules of PyTorch of the kinds that torchvision and transformers have, with weights from seeds.

Each is there in a size that people deploy and, for tests, in a small one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from benchmarks.torch_modules import images, sequences


@dataclass(frozen=True)
class Example:
    """A module in two sizes; the first axis of every input is the batch."""

    module: Callable[[bool], nn.Module]
    """Gives the module, the small one for True."""
    inputs: Callable[[bool, int], tuple[Tensor, ...]]
    """Gives inputs for the size and a batch."""
    is_recurrent: bool = False
    """torch.compile leaves such modules to PyTorch unless ``torch._dynamo.config.allow_rnn``."""

    def build(self, small: bool) -> nn.Module:
        """The module for inference, with the same weights every time."""
        with torch.random.fork_rng():
            torch.manual_seed(0)
            module = self.module(small)
            for buffer in module.buffers():
                # Statistics of normalizations, which are 0 and 1 in a new module.
                if buffer.is_floating_point():
                    buffer.copy_(torch.rand_like(buffer) + 0.5)
        return module.eval()

    def example(self, small: bool, batch: int = 1) -> tuple[Tensor, ...]:
        """Inputs, the same every time."""
        with torch.random.fork_rng():
            torch.manual_seed(1)
            return self.inputs(small, batch)


def _images(small: int, full: int, channels: int = 3) -> Callable[[bool, int], tuple[Tensor, ...]]:
    def make(is_small: bool, batch: int) -> tuple[Tensor, ...]:
        size = small if is_small else full
        return (torch.randn(batch, channels, size, size),)

    return make


def _tokens(is_small: bool, batch: int) -> tuple[Tensor, ...]:
    words, length = (50, 8) if is_small else (sequences.WORDS, 128)
    return (torch.randint(words, (batch, length)),)


def _frames(is_small: bool, batch: int) -> tuple[Tensor, ...]:
    return (torch.randn(batch, *((5, 8) if is_small else (32, 128))),)


def _states(is_small: bool, batch: int) -> tuple[Tensor, ...]:
    return (torch.randn(batch, *((8, 16) if is_small else (128, 768))),)


EXAMPLES = {
    "mlp": Example(
        lambda small: images.mlp(*((12, 16, 5) if small else (784, 1024, 10))),
        lambda small, batch: (torch.randn(batch, 12 if small else 784),),
    ),
    "lenet": Example(lambda small: images.lenet(4 if small else 1), _images(28, 28, 1)),
    "resnet18": Example(
        lambda small: images.ResNet(*((8, (1, 1)) if small else (64, (2, 2, 2, 2)))),
        _images(16, 224),
    ),
    "mobilenet_v2": Example(lambda small: images.mobilenet(small), _images(16, 224)),
    "efficientnet_b0": Example(lambda small: images.efficientnet(small), _images(16, 224)),
    "convnext_t": Example(
        lambda small: images.convnext(*(((8, 16), (1, 1)) if small else images.CONVNEXT_T)),
        _images(16, 224),
    ),
    "unet": Example(lambda small: images.UNet(4 if small else 32), _images(16, 128)),
    "bert_layers": Example(
        lambda small: sequences.bert(*((16, 2, 1) if small else (768, 12, 4))), _states
    ),
    "gpt": Example(
        lambda small: sequences.GPT(*((50, 8, 16, 2, 1) if small else sequences.GPT_SMALL)),
        _tokens,
    ),
    "vit_s16": Example(
        lambda small: sequences.ViT(*((16, 4, 16, 2, 1) if small else (224, 16, 384, 6, 6))),
        _images(16, 224),
    ),
    "swin": Example(
        lambda small: sequences.Swin(*((16, 4, 16, 2, 4) if small else (224, 4, 96, 3, 7))),
        _images(16, 224),
    ),
    "lstm": Example(
        lambda small: sequences.Recurrent(nn.LSTM, *((8, 12) if small else (128, 256))),
        _frames,
        True,
    ),
    "gru": Example(
        lambda small: sequences.Recurrent(nn.GRU, *((8, 12) if small else (128, 256))),
        _frames,
        True,
    ),
}
"""The examples by their names."""

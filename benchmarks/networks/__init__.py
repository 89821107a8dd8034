"""Networks that people deploy, with weights drawn from a seed, as ONNX files.

``python -m benchmarks.networks`` compares them with onnxruntime; see ``--help``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.networks import classifiers, dense, language, perception, quantized
from benchmarks.networks.net import Net

SYMBOLS = {"batch": "N", "length": "S", "past": "P"}
"""Which parameters of networks may be extents that only a run knows, and what these are called."""
SIZES = {"N": 2, "S": 5, "P": 3}
"""What they are in a check."""


@dataclass(frozen=True)
class Network:
    """A network at its published size, and what makes it small but of the same layers."""

    build: Callable[..., None]
    small: Mapping[str, Any]
    full: Mapping[str, Any] = field(default_factory=dict[str, Any])
    symbols: tuple[str, ...] = ("batch",)

    def net(self, small: bool = False, symbolic: bool = False) -> Net:
        """The network, with extents that only a run knows if ``symbolic``."""
        named = {name: SYMBOLS[name] for name in self.symbols} if symbolic else {}
        net = Net()
        self.build(net, **{**self.full, **(self.small if small else {}), **named})
        return net


_TOKENS = ("batch", "length")
_CACHED = ("batch", "length", "past")
NETWORKS = {
    "resnet18": Network(
        classifiers.resnet, {"size": 48, "width": 0.25, "blocks": (1, 1, 1, 1), "classes": 40}
    ),
    "resnet50": Network(
        classifiers.resnet,
        {"size": 48, "width": 0.25, "blocks": (1, 1, 1), "classes": 40},
        {"bottleneck": True, "blocks": (3, 4, 6, 3)},
    ),
    "squeezenet": Network(classifiers.squeezenet, {"size": 48, "width": 0.25}),
    "mobilenet_v2": Network(classifiers.mobilenet_v2, {"size": 48, "width": 0.25, "depth": 4}),
    "mobilenet_v3": Network(classifiers.mobilenet_v3, {"size": 48, "width": 0.25, "depth": 8}),
    "efficientnet_b0": Network(classifiers.efficientnet, {"size": 48, "width": 0.25, "depth": 4}),
    "convnext_t": Network(
        classifiers.convnext, {"size": 64, "width": 0.25, "blocks": (1, 1, 1, 1)}
    ),
    "unet": Network(dense.unet, {"size": 32, "width": 0.125, "levels": 2}),
    "yolo_n": Network(dense.yolo, {"size": 64, "width": 0.125}),
    "yolo_n_nms": Network(dense.yolo, {"size": 64, "width": 0.125}, {"suppresses": True}),
    "bert": Network(
        language.bert,
        {"length": 12, "layers": 2, "width": 32, "count": 4, "vocabulary": 100},
        symbols=_TOKENS,
    ),
    "gpt2": Network(
        language.gpt2,
        {"length": 2, "past": 5, "layers": 2, "width": 32, "count": 4, "vocabulary": 100},
        symbols=_CACHED,
    ),
    "llama": Network(
        language.llama,
        {
            "length": 2,
            "past": 5,
            "layers": 2,
            "width": 32,
            "count": 4,
            "groups": 2,
            "inner": 48,
            "vocabulary": 100,
        },
        symbols=_CACHED,
    ),
    "vit_b16": Network(perception.vit, {"size": 32, "layers": 2, "width": 48, "count": 3}),
    "swin_t": Network(
        perception.swin, {"size": 64, "window": 4, "blocks": (2, 2), "width": 16, "head": 8}
    ),
    "whisper_encoder": Network(
        perception.whisper_encoder,
        {"frames": 40, "layers": 1, "width": 32, "count": 4, "bands": 20},
    ),
    "whisper_decoder": Network(
        perception.whisper_decoder,
        {
            "length": 2,
            "past": 5,
            "frames": 20,
            "layers": 1,
            "width": 32,
            "count": 4,
            "vocabulary": 100,
        },
        symbols=_CACHED,
    ),
    "lstm_tagger": Network(
        language.tagger,
        {"length": 6, "layers": 2, "width": 16, "vocabulary": 100, "tags": 7},
        symbols=_TOKENS,
    ),
    "resnet50_qdq": Network(
        quantized.resnet, {"size": 48, "width": 0.25, "blocks": (1, 1, 1), "classes": 40}
    ),
    "mobilenet_v2_qdq": Network(
        quantized.mobilenet_v2, {"size": 48, "width": 0.5, "depth": 3, "classes": 40}
    ),
}

"""Modules that are exported and compiled, beside eager PyTorch."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import opc
from opc.errors import ArgumentError
from opc.frontend.torch.reader import read

from .torch_modules import Module, agrees, check, compiles, exported, listed, torch

nn = torch.nn
images: Any = import_module("benchmarks.torch_modules.images")


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


class Net(nn.Module):
    """A convolution, a norm with stored moments, and a dictionary of results."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 8, 3, padding=1, stride=2), nn.BatchNorm2d(8)
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 2)
        self.head = nn.Linear(8, 4)

    def forward(self, images: Any) -> Any:
        x = torch.relu(self.norm(self.conv(images)))
        x = nn.functional.max_pool2d(x, 2)
        return {"logits": self.head(x.mean((2, 3))), "features": x}


def test_mlp() -> None:
    compiled = compiles(images.mlp(6, 40, 4), torch.randn(3, 6))
    assert [s.name for s in compiled.inputs] == ["input"]


def test_image_network_with_named_results() -> None:
    compiled = compiles(Net(), torch.randn(2, 3, 8, 8))
    assert [s.name for s in compiled.inputs] == ["images"]
    assert [s.name for s in compiled.outputs] == ["logits", "features"]


def test_transformer_block_of_any_length() -> None:
    shapes = {"src": {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}}
    block = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    compiled = compiles(block, torch.randn(2, 5, 8), dynamic_shapes=shapes)
    x = torch.randn(3, 7, 8)
    check(listed(compiled(x.numpy())), block(x))


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_recurrent(kind: str) -> None:
    agrees(getattr(nn, kind)(3, 4), torch.randn(5, 2, 3))


def test_ranges_are_required() -> None:
    dim = torch.export.Dim("rows", min=3, max=8)
    program = exported(
        images.mlp(6, 40, 4).eval(), torch.randn(4, 6), dynamic_shapes={"input": {0: dim}}
    )
    compiled = opc.compile(program)
    assert compiled(np.zeros((8, 6), np.float32)).shape == (8, 4)
    for rows in (2, 9):
        with pytest.raises(ArgumentError, match="3 to 8"):
            compiled(np.zeros((rows, 6), np.float32))


def test_extents_are_expressions() -> None:
    def doubled(x: Any, y: Any) -> Any:
        pair = torch.cat([x, x])
        return pair.reshape(-1, 4) + y.sum(), pair.shape[0], x[: x.shape[0] // 2], x.reshape(2, -1)

    half = torch.export.Dim("half")
    args = torch.randn(4, 2), torch.randn(4)
    program = exported(
        Module(doubled), *args, dynamic_shapes={"args": ({0: 2 * half}, {0: 2 * half})}
    )
    compiled = opc.compile(program)
    for rows in (4, 6):
        x, y = torch.randn(rows, 2), torch.randn(rows)
        check(listed(compiled(x.numpy(), y.numpy())), doubled(x, y))


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
def test_images_of_any_size(mode: str) -> None:
    def larger(x: Any) -> Any:
        by_scale = torch.nn.functional.interpolate(x, scale_factor=2.5, mode=mode)
        return by_scale, torch.nn.functional.interpolate(x, (7, 5), mode=mode), x

    shapes = {"args": ({2: torch.export.Dim("height"), 3: torch.export.Dim("width")},)}
    x = torch.randn(1, 2, 4, 6)
    compiled = opc.compile(exported(Module(larger), x, dynamic_shapes=shapes))
    for image in (x, torch.randn(1, 2, 9, 3)):
        check(listed(compiled(image.numpy())), larger(image))


def test_data_decide_extents() -> None:
    def chosen(x: Any) -> Any:
        return x.nonzero(), x[x > 0] * 2.0

    x = torch.randn(4, 3)
    compiled = opc.compile(exported(Module(chosen), x))
    for values in (x, torch.zeros(4, 3), torch.ones(4, 3)):
        check(listed(compiled(values.numpy())), chosen(values))


@pytest.mark.parametrize("type", [torch.int64, torch.int32])
def test_data_decide_how_often_a_row_is_there(type: Any) -> None:
    def repeated(x: Any, counts: Any) -> Any:
        return torch.repeat_interleave(x, counts, 0), torch.repeat_interleave(counts)

    x = torch.randn(4, 3)
    compiled = opc.compile(exported(Module(repeated), x, torch.ones(4, dtype=type)))
    for counts in ([2, 0, 1, 4], [0, 0, 0, 0], [0, 9, 0, 1]):
        numbers = torch.tensor(counts, dtype=type)
        check(listed(compiled(x.numpy(), numbers.numpy())), repeated(x, numbers))


def test_weights_share_memory() -> None:
    layer = nn.Linear(64, 64, bias=False)
    module = read(exported(layer, torch.randn(2, 64)))
    weights = [op.array() for op in module.walk() if op.name == "opc.constant"]
    assert any(w.ctypes.data == layer.weight.data_ptr() for w in weights)


@pytest.mark.parametrize("type", ["bfloat16", "float16", "float64"])
def test_types_of_weights(type: str) -> None:
    layer = nn.Linear(4, 3).to(getattr(torch, type))
    x = torch.randn(2, 4).to(getattr(torch, type))
    results = opc.compile(exported(layer, x))(x)
    assert results.dtype.name == type
    difference = torch.tensor(results.astype(np.float64)) - layer(x).double()
    assert difference.abs().max() < {"bfloat16": 2e-2, "float16": 2e-3, "float64": 1e-12}[type]


def test_opc_does_not_import_torch() -> None:
    code = "import opc, sys; opc.compile('func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\\n"
    code += "func.return %x : tensor<2xf32>}'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

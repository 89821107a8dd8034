"""Control flow with graphs as bodies, and numbers that data decide, beside eager PyTorch."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import opc
from opc.errors import ArgumentError

from .torch_modules import Module, agrees, check, compiles, exported, listed, torch

nn = torch.nn
higher: Any = import_module("torch._higher_order_ops")


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


class Chosen(nn.Module):
    """One of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        arms = (lambda x: self.first(x).relu(), lambda x: self.second(x) * 2)
        return torch.cond(x.sum() > 0, *arms, (x,))


class Recurrent(nn.Module):
    """A recurrence whose length may vary."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            new = torch.tanh(self.layer(state) + x)
            return new, new * 2.0

        return higher.scan(step, torch.zeros(2, 4), x)


def test_one_of_two_graphs() -> None:
    module = Chosen()
    compiled = compiles(module, torch.randn(2, 4))
    for x in (torch.ones(2, 4), -torch.ones(2, 4)):
        check(listed(compiled(x.numpy())), module(x))


def test_conditions_on_extents() -> None:
    def function(x: Any, y: Any) -> Any:
        same = x.shape[0] == y.shape[0]
        z = torch.cond(torch.sym_not(same), lambda x: x + x.shape[0], lambda x: x - 1, (x,))
        return torch.cond(x.shape[0] * 2 <= y.shape[0] + 1, torch.sin, torch.cos, (z,))

    shapes = {"args": tuple({0: torch.export.Dim(name, min=2)} for name in ("rows", "others"))}
    args = torch.randn(5, 4), torch.randn(4, 4)
    compiled = opc.compile(exported(Module(function), *args, dynamic_shapes=shapes))
    for rows, others in ((5, 4), (4, 4), (2, 3), (2, 2), (3, 5)):
        x, y = torch.randn(rows, 4), torch.randn(others, 4)
        check(listed(compiled(x.numpy(), y.numpy())), function(x, y))


def test_loop() -> None:
    def function(x: Any, n: Any) -> Any:
        zero = torch.zeros((), dtype=torch.int64)
        return higher.while_loop(
            lambda k, x: k < n, lambda k, x: (k + 1, torch.cos(x) * 1.5), (zero, x)
        )

    for n in (0, 5):
        agrees(function, torch.randn(2, 4), torch.tensor(n))


def test_scan_of_any_length() -> None:
    module = Recurrent()
    shapes = {"x": {0: torch.export.Dim("length", min=2)}}
    compiled = compiles(module, torch.randn(5, 2, 4), dynamic_shapes=shapes)
    x = torch.randn(7, 2, 4)
    check(listed(compiled(x.numpy())), module(x))


def test_map() -> None:
    agrees(lambda x: higher.map(lambda row: torch.sin(row) @ row, x), torch.randn(5, 4, 4))


def test_item_as_an_extent() -> None:
    def function(x: Any, n: Any) -> Any:
        count = n.item()
        torch._check(count >= 1)
        torch._check(count <= 4)
        return x[:count].sum(0), x.new_ones(count)

    x = torch.randn(4, 3)
    compiled = opc.compile(exported(Module(function), x, torch.tensor(3)))
    for n in (1, 4):
        check(listed(compiled(x.numpy(), np.int64(n))), function(x, torch.tensor(n)))
    with pytest.raises(ArgumentError):
        compiled(x.numpy(), np.int64(-1))
